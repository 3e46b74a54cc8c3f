"""`commonsight explore`: datasets, items, runs and mistakes in a browser."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.console import out, progress, visible
from commonsight.errors import MissingExtra, UsageError
from commonsight.store.dataset import is_dataset, read_info
from commonsight.store.runs import is_run, read_run

if TYPE_CHECKING:
    from commonsight.runs.exploring.book import Book
    from commonsight.runs.exploring.cards import Found
    from commonsight.runs.exploring.errata import Errata
    from commonsight.runs.exploring.submissions import Submissions

NAME = "explore"
EXAMPLES = """Examples:

[cyan]commonsight explore my-dataset[/]

[cyan]commonsight explore vcr-val --run runs/r2c --run runs/lstm --audit audit-out[/]

[cyan]commonsight explore my-dataset --hidden-gold --submissions sent --split test --errata errata[/]"""


def command(
    datasets: Annotated[list[Path], typer.Argument(metavar="DATASET…", help="Dataset folders.")],
    run: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="A run's folder, or a prediction file; may be given again."),
    ] = None,
    audit: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="What `audit` wrote, for each dataset in turn: a filter."),
    ] = None,
    errata: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep here what readers report; a folder a dataset.")
    ] = None,
    submissions: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Take prediction files, and keep them here; with --split."),
    ] = None,
    split: Annotated[str | None, typer.Option(metavar="NAME", help="That --submissions are of.")] = None,
    hidden_gold: Annotated[
        bool, typer.Option("--hidden-gold", help="Tell nothing of what is right, on any page.")
    ] = False,
    host: Annotated[str, typer.Option(metavar="NAME", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="NUMBER", min=1, max=65535, help="Its port.")] = 8000,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="For TLS, with --key.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key.")] = None,
    public_without_tls: Annotated[
        bool, typer.Option("--public-without-tls", help="Something in front of this does TLS.")
    ] = False,
    known_as: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name under which people ask for it, such as bench.example."),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> None:
    """Look through datasets, and what runs said of them, in a browser.

    The first time a dataset is opened an index of it is made, which is kept. Nothing leaves this machine.
    """
    from commonsight.web.serving import Address, check_address, host_names

    address = Address(host, port, certificate, key, public_without_tls)
    check_address(address)
    hosts = host_names(host, known_as or [])
    if (submissions is None) != (split is None):
        raise UsageError("--submissions and --split go together: which split's predictions are taken?")
    books = opened(datasets, run or (), audit or (), hidden=hidden_gold)
    try:
        from commonsight.web.explore.app import build_app, named
        from commonsight.web.serving import serve
    except ImportError as error:
        raise MissingExtra("FastAPI", "serve") from error
    out.print(visible(f"{address.url} shows {len(books)} dataset{'s' * (len(books) > 1)}. Ctrl-C ends it."))
    keys = named(books)
    token = secrets.token_urlsafe(16) if errata else ""
    if token:
        out.print(visible(f"The owner's token, for settling reports: {token}"), markup=False)
    app = build_app(
        keys,
        hosts=hosts,
        submissions=_submissions(submissions, split, keys),
        errata=_errata(errata, keys),
        token=token,
    )
    if browser:
        typer.launch(address.url)
    serve(app, address)


def _submissions(folder: Path | None, split: str | None, books: Mapping[str, Book]) -> dict[str, Submissions]:
    from commonsight.runs.exploring.submissions import Submissions

    if folder is None or split is None:
        return {}
    return {
        key: Submissions(folder / key, book.folder, book.benchmark, split, time.time)
        for key, book in books.items()
    }


def _errata(folder: Path | None, books: Mapping[str, Book]) -> dict[str, Errata]:
    from commonsight.runs.exploring.errata import Errata

    return {} if folder is None else {key: Errata(folder / key) for key in books}


def opened(
    datasets: Sequence[Path], runs: Sequence[Path], audits: Sequence[Path], *, hidden: bool = False
) -> list[Book]:
    """The datasets, each with those runs that are of it and with the audit that stands at its place."""
    from commonsight.runs.exploring.book import open_book

    if len(audits) > len(datasets):
        raise UsageError("There are more --audit folders than datasets. Give one for each dataset, in order.")
    for folder in datasets:
        if not is_dataset(folder):
            raise UsageError(f"{folder} is no dataset. Make one with `commonsight convert`, or name another.")
    mine = shared_out(datasets, runs)
    books = []
    for place, folder in enumerate(datasets):
        audit = audits[place] if place < len(audits) else None
        books.append(open_book(folder, mine[folder], audit, _Shown(folder.name), hidden=hidden))
    return books


class _Shown:
    """A progress bar while an index is made."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, batches: Iterator[list[Found]], total: int) -> Iterator[list[Found]]:
        return progress(batches, f"indexing {self._name}", total)


def shared_out(datasets: Sequence[Path], runs: Sequence[Path]) -> dict[Path, list[Path]]:
    """By dataset the runs of it: a run says which it is of; where that does not tell, the benchmark does."""
    found: dict[Path, list[Path]] = {folder: [] for folder in datasets}
    for path in runs:
        found[_dataset_of(path, datasets)].append(path)
    return found


def _dataset_of(path: Path, datasets: Sequence[Path]) -> Path:
    if len(datasets) == 1 or not is_run(path):
        return datasets[0]
    told = read_run(path)
    infos = {folder: info for folder in datasets if (info := read_info(folder)) is not None}
    named = [folder for folder in infos if Path(told.dataset).name in (folder.name, infos[folder].name)]
    alike = [folder for folder, info in infos.items() if info.benchmark == told.benchmark]
    for folders in (named, alike):
        if len(folders) == 1:
            return folders[0]
    raise UsageError(
        f"{path} is a run of {told.dataset} ({told.benchmark}), and it is not clear which of these datasets "
        "that is. Explore them one by one."
    )
