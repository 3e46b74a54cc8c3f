"""Pictures that are alike, brought together: NLVR2's sets of eight, A-OKVQA's tasks of four.

Candidates come from folders or from a list of search results; each picture is opened once, measured and
given a vector. What is too small, broken or doubled goes; what stays is grouped by its vectors.
"""
