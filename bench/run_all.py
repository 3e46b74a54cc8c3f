"""Run every benchmark; with `--write`, put the figures into docs/performance.md and bench/README.md."""

from __future__ import annotations

from pathlib import Path

import bench_read_vcr
import bench_score
from _figures import Figure, arguments, show, table

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- begin: written by `python bench/run_all.py --write`, not by hand -->"
END = "<!-- end -->"

PAGE = f"""{BEGIN}
# Performance

Every figure is a ratio of two things measured in the same run on the same machine, in turn, and the median
over the rounds: seconds differ from machine to machine, ratios hardly. Memory is the peak of a process of its
own, less that of a process that only imports. The records are made up by seed, in the size and shape of the
real ones. `make bench` measures on your machine; [bench/README.md](../bench/README.md) says what each figure
means.

## Reading

{{reading}}

## Scoring

{{scoring}}
{END}
"""


def page(reading: list[Figure], scoring: list[Figure]) -> str:
    """The whole of docs/performance.md."""
    return PAGE.format(reading=table(reading), scoring=table(scoring))


def between_markers(text: str, content: str) -> str:
    """The text with what stands between the markers replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("bench/README.md has lost the markers between which the table stands")
    return f"{before}{BEGIN}\n\n{content}\n\n{END}{after}"


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--write", action="store_true", help="write the figures into the docs")
    options = parser.parse_args()
    reading = bench_read_vcr.figures(rounds=options.rounds)
    scoring = bench_score.figures(rounds=options.rounds)
    show([*reading, *scoring], options.json)
    if options.write:
        (ROOT / "docs" / "performance.md").write_text(page(reading, scoring), encoding="utf-8")
        readme = ROOT / "bench" / "README.md"
        written = between_markers(readme.read_text("utf-8"), table([*reading, *scoring]))
        readme.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
