"""`collect serve`: for this machine alone, unless the owner has said how it is kept private."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonsight.web.serving import Address

Run = Callable[..., Any]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Address]]:
    """What would have been served, and where."""
    found: list[tuple[Any, Address]] = []
    monkeypatch.setattr("commonsight.web.serving.serve", lambda app, address: found.append((app, address)))
    return found


def _hosts(app: Any) -> list[str]:
    (hosts,) = [
        layer.kwargs["allowed_hosts"] for layer in app.user_middleware if "allowed_hosts" in layer.kwargs
    ]
    return list(hosts)


def test_it_is_served_for_this_machine_alone(run: Run, ours: Path, served: list[Any]) -> None:
    told = run("collect", "serve", ours, "--port", 8123)
    assert told.code == 0
    assert "http://127.0.0.1:8123" in told.err
    ((app, address),) = served
    assert address == Address("127.0.0.1", 8123)
    assert "127.0.0.1" in _hosts(app)
    assert app.state.secure_cookies is False


def test_others_reach_it_only_with_tls_and_by_its_name(
    run: Run, ours: Path, tmp_path: Path, served: list[Any]
) -> None:
    paths = tmp_path / "cert.pem", tmp_path / "key.pem"
    for path in paths:
        path.write_text("pem")
    told = run("collect", "serve", ours, "--host", "0.0.0.0", "--certificate", paths[0], "--key", paths[1])
    assert (told.code, "--known-as NAME" in told.err) == (2, True)
    told = run(
        "collect", "serve", ours, "--host", "0.0.0.0", "--certificate", paths[0], "--key", paths[1],
        "--known-as", "collect.example",
    )  # fmt: skip
    assert told.code == 0
    ((app, address),) = served
    assert address.url == "https://0.0.0.0:8000"
    assert "collect.example" in _hosts(app)
    assert "*" not in _hosts(app)
    assert app.state.secure_cookies is True


def test_behind_a_proxy_it_may_be_public(run: Run, ours: Path, served: list[Any]) -> None:
    told = run("collect", "serve", ours, "--host", "10.0.0.5", "--public-without-tls")
    assert told.code == 0
    assert "10.0.0.5" in _hosts(served[0][0])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--host", "10.0.0.5"], "can be reached by others"),
        (["--certificate", "none.pem"], "give both --certificate and --key"),
        (["--certificate", "none.pem", "--key", "none.pem"], "there is no such file"),
    ],
)
def test_an_open_network_is_refused(
    run: Run, ours: Path, served: list[Any], arguments: list[str], why: str
) -> None:
    told = run("collect", "serve", ours, *arguments)
    assert told.code == 2
    assert why in told.err
    assert served == []
