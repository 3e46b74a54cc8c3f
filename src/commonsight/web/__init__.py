"""Pages in a browser: the explorer and the annotation app, on one small site."""
