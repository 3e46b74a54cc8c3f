"""`commonsight show`: an item in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from commonsight.benchmarks import find
from commonsight.benchmarks.detect import detect
from commonsight.cli.arguments import Split, benchmark_names, items_of
from commonsight.cli.console import out
from commonsight.cli.picture import colour, drawable, picture
from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.text import TaggedText, join_words, neutral_namer
from commonsight.errors import UsageError
from commonsight.store.dataset import is_dataset

NAME = "show"
EXAMPLES = """Examples:

[cyan]commonsight show vcr-val --index 3[/]

[cyan]commonsight show val.jsonl --id val-35 --names neutral[/]

[cyan]commonsight show nlvr2 --hide-gold --json[/]"""

Names = Literal["bracket", "neutral", "class"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def command(
    path: Annotated[Path, typer.Argument(metavar="DATASET|FILE", help="A dataset folder or a native file.")],
    index: Annotated[int, typer.Option(min=0, help="Which item, counted from 0.")] = 0,
    item_id: Annotated[str | None, typer.Option("--id", help="Which item, by its id.")] = None,
    benchmark: Annotated[
        str | None,
        typer.Option(help="The benchmark; by default told from the file.", autocompletion=benchmark_names),
    ] = None,
    split: Split = None,
    names: Annotated[
        Names, typer.Option(help="How texts name regions: by tag, by a neutral name (Casey), or by class.")
    ] = "bracket",
    hide_gold: Annotated[
        bool, typer.Option("--hide-gold", help="Leave out the right answers, to try it yourself.")
    ] = False,
    images: Annotated[bool, typer.Option(help="Draw the picture.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the item as one JSON object.")] = False,
) -> None:
    """Show one item: its picture, regions, texts, choices, gold, rationales and program."""
    chosen = find(benchmark) if benchmark else detect(path)
    item = _pick(items_of(chosen, [path], split), index, item_id, path)
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(item), indent=2).decode())
        return
    folder = path if is_dataset(path) else None
    parts = [*_header(item), *(_pictures(item, folder) if images else ()), *_body(item, names, hide_gold)]
    title = f"[bold]{chosen.title}[/]  {item.split}  [cyan]{item.id}[/]"
    out.print(Panel(Group(*parts), title=title, title_align="left", border_style="dim"))


def _pick(items: Iterator[Item], index: int, item_id: str | None, path: Path) -> Item:
    if item_id is not None:
        for item in items:
            if item.id == item_id:
                return item
        raise UsageError(f"{path} has no item with the id {item_id}.")
    for item in islice(items, index, None):
        return item
    raise UsageError(f"{path} has no item number {index}. Items count from 0.")


def _header(item: Item) -> Iterator[RenderableType]:
    if item.provenance.get("drawn"):
        yield Text("Drawn by Commonsight; not an item of the real benchmark.", style="yellow")
    table = Table.grid(padding=(0, 2))
    for scene in item.scenes:
        size = f"{scene.width} x {scene.height}" if scene.width else ""
        table.add_row(Text("image", style="dim"), Text(scene.image), Text(size, style="dim"))
    for name, value in item.groups.items():
        table.add_row(Text(name, style="dim"), Text(value))
    yield table


def _pictures(item: Item, folder: Path | None) -> Iterator[RenderableType]:
    mentioned = sorted(
        {index for text in (*item.texts.values(), *item.choices) for index in text.references()}
    )
    width = max(20, out.width - 6)
    shown = [scene for scene in item.scenes if drawable(scene, folder)]
    for scene in shown[:2]:
        yield Padding(
            picture(scene, folder, width if len(shown) == 1 else width // 2, mentioned), (1, 0, 0, 0)
        )


def _body(item: Item, names: Names, hide_gold: bool) -> Iterator[RenderableType]:
    if item.scenes and item.labels:
        yield _regions(item)
    render = _renderer(item, names)
    for role, text in item.texts.items():
        yield Text.assemble("\n", (role, "bold"), "\n", render(text))
    gold = item.gold.index if isinstance(item.gold, Pick) else None
    yield from _choices("choices", item.choices, None if hide_gold else gold, render)
    if item.rationale_gold is not None:
        yield from _choices("rationales", item.rationales, None if hide_gold else item.rationale_gold, render)
    elif not hide_gold:
        for text in item.rationales:
            yield Text.assemble(("\nrationale  ", "dim"), render(text))
    if not hide_gold:
        yield from _gold(item)


def _regions(item: Item) -> RenderableType:
    labels = item.labels
    parts = [Text(f"[{label}{index + 1}]", style=colour(index)) for index, label in enumerate(labels)]
    return Text.assemble("\n", ("objects  ", "dim"), Text(" ").join(parts))


def _renderer(item: Item, names: Names) -> Callable[[TaggedText], Text]:
    labels = item.labels
    neutral = neutral_namer(labels)
    naming: dict[Names, Callable[[int], str]] = {
        "bracket": lambda index: f"[{labels[index]}{index + 1}]",
        "neutral": neutral,
        "class": lambda index: f"{labels[index]} {index + 1}",
    }
    name = naming[names]

    def render(text: TaggedText) -> Text:
        # Join with private-use marks in place of tags, so that spacing and colours stay apart.
        tags = [token for token in text.tokens if isinstance(token, tuple)]
        marks = iter(range(len(tags)))
        words = [chr(0xE000 + next(marks)) if isinstance(token, tuple) else token for token in text.tokens]
        rendered = Text()
        for character in join_words(words):
            number = ord(character) - 0xE000
            if 0 <= number < len(tags):
                tag = tags[number]
                rendered.append(" and ".join(map(name, tag)), style=f"bold {colour(tag[0])}" if tag else "")
            else:
                rendered.append(character)
        return rendered

    return render


def _choices(
    title: str, texts: tuple[TaggedText, ...], gold: int | None, render: Callable[[TaggedText], Text]
) -> Iterator[RenderableType]:
    if not texts:
        return
    yield Text.assemble("\n", (title, "bold"))
    for index, text in enumerate(texts):
        mark = ("✓ ", "bold green") if index == gold else ("  ", "")
        yield Text.assemble(mark, (f"{LETTERS[index % 26]}  ", "dim"), render(text))


def _gold(item: Item) -> Iterator[RenderableType]:
    if isinstance(item.gold, Verdict):
        yield Text.assemble("\n", ("gold  ", "bold"), (str(item.gold.value), "bold green"))
    elif isinstance(item.gold, Grounded):
        where = f"objects {', '.join(map(str, item.target))}" if item.target else "no object"
        yield Text.assemble("\n", ("gold  ", "bold"), (item.gold.text, "bold green"), f"  ({where})")
    elif isinstance(item.gold, FreeText):
        yield Text.assemble("\n", ("gold  ", "bold"), (item.gold.text, "bold green"))
    if item.direct_answers:
        yield Text("\ndirect answers", style="bold")
        for answer, count in Counter(item.direct_answers).most_common():
            yield Text.assemble(("█" * count).ljust(11), answer, (f"  {count}", "dim"))
    if item.program is not None:
        yield Text("\nprogram", style="bold")
        for number, step in enumerate(item.program.steps):
            words = ", ".join(step.text_input or ())
            result = "" if step.output is None else f" → {', '.join(map(str, step.output)) or 'nothing'}"
            yield Text.assemble(
                (f"{number:>2}  ", "dim"), (step.function, "cyan"), f"({words})", (result, "dim")
            )
