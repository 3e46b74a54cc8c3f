"""An answer in the model's own words, without what is wrapped around it."""

from __future__ import annotations

from commonsight.score.parse.reply import first_sentence

_WRAPPING = " \n\t\"'*#"


class OwnWords:
    """Takes any words as the answer. A refusal is seen before a reply without a final answer is taken."""

    def final(self, text: str) -> str | None:
        """The first sentence of an explicit final answer; what follows explains it."""
        return self.named(first_sentence(text))

    def whole(self, _text: str) -> None:
        """Nothing yet: any text would do, so refusals must be looked for first."""

    def named(self, text: str) -> str | None:
        """All of the text."""
        return text.strip(_WRAPPING).removesuffix(".").rstrip(_WRAPPING) or None

    def unfinished(self, _text: str) -> bool:
        """Any text might have gone on."""
        return True
