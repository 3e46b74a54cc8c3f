"""End-to-end module networks (Hu et al., 2017): for each question a network of its own, put together from
modules that all questions share.

`policy` reads the question and writes a layout, `modules` are what layouts are made of, `execute` runs the
layouts of a whole batch at once, and `network` learns all of it, in three ways.
"""
