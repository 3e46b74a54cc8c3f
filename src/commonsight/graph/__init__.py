"""Scene graphs, a knowledge graph, and programs executed over both with a trace (CRIC, section 3)."""
