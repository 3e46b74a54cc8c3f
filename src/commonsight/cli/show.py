"""`commonsight show`: an item in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from commonsight.benchmarks import ALL, find
from commonsight.benchmarks.detect import detect
from commonsight.cli.arguments import BenchmarkOption, Split, items_of
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.picture import colour, drawable, picture
from commonsight.cli.tables import plural
from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.hiding import rationales_to_choose, without_gold
from commonsight.core.item import Item
from commonsight.core.text import TaggedText, join_words, named, neutral_namer
from commonsight.errors import UsageError
from commonsight.store.dataset import is_dataset, open_items

NAME = "show"
EXAMPLES = """Examples:

[cyan]commonsight show vcr-val --index 3[/]

[cyan]commonsight show val.jsonl --id val-35 --names neutral[/]

[cyan]commonsight show nlvr2 --hide-gold --json[/]"""

Names = Literal["bracket", "neutral", "class"]
MOST_SCENES = 2
"""Pictures drawn side by side; NLVR has six drawings of the same boxes."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def command(
    path: Annotated[Path, typer.Argument(metavar="DATASET|FILE", help="A dataset folder or a native file.")],
    index: Annotated[
        int | None,
        typer.Option(min=0, metavar="NUMBER", help="Which item, counted from 0; by default the first."),
    ] = None,
    item_id: Annotated[str | None, typer.Option("--id", metavar="ID", help="Which item, by its id.")] = None,
    benchmark: BenchmarkOption = None,
    split: Split = None,
    names: Annotated[
        Names, typer.Option(help="How texts name regions: by tag, by a neutral name (Casey), or by class.")
    ] = "bracket",
    hide_gold: Annotated[
        bool, typer.Option("--hide-gold", help="Leave out the right answers, to try it yourself.")
    ] = False,
    images: Annotated[
        bool | None,
        typer.Option(
            "--images/--no-images", help="Draw the picture; by default where the terminal has colours."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the item as one JSON object.")] = False,
) -> None:
    """Show one item: its picture, regions, texts, choices, gold, rationales and program."""
    if index is not None and item_id is not None:
        raise UsageError("--index and --id both say which item. Give one of them.")
    shown = _opened(path, benchmark, split)
    item = _pick(shown.items, index or 0, item_id, path)
    if json:
        print_json(without_gold(item) if hide_gold else item)
        return
    folder = path if is_dataset(path) else None
    drawn = out.color_system is not None and not out.no_color if images is None else images
    parts = [*_header(item), *(_pictures(item, folder) if drawn else ()), *_body(item, names, hide_gold)]
    title = Text.assemble((visible(shown.title), "bold"), f"  {item.split}  ", (visible(item.id), "cyan"))
    out.print(Panel(Group(*parts), title=title, title_align="left", border_style="dim"))


class _Shown(NamedTuple):
    title: str
    items: Iterator[Item]


def _opened(path: Path, benchmark: str | None, split: str | None) -> _Shown:
    """The items, and what they are of: a dataset may be of no benchmark, but of any text task."""
    if benchmark is None and is_dataset(path):
        info, items = open_items(path, split)
        return _Shown({known.name: known.title for known in ALL}.get(info.benchmark, info.title), items)
    chosen = find(benchmark) if benchmark else detect(path)
    return _Shown(chosen.title, items_of(chosen, [path], split))


def _pick(items: Iterator[Item], index: int, item_id: str | None, path: Path) -> Item:
    seen = 0
    for item in items:
        if item.id == item_id if item_id is not None else seen == index:
            return item
        seen += 1
    if item_id is not None:
        raise UsageError(f"{path} has no item with the id {item_id}. Check the id and the split.")
    raise UsageError(
        f"{path} has no item number {index}. It has {plural(seen, 'item')}, counted from 0 to {seen - 1}."
    )


def _header(item: Item) -> Iterator[RenderableType]:
    if item.provenance.get("drawn"):
        yield Text("Drawn by Commonsight; not an item of the real benchmark.", style="yellow")
    table = Table.grid(padding=(0, 2))
    for scene in item.scenes[:MOST_SCENES]:
        size = f"{scene.width} x {scene.height}" if scene.width else ""
        table.add_row(Text("image", style="dim"), Text.assemble(visible(scene.image), (f"  {size}", "dim")))
    if len(item.scenes) > MOST_SCENES:
        table.add_row("", Text(f"and {len(item.scenes) - MOST_SCENES} more", style="dim"))
    if item.groups:
        told = [Text.assemble((f"{name} ", "dim"), visible(value)) for name, value in item.groups.items()]
        table.add_row(Text("groups", style="dim"), Text(", ").join(told))
    yield table


def _pictures(item: Item, folder: Path | None) -> Iterator[RenderableType]:
    mentioned = sorted(
        {index for text in (*item.texts.values(), *item.choices) for index in text.references()}
    )
    shown = [scene for scene in item.scenes if drawable(scene, folder)][:MOST_SCENES]
    if not shown:
        return
    width = max(20, out.width - 6) // len(shown) - (len(shown) - 1)
    row = Table.grid(padding=(0, 2))
    row.add_row(*(picture(scene, folder, width, mentioned) for scene in shown))
    yield Padding(row, (1, 0, 0, 0))


def _body(item: Item, names: Names, hide_gold: bool) -> Iterator[RenderableType]:
    if item.scenes and item.labels:
        yield _regions(item)
    render = _renderer(item, names)
    for role, text in item.texts.items():
        yield Text.assemble("\n", (role, "bold"), "\n", render(text))
    gold = item.gold.index if isinstance(item.gold, Pick) else None
    yield from _choices("choices", item.choices, None if hide_gold else gold, render)
    if rationales_to_choose(item):
        yield from _choices("rationales", item.rationales, None if hide_gold else item.rationale_gold, render)
    elif not hide_gold and item.rationales:
        yield Text("\nrationales, all right", style="bold")
        grid = Table.grid()
        for text in item.rationales:
            grid.add_row(Text("  – ", "dim"), render(text))
        yield grid
    if not hide_gold:
        yield from _gold(item)


def _regions(item: Item) -> RenderableType:
    labels = map(visible, item.labels)
    parts = [Text(f"[{label}{index + 1}]", style=colour(index)) for index, label in enumerate(labels)]
    return Text.assemble("\n", ("objects  ", "dim"), Text(" ").join(parts))


def _renderer(item: Item, names: Names) -> Callable[[TaggedText], Text]:
    labels = tuple(map(visible, item.labels))
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
        for character in visible(join_words(words)):
            number = ord(character) - 0xE000
            if 0 <= number < len(tags):
                tag = tags[number]
                before = (rendered.plain.split() or [""])[-1]
                style = f"bold {colour(tag[0])}" if tag else ""
                rendered.append(named(map(name, tag), before), style=style)
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
    grid = Table.grid()  # so that a long choice stays in its own column
    for index, text in enumerate(texts):
        mark = Text("✓ ", "bold green") if index == gold else Text("  ")
        grid.add_row(mark, Text(f"{LETTERS[index % 26]}  ", "dim"), render(text))
    yield grid


def _gold(item: Item) -> Iterator[RenderableType]:
    if isinstance(item.gold, Verdict):
        yield Text.assemble("\n", ("gold  ", "bold"), (str(item.gold.value), "bold green"))
    elif isinstance(item.gold, Grounded):
        where = f"objects {', '.join(map(str, item.target))}" if item.target else "no object"
        yield Text.assemble("\n", ("gold  ", "bold"), (visible(item.gold.text), "bold green"), f"  ({where})")
    elif isinstance(item.gold, FreeText):
        yield Text.assemble("\n", ("gold  ", "bold"), (visible(item.gold.text), "bold green"))
    if item.direct_answers:
        yield Text("\ndirect answers", style="bold")
        common = Counter(item.direct_answers).most_common()
        for answer, count in common:
            bar = ("█" * count).ljust(common[0][1] + 2)
            yield Text.assemble((bar, "green"), visible(answer), (f"  {count}", "dim"))
    if item.program is not None:
        yield Text("\nprogram", style="bold")
        for number, step in enumerate(item.program.steps):
            words = visible(", ".join(step.text_input or ()))
            result = (
                "" if step.output is None else visible(f" → {', '.join(map(str, step.output)) or 'nothing'}")
            )
            yield Text.assemble(
                (f"{number:>2}  ", "dim"), (step.function, "cyan"), f"({words})", (result, "dim")
            )
