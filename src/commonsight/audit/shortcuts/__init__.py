"""Lexical shortcuts: length, position, overlap and the like, one by one and all together."""
