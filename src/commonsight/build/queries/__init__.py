"""Queries for an image search, from nouns (NLVR2, section 3.1 and Table 1).

Four heuristics find pictures of many things, in rich surroundings, doing something: quantities, more general
words, similar words, and activities.
"""
