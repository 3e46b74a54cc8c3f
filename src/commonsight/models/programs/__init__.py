"""Questions to programs: which functions answer them, which feeds which, and with what words."""
