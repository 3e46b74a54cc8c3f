"""The layers that the papers' networks share, each written once and checked against a slow, plain version of
itself.

They take numbers and tensors, and nothing of a dataset. What is padding is said by a
mask, True where there is something, and nothing that a mask hides (not even a NaN) reaches what it shows.
"""
