"""Audit: what a benchmark can be solved by without understanding it. One probe a file, one Protocol."""
