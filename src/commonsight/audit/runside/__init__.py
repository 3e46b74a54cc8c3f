"""What runs tell about a benchmark: slices, ensembles, rotations, vision, item response theory."""
