"""Where a pretrained model comes from: a folder, or a name on the hub. Looked at before it is needed.

What can be wrong with it is found out at once, not after hours in a worker. A folder is known by what is in
it, not by where it lies, so that provenance is the same on every machine.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from commonsight.errors import InputError
from commonsight.models.libraries import libraries

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_CONTENT = ("*.json", "*.jinja", "*.txt", "*.model", "*.safetensors", "*.bin")
_REMEDY = "Give a folder that save_pretrained wrote (model and tokenizer), or the name of a model on the hub."


class Source(Struct, frozen=True):
    """A model that is there; light enough to hand to any process."""

    place: str
    """What loads it: a folder or a hub name."""
    name: str
    """For provenance: the folder's name or the hub's, and which version of it."""
    labels: tuple[str, ...]
    """What its classes are called, in order."""
    tokens: int
    """How many tokens it reads at most."""


class Place(Struct, frozen=True):
    """Where a model lies."""

    given: str
    """As a person wrote it, for messages."""
    path: str
    """What loads it: a folder or a hub name."""
    folder: bool

    def named(self, config: Any) -> str:
        """For provenance: the folder's name and its content's hash, or the hub's name and commit."""
        if self.folder:
            return f"{Path(self.path).name}@{_print(Path(self.path))[:12]}"
        return f"{self.path}@{(getattr(config, '_commit_hash', None) or 'unknown')[:12]}"


def place(given: str) -> Place:
    """The folder or the hub name that a person gave; whether the hub knows it is found out later."""
    folder = Path(given)
    if not folder.is_dir() and (folder.exists() or not _HUB_NAME.fullmatch(given)):
        raise InputError(f"{given}: there is no such folder, and it is no hub name. {_REMEDY}")
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise InputError(f"{given}: there is no model in this folder (no config.json). {_REMEDY}")
    return Place(given, str(folder.resolve()) if folder.is_dir() else given, folder.is_dir())


def source(given: str) -> Source:
    """The model in a folder or on the hub."""
    found = place(given)
    config, tokenizer = _opened(given, found.path)
    labels = tuple(config.id2label[number] for number in sorted(config.id2label))
    return Source(found.path, found.named(config), labels, _tokens(config, tokenizer))


def _opened(given: str, place: str) -> tuple[Any, Any]:
    transformers = libraries().transformers
    try:
        config = transformers.AutoConfig.from_pretrained(place)
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        raise unusable(given, error) from error
    # Where its files are missing the library makes one that knows no words, and says nothing.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"{given}: there is no tokenizer with this model. {_REMEDY}")
    if tokenizer.pad_token_id is None:
        raise InputError(f"{given}: its tokenizer has no padding token. {_REMEDY}")
    return config, tokenizer


def unusable(given: str, error: Exception) -> InputError:
    """A model that the library refuses."""
    reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    return InputError(f"{given}: this cannot be loaded as a model ({reason}). {_REMEDY}")


def _print(folder: Path) -> str:
    """A hash of what the model is made of."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _CONTENT for path in folder.glob(pattern)}):
        digest.update(path.name.encode())
        with path.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _tokens(config: Any, tokenizer: Any) -> int:
    # RoBERTa counts positions from behind its padding token, which takes two of them.
    positions = int(getattr(config, "max_position_embeddings", None) or 2**31) - 2
    return int(min(positions, tokenizer.model_max_length))
