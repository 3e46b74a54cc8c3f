"""Where benchmarks meet what is done with them: audits and answerers."""
"""Runs: where a benchmark meets those who answer it. For now, what is known of runs that were made before."""
