"""Frozen values that every other part speaks in. Nothing here reads, writes or prints."""
