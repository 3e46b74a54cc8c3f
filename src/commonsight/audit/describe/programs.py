"""What questions are made of, where they carry programs and knowledge (CRIC, Figures 4 and 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from commonsight.audit.describe.texts import bars, nothing_to_describe
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Plot, Section, Table
from commonsight.core.item import Item
from commonsight.graph.degrees import Degrees, degree_statistics
from commonsight.graph.knowledge import KnowledgeItem
from commonsight.graph.phrases import parse
from commonsight.store.figures import Panel, Series

SHOWN = 20
Triple = tuple[str, str, str]
"""Head, relation, tail."""


@dataclass(frozen=True)
class ProgramsProbe:
    """Functions in programs, steps of programs, and the knowledge that items were made from."""

    name: str = "programs"
    title: str = "Programs and knowledge"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section; what an item does not carry is said."""
        del setting  # nothing to choose
        functions: Counter[str] = Counter()
        steps: Counter[int] = Counter()
        knowledge: Counter[Triple] = Counter()
        items = 0
        for item in subject.read():
            items += 1
            if item.program is not None:
                functions.update(step.function.replace(" ", "_") for step in item.program.steps)
                steps[len(item.program)] += 1
            knowledge.update(set(triples(item)))
        if not items:
            raise nothing_to_describe()
        if not steps and not knowledge:
            raise CannotMeasure(
                "No item carries a program or knowledge, which CRIC's Figures 4 and 7 (d, e) are made of."
            )
        return [self._section(functions, steps, knowledge)]

    def _section(
        self, functions: Counter[str], steps: Counter[int], knowledge: Counter[Triple]
    ) -> Section:
        tables: list[Table] = []
        plots: list[Plot] = []
        numbers: dict[str, float] = {}
        skipped: list[str] = []
        if steps:
            tables += [_functions(functions), _steps(steps)]
            plots.append(_program_plot(functions, steps))
            numbers["functions"] = sum(size * count for size, count in steps.items()) / steps.total()
        else:
            skipped.append("Functions (CRIC, Figure 7 (d, e)): no item carries a program.")
        if knowledge:
            tables += [_relations(knowledge), _heads(knowledge)]
            degrees = degree_statistics(map(_graph, knowledge))
            tables.append(_degree_table(degrees.before, degrees.after))
            plots.append(_degree_plot(degrees.before, degrees.after))
            numbers |= {"degree_triplets": degrees.before.mean, "degree_graphs": degrees.after.mean}
        else:
            skipped.append("Knowledge (CRIC, Figure 4): no item says which knowledge it was made from.")
        return Section(
            self.name, self.title, "What questions are put together from, by their own programs.",
            numbers=numbers, tables=tuple(tables), plots=tuple(plots), skipped=tuple(skipped),
        )  # fmt: skip


def triples(item: Item) -> Iterator[Triple]:
    """The knowledge that an item was made from, where its extra fields list it as head, relation, tail."""
    graph: Any = item.extra.get("sub_graph", item.extra)
    listed = graph.get("knowledge_items", ()) if isinstance(graph, Mapping) else ()
    for row in listed if isinstance(listed, list | tuple) else ():
        if isinstance(row, list | tuple) and len(row) == 3 and all(isinstance(word, str) for word in row):
            yield row[0], row[1], row[2]


def _graph(triple: Triple) -> KnowledgeItem:
    head, relation, tail = triple
    return KnowledgeItem(relation, parse(head.split(), whole=True), parse(tail.split()))


def _counted(title: str, column: str, counts: Mapping[Any, int], note: str, shown: int = SHOWN) -> Table:
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda one: (-one[1], str(one[0])))[:shown]
    rows = tuple((str(name), count, count / total) for name, count in ordered)
    return Table(title, (column, "times", "share"), rows, note)


def _functions(functions: Counter[str]) -> Table:
    return _counted("Functions in programs", "function", functions, "CRIC's Figure 7 (d).")


def _steps(steps: Counter[int]) -> Table:
    total = steps.total()
    rows = tuple((size, count, count / total) for size, count in sorted(steps.items()))
    note = "CRIC's Figure 7 (e): 2 to 7 functions, 6 on average, more than 4 in over 70 % of questions."
    return Table("Functions to a question", ("functions", "questions", "share"), rows, note)


def _relations(knowledge: Counter[Triple]) -> Table:
    counts = Counter(relation for _, relation, _ in knowledge)
    note = f"CRIC's Figure 4 (b). {len(knowledge)} different items of knowledge (CRIC: 3,439)."
    return _counted("Relations in the knowledge used", "relation", counts, note)


def _heads(knowledge: Counter[Triple]) -> Table:
    counts = Counter(head for head, _, _ in knowledge)
    return _counted("Objects that most is known of", "object", counts, "CRIC's Figure 4 (c).")


def _degree_table(before: Degrees, after: Degrees) -> Table:
    return Table(
        "How densely knowledge hangs together",
        ("as", "entities", "mean degree", "connected to none"),
        tuple(
            (name, sum(found.histogram.values()), found.mean, found.histogram.get(0, 0))
            for name, found in (("triplets", before), ("graphs", after))
        ),
        "CRIC's Figure 4 (d, e): an entity's degree is the number of others that read the same or, as "
        "graphs, share an object.",
    )


def _program_plot(functions: Counter[str], steps: Counter[int]) -> Plot:
    ordered = sorted(functions.items(), key=lambda one: (-one[1], one[0]))
    sizes = sorted(steps)
    return Plot(
        "programs",
        (
            bars([name for name, _ in ordered], [float(count) for _, count in ordered], "times", "functions"),
            bars([str(size) for size in sizes], [float(steps[size]) for size in sizes], "questions", "steps"),
        ),
        "How often each function is used, and how many a question has.",
    )


def _degree_plot(before: Degrees, after: Degrees) -> Plot:
    def line(label: str, found: Degrees) -> Series:
        total = sum(found.histogram.values())
        degrees = sorted(found.histogram)
        return Series(
            label, tuple(map(float, degrees)), tuple(found.histogram[degree] / total for degree in degrees)
        )

    panel = Panel((line("as triplets", before), line("as graphs", after)), "degree", "share of entities")
    return Plot("knowledge-degrees", (panel,), "Degrees of entities, as in CRIC's Figure 4 (d, e).")
