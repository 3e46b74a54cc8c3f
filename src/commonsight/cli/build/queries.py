"""`commonsight build queries`: what to type into an image search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.build.lines import refuse_file, write_lines
from commonsight.cli.console import err, out, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import MissingExtra, UsageError
from commonsight.text.vectors import INSTALLED

if TYPE_CHECKING:
    from commonsight.build.queries.heuristics import Query
    from commonsight.build.queries.nouns import Noun
    from commonsight.build.queries.similar import SimilarWords
    from commonsight.text.vectors import WordVectors
    from commonsight.text.wordnet import WordNet

NAME = "queries"
EXAMPLES = """Examples:

[cyan]commonsight build queries --out queries.jsonl[/]

[cyan]commonsight build queries synsets.txt --wordnet /usr/share/wordnet --out queries.jsonl[/]"""


def command(
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The queries, JSON lines.")],
    nouns_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[NOUNS]",
            help="One thing a line, its names separated by commas; by default 62 animals and 62 objects.",
        ),
    ] = None,
    wordnet_folder: Annotated[
        Path | None,
        typer.Option(
            "--wordnet",
            metavar="DIR",
            envvar="COMMONSIGHT_WORDNET",
            help="WordNet's database files: for synonyms, more general words, and what is an animal.",
        ),
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=f"Word vectors: a GloVe text file, or {INSTALLED}, which is the default if it is installed.",
        ),
    ] = None,
    cosine: Annotated[
        float, typer.Option(metavar="X", min=-1.0, max=1.0, help="How alike similar words must be at least.")
    ] = 0.35,
    most: Annotated[
        int, typer.Option(metavar="N", min=0, help="Similar words of a name at most; 0 for none.")
    ] = 10,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """NLVR2's four heuristics: quantities, more general words, similar words, and activities of animals.

    A line of NOUNS may end in a tab and `animal` or `object`, and in another tab and more general words.
    """
    from commonsight.build.queries.heuristics import queries
    from commonsight.build.queries.nouns import read_nouns, shipped_nouns
    from commonsight.text.wordnet import WordNet

    for path in (nouns_file, wordnet_folder):
        if path is not None and not path.exists():
            raise UsageError(f"{path}: there is no such file or folder. Check the path.")
    refuse_file(out_file, [] if nouns_file is None else [nouns_file], overwrite)
    wordnet = None if wordnet_folder is None else WordNet(wordnet_folder)
    nouns = shipped_nouns(wordnet) if nouns_file is None else read_nouns(nouns_file, wordnet)
    similar = _similar(nouns, wordnet, vectors, cosine, most)
    counts: Counter[str] = Counter()
    write_lines(out_file, _counted(queries(progress(nouns, "nouns", len(nouns)), similar), counts))
    _note(nouns, wordnet, similar)
    _tell(out_file, nouns, counts)


def _similar(
    nouns: list[Noun], wordnet: WordNet | None, wanted: str | None, cosine: float, most: int
) -> SimilarWords | None:
    from commonsight.build.queries.similar import SimilarWords, concrete_words

    if not most:
        return None
    words = concrete_words(nouns, wordnet)
    vectors = _vectors(nouns, words, wanted)
    return None if vectors is None else SimilarWords(vectors, words, least=cosine, most=most)


def _vectors(nouns: list[Noun], words: list[str], wanted: str | None) -> WordVectors | None:
    from commonsight.build.queries.similar import vocabulary
    from commonsight.text.vectors import installed_glove, load_glove

    if wanted is not None and wanted != INSTALLED:
        if not Path(wanted).is_file():
            raise UsageError(f"--vectors {wanted}: there is no such file. Give one, or {INSTALLED}.")
        return load_glove(Path(wanted), vocabulary(nouns, words))
    try:
        return installed_glove()
    except MissingExtra as error:
        if wanted is not None:
            raise
        err.print(visible(f"note: no similar words, for want of vectors: {error}"), soft_wrap=True)
        return None


def _counted(made: Iterable[Query], counts: Counter[str]) -> Iterator[Query]:
    for query in made:
        counts[query.heuristic] += 1
        yield query


def _note(nouns: list[Noun], wordnet: WordNet | None, similar: SimilarWords | None) -> None:
    """What was done without WordNet, where that makes a difference."""
    if wordnet is not None:
        return
    objects = [noun for noun in nouns if noun.kind == "object"]
    bare = sum(not noun.hypernyms for noun in objects)
    told = f", which {bare:,} of {plural(len(objects), 'object')} lack" if bare else ""
    err.print(f"note: without --wordnet, more general words are the list's own{told}", soft_wrap=True)
    if similar is not None:
        err.print(
            "note: without --wordnet, similar words are looked for among the objects of this list and of the "
            f"shipped one ({plural(len(similar.words), 'word')} with a vector)",
            soft_wrap=True,
        )


def _tell(out_file: Path, nouns: list[Noun], counts: Counter[str]) -> None:
    from commonsight.build.queries.heuristics import HEURISTICS

    number = counts.total()
    what = f"{number:,} {'query' if number == 1 else 'queries'} for {plural(len(nouns), 'thing')}"
    parts = ", ".join(f"{name} {counts[name]:,}" for name in HEURISTICS)
    out.print(visible(f"{out_file}: {what} ({parts})"), markup=False, soft_wrap=True)
