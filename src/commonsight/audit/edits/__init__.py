"""Edits of choices that keep their meaning, and how far a run falls by them."""
