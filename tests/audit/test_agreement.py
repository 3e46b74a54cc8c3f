"""The agreement probe: votes that agree or not, answers in free words, and nothing to go on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from commonsight.audit.agreement.probe import AgreementProbe, Voted, each_once, strangers
from commonsight.audit.fakes import VERIFY, clean_items, clean_verdicts, subject_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Section, Table
from commonsight.core.answer import Verdict
from commonsight.core.item import Item
from commonsight.score.human import Judgement
from commonsight.score.intervals import Figure
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(16))


def votes_with(error: float, raters: int = 5, count: int = 400, seed: int = 1) -> Subject:
    """Sentences on each of which some of twelve people vote, each wrong now and then."""
    rng = random.Random(f"votes:{error}:{seed}")
    cast: dict[str, list[Judgement]] = {}
    items = clean_verdicts(count, seed)
    for item in items:
        assert isinstance(item.gold, Verdict)
        gold = str(item.gold.value)
        wrong = str(not item.gold.value)
        people = rng.sample(range(12), raters)
        labeller = f"w{people[0]}"
        cast[item.id] = [Judgement(labeller, gold, gold, None, labeller, made_gold=True)]
        for person in people[1:]:
            said = wrong if rng.random() < error else gold
            cast[item.id].append(Judgement(f"w{person}", said, gold, None, labeller))
    return with_votes(subject_of(items, VERIFY), cast)


def with_votes(subject: Subject, cast: dict[str, list[Judgement]]) -> Subject:
    def judgements(item: Item) -> Sequence[Judgement]:
        return cast.get(item.id, ())

    return Subject(
        subject.name, subject.benchmark, subject.title, subject.read, subject.tasks, subject.cluster_of,
        judgements_of=judgements,
    )  # fmt: skip


def found(section: Section, code: str) -> tuple[str, tuple[str, ...]]:
    (one,) = [finding for finding in section.findings if finding.code == code]
    return one.level, one.items


@pytest.mark.parametrize(("error", "level"), [(0.01, "fine"), (0.1, "note"), (0.4, "warning")])
def test_alpha_is_judged_by_its_interval(error: float, level: str) -> None:
    (section,) = AgreementProbe().measure(votes_with(error), SETTING)
    assert found(section, "agreement")[0] == level


@pytest.mark.parametrize(("error", "warns"), [(0.08, False), (0.35, True)])
def test_fifty_sets_of_votes_are_judged_alike(error: float, warns: bool) -> None:
    for seed in range(50):
        (section,) = AgreementProbe().measure(votes_with(error, 4, 200, seed), SETTING)
        assert (found(section, "agreement")[0] == "warning") == warns, seed


def test_disputed_items_are_named_worst_first_and_pruning_them_helps() -> None:
    subject = votes_with(0.15)
    (section,) = AgreementProbe().measure(subject, SETTING)
    level, ids = found(section, "low-agreement")
    against = {
        item.id: sum(vote.given != vote.gold for vote in subject.judgements_of(item))
        for item in subject.read()
    }
    assert level == "note"
    assert set(ids) == {name for name, votes in against.items() if votes >= 2}
    assert [against[name] for name in ids] == sorted((against[name] for name in ids), reverse=True)
    assert section.numbers["alpha_after_pruning"] > section.numbers["alpha"]


def test_human_accuracy_leaves_out_who_made_the_label() -> None:
    (section,) = AgreementProbe(judgements=50).measure(votes_with(0.1), SETTING)
    human = next(table for table in section.tables if table.title.startswith("Human"))
    (given, _) = human.rows
    mean, workers, judgements = given[2], given[4], given[5]
    assert isinstance(mean, float)
    assert 0.87 < mean < 0.93
    assert (workers, judgements) == (12, 1600)
    worst = next(table for table in section.tables if table.title.startswith("Accuracy by worker"))
    values = [row[1].value for row in worst.rows if isinstance(row[1], Figure)]
    assert len(values) == 12
    assert values == sorted(values)  # type: ignore[type-var]


def test_few_judgements_make_no_rows_of_workers() -> None:
    (section,) = AgreementProbe(judgements=1000).measure(votes_with(0.1), SETTING)
    assert section.skipped == (
        "Nobody gave 1000 judgements on others' items: accuracy by worker is noise.",
    )
    assert not section.plots


def test_a_worker_counts_once_and_a_writer_not() -> None:
    votes = (
        Judgement("a", "True", "True", "b", "a", made_gold=True),
        Judgement("a", "False", "True", "b", "a"),
        Judgement("b", "True", "True", "b", "a"),
        Judgement("c", "True", "True", "b", "a"),
    )
    item = Voted("x", "dev", "x", votes)
    assert {(vote.worker, vote.given) for vote in each_once(item)} == {
        ("a", "True"), ("b", "True"), ("c", "True"),
    }  # fmt: skip
    assert {vote.worker for vote in strangers(item)} == {"a", "c"}
    assert item.against == 1


def test_rows_that_count_the_same_votes_stand_once() -> None:
    (section,) = AgreementProbe().measure(votes_with(0.0), SETTING)
    assert [row[1] for row in section.tables[0].rows] == ["all votes"]


def test_direct_answers_by_hand() -> None:
    answers = (("red", "Red ", "red", "blue"), ("a", "b", "c", "d"), ("x", "x", "y", "y"))
    items = [
        structs.replace(item, direct_answers=given)
        for item, given in zip(clean_items(3, 0), answers, strict=True)
    ]
    (section,) = AgreementProbe().measure(subject_of(items), SETTING)
    assert section.figures["answer_pairs"].value == pytest.approx((3 / 6 + 0 + 2 / 6) / 3)
    assert section.figures["answer_majority"].value == pytest.approx(1 / 3)
    assert section.numbers["answers_different"] == pytest.approx((2 + 4 + 2) / 3)
    assert found(section, "low-agreement") == ("note", (items[1].id,))


def test_nothing_to_go_on_is_said() -> None:
    with pytest.raises(CannotMeasure, match=r"No item carries votes or answers by several people"):
        AgreementProbe().measure(subject_of(clean_items(5, 0)), SETTING)


def test_votes_that_are_all_alike_are_no_error() -> None:
    items = clean_verdicts(8, 0)
    same = {item.id: [Judgement("a", "True", "True"), Judgement("b", "True", "True")] for item in items}
    (section,) = AgreementProbe().measure(with_votes(subject_of(items, VERIFY), same), SETTING)
    assert found(section, "agreement")[0] == "note"
    assert "alpha" not in section.numbers


@pytest.mark.real_data
def test_votes_that_were_released_give_the_published_figures(data_dir: Path) -> None:
    from commonsight.benchmarks import find
    from commonsight.store.native import read_native

    chosen = find("nlvr2")
    subject = Subject(
        "dev", chosen.name, chosen.title,
        lambda: read_native(chosen.native, [data_dir / "nlvr2" / "dev.json"]),
        chosen.tasks, chosen.scoring.cluster_of, chosen.scoring.judgements,
    )  # fmt: skip
    (section,) = AgreementProbe().measure(subject, SETTING)
    # The paper: kappa 0.889 over development and both tests; human accuracy on dev 96.2 and 2.1 (Table 6).
    assert section.numbers["kappa"] == pytest.approx(0.8933, abs=5e-4)
    assert section.numbers["kappa_once"] == pytest.approx(0.8896, abs=5e-4)
    human: Table = section.tables[1]
    assert human.rows[0][2:5] == (pytest.approx(0.9625, abs=5e-4), pytest.approx(0.0215, abs=5e-4), 51)


def test_declared_votes_say_which_one_made_the_label(fixtures_dir: Path) -> None:
    from commonsight.benchmarks import find
    from commonsight.store.native import read_native

    for name in ("nlvr2", "nlvr"):
        chosen = find(name)
        items = list(read_native(chosen.native, [fixtures_dir / name / "dev.json"]))
        votes = [vote for item in items for vote in chosen.scoring.judgements(item)]
        assert votes, name
        for vote in votes:
            assert not vote.made_gold or (vote.given == vote.gold and not vote.counts)
        assert {str(vote.given).lower() for vote in votes} <= {"true", "false"}
        unlabelled = structs.replace(items[0], gold=None)
        assert not chosen.scoring.judgements(unlabelled)
