"""The reader of scenes, and the whole solver on a small drawn world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec import structs
from PIL import Image

from commonsight.core.answer import Grounded
from commonsight.core.benchmark import Ask
from commonsight.core.program import Program
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.graph.knowledge import Knowledge
from commonsight.graph.programs import read
from commonsight.models.engine.checkpoint import save_best
from commonsight.models.engine.recipe import Recipe
from commonsight.models.libraries import seeded
from commonsight.models.regions.learning import ABOUT, About, Looking
from commonsight.models.symbolic import fitting
from commonsight.models.symbolic.scene_reader import (
    BETWEEN,
    Looks,
    SceneReader,
    SceneSource,
    lying,
    tell,
    terms_of,
    told_right,
)
from commonsight.models.symbolic.scenes import Way

COLOURS = {"red": (220, 30, 30), "blue": (30, 30, 220), "green": (30, 200, 30)}
LABELS = {"box": 20, "pole": 6}
"""By how wide they are."""


def drawn_scene(number: int, folder: Path) -> Scene:
    """Three things of plain colours, in a row."""
    rng = np.random.default_rng(number)
    picture = Image.new("RGB", (96, 32), (255, 255, 255))
    regions = []
    for place in range(3):
        colour, label = str(rng.choice(list(COLOURS))), str(rng.choice(list(LABELS)))
        left = 32 * place + int(rng.integers(0, 8))
        box = (left, 4, left + LABELS[label], 28)
        picture.paste(COLOURS[colour], box)
        regions.append(Region(label, Box(*map(float, box)), attributes=(colour,), id=100 + place))
    name = f"images/{number}.png"
    (folder / "images").mkdir(parents=True, exist_ok=True)
    picture.save(folder / name)
    edges = tuple(Relation(one, "left of", other) for one in range(3) for other in range(one + 1, 3))
    return Scene(name, tuple(regions), edges, 96, 32, name)


def asks(scenes: list[Scene]) -> list[Ask]:
    """Of each scene what colour its first thing has, and whether there is something red."""
    found = []
    for number, scene in enumerate(scenes):
        first = scene.regions[0]
        colour = read(
            '[0] Initial(); [1] Relate_Reverse([0], "left of"); [2] Find([1], "box"); '
            '[3] Recognition([2], "color")'
            if number % 2
            else '[0] Initial(); [1] Find([0], "box"); [2] Recognition([1], "color")'
        )
        boxes = [region for region in scene.regions if region.label == "box"]
        if number % 2:
            boxes = [region for region in scene.regions[:2] if region.label == "box"]
        if len({region.attributes for region in boxes}) == 1:
            text = "what color is the box left of something ?" if number % 2 else "what color is the box ?"
            found.append(
                ask(f"{number}-c", scene, text, colour, boxes[0].attributes[0], [one.id for one in boxes])
            )
        red = [region.id for region in scene.regions if "red" in region.attributes]
        verify = read('[0] Initial(); [1] Find([0], "object", "red"); [2] Verify([1])')
        said = "is there something red ?"
        found.append(ask(f"{number}-r", scene, said, verify, "yes" if red else "no", red))
        assert first.box is not None
    return found


def ask(name: str, scene: Scene, text: str, program: Program, answer: str, targets: list[int | None]) -> Ask:
    ids = tuple(one for one in targets if one is not None)
    gold = Grounded(answer, ids[0] if ids else None)
    return Ask(
        name, "answer", (scene,), {"question": TaggedText.plain(text)}, "grounded", (), gold, ids, program
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Ask], list[Ask]]:
    folder = tmp_path_factory.mktemp("world")
    scenes = [drawn_scene(number, folder) for number in range(40)]
    return folder, asks(scenes[:32]), asks(scenes[32:])


@pytest.fixture(scope="module")
def encoder(world: tuple[Path, list[Ask], list[Ask]]) -> Path:
    """An encoder that tells the mean of each colour is enough here; its weights are as they begin."""
    folder = world[0] / "regions"
    about = About(tuple(f"target {number}" for number in range(24)), 32, 32, (8, 16))
    ABOUT.save(folder, about)
    with seeded(1):
        network = Looking(about)
        with torch.no_grad():
            network.tell.weight.mul_(20)
    save_best(folder, network.state_dict())
    return folder


@pytest.fixture(scope="module")
def fitted(world: tuple[Path, list[Ask], list[Ask]], encoder: Path) -> tuple[Path, fitting.ScenesSolver]:
    folder, learned, judged = world
    quick = Recipe(epochs=25, batch=8, rate=0.01, decay=0.0, plateau=None)
    recipes = fitting.Recipes(structs.replace(quick, epochs=8), quick)
    out = folder / "solver"
    lessons = fitting.Lessons(learned, judged, folder)
    return out, fitting.fit(lessons, encoder, Knowledge([]), out, recipes=recipes).solver


def test_questions_are_answered_with_their_steps(
    world: tuple[Path, list[Ask], list[Ask]], fitted: tuple[Path, fitting.ScenesSolver]
) -> None:
    _, _, judged = world
    solved = fitted[1].solve_all(judged)
    right = sum(fitting.is_right(one, said) for one, said in zip(judged, solved, strict=True))
    assert right / len(judged) > 0.6
    for said in solved:
        assert said.program.startswith("[0] Initial()")
        assert len(said.trace) == len(read(said.program).steps)
        assert said.trace[-1].split(": ")[0].endswith(("Verify", "Recognition"))
    assert fitted[1].solve(judged[0]) == solved[0]


def test_labels_of_the_scene_are_not_looked_at(
    world: tuple[Path, list[Ask], list[Ask]], fitted: tuple[Path, fitting.ScenesSolver]
) -> None:
    _, _, judged = world

    def blinded(one: Ask) -> Ask:
        scene = one.scenes[0]
        regions = tuple(structs.replace(region, label="thing", attributes=()) for region in scene.regions)
        hidden = structs.replace(scene, regions=regions, relations=())
        return structs.replace(one, scenes=(hidden,), program=None, gold=None, target=None)

    assert fitted[1].solve_all(list(map(blinded, judged))) == fitted[1].solve_all(judged)


def test_what_was_fitted_is_found_again(
    world: tuple[Path, list[Ask], list[Ask]], fitted: tuple[Path, fitting.ScenesSolver]
) -> None:
    folder, _, judged = world
    out, solver = fitted
    again = fitting.load(out, folder)
    assert again.solve_all(judged) == solver.solve_all(judged)
    with pytest.raises(InputError, match=r"there is no solver here \(no scenes.json\)"):
        fitting.load(folder, folder)


def test_a_program_that_comes_to_nothing_is_answered_by_what_is_common_and_counted(
    world: tuple[Path, list[Ask], list[Ask]], fitted: tuple[Path, fitting.ScenesSolver]
) -> None:
    one = world[2][0]
    lost = read('[0] Initial(); [1] Find([0], "elephant"); [2] Recognition([1], "color")')
    for way in (Way(True), Way(False)):
        said = fitted[1].answered(one, lost, way)
        assert said.fell_back
        assert isinstance(said.answer, Grounded)
        assert said.answer.text in COLOURS
        assert said.answer.object_id is None
        red = fitted[1].answered(one, read('[0] Initial(); [1] Find([0], "box"); [2] Verify([1])'), way)
        assert not red.fell_back
    broken = fitted[1].answered(one, Program(lost.steps[1:]), Way(True))
    assert broken.fell_back
    assert "Step 0 of the program" in broken.trace[0]


def test_questions_without_programs_teach_nothing(
    world: tuple[Path, list[Ask], list[Ask]], encoder: Path
) -> None:
    folder, learned, judged = world
    without = [structs.replace(one, program=None) for one in learned]
    with pytest.raises(InputError, match="have no program to learn from"):
        fitting.fit(fitting.Lessons(without, judged, folder), encoder, Knowledge([]), folder / "never")


# The reader of scenes


def test_relations_are_told_from_how_boxes_lie() -> None:
    """Left and right, which no look tells: trained on vectors of noise."""
    rng = np.random.default_rng(1)
    scenes, looks = [], []
    for _ in range(60):
        boxes = np.sort(rng.random((4, 2, 2)), axis=1).reshape(4, 4).astype(np.float32)
        middles = boxes[:, 0] + boxes[:, 2]
        edges = tuple(
            Relation(one, "left of", other)
            for one in range(4)
            for other in range(4)
            if middles[one] < middles[other]
        )
        scenes.append(Scene("x", tuple(Region("thing") for _ in range(4)), edges))
        looks.append(Looks(rng.normal(size=(4, 3)).astype(np.float32), boxes))
    terms = terms_of(scenes)
    source = SceneSource(scenes, looks, terms)
    with seeded(2):
        reader = SceneReader(terms, dim=3, hidden=16, dropout=0.0)
    optimiser = torch.optim.Adam(reader.parameters(), lr=0.01)
    for _ in range(150):
        loss = reader(source.batch(np.arange(40))).extra.mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    held = SceneSource(scenes[40:], looks[40:], terms)
    assert told_right(reader, held).relations > 0.9
    told = tell(reader, looks[0])
    assert told.relations.shape == (4, 4, 1)
    assert not told.relations[np.arange(4), np.arange(4)].any()
    np.testing.assert_allclose(told.labels.sum(axis=1), 1.0, rtol=1e-5)


def test_how_boxes_lie_by_plain_arithmetic() -> None:
    boxes = torch.tensor([[0.0, 0.0, 0.5, 0.5], [0.25, 0.25, 0.75, 1.0]])
    between = lying(boxes)
    assert between.shape == (2, 2, BETWEEN)
    expected = [-0.25, -0.25, -0.25, -0.5, -0.25, -0.375, 0.0625 / 0.25, 0.0625 / 0.375, 0.5, 0.375**0.5]
    torch.testing.assert_close(between[0, 1], torch.tensor(expected))


def test_padding_costs_nothing() -> None:
    small = Scene("a", (Region("cup", attributes=("red",)),), ())
    large = Scene("b", (Region("cup"), Region("dog")), (Relation(0, "on", 1),))
    looks = [Looks(np.ones((count, 3), np.float32), np.full((count, 4), 0.5, np.float32)) for count in (1, 2)]
    source = SceneSource([small, large], looks, terms_of([small, large]))
    reader = SceneReader(terms_of([small, large]), dim=3).eval()
    both, alone = reader(source.batch(np.array([0, 1]))).extra, reader(source.batch(np.array([0]))).extra
    torch.testing.assert_close(both[:1], alone)
