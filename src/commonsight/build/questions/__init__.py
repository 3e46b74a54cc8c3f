"""Compositional questions from scene graphs and a knowledge graph (CRIC, section 3).

A question is first a form: what it speaks of, what it says of it, what it asks. The form is put into English
by one module and into a program by another, so that the two can be checked against each other.
"""
