"""An audit for people and programs: an offline page, Markdown, JSON. Values go in, files come out."""
