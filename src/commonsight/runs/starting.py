"""Weights that a network begins with, instead of from nothing: our own, or others' released ones.

    a folder of `commonsight pretrain`, or a network's folder of `commonsight train`
    a folder of `commonsight train`: of the task of the same name, or of the only one there is
    a folder that `save_pretrained` wrote, or a file of safetensors, whose names are translated

What is our own brings along what its numbers mean: vocabularies, tokenizer, and how it reads and sees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.errors import InputError, UsageError
from commonsight.models import blueprint as kept
from commonsight.models.assembly import Assembled, assembled, sight_of, size_of, text_of
from commonsight.models.blueprint import Blueprint, is_blueprint, read_blueprint
from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.describing import answer_weights
from commonsight.models.engine.checkpoint import BEST
from commonsight.models.features.examples import Example
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.models.networks.loading import Taken, check_kind, load_released
from commonsight.store.dataset import sha256

_REMEDY = "Give a folder of `commonsight pretrain` or `train`, or weights as safetensors."
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pdparams")


@dataclass(frozen=True)
class Start:
    """Weights, and what they are of where that is known."""

    files: tuple[Path, ...]
    folder: Path | None = None
    own: Blueprint | None = None
    """Of our own networks, which `folder` then holds."""

    @property
    def digest(self) -> str:
        """What is in it: it may move."""
        several = [sha256(path) for path in self.files]
        return several[0] if len(several) == 1 else hashlib.sha256("".join(several).encode()).hexdigest()

    def known(self, found: Vocabularies) -> Vocabularies:
        """The words and labels that its numbers are of; those found in the data where it tells of none.
        Answers are those of the data, in its own order where they are the same ones."""
        if self.own is None:
            return found
        own = self.own.known
        answers, counts = (found.answers or own.answers), found.counts
        if answers != own.answers and set(answers) == set(own.answers):
            times = dict(zip(answers, counts, strict=True)) if counts else {}
            answers, counts = own.answers, tuple(times[answer] for answer in own.answers if times)
        return structs.replace(own, answers=answers, counts=counts, graph=found.graph)

    def assembled(self, blueprint: Blueprint, *, seed: int, examples: list[Example]) -> Assembled:
        """The network that takes these weights, before it has them."""
        built = assembled(
            blueprint, seed=seed, examples=examples, folder=None if self.own is None else self.folder
        )
        if self.own is None or self.folder is None:
            return built
        if built.transformer is not None:  # which it was at first, not that it was kept since
            name = self.own.names.get("text", built.transformer.name)
            built = built._replace(transformer=built.transformer._replace(name=name))
        refuse_other_encoders(self.folder, built, self.own)
        return built

    def take(self, built: Assembled) -> Taken:
        """Put them into the network. Our own must fit as a whole, but for what names other answers than now;
        of others', and of networks that are only like it, is taken what fits. One that begins where another
        network ends may have weights beside all of that one's."""
        taken = load_released(built.network, *self.files, unwanted=self._unwanted(built.blueprint))
        lost = self._lost(built.blueprint.network, taken)
        if self.own is not None and lost:
            raise InputError(
                f"{self.files[0]}: these weights are not of the network that its folder tells of "
                f"({'; '.join(lost[:3])}). {_REMEDY}"
            )
        return taken

    def _unwanted(self, now: Blueprint) -> frozenset[str]:
        """What scores answers that are not those of now. Which ones others' weights score, nobody tells."""
        if self.own is not None and self.own.known.answers == now.known.answers:
            return frozenset()
        entry = find(now.network)
        return answer_weights(entry, size_of(entry, now.size))

    def _lost(self, network: str, taken: Taken) -> tuple[str, ...]:
        """What should have fit into a network of this name, and did not."""
        own = None if self.own is None else self.own.network
        misfits = map(str, taken.misfits) if own in (network, find(network).begins) else ()
        missing = taken.missing if own == network else ()
        return (*misfits, *(f"{name} is missing" for name in missing))


def beginning(
    begun: Start | None, blueprint: Blueprint, *, seed: int, examples: list[Example]
) -> Assembled:
    """A network as it begins; weights to begin with are still to be taken."""
    if begun is None:
        return assembled(blueprint, seed=seed, examples=examples)
    return begun.assembled(blueprint, seed=seed, examples=examples)


def starts(given: str | None, networks: Iterable[str]) -> dict[str, Start]:
    """For each network what it begins with; none where nothing is given."""
    return {} if given is None else {name: start(Path(given), name) for name in networks}


def start(given: Path, network: str) -> Start:
    """What a person gave, for the network of this name: a task's, or the one that is pre-trained."""
    if given.is_file():
        check_kind(given)
        ours = given.name == BEST and is_blueprint(given.parent)
        return _own(given.parent) if ours else Start((given,))
    if not given.is_dir():
        raise InputError(f"{given}: there is no such file or folder. {_REMEDY}")
    if is_blueprint(given):
        return _own(given)
    inside = sorted(path.parent.name for path in given.glob(f"*/{kept.FILE}"))
    if not inside:
        return Start(_released(given), given)
    if network not in inside and len(inside) > 1:
        raise UsageError(
            f"{given} holds networks for {', '.join(inside)}, and none for {network}. "
            f"Give the folder of one of them, such as {given / inside[0]}."
        )
    return _own(given / (network if network in inside else inside[0]))


def _own(folder: Path) -> Start:
    if not (folder / BEST).is_file():
        raise InputError(
            f"{folder}: there are no weights here yet (no {BEST}). Train it to the end of an epoch at least."
        )
    return Start((folder / BEST,), folder, read_blueprint(folder))


def _released(folder: Path) -> tuple[Path, ...]:
    """One file, or the pieces of one."""
    found = sorted(folder.glob("*.safetensors"))
    whole = [path for path in found if path.name == "model.safetensors"] or found
    if len(whole) == 1 or (whole and all("-of-" in path.stem for path in whole)):
        return tuple(whole)
    if found:
        raise UsageError(f"{folder} holds several files of weights. Name one, such as {found[0]}.")
    pickles = sorted(path for pattern in _PICKLED for path in folder.glob(pattern))
    if pickles:
        check_kind(pickles[0])  # tells why it is not read, and what to do
    raise InputError(f"{folder}: there are no weights in this folder. {_REMEDY}")


class Ways(NamedTuple):
    """How a network reads and sees."""

    text: str
    regions: str


def ways(entry: Entry, size: str, begun: Start | None, *, text: str | None, regions: str | None) -> Ways:
    """As a person says, else as the weights are used to, else as the catalogue has it."""
    if begun is None and entry.begins is not None:
        raise UsageError(
            f"{entry.title} begins with what {entry.begins} has learned. Train that first, and give its "
            "folder with --weights."
        )
    if begun is None:
        numbers = size_of(entry, size)
        return Ways(text or text_of(entry, numbers), regions or sight_of(entry, numbers))
    if begun.own is None:
        return Ways(_released_text(entry, begun, text), regions or sight_of(entry, size_of(entry, size)))
    own = begun.own
    if own.network not in (entry.name, entry.begins, *entry.begins_like):
        others = tuple(filter(None, (entry.begins, *entry.begins_like)))
        like = "" if not others else f", or of {' or '.join(others)}"
        raise UsageError(
            f"{begun.folder} holds {own.network}, and this is {entry.name}. "
            f"Give weights of the same network{like}."
        )
    if own.size != size:
        raise UsageError(f"{begun.folder} holds a network of size {own.size}. Say --size {own.size}.")
    if entry.reads == "pieces" and text not in (None, own.text):
        raise UsageError(
            f"{begun.folder} brings its tokenizer along, and what others make of a text means something else "
            f"to it (it was begun with {own.text}). Leave --text out."
        )
    return Ways(text or own.text, regions or own.regions)


def hidden(entry: Entry, begun: Start | None, wanted: int | None) -> int | None:
    """How wide a hidden layer is: as a person says, else as in our own weights, else there is none."""
    if wanted is not None and not entry.hidden:
        raise UsageError(f"--hidden: {entry.title} has its layers as published. Leave it out.")
    if begun is None or begun.own is None:
        return wanted
    own = begun.own.hidden
    if wanted not in (None, own):
        has = "none" if own is None else f"one of {own} units"
        raise UsageError(f"--hidden {wanted}: of hidden layers {begun.folder} has {has}. Leave it out.")
    return own


def _released_text(entry: Entry, begun: Start, text: str | None) -> str:
    """Where sub-words come from, whose numbers must be those that the weights were trained with."""
    named, kind = begun.files[0], "bert" if entry.writes is None else entry.writes.model
    if entry.reads != "pieces":
        raise UsageError(
            f"{named}: {entry.title} knows words by numbers, and nothing here tells which. "
            "Give a folder of `commonsight train`."
        )
    if text is None and begun.folder is not None and (begun.folder / "config.json").is_file():
        return f"{kind}:{begun.folder.resolve()}"
    if text in (None, "learned"):
        raise UsageError(
            f"{named}: these weights know sub-words by the numbers of the tokenizer they were trained with. "
            f"Say with --text {kind}:PLACE which model that is of."
        )
    assert text is not None
    return text


def refuse_other_encoders(folder: Path, built: Assembled, before: Blueprint) -> None:
    """Vectors of another encoder fit as well as those of the right one, and mean something else."""
    for part, name in built.names.items():
        if part == "text" and built.transformer is not None:
            continue  # it was trained, so all its weights are here, wherever it came from
        was = before.names.get(part, "something else")
        if _content(name) != _content(was):
            raise UsageError(
                f"{folder}: the network was trained with {was} for its {part}, and this is {name}. "
                f"Say with --{part} where the same one is now."
            )


def _content(name: str) -> str:
    """Of an encoder's name what tells its weights; what its folder was called does not."""
    before, at, after = name.partition("@")
    return after if at else before
