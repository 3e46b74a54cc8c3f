"""Agreement between people, and how well single ones do."""
