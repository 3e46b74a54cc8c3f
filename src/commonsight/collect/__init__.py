"""Collecting annotations from people: campaigns, workers, checks and agreement, on a real database."""
