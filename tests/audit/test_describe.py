"""The descriptive probes: counts by hand, any kind of item, and the papers' figures on real data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.json import decode, encode

from commonsight.audit.describe.answers import AnswersProbe, content
from commonsight.audit.describe.diversity import DiversityProbe, MeanDistance
from commonsight.audit.describe.kinds import KindsProbe
from commonsight.audit.describe.language import LanguageProbe
from commonsight.audit.describe.lengths import LengthsProbe
from commonsight.audit.describe.objects import ObjectsProbe
from commonsight.audit.describe.programs import ProgramsProbe, triples
from commonsight.audit.describe.sizes import SizesProbe
from commonsight.audit.describe.spread import SpreadProbe
from commonsight.audit.describe.substitutions import SubstitutionsProbe, nearest
from commonsight.audit.describe.texts import answer_of, tokens_of
from commonsight.audit.fakes import CHOOSE, VERIFY, clean_items, clean_verdicts, subject_of
from commonsight.audit.probe import CannotMeasure, Probe, Setting, Subject
from commonsight.audit.run import sections_of
from commonsight.audit.values import Section, Table
from commonsight.benchmarks import ALL as BENCHMARKS
from commonsight.benchmarks import find
from commonsight.core.answer import Grounded, Pick
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.score.intervals import Figure
from commonsight.score.scoring import Scoring
from commonsight.store.figures import write_figure
from commonsight.store.native import read_native
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(64))
PROBES: tuple[Probe, ...] = (
    SizesProbe(), LengthsProbe(), KindsProbe(), LanguageProbe(), AnswersProbe(), DiversityProbe(),
    SpreadProbe(), ObjectsProbe(), ProgramsProbe(), SubstitutionsProbe(),
)  # fmt: skip


def plain(text: str) -> TaggedText:
    return TaggedText.plain(text)


def asked(question: str, choices: Sequence[str], gold: int | None = 0, **more: object) -> Item:
    number = more.pop("id", "x")
    item = Item(
        str(number), "val", (Scene("a.png"),), {"question": plain(question)}, tuple(map(plain, choices)),
        None if gold is None else Pick(gold),
    )  # fmt: skip
    return structs.replace(item, **more)  # type: ignore[arg-type]


def only(probe: Probe, items: Sequence[Item]) -> Section:
    (section,) = probe.measure(subject_of(items), SETTING)
    return section


def table(section: Section, title: str) -> Table:
    (found,) = [one for one in section.tables if one.title.startswith(title)]
    return found


def cell(found: Table, row: str, column: int = 1) -> object:
    (line,) = [line for line in found.rows if line[0] == row]
    return line[column]


# Texts


def test_tokens_are_words_marks_and_classes() -> None:
    assert tokens_of(plain("It's a well-known dog, no?")) == [
        "it's", "a", "well-known", "dog", ",", "no", "?",
    ]  # fmt: skip
    tagged = TaggedText(("Why", "is", (0, 2), "with", (7,), "?"))
    assert tokens_of(tagged, ("person", "dog", "cup")) == [
        "why", "is", "person", "cup", "with", "object", "?",
    ]  # fmt: skip


def test_answers_in_words() -> None:
    assert answer_of(asked("?", ["A cup.", "b"])) == "a cup ."
    assert answer_of(asked("?", ["a", "b"], gold=None)) is None
    assert answer_of(Item("x", "val", gold=Grounded("Fork", 3))) == "fork"
    assert answer_of(clean_verdicts(1, 0)[0]) is None


# Sizes and lengths


def small() -> list[Item]:
    scene = Scene("a.png", (Region("person"), Region("person"), Region("cup")))
    question = TaggedText(("Why", "is", (0,), "here", "?"))
    choices = (TaggedText(((0,), "waits", ".")), TaggedText(((1, 2), "fall", "down", ".")))
    first = Item(
        "1", "train", (scene,), {"question": question}, choices, Pick(0),
        rationales=(plain("He is late."), TaggedText(((2,), "."))), rationale_gold=1,
        groups={"movie": "m", "image": "a"},
    )  # fmt: skip
    return [first, structs.replace(first, id="2", split="val", groups={"movie": "n", "image": "a"})]


def test_sizes_by_hand() -> None:
    section = only(SizesProbe(), small())
    sizes = table(section, "Sizes")
    assert sizes.columns == ("", "train", "val", "all")
    assert cell(sizes, "items", 3) == 2
    assert cell(sizes, "images", 3) == 1
    assert [cell(sizes, "movies", column) for column in (1, 2, 3)] == [1, 1, 2]
    # The person, and the cup of the right rationale.
    assert cell(sizes, "objects mentioned, in what is asked and right") == 2
    assert cell(sizes, "objects mentioned, in any text") == 3
    assert cell(sizes, "different texts that are asked", 3) == 1
    lengths = table(section, "Average lengths")
    assert cell(lengths, "question, words") == 4
    assert cell(lengths, "question, tokens") == 5
    assert cell(lengths, "choice, words") == (2 + 4) / 2
    assert cell(lengths, "right choice, tokens") == 3
    assert cell(table(section, "Different words by role"), "question") == 4
    assert section.numbers["words_right_choice"] == 2


def test_pairs_in_a_row_by_hand() -> None:
    items = [asked("a b a b", ["b c"]), asked("b a", ["b c"], id="y")]
    sizes = table(only(SizesProbe(), items), "Sizes")
    assert cell(sizes, "different words and marks, given and choices") == 3
    assert cell(sizes, "different pairs of them in a row") == 3  # ab, ba, bc


def test_lengths_by_hand() -> None:
    items = [asked("one two three?", ["a", "b c"]), asked("one?", ["a", "b c"], id="y")]
    found = table(only(LengthsProbe(), items), "Lengths")
    (question,) = [row for row in found.rows if row[0] == "question"]
    assert question[1:5] == (2, 2.0, 1.0, 1)


# Kinds, language


def test_question_types_and_declared_kinds() -> None:
    texts = ["Why is he here?"] * 6 + ["Where is he?"] * 6
    items = [
        asked(text, ["a", "b"], id=n, groups={"category": "c" * (1 + n % 2)}) for n, text in enumerate(texts)
    ]
    section = only(KindsProbe(), items)
    types = table(section, "Types of questions")
    assert cell(types, "Explanation") == 6
    assert cell(types, "Scene") == 6
    assert cell(types, "none of these") == 0
    assert table(section, "By category").rows == (("c", 6, 0.5), ("cc", 6, 0.5))
    assert table(section, "How questions begin").rows[0][:2] == ("where is", 6)


def test_what_has_no_question_says_so_and_knowledge_types_are_missed() -> None:
    section = only(KindsProbe(), clean_verdicts(8, 0))
    assert section.skipped == (
        "Types of questions (VCR, Figure 2): the items have a sentence and no question of their own.",
    )
    answered = [asked("Why?", ["a", "b"], direct_answers=("a", "a"))]
    assert any("Knowledge types" in why for why in only(KindsProbe(), answered).skipped)


def test_language_counts_each_text_once() -> None:
    texts = ["There are two cats."] * 4 + ["Both images show cats."] * 4
    items = [
        structs.replace(item, texts={"sentence": plain(text)})
        for item, text in zip(clean_verdicts(8, 0), texts, strict=True)
    ]
    (section,) = LanguageProbe().measure(subject_of(items, VERIFY), SETTING)
    assert section.figures["existential_quantifier"].value == 0.5
    assert section.figures["existential_quantifier"].n == 2
    pairs = table(section, "What is asked of two images")
    share = cell(pairs, "universal quantification")
    assert isinstance(share, Figure)
    assert share.value == 0.5


# Answers, spread, objects


def test_the_same_answer_in_other_words() -> None:
    assert content("she is talking to the dogs .") == content("talk to a dog")
    assert content("to the") == "to the"
    assert content("") == ""


def test_answers_by_hand() -> None:
    items = [asked("?", [answer, "other"], id=n) for n, answer in enumerate(["cat"] * 6 + ["dogs", "dog"])]
    section = only(AnswersProbe(), items)
    assert section.numbers["different_answers"] == 2 / 8
    assert table(section, "The most frequent answers").rows[0] == ("cat", 6, 0.75)
    tail = table(section, "The tail")
    assert cell(tail, "1") == 2
    assert cell(tail, "6 to 10", 2) == 0.75


def test_many_answers_are_sampled_and_the_seed_decides() -> None:
    items = [asked("?", [f"a{n}", "b"], id=n) for n in range(30)]
    found = table(only(AnswersProbe(sample=10), items), "Different answers")
    assert cell(found, "answers", 2) == 10
    assert only(AnswersProbe(sample=10), items) == only(AnswersProbe(sample=10), items)


def test_true_and_false_have_no_distribution_of_answers() -> None:
    with pytest.raises(CannotMeasure, match="No item has an answer in words"):
        AnswersProbe().measure(subject_of(clean_verdicts(8, 0), VERIFY), SETTING)


def test_spread_by_hand_and_one_writer() -> None:
    items = [
        asked("?", ["a", "b"], id=n, scenes=(Scene(f"{n // 3}.png"),), groups={"movie": f"m{n // 6}"},
              extra={"writer": "w0" if n < 300 else f"w{n % 50}", "topic": f"t{n % 60}"})
        for n in range(600)
    ]  # fmt: skip
    section = only(SpreadProbe(), items)
    assert section.numbers["items_to_an_image"] == 3
    assert section.numbers["images_to_a_movie"] == 2
    assert section.numbers["items_to_a_topic"] == 10
    (finding,) = section.findings
    assert (finding.code, finding.level) == ("one-writer", "note")
    assert finding.value == pytest.approx(306 / 600)


def test_objects_by_hand() -> None:
    section = only(ObjectsProbe(), small())
    found = table(section, "Objects by class")
    assert found.rows == (("person", 2, 0.5, 2, 2 / 3), ("cup", 2, 0.5, 1, 1 / 3))


def test_tags_that_point_to_nothing_are_named() -> None:
    items = small()
    broken = structs.replace(items[0], id="broken", texts={"question": TaggedText(("Who", "is", (9,), "?"))})
    (finding,) = only(ObjectsProbe(), [*items, broken]).findings
    assert (finding.code, finding.items) == ("lost-tags", ("broken",))


# Diversity


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_mean_distance_equals_the_mean_over_pairs(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 5))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    mean = MeanDistance(5)
    mean.add(vectors[:1])
    mean.add(vectors[1:])
    pairs = [1 - vectors[i] @ vectors[j] for i in range(count) for j in range(count) if i != j]
    assert mean.value == pytest.approx(float(np.mean(pairs)))


def test_one_vector_has_no_distance_and_equal_texts_none() -> None:
    assert MeanDistance(3).value is None
    items = [asked("same", ["a", "b"], id=n) for n in range(3)]
    assert only(DiversityProbe(), items).numbers["question"] == pytest.approx(0, abs=1e-6)


def test_diversity_over_all_splits_takes_all_pairs() -> None:
    texts = (("red cat", "train"), ("blue dog", "train"), ("red cat", "val"), ("tin can", "val"))
    items = [structs.replace(asked(text, ["a", "b"], id=text), split=split) for text, split in texts]
    found = table(only(DiversityProbe(), items), "Mean cosine")
    vectors = SETTING.encoder.encode(["red cat", "blue dog", "red cat", "tin can"]).astype(float)
    products = vectors @ vectors.T
    expected = 1 - (products.sum() - 4) / 12
    assert found.columns == ("role", "train", "val", "all")
    assert cell(found, "question", 3) == pytest.approx(expected, abs=1e-6)


# Programs, substitutions


def test_programs_and_knowledge_by_hand() -> None:
    program = Program((Step("Initial"), Step("Find KG"), Step("Recognition")))
    knowledge = {"sub_graph": {"knowledge_items": [["cup", "UsedFor", "drinking"], ["broken"]]}}
    items = [asked("?", ["a", "b"], id=n, program=program, extra=knowledge) for n in range(2)]
    section = only(ProgramsProbe(), items)
    assert section.numbers["functions"] == 3
    assert cell(table(section, "Functions in programs"), "Find_KG") == 2
    assert table(section, "Functions to a question").rows == ((3, 2, 1.0),)
    assert table(section, "Relations").rows == (("UsedFor", 1, 1.0),)
    assert list(triples(items[0])) == [("cup", "UsedFor", "drinking")]


def test_exchanged_words_are_counted_by_kind_and_by_word() -> None:
    choices = ["He puts on a white shirt slowly.", "He leaves.", "He puts on a red shirt slowly."]
    items = [asked("?", choices, id=number) for number in range(4)]
    section = only(SubstitutionsProbe(), items)
    assert cell(table(section, "What was exchanged"), "Clothing") == 4
    assert table(section, "The most frequent exchanges").rows == (("white", "red", 4),)
    assert nearest(asked("?", choices, gold=None)) is None
    with pytest.raises(CannotMeasure, match="not right ones with a few words exchanged"):
        SubstitutionsProbe().measure(subject_of([asked("?", ["He leaves.", "She runs now."])]), SETTING)


# All of them, on anything


def odd() -> list[Item]:
    bare = Item("bare", "test")
    one = asked("", [""], id="one")
    tag = structs.replace(one, id="tag", texts={"question": TaggedText(((5,),))}, choices=(TaggedText(()),))
    far = structs.replace(one, id="far", gold=Pick(9), rationale_gold=4)
    return [bare, one, tag, far, asked("\ud800 \x00", ["a", "a"], gold=None, id="torn")]


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
@pytest.mark.parametrize(
    "items", [[], odd(), odd()[:1], clean_items(5, 0)], ids=["none", "odd", "bare", "five"]
)
def test_nothing_breaks_a_probe(probe: Probe, items: list[Item]) -> None:
    for task in (CHOOSE, VERIFY):
        for section in sections_of(probe, subject_of(items, task), SETTING):
            assert section.probe == probe.name
            assert section.tables or section.skipped


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_descriptions_never_warn_and_read_once(probe: Probe) -> None:
    for items, task in ((clean_items(200, 3), CHOOSE), (clean_verdicts(200, 3), VERIFY)):
        subject = subject_of(items, task)
        reads: list[int] = []

        def read(subject: Subject = subject, reads: list[int] = reads):  # type: ignore[no-untyped-def]
            reads.append(1)
            return subject.read()

        sections = sections_of(probe, replace(subject, read=read), SETTING)
        assert not [found for section in sections for found in section.findings if found.level == "warning"]
        assert len(reads) <= 1


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_every_benchmark_is_described(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / benchmark.name
    files = [path for path in sorted(folder.glob("*.json*")) if "pred" not in path.name]
    items = list(read_native(benchmark.native, files[:1]))
    subject = Subject(
        benchmark.name, benchmark.name, benchmark.title, lambda: iter(items), benchmark.tasks,
        benchmark.scoring.cluster_of,
    )  # fmt: skip
    stems = []
    for probe in PROBES:
        for section in sections_of(probe, subject, SETTING):
            assert all(map(math.isfinite, section.numbers.values()))
            assert decode(encode(section))["probe"] == probe.name
            for found in section.tables:
                assert all(len(row) == len(found.columns) for row in found.rows), found.title
            for plot in section.plots:
                stems.append(plot.name)
                if probe.name == "programs":  # drawing is slow: the kinds of panels that there are
                    write_figure(tmp_path / plot.name, plot.panels)
    assert len(stems) == len(set(stems))


# The papers' figures


def real(name: str, path: Path) -> Subject:
    chosen = find(name)
    return Subject(
        name, name, chosen.title, lambda: read_native(chosen.native, [path]), chosen.tasks,
        chosen.scoring.cluster_of,
    )  # fmt: skip


@pytest.mark.real_data
def test_premises_and_actions_as_published(data_dir: Path) -> None:
    (section,) = SizesProbe().measure(real("pmr", data_dir / "pmr" / "val-ori.jsonl"), SETTING)
    numbers = section.numbers
    assert (numbers["items"], numbers["images"]) == (1538, 1213)
    assert cell(table(section, "Sizes"), "movies") == 209
    assert numbers["objects_mentioned_anywhere"] == pytest.approx(1.91, abs=0.005)
    assert numbers["words_right_choice"] == pytest.approx(14.41, abs=0.005)


@pytest.mark.real_data
def test_sentences_as_published(data_dir: Path) -> None:
    subject = real("nlvr2", data_dir / "nlvr2" / "dev.json")
    (sizes,) = SizesProbe().measure(subject, SETTING)
    assert sizes.numbers["items"] == 6982
    assert cell(table(sizes, "Sizes"), "sentences") == 2018
    (spread,) = SpreadProbe().measure(subject, SETTING)
    fewest = str(cell(table(spread, "The largest"), "items to a synset", 2))
    assert {name.rsplit(" (", 1)[0] for name in fewest.split(", ")} == {
        "orange", "acorn", "ox", "dining table", "skunk",
    }  # fmt: skip


@pytest.mark.real_data
def test_questions_with_direct_answers_as_published(data_dir: Path) -> None:
    (section,) = SizesProbe().measure(real("aokvqa", data_dir / "aokvqa" / "aokvqa_v1p0_val.json"), SETTING)
    assert section.numbers["words_question"] == pytest.approx(8.8, abs=0.15)
    assert section.numbers["words_direct_answer"] == pytest.approx(1.3, abs=0.1)
    assert section.numbers["words_rationale"] == pytest.approx(11.0, abs=0.15)
