"""Datasets, native files and runs on disk."""
