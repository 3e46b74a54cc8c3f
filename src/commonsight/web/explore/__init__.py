"""The explorer: datasets, items, runs and mistakes in a browser."""
