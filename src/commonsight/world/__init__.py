"""The dollhouse: a world we draw ourselves, with ground truth, to try every part of Commonsight on.

No image of the real benchmarks may be shipped, so this is what a newcomer runs on. It is honest about what it
is: every item says that it is drawn, and no figure on it is a figure on a real benchmark.
"""
