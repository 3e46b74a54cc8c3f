"""Word artifacts: words and phrases that tell the label."""
