"""What a browser without scripts would send: the forms of a page, as they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class PageForm:
    """One form: where it goes, and the controls that would be sent with it."""

    action: str
    method: str
    id: str = ""
    pairs: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[PageForm] = []
        self._open: PageForm | None = None
        self._templates = 0
        self._area: tuple[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._templates += 1
        if self._templates:
            return
        if tag == "form":
            self._open = PageForm(given.get("action", ""), given.get("method", "get"), given.get("id", ""))
            self.forms.append(self._open)
        elif self._open is not None and given.get("name"):
            self._control(tag, given)

    def _control(self, tag: str, given: dict[str, str]) -> None:
        assert self._open is not None
        if tag == "textarea":
            self._area = (given["name"], [])
        elif tag == "button":
            self._open.buttons.append((given["name"], given.get("value", "")))
        elif tag == "input" and (given.get("type") not in ("radio", "checkbox") or "checked" in given):
            self._open.pairs.append((given["name"], given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif tag == "form" and not self._templates:
            self._open = None
        elif tag == "textarea" and self._area is not None and self._open is not None:
            name, parts = self._area
            text = "".join(parts)
            # As HTML has it: one line end after the tag is not part of the text, and lines end with both.
            self._open.pairs.append((name, text.removeprefix("\n").replace("\n", "\r\n")))
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area[1].append(data)


def forms_of(page: str) -> list[PageForm]:
    """The forms of a page, in order."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.forms


def form_to(page: str, action: str) -> PageForm:
    """The form that is sent there."""
    return next(form for form in forms_of(page) if form.action == action)
