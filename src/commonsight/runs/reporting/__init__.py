"""Runs side by side in one offline file, fit for a paper's appendix."""
