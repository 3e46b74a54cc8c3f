"""Layouts made of the words of questions, and how many say less than those."""

from __future__ import annotations

from commonsight.graph.shapes.layouts import PLAIN
from commonsight.models.features.examples import Example, Spoken
from commonsight.runs.layouts import layouts_told, unread_told, with_layouts


def asked(text: str) -> Example:
    words = tuple(text.split())
    return Example("1", "verify", None, (1, 1), Spoken(words, (0,) * len(words)), (), (), ())


def test_layouts_of_constituents_that_leave_something_out_are_counted() -> None:
    texts = ("a red cup", "cup" + " near a cup" * 9, "quickly", "?")
    assert layouts_told("constituents", [asked(text) for text in texts]) == (
        "4 layouts made of words; 1 leave out the end of a long text, and 2 are plain, for lack of anything "
        "to find"
    )


def test_a_grammar_reads_sentences_about_drawings_and_what_it_cannot_read_is_counted() -> None:
    read = [asked("there is a yellow circle touching the wall"), asked("quickly")]
    first, second = with_layouts("grammar", read)
    assert first.layout[0] == "objects"
    assert {"colour yellow", "kind circle", "wall any"} <= {*first.layout}
    assert second.layout == PLAIN
    assert layouts_told("grammar", read) == "2 layouts read by a grammar; 1 are plain, for lack of a reading"
    assert unread_told("grammar", read) == "1 of 2 questions have no reading, and a plain layout"
    assert unread_told("grammar", read[:1]) is None
    assert unread_told("constituents", read) is None
    assert unread_told(None, read) is None
