"""Figures: the same bytes for the same numbers, nothing half-written, and all that was asked for is drawn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from commonsight.store import figures
from commonsight.store.figures import COLOURS, Bars, Level, Panel, Series, crowded, log_places, write_figure

LINES = Panel(
    (
        Series("machine", (-2, -1, 0), (30.0, 40.0, 60.0), (25.0, 35.0, 50.0), (35.0, 45.0, 70.0)),
        Series("people", (-2, -1, 0), (80.0, None, 90.0), (70.0, None, 80.0), (85.0, None, 95.0), line=False),
        Series("", (1,), (50.0,), line=False, colour=0),
    ),
    "λ",
    "accuracy (%)",
    "Answers",
    ticks=((-2, "0.01"), (-1, "0.1"), (0, "1")),
    y_range=(0, 100),
    levels=(Level(25, "chance"),),
    mark=(-1, "ours"),
)
BARS = Bars(
    ("yes", "no"),
    (Series("before", (), (70.0, 30.0)), Series("after", (), (51.0, None), (49.0, None), (53.0, None))),
    "share (%)",
)


def test_the_same_numbers_give_the_same_bytes(tmp_path: Path) -> None:
    first = write_figure(tmp_path / "a", (LINES, BARS), "Title")
    second = write_figure(tmp_path / "b", (LINES, BARS), "Title")
    assert [path.name for path in first] == ["a.svg", "a.png"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    other = write_figure(tmp_path / "c", (LINES,), "Title")
    assert all(one.read_bytes() != two.read_bytes() for one, two in zip(first, other, strict=True))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.png", "a.svg", "b.png", "b.svg", "c.png", "c.svg",
    ]  # fmt: skip


def test_another_process_and_other_settings_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 20\naxes.facecolor: red\nsvg.fonttype: none\n")
    panel = "Panel((Series('one', (1, 2), (3.0, 4.0)),), 'x', 'y')"
    code = (
        "from pathlib import Path; from commonsight.store.figures import *; "
        f"write_figure(Path('there'), ({panel},))"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)
    here = write_figure(tmp_path / "here", (Panel((Series("one", (1, 2), (3.0, 4.0)),), "x", "y"),))
    assert here[0].read_bytes() == (tmp_path / "there.svg").read_bytes()
    assert here[1].read_bytes() == (tmp_path / "there.png").read_bytes()


def test_what_is_drawn(tmp_path: Path) -> None:
    svg, png = write_figure(tmp_path / "a", (LINES, BARS))
    text = svg.read_text("utf-8")
    ElementTree.fromstring(text)
    for word in ("machine", "people", "chance", "ours", "before", "after", "0.01"):
        assert f"<!-- {word} -->" in text  # matplotlib names the text that it draws as paths
    for colour in COLOURS[:2]:
        assert colour.lower() in text
    assert "dc:date" not in text
    assert "dc:creator" not in text
    with Image.open(png) as image:
        assert image.size == (int(2 * figures.PANEL[0] * figures.DOTS), int(figures.PANEL[1] * figures.DOTS))
        assert "Software" not in image.info
        assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 10


def test_matplotlib_is_left_as_it_was(tmp_path: Path) -> None:
    import matplotlib

    loaded = "matplotlib.pyplot" in sys.modules
    before = matplotlib.rcParams.copy()
    write_figure(tmp_path / "a", (BARS,))
    assert matplotlib.rcParams.copy() == before
    assert ("matplotlib.pyplot" in sys.modules) is loaded


def test_nothing_half_written(tmp_path: Path) -> None:
    bad = Panel((Series("one", (1, 2), (3.0,)),), "x", "y")
    with pytest.raises(ValueError, match="zip"):
        write_figure(tmp_path / "a", (bad,))
    assert list(tmp_path.iterdir()) == []


def test_a_series_without_values(tmp_path: Path) -> None:
    empty = Panel((Series("none", (1, 2), (None, None), (None, None), (None, None)),), "x", "y")
    assert all(path.is_file() for path in write_figure(tmp_path / "a", (empty,)))


def test_places_on_a_logarithmic_axis() -> None:
    assert log_places((0.01, 0.1, 1)) == pytest.approx((-2, -1, 0))
    assert log_places((0, 0.01, 0.1)) == pytest.approx((-3, -2, -1))
    assert log_places((0, 0.1)) == pytest.approx((-1.5, -1))
    assert log_places((0,)) == (-0.5,)


@pytest.mark.parametrize(
    ("names", "slanted"),
    [
        (("a", "b", "c"), False),
        (("Query\nObjKG", "Query\nObjSG", "Query\nAtt", "Verify\nKG", "Verify\nAtt"), False),
        (("relationship", "character", "antecedent", "personality", "environment"), True),
        ((), False),
    ],
)
def test_names_that_would_run_into_one_another_stand_slanted(names: tuple[str, ...], slanted: bool) -> None:
    assert crowded(names) == slanted


def test_notes_and_small_marks_are_drawn(tmp_path: Path) -> None:
    points = Series("", (1.0, 2.0), (3.0, 4.0), line=False)
    plain = write_figure(tmp_path / "plain", (Panel((points,), "x", "y"),))[0].read_text()
    panel = Panel((points,), "x", "y", notes=((1.0, 3.0, "green"),))
    noted = write_figure(tmp_path / "noted", (panel,))[0].read_text()
    small = Series("", (1.0, 2.0), (3.0, 4.0), line=False, size=2)
    smaller = write_figure(tmp_path / "small", (Panel((small,), "x", "y"),))[0].read_text()
    assert "<!-- green -->" in noted
    assert "<!-- green -->" not in plain
    assert smaller != plain
