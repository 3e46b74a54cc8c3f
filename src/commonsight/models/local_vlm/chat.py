"""From messages to a model's inputs: its own chat template, or a plain one where it has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from commonsight.errors import RequestRefused
from commonsight.models.local_vlm.values import Message, pictures_of

PLAIN_NOTE = (
    "The model has no chat template, so questions are put to it plainly: the pictures, the text, 'Answer:'. "
    "A model that was trained to chat may do worse by that."
)
_REFUSALS = (ValueError, TypeError, KeyError, IndexError, AttributeError, RuntimeError)
"""What processors raise for what they do not take."""


_MOST_RETAKEN = 4
"""Tokens; where more would change, the texts are split by themselves."""


class Continued(NamedTuple):
    """Texts that follow a prompt, in tokens."""

    retaken: int
    """So many of the prompt's last tokens are among the texts'."""
    texts: list[list[int]]


class Chat:
    """How one model wants to be talked to."""

    def __init__(self, processor: Any, tokenizer: Any, *, sees: bool) -> None:
        self._processor, self._tokenizer, self._sees = processor, tokenizer, sees
        self._template = _template(processor) or _template(tokenizer)

    @property
    def note(self) -> str | None:
        """What a person should know about how questions are put."""
        return None if self._template else PLAIN_NOTE

    def text(self, messages: Sequence[Message], *, continued: bool = False) -> str:
        """The whole prompt up to where the reply begins; places of pictures are marked in it. What is to be
        gone on with is put as it is, whatever the model's template."""
        if continued:
            return self._as_it_is(messages)
        if self._template is None:
            return self._plain(messages)
        try:
            return self._filled(messages)
        except _template_errors() as error:
            if messages[0].role != "system":
                raise RequestRefused(f"The model's chat template does not take this: {error}") from error
        return self.text(_without_system(messages))  # some know no such role

    def inputs(self, texts: Sequence[str], messages: Sequence[Sequence[Message]]) -> Any:
        """Tensors for a batch, padded on the left; each of the batch has as many pictures."""
        begins = self._tokenizer.bos_token
        given = {
            "text": list(texts),
            "padding": True,
            "return_tensors": "pt",
            # A template writes the token that opens a text itself, and two would be one too many.
            "add_special_tokens": not (begins and texts[0].startswith(begins)),
        }
        pictures = [pictures_of(tuple(one)) for one in messages]
        if pictures[0]:
            given["images"] = pictures
        try:
            return self._processor(**given)
        except _REFUSALS as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise RequestRefused(f"The model's processor does not take this question: {reason}") from error

    def continuations(self, prompt: str, texts: Sequence[str]) -> Continued:
        """The tokens of texts that follow the prompt, split as they are where both are one text.

        After a prompt that ends in a word or a colon a space is put first. Where the prompt's last token
        would be another one before these texts ("a: " and "dog" read as "a:" and " dog"), it counts with
        them.
        """
        gap = "" if not prompt or prompt[-1].isspace() or self._ends_specially(prompt) else " "
        head = self._ids(prompt)
        wholes = [self._ids(prompt + gap + text) for text in texts]
        kept = min(_alike(head, whole) for whole in wholes)
        if len(head) - kept > _MOST_RETAKEN:
            return Continued(0, [self._ids(gap + text) for text in texts])
        return Continued(len(head) - kept, [whole[kept:] for whole in wholes])

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _ends_specially(self, prompt: str) -> bool:
        return any(prompt.endswith(token) for token in self._tokenizer.all_special_tokens if token)

    def _filled(self, messages: Sequence[Message]) -> str:
        talk = [{"role": message.role, "content": self._content(message)} for message in messages]
        return str(
            self._processor.apply_chat_template(
                talk, chat_template=self._template, add_generation_prompt=True, tokenize=False
            )
        )

    def _content(self, message: Message) -> Any:
        if not self._sees:
            return "\n".join(part for part in message.parts if isinstance(part, str))
        return [
            {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"}
            for part in message.parts
        ]

    def _as_it_is(self, messages: Sequence[Message]) -> str:
        mark = getattr(self._processor, "image_token", None) or ""
        parts = (part for message in messages for part in message.parts)
        return "".join(part if isinstance(part, str) else str(mark) for part in parts)

    def _plain(self, messages: Sequence[Message]) -> str:
        mark = getattr(self._processor, "image_token", None) or ""
        lines = []
        for message in messages:
            texts = "\n".join(part for part in message.parts if isinstance(part, str))
            seen = str(mark) * len(pictures_of((message,)))
            ending = "\nAnswer:" if message.role == "user" else "\n\n"
            opening = " " if message.role == "assistant" else ""
            lines.append(f"{seen}{opening}{texts}{ending}")
        return "".join(lines)


def _alike(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two texts begin with in common."""
    place = 0
    while place < min(len(first), len(second)) and first[place] == second[place]:
        place += 1
    return place


def _template(of: Any) -> str | None:
    template = getattr(of, "chat_template", None)
    if isinstance(template, dict):
        template = template.get("default")
    return template or None


def _template_errors() -> tuple[type[Exception], ...]:
    from jinja2 import TemplateError

    return (TemplateError, TypeError, ValueError)


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """What the system says, said by the user before all else."""
    first, second, *rest = messages
    return [Message(second.role, (*first.parts, *second.parts)), *rest]
