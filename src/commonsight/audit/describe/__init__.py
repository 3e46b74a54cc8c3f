"""The papers' own descriptive tables and figures, for any dataset: a probe a file, a pass over the items."""
