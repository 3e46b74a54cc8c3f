"""Blind solvers: what can be answered without the picture, without the question, from choices alone."""
