"""What every probe must do, whichever it is: on clean data, on odd data, on every benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.probe import Probe, Setting, Subject
from commonsight.audit.probes import ALL
from commonsight.audit.run import sections_of
from commonsight.audit.runside.fakes import guessed, with_runs
from commonsight.audit.values import Section
from commonsight.benchmarks import ALL as BENCHMARKS
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.runs.subject import Opening
from commonsight.score.scoring import Scoring
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(32), folds=3)
every_probe = pytest.mark.parametrize("probe", ALL, ids=[probe.name for probe in ALL])


def one_choice(item: Item) -> Item:
    return structs.replace(item, choices=item.choices[:1], gold=Pick(0))


def same_label(item: Item) -> Item:
    return structs.replace(item, gold=Pick(0))


def unlabelled(item: Item) -> Item:
    return structs.replace(item, gold=None)


def wordless(item: Item) -> Item:
    empty = TaggedText(())
    return structs.replace(item, texts={"question": empty}, choices=(empty,) * len(item.choices))


def tags_astray(item: Item) -> Item:
    lost = TaggedText(((40,), "runs", "."))
    return structs.replace(item, choices=(lost, *item.choices[1:]))


ODD: dict[str, Callable[[Item], Item]] = {
    "one choice": one_choice,
    "the same label everywhere": same_label,
    "no labels": unlabelled,
    "no words": wordless,
    "tags without objects": tags_astray,
}


def check(probe: Probe, sections: Sequence[Section]) -> None:
    """What holds of any probe's sections, whatever was audited."""
    assert sections
    plots = [plot.name for section in sections for plot in section.plots]
    assert len(plots) == len(set(plots))
    for section in sections:
        assert section.probe == probe.name
        assert section.title
        assert msgspec.json.decode(msgspec.json.encode(section), type=Section) == section
        assert all(map(math.isfinite, section.numbers.values())), section.numbers
        assert all(sentence.endswith(".") for sentence in section.skipped), section.skipped
        for finding in section.findings:
            assert finding.code in probe.codes
            assert finding.says.endswith((".", ").", "”."))
            assert finding.level != "warning" or finding.remedy
            assert len(set(finding.items)) == len(finding.items)
        for table in section.tables:
            assert all(len(row) == len(table.columns) for row in table.rows), table.title


def warnings_in(sections: Sequence[Section]) -> list[str]:
    return [finding.says for s in sections for finding in s.findings if finding.level == "warning"]


def test_names_are_there_once() -> None:
    assert len({probe.name for probe in ALL}) == len(ALL)
    assert all(probe.title for probe in ALL)


@every_probe
def test_clean_data_raises_no_warning(probe: Probe) -> None:
    picks = fakes.subject_of(fakes.clean_items(300, seed=5))
    verdicts = fakes.subject_of(fakes.clean_verdicts(300, seed=5), fakes.VERIFY)
    for subject in (picks, verdicts):
        sections = sections_of(probe, subject, SETTING)
        check(probe, sections)
        assert not warnings_in(sections)


@every_probe
@pytest.mark.parametrize("odd", ODD)
def test_odd_data_is_measured_or_said_to_be_unmeasurable(probe: Probe, odd: str) -> None:
    items = [ODD[odd](item) for item in fakes.clean_items(60, seed=2)]
    check(probe, sections_of(probe, fakes.subject_of(items), SETTING))


@every_probe
@pytest.mark.parametrize("count", [0, 1, 5])
def test_few_items_are_no_error(probe: Probe, count: int) -> None:
    sections = sections_of(probe, fakes.subject_of(fakes.clean_items(count, seed=1)), SETTING)
    check(probe, sections)
    assert not warnings_in(sections)


@every_probe
@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=[benchmark.name for benchmark in BENCHMARKS])
def test_every_benchmark_can_be_audited(
    probe: Probe, benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    folder = fixtures_dir / benchmark.name
    files = [path for path in sorted(folder.glob("*.json*")) if "predictions" not in path.name]
    check(probe, sections_of(probe, Opening(tuple(files[:1]), benchmark.name).subject(), SETTING))


@every_probe
def test_runs_may_be_there(probe: Probe) -> None:
    items = fakes.clean_items(120, seed=3)
    runs = [guessed(items, skill, seed, f"run{seed}") for seed, skill in enumerate((0.3, 0.5, 0.6, 0.7, 0.9))]
    check(probe, sections_of(probe, with_runs(fakes.subject_of(items), *runs), SETTING))


@every_probe
def test_the_same_seed_gives_the_same(probe: Probe) -> None:
    def sections() -> Sequence[Section]:
        subject: Subject = fakes.subject_of(fakes.clean_items(80, seed=4))
        return sections_of(probe, subject, SETTING)

    assert sections() == sections()
