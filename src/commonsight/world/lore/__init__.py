"""Everyday commonsense as tables: what people do, feel, want, are, what just happened and what comes next.

Each table is a tuple of rows that `world.rules` gathers into rules. `lore.table` says how rows are read.
"""
