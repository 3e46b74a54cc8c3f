"""The README of a dataset folder: a Hugging Face dataset card, then the datasheet of VCR's appendix G.

The card's header names every split's file, so that `datasets.load_dataset(folder)` opens the folder as it is.
The datasheet answers what the dataset itself knows, adds what its makers wrote, and says which questions are
still open: an unanswered question that a reader sees is worth more than one that was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from glob import escape
from typing import NamedTuple

from commonsight.store.croissant import DRAWN, how_made
from commonsight.store.info import DatasetInfo
from commonsight.store.rows import SCHEMA


class Question(NamedTuple):
    """One question of the datasheet; `key` is where `DatasetInfo.datasheet` holds its answer."""

    key: str
    section: str
    question: str


_MOTIVATION = "Motivation"
_COMPOSITION = "Composition"
_COLLECTION = "Collection"
_PREPROCESSING = "Preprocessing"
_DISTRIBUTION = "Distribution"
_ETHICS = "Legal and ethical considerations"

QUESTIONS = (
    Question("purpose", _MOTIVATION, "What was the dataset made for?"),
    Question("uses", _MOTIVATION, "What has it been used for so far?"),
    Question("funding", _MOTIVATION, "Who paid for it?"),
    Question("instances", _COMPOSITION, "What is one instance?"),
    Question("count", _COMPOSITION, "How many instances are there?"),
    Question("content", _COMPOSITION, "Which data does an instance consist of?"),
    Question("external", _COMPOSITION, "Does it depend on anything outside this folder?"),
    Question("splits", _COMPOSITION, "Which splits and measures are recommended?"),
    Question("collection", _COLLECTION, "How was the data collected?"),
    Question("people", _COLLECTION, "Who took part in the collection, in which role, for what pay?"),
    Question("period", _COLLECTION, "When was the data collected?"),
    Question("coverage", _COLLECTION, "Does it hold every possible instance?"),
    Question("population", _COLLECTION, "If it is a sample, of what?"),
    Question("preprocessing", _PREPROCESSING, "How was the data processed?"),
    Question("raw", _PREPROCESSING, "Was the raw data kept?"),
    Question("fitness", _PREPROCESSING, "Does the result serve what it was made for?"),
    Question("distribution", _DISTRIBUTION, "How is it distributed, and under which licence?"),
    Question("consent", _ETHICS, "Did those who took part know its use, and did they agree?"),
    Question("harm", _ETHICS, "Could it expose anyone to harm or legal action?"),
    Question("fairness", _ETHICS, "Does it put any social group at an advantage or a disadvantage?"),
)
"""Appendix G of the VCR paper, section by section, in our words."""

PUBLISHED_KEY = "published"
"""Where `DatasetInfo.datasheet` says that its answers are a published benchmark's. It is no question."""

PUBLISHED = (
    "Apart from what is counted in this folder's files, the datasheet's answers describe the benchmark as "
    "its authors published it. They are no statement about other files in the same format."
)
"""Stands below the title, before the text under `PUBLISHED_KEY`."""

HUB_LICENCES = {
    "Apache-2.0": "apache-2.0",
    "CC BY 4.0": "cc-by-4.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC0-1.0": "cc0-1.0",
    "MIT": "mit",
}
"""The Hub's names of licences that stand alone; any other licence is `other`, with its text as the name."""

_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
)


def datasheet(info: DatasetInfo) -> str:
    """The content of README.md. The same info gives the same text."""
    blocks = [
        _header(info),
        f"# {_title(info)}",
        *_introduction(info),
        *_loading(info),
        *_split_table(info),
        *_answers(info),
        *_notes(info),
    ]
    return "\n\n".join(blocks) + "\n"


def unanswered(info: DatasetInfo) -> list[Question]:
    """The questions that neither the dataset itself nor its makers answer."""
    return [question for question in QUESTIONS if not _answer(question, info)]


def hub_splits(info: DatasetInfo) -> dict[str, str]:
    """Each split's name in Hugging Face `datasets`: its own wherever `datasets` allows it.

    `datasets` knows only word characters and dots; an underscore stands for others, with a number if the
    name is taken.
    """
    names = {split: split for split in info.splits if _allowed(split)}
    for split in info.splits:
        if split not in names:
            plain = re.sub(r"\W", "_", split) or "_"
            candidates = (plain, *(f"{plain}_{number}" for number in range(2, len(info.splits) + 2)))
            names[split] = next(name for name in candidates if _allowed(name) and name not in names.values())
    return {split: names[split] for split in info.splits}


def _allowed(split: str) -> bool:
    return split != "all" and re.fullmatch(r"\w+(\.\w+)*", split) is not None


def _header(info: DatasetInfo) -> str:
    """The card's YAML. Every string is quoted, so that `no`, `1.0` or a line break stay what they are."""
    lines = ["---", f"pretty_name: {_quoted(_title(info))}"]
    if info.licence in HUB_LICENCES:
        lines.append(f"license: {HUB_LICENCES[info.licence]}")
    elif info.licence.strip():
        lines += ["license: other", f"license_name: {_quoted(info.licence)}"]
    else:
        lines.append("license: unknown")
    lines += ["size_categories:", f"- {_size(info.items)}"]
    if info.splits:
        lines += ["configs:", "- config_name: default", "  data_files:"]
        for split, name in hub_splits(info).items():
            path = _quoted(escape(info.splits[split].file))
            lines += [f"  - split: {_quoted(name)}", f"    path: {path}"]
    return "\n".join([*lines, "---"])


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar on one line; whatever YAML could read as structure or refuse is escaped."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    code = ord(character)
    if 0x20 <= code <= 0x7E or (0xA1 <= code <= 0xD7FF and code not in (0x2028, 0x2029)):
        return character
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _size(items: int) -> str:
    return next((name for limit, name in _SIZES if items < limit), "n>10M")


def _title(info: DatasetInfo) -> str:
    return _line(info.title) or _line(info.name) or _line(info.benchmark) or "A dataset without a name"


def _line(text: str) -> str:
    """The text on one line, as headings and tables need it."""
    return " ".join(text.split())


def _introduction(info: DatasetInfo) -> list[str]:
    open_questions = len(unanswered(info))
    answered = f"{len(QUESTIONS) - open_questions} of the datasheet's {len(QUESTIONS)} questions are answered"
    note = _line(info.datasheet.get(PUBLISHED_KEY, ""))
    return [
        *([f"**{DRAWN}**"] if info.drawn else []),
        *([f"**{PUBLISHED}** {note}"] if note else []),
        *([info.description.strip()] if info.description.strip() else []),
        f"{answered}; {open_questions} {'is' if open_questions == 1 else 'are'} not answered yet.",
        *([f"Please cite: {_line(info.citation)}"] if info.citation.strip() else []),
    ]


def _loading(info: DatasetInfo) -> list[str]:
    name = next(iter(hub_splits(info).values()), None)
    split = "" if name is None else f'["{name}"]'
    python = f'from datasets import load_dataset\n\nitems = load_dataset("path/to/this/folder"){split}'
    return [
        "## How to load it",
        "```bash\ncommonsight show path/to/this/folder\n```",
        f"```python\n{python}\n```",
    ]


def _split_table(info: DatasetInfo) -> list[str]:
    if not info.splits:
        return ["## Splits", "There are none."]
    rows = ["| split | in `datasets` | items | file | SHA-256 |", "|---|---|---:|---|---|"]
    for split, name in hub_splits(info).items():
        entry = info.splits[split]
        rows.append(f"| {_cell(split)} | {name} | {entry.items} | {_cell(entry.file)} | {entry.sha256} |")
    return ["## Splits", "\n".join(rows)]


def _cell(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("|", "\\|")


def _answers(info: DatasetInfo) -> list[str]:
    blocks = ["## Datasheet"]
    section = ""
    for question in QUESTIONS:
        if question.section != section:
            section = question.section
            blocks.append(f"### {section}")
        blocks.append(f"#### {question.question}")
        still_open = f"Not answered yet. Its makers can answer it as `{question.key}`."
        blocks.append(_answer(question, info) or still_open)
    return blocks


def _notes(info: DatasetInfo) -> list[str]:
    """Answers to questions that we do not ask: nothing that the makers wrote is dropped."""
    placed = {PUBLISHED_KEY, *(question.key for question in QUESTIONS)}
    blocks = []
    for key, text in info.datasheet.items():
        if key not in placed and text.strip():
            blocks += [f"#### {_line(key)}", text.strip()]
    return ["### Further notes", *blocks] if blocks else []


def _answer(question: Question, info: DatasetInfo) -> str:
    """What the dataset knows, then what its makers wrote; empty where there is neither."""
    known = _KNOWN[question.key](info) if question.key in _KNOWN else ""
    written = info.datasheet.get(question.key, "").strip()
    return "\n\n".join(part for part in (known, written) if part)


def _instances(info: DatasetInfo) -> str:
    benchmark = f" of the benchmark `{_line(info.benchmark)}`" if info.benchmark.strip() else ""
    return f"One item{benchmark}: what is shown, what is asked, and the right answer where it is public."


def _count(info: DatasetInfo) -> str:
    parts = ", ".join(f"{entry.items} in {_line(split)}" for split, entry in info.splits.items())
    return f"{info.items} items" + (f": {parts}." if parts else ".")


def _content(_: DatasetInfo) -> str:
    columns = ", ".join(f"`{name}`" for name in SCHEMA.names)
    return f"One row with the columns {columns}. What a benchmark does not have is empty."


def _external(info: DatasetInfo) -> str:
    if info.images:
        return f"No: its {info.images} pictures are in `images/`, each under the SHA-256 of its content."
    where = f" from {_line(info.homepage)}" if info.homepage.strip() else " from those who published them"
    return f"Yes: no picture is in this folder. `scenes` names each as its source does; get them{where}."


def _splits(info: DatasetInfo) -> str:
    if not info.splits:
        return ""
    splits = ", ".join(_line(split) for split in info.splits)
    measures = f"; the measures are those of `{_line(info.benchmark)}`" if info.benchmark.strip() else ""
    return f"The splits are {splits}{measures}."


def _processed(info: DatasetInfo) -> str:
    sources = [f"- {_line(source.name)} (SHA-256 {source.sha256})" for source in info.made.sources]
    made = how_made(info.made)
    return f"{made} It was made from these files:\n\n" + "\n".join(sources) if sources else made


def _distribution(info: DatasetInfo) -> str:
    if not info.licence.strip():
        return ""
    page = f" Its page is {_line(info.homepage)}." if info.homepage.strip() else ""
    return f"As a folder of Parquet files. Licence: {_line(info.licence)}.{page}"


_KNOWN: dict[str, Callable[[DatasetInfo], str]] = {
    "instances": _instances,
    "count": _count,
    "content": _content,
    "external": _external,
    "splits": _splits,
    "preprocessing": _processed,
    "distribution": _distribution,
}
"""What a dataset can answer about itself, by the question's key."""
