"""Hardness: how easily each item gives itself away, and which to drop for a harder set."""
