"""The probability of whole continuations: the prompt is read once, and all continuations follow it together.

What was read is kept by the model's own cache and shared. Whether that is right for a model is not taken on
trust: the first time, each continuation is also read alone, with the prompt and without padding, and where
the two differ the slow way is taken from then on.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from commonsight.models.libraries import libraries

Ids = list[int]
Inputs = Mapping[str, Any]

SHARED_NOTE = (
    "This model's memory of a prompt cannot be shared by the choices, so each is read with the prompt anew. "
    "That is slower, and as exact."
)
_SHARED_ERRORS = (TypeError, ValueError, AttributeError, IndexError, KeyError, RuntimeError)
_NEAR = {"torch.float32": 1e-3, "torch.float64": 1e-6}
_NEAR_HALF = 0.1
"""Per token, in the logarithm: so much may differ by rounding alone."""


class Weigher:
    """Weighs continuations of one model."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._last_only = "logits_to_keep" in inspect.signature(model.forward).parameters
        self.shares: bool | None = None
        """Whether the prompt's cache may be shared; None until it was tried."""

    def log_chances(self, inputs: Inputs, continuations: Sequence[Ids]) -> list[float]:
        """The logarithm of the probability of each, given a prompt of one row without padding."""
        if self.shares is False:
            return self.one_by_one(inputs, continuations)
        if self.shares:
            return self._shared(inputs, continuations)
        if max(map(len, continuations)) == 1:  # nothing is shared, so nothing can be told
            return self._shared(inputs, continuations)
        exact = self.one_by_one(inputs, continuations)
        self.shares = self._agrees(inputs, continuations, exact)
        return exact

    def one_by_one(self, inputs: Inputs, continuations: Sequence[Ids]) -> list[float]:
        """Each by itself, with the whole prompt: slow, and right for every model."""
        torch = libraries().torch
        found = []
        with torch.inference_mode():
            for ids in continuations:
                logits = self._model(**_lengthened(inputs, ids), use_cache=False).logits  # (1, word, token)
                found.append(_total(logits[:, -len(ids) - 1 : -1], [ids])[0])
        return found

    def _agrees(self, inputs: Inputs, continuations: Sequence[Ids], exact: Sequence[float]) -> bool:
        try:
            shared = self._shared(inputs, continuations)
        except _SHARED_ERRORS:
            return False
        near = _NEAR.get(str(self._model.dtype), _NEAR_HALF)
        rows = zip(shared, exact, continuations, strict=True)
        return all(abs(one - other) <= near * len(ids) for one, other, ids in rows)

    def _shared(self, inputs: Inputs, continuations: Sequence[Ids]) -> list[float]:
        torch = libraries().torch
        keep = {"logits_to_keep": 1} if self._last_only else {}
        with torch.inference_mode():
            read = self._model(**inputs, use_cache=True, **keep)
            first = read.logits[:, -1:].expand(len(continuations), -1, -1)  # (choice, 1, token)
            longest = max(map(len, continuations))
            if longest == 1:
                return _total(first, continuations)
            cache = read.past_key_values
            cache.batch_repeat_interleave(len(continuations))
            device = inputs["input_ids"].device
            # Padding stands behind, where what comes before does not see it.
            padded = [[*ids[:-1], *[0] * (longest - len(ids))] for ids in continuations]
            words = torch.tensor(padded, device=device)  # (choice, word)
            before = inputs["attention_mask"].expand(len(continuations), -1)
            mask = torch.cat([before, torch.ones_like(words)], dim=1)
            later = self._model(input_ids=words, attention_mask=mask, past_key_values=cache, use_cache=True)
            return _total(torch.cat([first, later.logits.to(first.dtype)], dim=1), continuations)


def shortened(inputs: Inputs, tokens: int) -> dict[str, Any]:
    """The prompt without its last tokens."""
    shape = inputs["input_ids"].shape
    if not tokens:
        return dict(inputs)
    return {name: value[:, :-tokens] if _per_token(value, shape) else value for name, value in inputs.items()}


def _per_token(value: Any, shape: Any) -> bool:
    return getattr(value, "ndim", 0) >= 2 and value.shape[:2] == shape


def _total(logits: Any, continuations: Sequence[Ids]) -> list[float]:
    """The sum of the logarithms of the tokens' probabilities; logits are (choice, word, token)."""
    torch = libraries().torch
    found = []
    for row, ids in zip(logits, continuations, strict=True):
        chances = torch.log_softmax(row[: len(ids)].float(), dim=-1)  # (word, token)
        picked = chances.gather(1, torch.tensor(ids, device=row.device)[:, None])
        found.append(float(picked.double().sum()))
    return found


def _lengthened(inputs: Inputs, ids: Ids) -> dict[str, Any]:
    """The prompt with the continuation; whatever else there is for each token goes on as it ends."""
    torch = libraries().torch
    prompt = inputs["input_ids"]
    more = torch.tensor([ids], device=prompt.device, dtype=prompt.dtype)
    made: dict[str, Any] = {}
    for name, value in inputs.items():
        if name == "input_ids":
            made[name] = torch.cat([prompt, more], dim=1)
        elif _per_token(value, prompt.shape):
            made[name] = torch.cat([value, value[:, -1:].repeat_interleave(len(ids), dim=1)], dim=1)
        else:
            made[name] = value
    return made
