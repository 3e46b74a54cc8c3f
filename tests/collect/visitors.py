"""Browsers for tests, without a browser: they keep cookies and send the token that pages carry."""

from __future__ import annotations

import re
from typing import Any

from people import PASSWORD, person
from starlette.testclient import TestClient

from commonsight.collect import accounts
from commonsight.web.collect.access import COOKIE, DOOR

HOST = "http://127.0.0.1"
TOKEN = re.compile(r'name="csrf" value="([^"]+)"')


class Visitor(TestClient):
    """Someone at the app, who follows no redirects; the server's faults are answers, not exceptions."""

    def __init__(self, app: Any, name: str = "", **options: Any) -> None:
        options = {"base_url": HOST, "follow_redirects": False, "raise_server_exceptions": False} | options
        super().__init__(app, **options)
        self.name, self.csrf = name, ""
        if name:
            self.come_in(name)

    def come_in(self, name: str) -> None:
        """Signed in, without the time that the form takes."""
        desk = self.app.state.desk  # type: ignore[attr-defined]
        person(desk, name)
        token = accounts.sign_in(desk, name, PASSWORD)
        found = accounts.who(desk, token)
        assert found is not None
        self.cookies.set(COOKIE, token, domain="127.0.0.1", path="/")
        self.csrf = found[1]

    def look(self, path: str) -> str:
        """A page's text, whose token is kept."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code, response.text[-500:])
        if found := TOKEN.search(response.text):
            self.csrf = found.group(1)
        return response.text

    def fill(self, path: str, **fields: Any) -> Any:
        """A form, with the token."""
        return self.post(path, data={"csrf": self.csrf} | fields)

    @property
    def secret(self) -> str | None:
        """What the cookie holds, if one is there."""
        return self.cookies.get(COOKIE)

    @property
    def door(self) -> str | None:
        """What ties a form to this browser before it is signed in."""
        return self.cookies.get(DOOR)
