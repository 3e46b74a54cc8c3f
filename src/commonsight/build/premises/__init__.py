"""Premises from templates (PMR, section 3.1 and appendix D).

An annotator is offered six premises about an image, one of each category, and may change the one that they
choose. What category it is then of is told by the template that it comes nearest to.
"""
