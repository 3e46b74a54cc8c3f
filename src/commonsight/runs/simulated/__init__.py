"""Annotators of the drawn world, who do real work in the real app: through its doors, exams and forms.

They know what the pictures truly show, since the pictures were drawn, and write about it with voices and
mistakes of their own. One file for each protocol says how its work is done; the rest is the same for all.
"""
