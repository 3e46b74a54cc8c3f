"""From questions as people ask them to tensors: what a network of any kind may read."""
