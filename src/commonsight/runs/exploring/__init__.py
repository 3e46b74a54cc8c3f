"""Looking through a dataset and what runs said of it: an index, then pages in milliseconds."""
