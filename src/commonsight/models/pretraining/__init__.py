"""What networks that read and see learn before a task: one objective a file, a loss of a network's states.

Their texts are the questions' own: what is asked, and with it the right choice, which is true of the picture.
"""
