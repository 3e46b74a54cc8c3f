"""Words in their sentence, by a small language model in both directions that learned from given texts alone.

As in ELMo (Peters et al., 2018): a word's letters go through convolutions of several widths, highways and a
projection; two layers of LSTMs read the sentence forwards and two read it backwards, each to guess the word
that comes next; and a word's vector is a mix of the three layers. It reads each text alone. It is trained
from nothing (`elmo_fit.py`), so it knows of a language what its texts show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from commonsight.errors import InvalidRecords, Problem
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Encoded, Pair, Text
from commonsight.store.atomic import new_folder

WEIGHTS, SIZES = "weights.safetensors", "elmo.json"
LAYERS = 3
"""That a mix is made of: the words' own vectors, and two layers of LSTMs."""
BATCH = 64
Mix = Literal["mean", "all"]
"""The mean of the layers, or all of them side by side for a network that learns the mix (`mix.py`)."""

_BEGIN, _END, _FIRST, _LAST, _NOTHING = range(256, 261)
"""Letters beyond the 256 bytes: around a word, around a sentence, and where there is none."""
_REMEDY = "Train it again, or give the folder that it was saved to."


class Sizes(Struct, frozen=True):
    """How large a model is. The default suits a few ten thousand sentences and one core."""

    letters: int = 16
    """Numbers of a letter."""
    filters: tuple[tuple[int, int], ...] = ((1, 16), (2, 32), (3, 48), (4, 32))
    """Convolutions: how many letters each sees, and how many there are."""
    highways: int = 1
    hidden: int = 64
    """Numbers of a word in each direction."""
    cell: int = 64
    """Numbers that each LSTM remembers; more than `hidden` are projected."""
    longest: int = 16
    """Letters of a word that are read, with a mark at each end."""


ELMO_PAPER = Sizes(
    letters=16,
    filters=((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024)),
    highways=2,
    hidden=512,
    cell=4096,
    longest=50,
)
"""Peters et al. (2018), section 3.4: 2048 filters, two highways, 4096 units projected to 512."""


class Layers(NamedTuple):
    """What each layer makes of sentences, forwards and backwards: (layer, sentence, place, hidden) each."""

    forwards: Tensor
    backwards: Tensor


class CharacterWords(nn.Module):
    """A word's vector from its letters: no word is unknown."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.letters = nn.Embedding(_NOTHING + 1, sizes.letters, padding_idx=_NOTHING)
        self.filters = nn.ModuleList(nn.Conv1d(sizes.letters, count, wide) for wide, count in sizes.filters)
        width = sum(count for _, count in sizes.filters)
        self.highways = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(sizes.highways))
        for highway in self.highways:
            assert isinstance(highway, nn.Linear)
            nn.init.constant_(highway.bias[width:], -1.0)  # at first most goes through as it is
        self.project = nn.Linear(width, sizes.hidden)

    def forward(self, spelled: Tensor) -> Tensor:
        """(word, letter) -> (word, hidden)"""
        letters = self.letters(spelled).transpose(1, 2)  # (word, dim, letter)
        found = torch.cat([torch.relu(filter_(letters).amax(dim=2)) for filter_ in self.filters], dim=1)
        for highway in self.highways:
            changed, gate = highway(found).chunk(2, dim=1)
            share = torch.sigmoid(gate)
            found = share * torch.relu(changed) + (1 - share) * found
        out: Tensor = self.project(found)
        return out


class BiLM(nn.Module):
    """Two layers of LSTMs in each direction over words made of letters."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.words = CharacterWords(sizes)
        projected = sizes.hidden if sizes.cell != sizes.hidden else 0

        def lstm() -> nn.LSTM:
            return nn.LSTM(sizes.hidden, sizes.cell, proj_size=projected, batch_first=True)

        self.forwards = nn.ModuleList((lstm(), lstm()))
        self.backwards = nn.ModuleList((lstm(), lstm()))

    def forward(self, types: Tensor, which: Tensor, lengths: Tensor, *, dropout: float = 0.0) -> Layers:
        """(word, letter): different words; (sentence, place): which of them; (sentence): how many places.

        Each direction passes its padding last, so that none of it is seen from a place that is there.
        """
        vectors = _dropped(self.words(types), dropout)[which]  # (sentence, place, hidden)
        turned = turned_around(which.shape[1], lengths)
        there = self._read(self.forwards, vectors, dropout)
        back = self._read(self.backwards, _gathered(vectors, turned), dropout)
        return Layers(torch.stack(there), torch.stack([_gathered(layer, turned) for layer in back]))

    def _read(self, layers: nn.ModuleList, vectors: Tensor, dropout: float) -> list[Tensor]:
        found = [vectors]
        for number, lstm in enumerate(layers):
            read: Tensor = lstm(_dropped(found[-1], dropout) if number else found[-1])[0]
            found.append(read + found[-1] if number else read)  # a way past the second layer
        return found


def _dropped(values: Tensor, share: float) -> Tensor:
    return nn.functional.dropout(values, share) if share else values


def turned_around(places: int, lengths: Tensor) -> Tensor:
    """(sentence, place): the places of each sentence from its own last to its first, padding where it is."""
    place = torch.arange(places, device=lengths.device).expand(len(lengths), -1)
    last = lengths.unsqueeze(1) - 1
    return torch.where(place <= last, last - place, place)


def _gathered(values: Tensor, places: Tensor) -> Tensor:
    """(sentence, place, dim) in another order of places."""
    return values.gather(1, places.unsqueeze(2).expand(-1, -1, values.shape[2]))


def spelled(words: Sequence[str], longest: int) -> NDArray[np.int64]:
    """(word, letter): the bytes of each word between two marks."""
    rows = np.full((len(words), longest), _NOTHING, np.int64)
    for row, word in zip(rows, words, strict=True):
        octets = word.encode("utf-8", "surrogatepass")[: longest - 2]
        _spell(row, octets)
    return rows


def _spell(row: NDArray[np.int64], letters: Iterable[int]) -> None:
    own = (_BEGIN, *letters, _END)
    row[: len(own)] = own


class Sentences(NamedTuple):
    """Texts as the model reads them, each between two words that stand for its beginning and its end."""

    types: Tensor
    """(word, letter): the different words; the first two are a sentence's beginning and its end."""
    which: Tensor
    """(sentence, place)"""
    lengths: Tensor
    """(sentence): with the beginning and the end."""


def sentences(texts: Sequence[Text], longest: int) -> Sentences:
    """Texts as tensors; words that occur twice are there once."""
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(word, len(numbers) + 2) for word in text] for text in texts]
    types = np.full((2, longest), _NOTHING, np.int64)
    _spell(types[0], (_FIRST,))
    _spell(types[1], (_LAST,))
    which = np.zeros((len(texts), max(map(len, rows)) + 2), np.int64)
    for place, row in zip(which, rows, strict=True):
        place[1 : len(row) + 1] = row
        place[len(row) + 1] = 1
    lengths = torch.tensor([len(row) + 2 for row in rows])
    all_types = np.concatenate((types, spelled(list(numbers), longest)))
    return Sentences(torch.from_numpy(all_types), torch.from_numpy(which), lengths)


class ElmoWords:
    """A trained model that gives words their vectors. Query and response are read each alone."""

    paired = False

    def __init__(self, model: BiLM, *, mix: Mix = "mean", batch: int = BATCH, device: str = "cpu") -> None:
        self._model, self._mix, self._batch = model.eval().requires_grad_(False), mix, batch
        model.to(device_of(device))
        self.dim = 2 * model.sizes.hidden * (LAYERS if mix == "all" else 1)
        self.name = f"elmo-1({_print(model)}, {mix})"

    @classmethod
    def load(cls, folder: Path, *, mix: Mix = "mean", device: str = "cpu") -> ElmoWords:
        """What was saved to a folder."""
        return cls(load_model(folder), mix=mix, device=device)

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """The vectors of the words of each text; a text that is there twice is read once."""
        texts = sorted({text for pair in pairs for text in pair if text}, key=lambda text: (len(text), text))
        found: dict[Text, NDArray[np.float32]] = {(): np.zeros((0, self.dim), np.float32)}
        for start in range(0, len(texts), self._batch):
            found.update(self._read(texts[start : start + self._batch]))
            progress(min(start + self._batch, len(texts)), len(texts))
        return [Encoded(found[pair.query], found[pair.response]) for pair in pairs]

    def _read(self, texts: Sequence[Text]) -> dict[Text, NDArray[np.float32]]:
        where = next(self._model.parameters()).device
        with torch.inference_mode():
            layers = self._model(*(part.to(where) for part in sentences(texts, self._model.sizes.longest)))
            both = torch.cat((layers.forwards, layers.backwards), dim=3)  # (layer, sentence, place, dim)
            mixed = both.mean(dim=0) if self._mix == "mean" else both.movedim(0, 2).flatten(2)
            vectors = mixed.cpu().numpy()
        # Without the words that stand for a sentence's beginning and its end.
        return {text: row[1 : len(text) + 1].copy() for text, row in zip(texts, vectors, strict=True)}


def save_model(model: BiLM, folder: Path, *, overwrite: bool = False, **told: Any) -> None:
    """Weights and sizes, and what there is to tell of the training; the folder appears when it is whole."""
    weights = {name: weight.cpu().contiguous() for name, weight in model.state_dict().items()}
    with new_folder(folder, overwrite=overwrite) as beside:
        save_file(weights, beside / WEIGHTS)
        said = msgspec.json.encode({"sizes": model.sizes, "told": told})
        (beside / SIZES).write_bytes(msgspec.json.format(said, indent=2) + b"\n")


class _Saved(Struct):
    sizes: Sizes


def load_model(folder: Path) -> BiLM:
    """What was saved; whatever is wrong with it is told."""
    path = folder / SIZES
    try:
        model = BiLM(msgspec.json.decode(path.read_bytes(), type=_Saved).sizes)
        path = folder / WEIGHTS
        model.load_state_dict(load_file(path))
    except OSError as error:
        raise _unusable(path, f"it cannot be read ({(error.strerror or str(error)).lower()})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, SafetensorError, RuntimeError, ValueError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise _unusable(path, f"this is not of a language model of letters ({reason})") from error
    return model.eval()


def _unusable(path: Path, message: str) -> InvalidRecords:
    return InvalidRecords([Problem(path, message, _REMEDY)])


def _print(model: BiLM) -> str:
    """A hash of its weights and its sizes."""
    digest = hashlib.sha256(msgspec.json.encode(model.sizes))
    for name, weight in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(weight.cpu().numpy().tobytes())
    return digest.hexdigest()[:12]
