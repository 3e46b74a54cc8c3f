"""Leakage: what is in two splits, or twice in one."""
