"""A benchmark where people already work: as an Inspect task, lmms-eval YAML or a VLMEvalKit TSV, and back."""
