"""The papers' networks, one a file; `catalogue` lists them."""
