"""The README of a dataset folder: the card that `datasets` reads, and the datasheet that people read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from PIL import Image

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.store.croissant import DRAWN
from commonsight.store.dataset import write_dataset
from commonsight.store.datasheet import PUBLISHED, QUESTIONS, datasheet, hub_splits, unanswered
from commonsight.store.info import DatasetInfo, Made, SourceFile, SplitInfo

SPLITS = {
    "val": SplitInfo("val.parquet", 2, "aa" * 32),
    "dev": SplitInfo("dev.parquet", 1, "bb" * 32),
    "test1": SplitInfo("test1.parquet", 1, "cc" * 32),
}
INFO = DatasetInfo(
    name="tiny",
    benchmark="vcr",
    version="1.0.0",
    made=Made("convert", "0.1.0", seed=7, sources=(SourceFile("val.jsonl", "ab" * 32),)),
    splits=SPLITS,
    title="A tiny dataset",
    description="Four items.",
    citation="Someone (2019). A paper.",
    licence="Free for research use",
    homepage="https://example.org",
)
KNOWN = {"instances", "count", "content", "external", "splits", "preprocessing", "distribution"}


def header(readme: str) -> dict[str, Any]:
    """The card's header, read as the Hub reads it."""
    before, yaml_text, _ = readme.split("---\n", 2)
    assert before == ""
    content: dict[str, Any] = yaml.safe_load(yaml_text)
    return content


def answer(readme: str, key: str) -> str:
    """What stands below the question with this key."""
    question = next(question.question for question in QUESTIONS if question.key == key)
    return readme.split(f"#### {question}\n\n")[1].split("\n\n#")[0]


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """No network and no cache but our own; returns the cache's folder."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)  # the environment is read at import
    return str(tmp_path / "cache")


def load(folder: Path, cache: str) -> datasets.DatasetDict:
    datasets.disable_progress_bars()
    return datasets.load_dataset(str(folder), cache_dir=cache)


def test_datasets_opens_a_folder_as_it_is(tmp_path: Path, offline: str) -> None:
    (tmp_path / "images").mkdir()
    Image.new("RGB", (8, 6), (200, 0, 0)).save(tmp_path / "images" / "a.png")
    shape = ((1.0, 1.0), (4.0, 1.0), (4.0, 5.0))
    scene = Scene("a.png", (Region("person", Box(1, 1, 4, 5), (shape,), 0.5, ("tall",), 7),))
    choices = (TaggedText.plain("No."), TaggedText(((0,), "waits")))
    items = [Item(f"v{n}", "val", (scene,), {}, choices, Pick(1), groups={"movie": "m"}) for n in range(2)]
    items += [Item("d0", "dev"), Item("t0", "test1")]
    write_dataset(tmp_path / "tiny", items, INFO, images=tmp_path / "images")

    loaded = load(tmp_path / "tiny", offline)
    assert {name: split.num_rows for name, split in loaded.items()} == {"val": 2, "dev": 1, "test1": 1}
    assert list(loaded) == ["val", "dev", "test1"]
    row = loaded["val"][0]
    assert (row["id"], row["split"], row["gold_choice"], row["groups"]) == ("v0", "val", 1, '{"movie":"m"}')
    assert [choice["text"] for choice in row["choices"]] == ["No.", "[person1] waits"]
    region = row["scenes"][0]["regions"][0]
    assert (region["box"], region["polygons"]) == ([1, 1, 4, 5], [[list(point) for point in shape]])
    assert (tmp_path / "tiny" / row["scenes"][0]["stored"]).is_file()


def test_split_names_that_datasets_refuses_get_one_that_it_takes(tmp_path: Path, offline: str) -> None:
    names = ["val-adv", "val_adv", "all", "a.b", "no"]
    write_dataset(tmp_path / "odd", [Item(str(n), split) for n, split in enumerate(names)], INFO)
    loaded = {name: rows[0]["split"] for name, rows in load(tmp_path / "odd", offline).items()}
    assert loaded == {
        "val_adv_2": "val-adv", "val_adv": "val_adv", "all_2": "all", "a.b": "a.b", "no": "no",
    }  # fmt: skip


def test_the_card_names_the_files_of_every_split() -> None:
    assert header(datasheet(INFO)) == {
        "pretty_name": "A tiny dataset",
        "license": "other",
        "license_name": "Free for research use",
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": name, "path": f"{name}.parquet"} for name in ("val", "dev", "test1")
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    ("licence", "hub"), [("CC BY 4.0", "cc-by-4.0"), ("Apache-2.0", "apache-2.0"), ("", "unknown")]
)
def test_a_licence_that_the_hub_knows_goes_by_its_name(licence: str, hub: str) -> None:
    card = header(datasheet(structs.replace(INFO, licence=licence)))
    assert card["license"] == hub
    assert "license_name" not in card


@pytest.mark.parametrize(
    ("items", "size"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (290_000, "100K<n<1M"), (10**7, "n>10M")],
)
def test_the_card_says_how_large_it_is(items: int, size: str) -> None:
    info = structs.replace(INFO, splits={"val": SplitInfo("val.parquet", items, "00")})
    assert header(datasheet(info))["size_categories"] == [size]


def test_a_dataset_without_splits_has_a_card_without_files() -> None:
    readme = datasheet(structs.replace(INFO, splits={}))
    assert "configs" not in header(readme)
    assert "There are none." in readme
    assert "There are none." not in datasheet(INFO)


def test_the_questions_are_those_of_the_appendix() -> None:
    assert len({question.key for question in QUESTIONS}) == len(QUESTIONS) == 20
    sections = list(dict.fromkeys(question.section for question in QUESTIONS))
    assert [sum(question.section == section for question in QUESTIONS) for section in sections] == [
        3, 5, 5, 3, 1, 3,
    ]  # fmt: skip


def test_what_the_dataset_knows_is_answered() -> None:
    readme = datasheet(structs.replace(INFO, images=3))
    assert {question.key for question in QUESTIONS} - {question.key for question in unanswered(INFO)} == KNOWN
    assert answer(readme, "count") == "4 items: 2 in val, 1 in dev, 1 in test1."
    assert answer(readme, "external").startswith("No: its 3 pictures are in `images/`")
    assert answer(datasheet(INFO), "external").endswith("get them from https://example.org.")
    assert answer(readme, "preprocessing").startswith(
        "Made by `commonsight convert` (version 0.1.0). The seed is 7. It was made from these files:"
    )
    assert f"- val.jsonl (SHA-256 {'ab' * 32})" in readme
    assert "Licence: Free for research use. Its page is https://example.org." in answer(
        readme, "distribution"
    )
    assert "Please cite: Someone (2019). A paper." in readme
    assert f"| val | val | 2 | val.parquet | {'aa' * 32} |" in readme


def test_open_questions_are_seen_and_counted() -> None:
    readme = datasheet(INFO)
    assert "7 of the datasheet's 20 questions are answered; 13 are not answered yet." in readme
    assert readme.count("Not answered yet.") == 13
    assert answer(readme, "funding") == "Not answered yet. Its makers can answer it as `funding`."
    assert "14 are not answered yet" in datasheet(structs.replace(INFO, licence=""))


def test_makers_answer_open_questions_and_add_to_known_ones() -> None:
    written = {"funding": " A grant. ", "count": "Ten more follow.", "harm": "  ", "contact": "Write to us."}
    readme = datasheet(structs.replace(INFO, datasheet=written))
    assert answer(readme, "funding") == "A grant."
    assert answer(readme, "count").endswith("1 in test1.\n\nTen more follow.")
    assert answer(readme, "harm").startswith("Not answered yet.")
    assert "12 are not answered yet" in readme
    assert readme.endswith("### Further notes\n\n#### contact\n\nWrite to us.\n")
    all_but_one = {question.key: "Yes." for question in QUESTIONS[1:]}
    assert "1 is not answered yet" in datasheet(structs.replace(INFO, datasheet=all_but_one))


def test_a_drawn_dataset_says_so() -> None:
    assert f"# A tiny dataset\n\n**{DRAWN}**\n" in datasheet(structs.replace(INFO, drawn=True))
    assert DRAWN not in datasheet(INFO)


def test_published_answers_are_said_to_be_so_below_the_title() -> None:
    written = {"published": " From the\npaper. ", "funding": "A grant.", "contact": "Write to us."}
    readme = datasheet(structs.replace(INFO, datasheet=written))
    assert f"# A tiny dataset\n\n**{PUBLISHED}** From the paper.\n\nFour items." in readme
    assert readme.count("From the paper.") == 1
    assert "8 of the datasheet's 20 questions are answered; 12 are not answered yet." in readme
    assert readme.endswith("### Further notes\n\n#### contact\n\nWrite to us.\n")
    drawn = datasheet(structs.replace(INFO, datasheet=written, drawn=True))
    assert f"**{DRAWN}**\n\n**{PUBLISHED}** From the paper." in drawn


def test_without_a_word_on_publication_there_is_no_note() -> None:
    assert PUBLISHED not in datasheet(INFO)
    blank = datasheet(structs.replace(INFO, datasheet={"published": " "}))
    assert PUBLISHED not in blank
    assert "Further notes" not in blank


def test_it_says_how_to_load_it() -> None:
    readme = datasheet(INFO)
    assert "commonsight show path/to/this/folder" in readme
    assert 'load_dataset("path/to/this/folder")["val"]' in readme


TEXT = st.text(max_size=20)
INFOS = st.builds(
    DatasetInfo, TEXT, TEXT, TEXT,
    st.builds(Made, TEXT, TEXT, st.none() | st.integers(0, 9)),
    st.dictionaries(TEXT, st.builds(SplitInfo, TEXT, st.integers(0, 10**8), TEXT), max_size=4),
    *[TEXT] * 5,
    st.booleans(), st.integers(0, 3), st.dictionaries(TEXT, TEXT, max_size=2),
)  # fmt: skip


@given(INFOS)
def test_the_card_of_any_info_reads_back(info: DatasetInfo) -> None:
    readme = datasheet(info)
    assert datasheet(info) == readme
    card = header(readme)
    title = " ".join(info.title.split() or info.name.split() or info.benchmark.split())
    assert card["pretty_name"] == title or not title
    if card["license"] == "other":
        assert card["license_name"] == info.licence
    files = card["configs"][0]["data_files"] if info.splits else []
    assert [entry["split"] for entry in files] == list(hub_splits(info).values())
    assert len({entry["split"] for entry in files}) == len(info.splits)


@given(INFOS)
def test_every_question_stands_in_any_datasheet_once(info: DatasetInfo) -> None:
    lines = datasheet(info).split("\n")
    assert [lines.count(f"#### {question.question}") for question in QUESTIONS] == [1] * len(QUESTIONS)
    assert sum(line.startswith("Not answered yet.") for line in lines) == len(unanswered(info))


@given(st.lists(st.text(), max_size=5, unique=True))
def test_names_that_datasets_allows_are_kept_and_none_is_used_twice(splits: list[str]) -> None:
    info = structs.replace(INFO, splits={split: SplitInfo("x.parquet", 1, "00") for split in splits})
    names = hub_splits(info)
    assert list(names) == splits
    assert len(set(names.values())) == len(splits)
    assert all(names[split] == split for split in splits if split.isidentifier() and split != "all")
    for name in names.values():
        assert str(datasets.NamedSplit(name)) == name
