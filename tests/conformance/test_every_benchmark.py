"""What every benchmark must do, whichever it is: one suite over all of them and their small fixtures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks import ALL, find
from commonsight.benchmarks.detect import detect
from commonsight.core.answer import Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask, Benchmark, Source
from commonsight.core.item import Item
from commonsight.errors import CommonsightError, InputError, InvalidRecords, Problem, UsageError
from commonsight.score.scoring import LoggedAnswer, Scoring, gather_gold, measure, scorecard
from commonsight.store.dataset import check_dataset, read_dataset, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native, write_native


class Fixture(NamedTuple):
    """Native files below tests/fixtures, and where the images and their metadata lie, if there are any."""

    files: tuple[str, ...]
    images: str | None = None


FIXTURES = {
    "vcr": Fixture(("vcr/val.jsonl",), "vcr/images"),
    "pmr": Fixture(("pmr/val-ori.jsonl", "pmr/val-adv.jsonl"), "vcr/images"),
    "cric": Fixture(("cric/val_questions.json",)),
    "nlvr2": Fixture(("nlvr2/dev.json",), "nlvr2/images"),
    "aokvqa": Fixture(("aokvqa/aokvqa_v1p0_val.json", "aokvqa/aokvqa_v1p0_train.json")),
    "nlvr": Fixture(("nlvr/dev.json",)),
    "okvqa": Fixture(("okvqa/val.json",)),
}
GIVES_THE_ANSWER = {("vcr", "qa2r")}
"""Tasks that show the gold of another task by design."""

every_benchmark = pytest.mark.parametrize("benchmark", ALL, ids=[benchmark.name for benchmark in ALL])


def paths_of(benchmark: Benchmark[Scoring], fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / file for file in FIXTURES[benchmark.name].files]


def images_of(benchmark: Benchmark[Scoring], fixtures_dir: Path) -> Path | None:
    images = FIXTURES[benchmark.name].images
    return None if images is None else fixtures_dir / images


def items_of(benchmark: Benchmark[Scoring], fixtures_dir: Path) -> list[Item]:
    images = images_of(benchmark, fixtures_dir)
    return list(read_native(benchmark.native, paths_of(benchmark, fixtures_dir), images=images))


def records_of(benchmark: Benchmark[Scoring], path: Path) -> list[dict[str, Any]]:
    content = path.read_text("utf-8")
    if benchmark.native.layout == "array":
        return list(json.loads(content))
    return [json.loads(line) for line in content.splitlines()]


def save(benchmark: Benchmark[Scoring], path: Path, records: list[dict[str, Any]]) -> None:
    array = benchmark.native.layout == "array"
    path.write_text(json.dumps(records) if array else "".join(json.dumps(r) + "\n" for r in records))


def info_of(benchmark: Benchmark[Scoring]) -> DatasetInfo:
    return DatasetInfo(benchmark.name, benchmark.name, "1.0.0", Made("convert", "0.1.0"), {})


def test_every_benchmark_has_a_fixture_and_a_name_of_its_own() -> None:
    assert {benchmark.name for benchmark in ALL} == set(FIXTURES)
    assert len({benchmark.name for benchmark in ALL}) == len(ALL)
    for benchmark in ALL:
        assert find(benchmark.name) is benchmark
    with pytest.raises(UsageError, match=r"'vqa' is no benchmark\. Choose one of: vcr, pmr, cric, nlvr2"):
        find("vqa")


@every_benchmark
def test_it_says_where_it_comes_from(benchmark: Benchmark[Scoring]) -> None:
    citation = benchmark.citation
    assert all((citation.authors, citation.title, citation.venue, benchmark.licence, benchmark.summary))
    assert 2015 <= citation.year <= 2030
    assert citation.url.startswith("https://")
    assert benchmark.homepage.startswith("https://")
    assert benchmark.title
    assert benchmark.native_files
    assert benchmark.native_predictions


@every_benchmark
def test_published_rows_name_metrics_that_it_has(benchmark: Benchmark[Scoring]) -> None:
    for row in benchmark.published:
        assert set(row.metrics) <= set(benchmark.metrics)
        assert all(0 <= value <= 1 for value in row.metrics.values())
        assert row.source


@every_benchmark
@pytest.mark.parametrize("through", ["memory", "dataset"])
def test_native_files_come_back_as_they_were(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path, through: str
) -> None:
    items = items_of(benchmark, fixtures_dir)
    if through == "dataset":
        write_dataset(tmp_path / "set", items, info_of(benchmark))
        assert check_dataset(tmp_path / "set") == []
        assert list(read_dataset(tmp_path / "set")) == items
        items = list(read_dataset(tmp_path / "set"))
    written = write_native(benchmark.native, items, tmp_path / "out")
    for path in paths_of(benchmark, fixtures_dir):
        records = records_of(benchmark, path)
        assert records_of(benchmark, tmp_path / "out" / path.name) == records
        assert written[path.name] == len(records)
    images = images_of(benchmark, fixtures_dir)
    for name in written:
        if name.startswith("images/") and images is not None:
            ours = json.loads((tmp_path / "out" / name).read_text())
            assert ours == json.loads((images / name.removeprefix("images/")).read_text())


UNKNOWN = {"zz_note": {"deep": [1, 2.5, None, "é"]}, "zz_null": None, "zz_empty": [], "zz_big": 2**80}


@every_benchmark
def test_fields_that_nobody_knows_come_back_too(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path
) -> None:
    for path in paths_of(benchmark, fixtures_dir):
        records = records_of(benchmark, path)
        changed = [{**record, **UNKNOWN} if row % 2 else record for row, record in enumerate(records)]
        save(benchmark, tmp_path / path.name, changed)
        items = list(read_native(benchmark.native, [tmp_path / path.name]))
        write_dataset(tmp_path / "set", items, info_of(benchmark), overwrite=True)
        write_native(benchmark.native, read_dataset(tmp_path / "set"), tmp_path / "out")
        assert records_of(benchmark, tmp_path / "out" / path.name) == changed


@every_benchmark
def test_records_with_any_optional_field_left_out_come_back(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path
) -> None:
    path = paths_of(benchmark, fixtures_dir)[0]
    records = records_of(benchmark, path)
    for name in sorted({name for record in records for name in record}):
        changed = [{key: value for key, value in record.items() if key != name} for record in records]
        save(benchmark, tmp_path / path.name, changed)
        problems: list[Problem] = []
        items = list(read_native(benchmark.native, [tmp_path / path.name], on_problem=problems.append))
        if not problems:
            write_native(benchmark.native, items, tmp_path / "out")
            assert records_of(benchmark, tmp_path / "out" / path.name) == changed


@every_benchmark
def test_reading_twice_gives_equal_items_with_ids_of_their_own(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    items = items_of(benchmark, fixtures_dir)
    assert items == items_of(benchmark, fixtures_dir)
    assert len({(item.split, item.id) for item in items}) == len(items) > 0


@every_benchmark
def test_its_fields_tell_it_from_all_others(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path
) -> None:
    for path in paths_of(benchmark, fixtures_dir):
        assert detect(path) is benchmark
        (tmp_path / "spaced").write_bytes(b"\n  \n" + path.read_bytes())
        assert detect(tmp_path / "spaced") is benchmark
    write_dataset(tmp_path / "set", items_of(benchmark, fixtures_dir), info_of(benchmark))
    assert detect(tmp_path / "set") is benchmark


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"[1]", b"nonsense", b'{"a": 1}', b"\xff", b"\n\n"])
def test_a_file_of_none_of_them_is_an_error_that_lists_them(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(InputError, match=r"does not look like any one benchmark.*\(vcr, pmr, cric, nlvr2"):
        detect(tmp_path / "x.json")


def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the file cannot be read \(no such file or directory\)"):
        detect(tmp_path / "none.json")


def seen(ask: Ask) -> tuple[Any, ...]:
    """What an answerer gets to see."""
    return ask.item_id, ask.task, ask.scenes, ask.texts, ask.expects, ask.choices


KINDS = {"pick": Pick, "verdict": Verdict, "grounded": Grounded}


@every_benchmark
def test_every_task_asks_every_item_and_hides_the_gold(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    for task in benchmark.tasks:
        for item in items_of(benchmark, fixtures_dir):
            ask = task.ask(item)
            assert (ask.item_id, ask.task) == (item.id, task.name)
            assert ask.texts
            assert ask.gold is not None
            assert isinstance(ask.gold, KINDS.get(ask.expects, object))
            if isinstance(ask.gold, Pick):
                assert 0 <= ask.gold.index < len(ask.choices)
            for other in other_golds(item, keep_answer=(benchmark.name, task.name) in GIVES_THE_ANSWER):
                assert seen(task.ask(other)) == seen(ask)


def other_golds(item: Item, *, keep_answer: bool) -> list[Item]:
    """The same item, had its gold been another."""
    changes: dict[str, Any] = {
        "rationale_gold": None if item.rationale_gold is None else (item.rationale_gold + 1) % 4,
        "direct_answers": ("something else",),
        "target": None if item.target is None else (999,),
        "program": None,
        "provenance": {},
    }
    if keep_answer:
        return [structs.replace(item, **changes)]
    match item.gold:
        case Pick(index):
            golds: list[Any] = [Pick((index + 1) % len(item.choices)), None]
        case Verdict(value):
            golds = [Verdict(not value), None]
        case _:
            golds = [Grounded("something else", 999), None]
    return [structs.replace(item, gold=gold, **changes) for gold in golds]


@every_benchmark
def test_the_task_that_gives_the_answer_gives_that_and_no_more(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    for task in benchmark.tasks:
        if (benchmark.name, task.name) in GIVES_THE_ANSWER:
            for item in items_of(benchmark, fixtures_dir):
                assert isinstance(item.gold, Pick)
                given = {**item.texts, "given_answer": item.choices[item.gold.index]}
                assert task.ask(item).texts == given


@every_benchmark
def test_perfect_answers_score_one_on_every_metric(benchmark: Benchmark[Scoring], fixtures_dir: Path) -> None:
    scoring = benchmark.scoring
    items = [item for item in items_of(benchmark, fixtures_dir) if scoring.labelled(item)]
    answers = []
    for task in benchmark.tasks:
        for item in items:
            gold = task.ask(item).gold
            assert gold is not None
            answers.append(LoggedAnswer(item.id, task.name, gold))
    gold_columns = gather_gold(scoring, items)
    outcome = measure(scoring, gold_columns, scoring.from_answers(answers))
    assert tuple(outcome.metrics) == benchmark.metrics  # every metric declared is produced, in that order
    card = scorecard(benchmark.name, outcome)
    assert card.failures == {}
    shares = ("picks_Action-False", "picks_Distractor1", "picks_Distractor2")
    for name, figure in card.metrics.items():
        assert figure.value == (0.0 if name in shares else 1.0), name
        assert figure.n > 0


@every_benchmark
def test_the_fixture_s_predictions_give_every_metric(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    scoring = benchmark.scoring
    items = [item for item in items_of(benchmark, fixtures_dir) if item.split != "train"]
    folder = fixtures_dir / benchmark.name
    gold = gather_gold(scoring, items)
    for path in sorted(folder.glob("predictions*")):
        outcome = measure(scoring, gold, scoring.read_predictions(path))
        assert tuple(outcome.metrics) == benchmark.metrics
        assert all(len(column.values) == len(items) for column in outcome.metrics.values())


@every_benchmark
def test_clusters_are_what_the_task_says_items_are_grouped_by(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    items = items_of(benchmark, fixtures_dir)
    assert {task.grouped_by for task in benchmark.tasks} == {benchmark.scoring.clustered_by}
    clusters = {benchmark.scoring.cluster_of(item) for item in items}
    assert 1 < len(clusters) < len(items)


@every_benchmark
def test_an_item_belongs_to_a_file_whose_name_tells_its_split(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    for item in items_of(benchmark, fixtures_dir):
        source = Source(benchmark.native.file_name(item), item.split)
        assert source.split in source.name
        assert "/" not in source.name


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [at] if at else []
    if isinstance(value, dict):
        children: list[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    else:
        children = []
    return found + [place for key, child in children for place in places(child, (*at, key))]


def fields_changed(content: bytes, layout: str, data: st.DataObject) -> bytes:
    """A file in which a few fields were dropped or replaced."""
    text = content.decode()
    rows = json.loads(text) if layout == "array" else [json.loads(line) for line in text.splitlines()]
    rows = rows[:3]
    for _ in range(data.draw(st.integers(1, 3))):
        spots = places(rows)
        if not spots:
            break
        *way, last = data.draw(st.sampled_from(spots))
        holder: Any = rows
        for key in way:
            holder = holder[key]
        if data.draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = data.draw(json_values | st.sampled_from([2**31, 2**63, 2**64, 10**400, -1, 1e308]))
    if layout == "array":
        return json.dumps(rows).encode()
    return "\n".join(map(json.dumps, rows)).encode()


def bytes_changed(content: bytes, layout: str, data: st.DataObject) -> bytes:
    """A file in which a few bytes were flipped, deleted or inserted."""
    del layout
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        damaged[start : start + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=6))
    return bytes(damaged)


def read_either_way(benchmark: Benchmark[Scoring], path: Path, images: Path | None) -> list[Item]:
    """Items of a damaged file; collecting never raises, failing raises only `InvalidRecords`."""
    problems: list[Problem] = []
    items = list(read_native(benchmark.native, [path], images=images, on_problem=problems.append))
    assert all(str(problem) and problem.remedy for problem in problems)
    try:
        again = list(read_native(benchmark.native, [path], images=images))
    except InvalidRecords as error:
        assert error.problems == tuple(problems[:1])  # noqa: PT017
    else:
        assert (again, problems) == (items, [])
    return items


@every_benchmark
@pytest.mark.parametrize("change", [fields_changed, bytes_changed])
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_a_damaged_file_gives_problems_and_never_a_crash(
    benchmark: Benchmark[Scoring],
    fixtures_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
    change: Callable[[bytes, str, st.DataObject], bytes],
    data: st.DataObject,
) -> None:
    original = paths_of(benchmark, fixtures_dir)[0]
    path = tmp_path_factory.getbasetemp() / original.name
    path.write_bytes(change(original.read_bytes(), benchmark.native.layout, data))
    items = read_either_way(benchmark, path, images_of(benchmark, fixtures_dir))
    # What was read as good is good: it can be stored, written back and asked.
    folder = tmp_path_factory.getbasetemp() / f"damaged-{benchmark.name}"
    write_dataset(folder / "set", items, info_of(benchmark), overwrite=True)
    assert list(read_dataset(folder / "set")) == items
    write_native(benchmark.native, items, folder / "out")
    for item in items:
        for task in benchmark.tasks:
            if benchmark.scoring.labelled(item):
                task.ask(item)
    labelled = [item for item in items if benchmark.scoring.labelled(item)]
    if labelled:
        gather_gold(benchmark.scoring, labelled)


@every_benchmark
@given(data=st.data())
def test_damaged_metadata_gives_problems_and_never_a_crash(
    benchmark: Benchmark[Scoring],
    fixtures_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
) -> None:
    images = images_of(benchmark, fixtures_dir)
    if benchmark.native.sidecar is None or images is None:
        return
    path = paths_of(benchmark, fixtures_dir)[0]
    folder = tmp_path_factory.getbasetemp() / f"metadata-{benchmark.name}"
    for original in sorted(images.rglob("*.json")):
        target = folder / original.relative_to(images)
        target.parent.mkdir(parents=True, exist_ok=True)
        change = data.draw(st.sampled_from([bytes_changed, fields_changed]))
        content = change(b"[" + original.read_bytes() + b"]", "array", data)[1:-1]
        target.write_bytes(content)
    items = read_either_way(benchmark, path, folder)
    write_dataset(folder / "set", items, info_of(benchmark), overwrite=True)
    assert list(read_dataset(folder / "set")) == items


@pytest.mark.parametrize("benchmark", ALL, ids=[benchmark.name for benchmark in ALL])
@given(content=st.binary(max_size=100))
def test_any_bytes_are_no_native_file_and_no_crash(
    benchmark: Benchmark[Scoring], tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "val.json"
    path.write_bytes(content)
    assert read_either_way(benchmark, path, None) == []
    with pytest.raises(CommonsightError):
        detect(path)
