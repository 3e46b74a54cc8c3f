"""The files that a training leaves: read back as they are, and whatever else stands there is an error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.models.blueprint import Blueprint, read_blueprint, save_blueprint
from commonsight.models.engine import checkpoint
from commonsight.models.engine.checkpoint import Checkpoint
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.features.vocabulary import Vocabularies, Vocabulary
from commonsight.models.regions.learning import ABOUT, About, LearnedLooks
from commonsight.runs.pretraining import PretrainingPlan, read_pretraining
from commonsight.runs.training import TrainingPlan, read_training
from commonsight.store.documents import write_document


class Kind(NamedTuple):
    """One kind of file: a value, how it is kept, where that is, and how it is read."""

    value: Any
    save: Callable[[Path, Any], None]
    name: str
    read: Callable[[Path], Any]


def _state(folder: Path) -> State | None:
    found = checkpoint.latest(folder)
    return None if found is None else found.state


WORDS = Vocabularies(Vocabulary(("a", "b")), Vocabulary(("image",)))
ONE = {"x": torch.ones(1)}
KINDS = (
    Kind(
        Blueprint("r2c", "small", "learned", "crops", WORDS, {"text": "learned"}),
        save_blueprint, "network.json", read_blueprint,
    ),
    Kind(
        TrainingPlan("r2c", "choices", "/data", {"train": "0" * 64}, ("q2a",)),
        lambda folder, plan: write_document(folder / "training.json", plan), "training.json", read_training,
    ),
    Kind(About(("person", "is red")), ABOUT.save, "regions.json", ABOUT.read),
    Kind(
        State(step=7, history=(EpochLine(1, 0.5, 0.0, 0.25, 1e-3),), best=0.25),
        lambda folder, state: checkpoint.save(folder, Checkpoint(state, ONE, ONE, {})),
        "checkpoints/step-00000007-0000/state.json", _state,
    ),
    Kind(
        PretrainingPlan("uniter", "choices", "/data", {"val": "0" * 64}, ("q2a",), objectives=("matching",)),
        lambda folder, plan: write_document(folder / "pretraining.json", plan), "pretraining.json",
        read_pretraining,
    ),
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=[type(kind.value).__name__ for kind in KINDS])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them, one of each."""
    made = tmp_path_factory.mktemp("kept")
    for kind in KINDS:
        kind.save(made, kind.value)
    return made


def _refused_or_read(kind: Kind, folder: Path, content: bytes) -> None:
    (folder / kind.name).write_bytes(content)
    with suppress(InputError):  # and nothing else
        assert isinstance(kind.read(folder), type(kind.value))


@each_kind
def test_what_is_kept_is_read(kind: Kind, tmp_path: Path) -> None:
    kind.save(tmp_path, kind.value)
    assert kind.read(tmp_path) == kind.value


@each_kind
@given(content=st.binary(max_size=80))
def test_any_bytes_are_an_error_and_no_crash(kind: Kind, folder: Path, content: bytes) -> None:
    _refused_or_read(kind, folder, content)


@each_kind
@given(content=JSON)
def test_any_json_is_an_error_and_no_crash(kind: Kind, folder: Path, content: object) -> None:
    _refused_or_read(kind, folder, msgspec.json.encode(content))


@each_kind
@given(changes=st.dictionaries(st.integers(0, 20), JSON, min_size=1, max_size=3))
def test_other_values_in_fields_are_read_or_refused(
    kind: Kind, folder: Path, changes: dict[int, object]
) -> None:
    told: dict[str, object] = msgspec.to_builtins(kind.value)
    for place, other in changes.items():
        told[list(told)[place % len(told)]] = other
    _refused_or_read(kind, folder, msgspec.json.encode(told))


@pytest.mark.parametrize("kind", KINDS[:3], ids=[type(kind.value).__name__ for kind in KINDS[:3]])
def test_a_folder_without_the_file_is_told(kind: Kind, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"\(no {kind.name}\)\. Give a folder that `commonsight train"):
        kind.read(tmp_path)


@pytest.mark.parametrize(
    "told", [{"dim": 10**15}, {"widths": [12]}, {"widths": []}, {"size": 0}, {"targets": []}]
)
def test_sizes_that_no_encoder_has_are_refused(tmp_path: Path, told: dict[str, object]) -> None:
    write_document(tmp_path / "regions.json", {"targets": ["a"], **told})
    with pytest.raises(InputError, match=r"regions\.json: this cannot be read \(no encoder tells"):
        LearnedLooks(tmp_path)
