"""Adversarial Matching: any free-form annotations become a multiple-choice test (VCR, section 4, appendix C).

A wrong choice is another item's right one: as relevant as possible to the query, so that it appeals to
machines, and not too similar to the right response, so that it is not right by accident. One maximum-weight
matching gives every query one wrong choice and uses every response once; three give three.
"""
