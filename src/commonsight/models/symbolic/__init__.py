"""Solvers that come to an answer by a program, which is also their explanation."""
