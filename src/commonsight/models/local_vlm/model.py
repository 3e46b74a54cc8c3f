"""A vision-language model on this machine: writes replies in batches, and weighs choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from commonsight.errors import AnswererUnusable, RequestRefused
from commonsight.models.libraries import libraries
from commonsight.models.local_vlm.chat import Chat
from commonsight.models.local_vlm.choices import SHARED_NOTE, Weigher, shortened
from commonsight.models.local_vlm.decoding import Ends, Sampler, Wanted
from commonsight.models.local_vlm.loading import Found, Loaded, end_tokens, load, most_tokens
from commonsight.models.local_vlm.spelling import Spelling
from commonsight.models.local_vlm.values import Message, Prompted, Weighed, Written, pictures_of

Outcome = Written | RequestRefused
"""A reply, or why this one question can have none."""
_FAULTS = (RuntimeError, MemoryError, ValueError, TypeError, IndexError, KeyError)
"""What torch and the library raise while a model computes; lack of memory is a RuntimeError on the CPU."""


class _Read(NamedTuple):
    """A prompt as a model reads it: one row."""

    prompt: str
    inputs: Any
    tokens: int


class LocalVlm:
    """One model in memory. Not for several threads at once."""

    def __init__(self, loaded: Loaded, name: str, *, sees: bool) -> None:
        self.name, self.sees = name, sees
        self.most_tokens = most_tokens(loaded)
        self._model, self._tokenizer, self._device = loaded.model, loaded.tokenizer, loaded.device
        self._chat = Chat(loaded.processor, loaded.tokenizer, sees=sees)
        self._spelling = Spelling(loaded.tokenizer)
        self._weigher = Weigher(loaded.model)
        self._ends = end_tokens(loaded.model)

    @classmethod
    def load(cls, found: Found, *, device: str = "auto", dtype: str = "auto") -> LocalVlm:
        """Read the weights of a model that was found."""
        return cls(load(found, device=device, dtype=dtype), found.name, sees=found.sees)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about how this model is asked."""
        shared = SHARED_NOTE if self._weigher.shares is False else None
        return tuple(note for note in (self._chat.note, shared) if note)

    def write(self, asked: Sequence[Prompted], wanted: Wanted = lambda _: True) -> list[Outcome]:
        """A reply to each, in order; those that have as many pictures are written together."""
        outcomes: dict[int, Outcome] = {}
        for places in _grouped(asked):
            rows = [asked[place] for place in places]
            still = _at(wanted, places)
            outcomes.update(zip(places, self._fitting(rows, still), strict=True))
        return [outcomes[place] for place in range(len(asked))]

    def weigh(
        self, messages: tuple[Message, ...], continuations: Sequence[str], *, continued: bool = False
    ) -> Weighed:
        """How likely the model holds each text to follow, as a whole."""
        self._check_sight(messages)
        read = self._read(messages, continued)
        if not all(text.strip() for text in continuations):
            raise RequestRefused("A choice has no text, so that it has no probability.")
        retaken, ids = self._chat.continuations(read.prompt, continuations)
        inputs = shortened(read.inputs, retaken)
        self._check_length(read.tokens, max(map(len, ids)))
        ways = (self._weigher.log_chances, self._weigher.one_by_one)  # the second needs less memory
        for way in ways:
            try:
                return Weighed(tuple(way(inputs, ids)), tuple(map(len, ids)), read.tokens)
            except _FAULTS as error:
                why = self._why(error, messages)
                if not _is_memory(error):
                    raise why from error
            self._make_room()
        raise why

    def _read(self, messages: tuple[Message, ...], continued: bool) -> _Read:
        prompt = self._chat.text(messages, continued=continued)
        inputs = self._chat.inputs([prompt], [messages]).to(self._device)
        return _Read(prompt, self._typed(inputs), int(inputs["input_ids"].shape[1]))

    def _fitting(self, rows: list[Prompted], wanted: Wanted) -> list[Outcome]:
        """Replies to rows of one kind. Where one is refused, or memory is short, half of them at a time."""
        try:
            return self._together(rows, wanted)
        except RequestRefused as refused:
            why = refused
        except _FAULTS as error:
            why = self._why(error, rows[0].messages)
        self._make_room()  # only now: an error in hand holds on to what was computed
        if len(rows) == 1:
            return [why]
        half = len(rows) // 2
        later = _at(wanted, range(half, len(rows)))
        return self._fitting(rows[:half], wanted) + self._fitting(rows[half:], later)

    def _together(self, rows: list[Prompted], wanted: Wanted) -> list[Outcome]:
        for row in rows:
            self._check_sight(row.messages)
        texts = [self._chat.text(row.messages, continued=row.continued) for row in rows]
        inputs = self._chat.inputs(texts, [row.messages for row in rows])
        lengths = [int(one) for one in inputs["attention_mask"].sum(1)]
        for length in lengths:
            self._check_length(length, 1)
        room = [
            min(row.most_tokens, self.most_tokens - length)
            for row, length in zip(rows, lengths, strict=True)
        ]
        sampler = Sampler(rows)
        ends = Ends(rows, room, self._tokenizer, self._ends, wanted)
        self._generate(self._typed(inputs.to(self._device)), max(room), sampler, ends)
        return [
            Written(
                ends.text(place),
                ends.cut[place],
                lengths[place],
                len(ends.tokens[place]),
                self._chances(row, sampler.first[place]),
            )
            for place, row in enumerate(rows)
        ]

    def _generate(self, inputs: Any, room: int, sampler: Sampler, ends: Ends) -> None:
        torch, transformers = libraries()
        with torch.inference_mode():
            self._model.generate(
                **inputs,
                max_new_tokens=room,
                logits_processor=transformers.LogitsProcessorList([sampler]),
                stopping_criteria=transformers.StoppingCriteriaList([ends]),
            )

    def _chances(self, row: Prompted, first: Any) -> tuple[float, ...] | None:
        """Of the candidates: by their token where each is one, else by all their tokens."""
        if not row.candidates:
            return None
        torch = libraries().torch
        ids = self._spelling.of(row.candidates)
        if ids is not None:
            logs = torch.stack([torch.logsumexp(first[list(some)], dim=0) for some in ids])
        else:
            logs = torch.tensor(self.weigh(row.messages, row.candidates, continued=row.continued).log_chances)
        return tuple(float(one) for one in torch.softmax(logs.double(), dim=0))

    def _check_sight(self, messages: tuple[Message, ...]) -> None:
        if not self.sees and pictures_of(messages):
            raise AnswererUnusable(
                f"{self.name} is a language model and sees no pictures. Ask it without them (--blind none), "
                "or name a vision-language model."
            )

    def _check_length(self, tokens: int, more: int) -> None:
        if tokens + more > self.most_tokens:
            raise RequestRefused(
                f"The question has {tokens} tokens, pictures included, and {more} more are needed; the model "
                f"reads at most {self.most_tokens}. Show fewer or smaller pictures, or fewer examples."
            )

    def _typed(self, inputs: Any) -> Any:
        """Pictures in the number format of the weights."""
        return {
            name: value.to(self._model.dtype) if _is_floating(value) else value
            for name, value in inputs.items()
        }

    def _why(self, error: BaseException, messages: tuple[Message, ...]) -> RequestRefused:
        """Why one question, alone, has no reply."""
        if not _is_memory(error):
            reason = (str(error).strip() or "no reason given").splitlines()[0]
            return RequestRefused(f"The model failed on this question: {type(error).__name__}: {reason}")
        tokens = self._chat.inputs([self._chat.text(messages)], [messages])["input_ids"].shape[1]
        return RequestRefused(
            f"The memory of {self._device} does not suffice for one question of {tokens} tokens with "
            f"{len(pictures_of(messages))} picture(s). Use a smaller number format (bfloat16), smaller "
            "pictures, or the cpu."
        )

    def _make_room(self) -> None:
        if self._device.type in ("cuda", "mps"):
            getattr(libraries().torch, self._device.type).empty_cache()


def _grouped(asked: Sequence[Prompted]) -> list[list[int]]:
    """Places of those with as many pictures: processors want the same of a whole batch. Texts to go on with
    stay apart from conversations, whose template opens them with a token of its own."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for place, one in enumerate(asked):
        groups.setdefault((len(one.pictures), one.continued), []).append(place)
    return list(groups.values())


def _at(wanted: Wanted, places: Sequence[int]) -> Callable[[int], bool]:
    return lambda place: wanted(places[place])


def _is_floating(value: Any) -> bool:
    torch = libraries().torch
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError | libraries().torch.OutOfMemoryError):
        return True
    said = str(error).lower()
    return "out of memory" in said or "can't allocate memory" in said or "not enough memory" in said
