"""One file for each step from older tables to newer ones, in order."""
