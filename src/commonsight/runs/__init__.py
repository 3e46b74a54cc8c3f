"""Where benchmarks meet what is done with them: audits and answerers."""
