"""A module network over layouts that a grammar reads (after Andreas et al., 2016).

Each function of a program is a small network that all sentences share, and is learned from what is true and
what is false alone. `scene` is what modules look at, `modules` and `counting` are what layouts are made of,
`execute` runs those of a whole batch at once, and `network` puts it together.
"""
