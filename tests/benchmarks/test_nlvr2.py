"""NLVR2, and the older NLVR that is scored the same way: accuracy by example, consistency by sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.nlvr import NLVR
from commonsight.benchmarks.nlvr2 import NLVR2, Identifier, human, read_tagged_sentences
from commonsight.core.answer import Pick, Refused, Truncated, Unparsed, Verdict
from commonsight.core.scene import Box
from commonsight.errors import InputError, PredictionError, Problem
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.native import FieldError, read_native


@pytest.fixture
def gold(fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / "nlvr2" / "dev.json"]


def two(right: int, n: int, sentences: int, of: int) -> dict[str, tuple[int, int]]:
    return {"accuracy": (right, n), "consistency": (sentences, of)}


def test_scores_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # Sentences dev-0-*-0 (4 pairs), dev-0-*-1 (3), dev-1-*-0 (4) and dev-1-*-1 (2).
    # Only dev-0-1-1 is wrong: its gold is True, the prediction False. So its sentence is lost, three are not.
    card = score(NLVR2, gold, fixtures_dir / "nlvr2" / "predictions.csv")
    assert card.n == 13
    assert counts(card.metrics) == two(12, 13, 3, 4)
    assert card.metrics["accuracy"].clusters == 4


def test_always_true_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # Seven labels are True (2 + 2 + 2 + 1), and every sentence has a False one.
    card = score(NLVR2, gold, fixtures_dir / "nlvr2" / "predictions_b.csv")
    assert counts(card.metrics) == two(7, 13, 0, 4)


def test_slices_from_files_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    folder = fixtures_dir / "nlvr2"
    files = {"tags": folder / "annotated.txt", "balanced": folder / "balanced_dev.json"}
    card = score(NLVR2, gold, folder / "predictions.csv", slices=files)
    tags = {label: counts(figures) for label, figures in card.slices["tags"].items()}
    assert tags == {
        "hard cardinality": two(4, 4, 1, 1),  # There are exactly two cups …
        "existential quantifier": two(4, 4, 1, 1),
        "spatial relation": two(2, 3, 0, 1),  # … next to an umbrella.
        "soft cardinality": two(2, 2, 1, 1),  # … no more than three chairs.
        "negation": two(2, 2, 1, 1),
    }
    # Pairs 0 and 1 of each sentence; the wrong one is among them.
    balanced = {label: counts(figures) for label, figures in card.slices["balanced"].items()}
    assert balanced == {"balanced": two(7, 8, 3, 4)}


def test_a_run_s_failures_score_nothing_and_are_counted_apart(
    score: Any, counts: Any, gold: list[Path]
) -> None:
    said: dict[str, Any] = {item.id: item.gold for item in read_native(NLVR2.native, gold)}
    said |= {
        "dev-0-1-0": Unparsed("?"),  # gold False
        "dev-1-2-0": Truncated("F"),  # gold False
        "dev-1-0-1": Refused("I cannot see"),  # gold False
        "dev-1-1-1": Pick(1),  # of the wrong kind; gold True
    }
    card = score(NLVR2, gold, [LoggedAnswer(item, "verify", answer) for item, answer in said.items()])
    assert counts(card.metrics) == two(9, 13, 1, 4)
    assert card.failures == {"unparsed": 1, "truncated": 1, "refused": 1}


def test_a_missing_pair_costs_its_sentence(score: Any, counts: Any, tmp_path: Path, gold: list[Path]) -> None:
    items = list(read_native(NLVR2.native, gold))
    lines = [f"{item.id},{item.gold.value}" for item in items[1:] if isinstance(item.gold, Verdict)]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    with pytest.raises(PredictionError, match="no prediction for id dev-0-0-0"):
        score(NLVR2, gold, tmp_path / "p.csv")
    card = score(NLVR2, gold, tmp_path / "p.csv", allow_missing=True)
    assert counts(card.metrics) == two(12, 13, 3, 4)
    assert card.failures == {"missing": 1}


@pytest.mark.parametrize(
    "form",
    [
        "{id},{value}\n",
        "{id},{lower}\n",
        "{id}, {value} \n",
        '"{id}","{value}"\n',
        "{id},{upper}\r\n",
    ],
)
@pytest.mark.parametrize("header", ["", "identifier,prediction\n", "id,label\n"])
def test_forms_of_predictions_that_are_read(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], form: str, header: str
) -> None:
    lines = [
        form.format(
            id=item.id,
            value=item.gold.value,
            lower=str(item.gold.value).lower(),
            upper=str(item.gold.value).upper(),
        )
        for item in read_native(NLVR2.native, gold)
        if isinstance(item.gold, Verdict)
    ]
    (tmp_path / "p.csv").write_bytes((header + "".join(lines)).encode())
    assert counts(score(NLVR2, gold, tmp_path / "p.csv").metrics) == two(13, 13, 4, 4)


@pytest.mark.parametrize("bad", ["dev-850-0", "dev-850-0-1-2", "dev--0-1", "", "dev"])
def test_an_identifier_has_four_parts(bad: str) -> None:
    with pytest.raises(FieldError, match="does not read split-set-pair-sentence"):
        Identifier.parse(bad)


def test_a_sentence_is_its_identifier_without_the_pair() -> None:
    assert Identifier.parse("dev-850-0-1").sentence_group == "dev-850-1"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"identifier": "dev-1"},
            "identifier: 'dev-1' does not read split-set-pair-sentence. Write it as dev-850-0-1.",
        ),
        ({"label": "true"}, "label: invalid enum value 'true'. Correct the field's type or value."),
        ({"label": True}, "label: expected `str`, got `bool`. Correct the field's type or value."),
        ({"identifier": "..-1-1-1"}, "split: '..' cannot be a split's name. Use letters, digits, _ and -."),
    ],
)
def test_a_record_that_cannot_be_is_a_problem(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    record = {**json.loads(gold[0].read_text().splitlines()[0]), **changes}
    (tmp_path / "dev.json").write_text(json.dumps(record))
    problems: list[Problem] = []
    items = list(read_native(NLVR2.native, [tmp_path / "dev.json"], on_problem=problems.append))
    assert items == []
    assert [f"{each.field}: {each.message}. {each.remedy}" for each in problems] == [problem]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"* tag\n", r":1: a tag before any sentence\. Write the sentence first\."),
        (b"\n\n", r": the file holds no tagged sentences\. Was it copied in full\?"),
        (b"A sentence.\n* \xff\n", r":2: the text is not UTF-8\. Save the file as UTF-8\."),
    ],
)
def test_broken_files_of_tags_are_clear_errors(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "tags.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_tagged_sentences(tmp_path / "tags.txt"))


def test_sentences_without_tags_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "tags.txt").write_text("One.\nTwo.\n* a\n*b\nThree.")
    assert list(read_tagged_sentences(tmp_path / "tags.txt")) == [
        ("One.", ()),
        ("Two.", ("a", "b")),
        ("Three.", ()),
    ]


def test_too_few_judgements_make_no_human_figure(gold: list[Path]) -> None:
    assert human(read_native(NLVR2.native, gold)) is None


rows_of = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1), st.booleans(), st.booleans()),
    min_size=1,
    max_size=14,
    unique_by=lambda row: row[:3],
)


@given(rows_of)
def test_a_plain_loop_gives_the_same_figures(
    score: Any, counts: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    records, lines = [], []
    right = 0
    sentences: dict[tuple[int, int], bool] = {}
    for image_set, pair, sentence, label, said in rows:
        identifier = f"dev-{image_set}-{pair}-{sentence}"
        records.append(
            {"sentence": "s", "identifier": identifier, "left_url": "", "right_url": "", "label": str(label)}
        )
        lines.append(f"{identifier},{said}")
        right += label == said
        key = (image_set, sentence)
        sentences[key] = sentences.get(key, True) and label == said
    (folder / "dev.json").write_text("\n".join(map(json.dumps, records)))
    (folder / "nlvr2.csv").write_text("\n".join(reversed(lines)))
    card = score(NLVR2, [folder / "dev.json"], folder / "nlvr2.csv")
    assert counts(card.metrics) == two(right, len(rows), sum(sentences.values()), len(sentences))


class TestNlvr:
    @pytest.fixture
    def gold(self, fixtures_dir: Path) -> list[Path]:
        return [fixtures_dir / "nlvr" / "dev.json"]

    def test_scores_by_hand(self, score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
        # gold: 7-0 true, 7-1 false, 9-2 true. Always true misses 7-1 and with it sentence 7.
        card = score(NLVR, gold, fixtures_dir / "nlvr" / "predictions.csv")
        assert counts(card.metrics) == two(2, 3, 1, 2)
        # False, False, True misses 7-0.
        card = score(NLVR, gold, fixtures_dir / "nlvr" / "predictions_b.csv")
        assert counts(card.metrics) == two(2, 3, 1, 2)

    def test_six_drawings_hold_the_boxes_in_every_order(self, gold: list[Path]) -> None:
        item = next(read_native(NLVR.native, gold))
        orders = [tuple(region.label for region in scene.regions) for scene in item.scenes]
        assert orders == [
            ("square", "circle", "triangle"),
            ("square", "triangle", "circle"),
            ("circle", "square", "triangle"),
            ("circle", "triangle", "square"),
            ("triangle", "square", "circle"),
            ("triangle", "circle", "square"),
        ]
        assert [scene.image for scene in item.scenes][::5] == [
            "images/0/dev-7-0-0.png",
            "images/0/dev-7-0-5.png",
        ]
        first, last = item.scenes[0].regions[0], item.scenes[5].regions[2]
        assert (first.box, first.attributes) == (Box(10, 20, 30, 40), ("Yellow",))
        assert (last.box, last.attributes) == (Box(310, 20, 330, 40), ("Yellow",))

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"structured_rep": [[], []]}, "structured_rep: 2 boxes, not 3. "),
            ({"identifier": "7"}, "identifier: '7' does not read sentence-image. "),
            ({"structured_rep": [[{"x_loc": 1}], [], []]}, "structured_rep: a shape lacks a proper "),
            ({"label": "True"}, "label: invalid enum value 'True'. "),
        ]
        + [
            (
                {
                    "structured_rep": [
                        [{"x_loc": x, "y_loc": 1, "size": 9, "type": "square", "color": "red"}],
                        [],
                        [],
                    ]
                },
                problem,
            )
            for x, problem in (
                ("left", "structured_rep: a shape lacks a proper "),
                (10**400, "structured_rep: a shape lacks a proper "),
                ("nan", "structured_rep: a square of size 9 at (nan, 1) reaches outside its box. "),
                (91.5, "structured_rep: a square of size 9 at (91.5, 1) reaches outside its box. "),
                (500, "structured_rep: a square of size 9 at (500, 1) reaches outside its box. "),
            )
        ],
    )
    def test_a_record_that_cannot_be_is_a_problem(
        self, gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
    ) -> None:
        record = {**json.loads(gold[0].read_text().splitlines()[0]), **changes}
        (tmp_path / "dev.json").write_text(json.dumps(record))
        problems: list[Problem] = []
        items = list(read_native(NLVR.native, [tmp_path / "dev.json"], on_problem=problems.append))
        assert items == []
        assert f"{problems[0].field}: {problems[0].message}. ".startswith(problem)
