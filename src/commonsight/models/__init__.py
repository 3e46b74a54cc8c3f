"""Models that need torch, which is imported nowhere else and only when one of them is used."""
