"""Flat shapes in three boxes: what a sentence about them means, as a program that is executed over them.

    values.py      shapes, boxes, and how shapes lie to each other
    functions.py   the functions of programs, with their types
    programs.py    programs as text, and the check of their types
    execute.py     what a program gives, with a trace of every step
    words.py       a sentence as words that the lexicon knows, misspelled ones among them
    lexicon.tsv    what words mean
    lexicon.py     the lexicon, read
    meaning.py     meanings put into each other
    combine.py     what becomes of two neighbouring meanings
    grammar.py     which of them combine, by what rule
    chart.py       every way to read a sentence that the grammar allows, the likeliest first
    recolouring.py the same sentence and the same drawing in other colours
"""
