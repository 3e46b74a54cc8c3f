"""What campaigns about a drawn world begin with, where that is more than one of its datasets."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from PIL import Image

from commonsight.build.imaging.sets.grouping import CLUSTERS, Cluster, ClusterImage
from commonsight.build.imaging.sets.values import ImageSet, Member
from commonsight.build.imaging.sets.writing import SETS, write_lines
from commonsight.store.dataset import sha256

_SIDE = re.compile(r"(\w+-\d+)-(\d)-img(\d)\.png")


def write_drawn_sets(world: Path, folder: Path) -> int:
    """The world's sets of eight pictures, as `build sets` writes them; how many."""
    sets: dict[str, list[Path]] = {}
    for path in sorted((world / "raw" / "images").glob("*.png")):
        found = _SIDE.fullmatch(path.name)
        assert found is not None
        sets.setdefault(found[1], []).append(path)
    folder.mkdir(parents=True)
    made = [_set(name, paths) for name, paths in sets.items()]
    write_lines(folder / SETS, made)
    return len(made)


def _set(name: str, paths: list[Path]) -> ImageSet:
    members = []
    for path in paths:
        with Image.open(path) as picture:
            width, height = picture.size
        members.append(Member(path.name, sha256(path), width, height, True, 1.0, path=str(path)))
    pairs = tuple((place, place + 1) for place in range(0, len(members), 2))
    return ImageSet(name, tuple(members), pairs, 1.0)


def write_drawn_clusters(world: Path, folder: Path, size: int = 4) -> int:
    """The world's single scenes in groups of one movie, as `build clusters` writes them; how many."""
    folder.mkdir(parents=True)
    made = []
    for movie in sorted(path for path in (world / "raw" / "images").iterdir() if path.is_dir()):
        paths = sorted(movie.glob("*.jpg"))
        for start in range(0, len(paths) - size + 1, size):
            images = tuple(
                ClusterImage(f"{movie.name}/{path.name}", sha256(path), str(path))
                for path in paths[start : start + size]
            )
            made.append(Cluster(len(made), images, 1.0))
    write_lines(folder / CLUSTERS, made)
    return len(made)


def spoil_answers(questions: Path, world: Path, out: Path, every: int) -> int:
    """The same questions with a false answer to each so many-th, for reviewers to find; how many."""
    from commonsight.core.answer import Grounded
    from commonsight.store.dataset import read_dataset, read_info, write_dataset

    info = read_info(questions)
    assert info is not None
    items, spoilt = list(read_dataset(questions)), 0
    for place in range(0, len(items), every):
        gold = items[place].gold
        if isinstance(gold, Grounded):
            said = {"yes": "no", "no": "yes"}.get(gold.text, "nothing of the kind")
            false = msgspec.structs.replace(gold, text=said)
            items[place] = msgspec.structs.replace(items[place], gold=false)
            spoilt += 1
    write_dataset(out, items, info, images=world / "raw" / "images")
    return spoilt
