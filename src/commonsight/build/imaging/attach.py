"""What a detector found, given to the scenes of a benchmark that tells no objects.

NLVR2's pictures come without objects, and MAXENT counts those of a detector (its section 6). Scenes that have
objects of their own keep them: texts may point to these by their place.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from msgspec import structs

from commonsight.build.imaging.sightings import METADATA, read_metadata, scene_of
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import InputError
from commonsight.store.paths import below


class Detections:
    """A folder of metadata files, one a picture, as `build detect` writes them and VCR has them."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(f"{folder}: there is no such folder of objects. Make it with `build detect`.")
        own = folder / METADATA
        self.folder = own if own.is_dir() else folder
        self.attached = 0
        """Scenes that were given objects, or were seen to have none."""
        self.missing: list[str] = []
        """Pictures of which the folder tells nothing."""

    def given(self, item: Item) -> Item:
        """The item, each of its scenes with the objects that were found there."""
        return structs.replace(item, scenes=tuple(map(self._given, item.scenes)))

    def _given(self, scene: Scene) -> Scene:
        if scene.regions:
            return scene
        path = self._path(scene.image)
        found = None if path is None else read_metadata(path)
        if found is None:
            self.missing.append(scene.image)
            return scene
        self.attached += 1
        seen = scene_of(scene.image, found)
        return structs.replace(scene, regions=seen.regions, width=seen.width, height=seen.height)

    def _path(self, image: str) -> Path | None:
        """Like the picture with another ending, or with one more, as `build detect` calls it."""
        names = (f"{image}.json", str(PurePosixPath(image).with_suffix(".json")))
        paths = (below(self.folder, name) for name in names)
        return next((path for path in paths if path.is_file()), None)

    def told(self) -> str | None:
        """How many pictures nothing is known of, if there are any; where it is all, that is an error."""
        if not self.missing:
            return None
        missing = list(dict.fromkeys(self.missing))
        if not self.attached:
            raise InputError(
                f"{self.folder}: it tells of no picture of these items, such as {missing[0]}. Give --objects "
                "the folder that `build detect` wrote about the folder of --images."
            )
        return f"{len(missing):,} pictures have no objects in {self.folder}, such as {missing[0]}"
