"""Weights of the transformers library, read safely: as safetensors, and all that the model needs of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from commonsight.errors import InputError
from commonsight.models.libraries import libraries, seeded
from commonsight.models.sources import Place, unusable

_ERRORS = (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, RuntimeError)
"""What the library raises for a folder that holds something else, a name that nobody has, a broken file."""


Named = Callable[[str], bool]
"""Which weights are meant, by their names."""


def pretrained(kind: Any, place: Place, *, new: Named | None = None, seed: int = 0, **options: Any) -> Any:
    """A model of this kind, such as `AutoModel`, with numbers of 32 bits, in evaluation mode.

    Weights that are `new` may be missing, and begin at random, from the seed. The library would fill any
    others at random too, and the model would only seem to know something.
    """
    _refuse_pickles(place)
    torch = libraries().torch
    from safetensors import SafetensorError

    try:
        with seeded(seed):
            model, told = kind.from_pretrained(
                place.path, dtype=torch.float32, use_safetensors=True, output_loading_info=True, **options
            )
    except (*_ERRORS, SafetensorError) as error:
        raise unusable(place.given, error) from error
    missing = {str(key) for key in told.get("missing_keys") or ()}
    odd = {str(key[0] if isinstance(key, tuple) else key) for key in told.get("mismatched_keys") or ()}
    wanting = sorted(odd | {key for key in missing if new is None or not new(key)})
    if wanting:
        raise InputError(
            f"{place.given}: {len(wanting)} of its weights are missing or of another size "
            f"({', '.join(wanting[:3])}), so it would know nothing. Give one that has them all."
        )
    return model.eval()


def _refuse_pickles(place: Place) -> None:
    """Reading a pickle runs whatever it says, so none is read."""
    folder = Path(place.path)
    if not place.folder or any(folder.glob("*.safetensors")):
        return
    pickles = sorted(path.name for ending in ("*.bin", "*.pt", "*.pth") for path in folder.glob(ending))
    if pickles:
        raise InputError(
            f"{place.given}: its weights are there as a pickle only ({pickles[0]}), which could run any code "
            "when it is read. Where you trust it, load it with the transformers library and write it anew "
            "with save_pretrained, which makes model.safetensors."
        )
