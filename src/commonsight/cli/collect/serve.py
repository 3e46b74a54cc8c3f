"""`commonsight collect serve`: the pages that workers, reviewers and owners use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.collect.opening import Folder, opened
from commonsight.cli.console import err, visible

NAME = "serve"
EXAMPLES = """Examples:

[cyan]commonsight collect serve ours[/]

[cyan]commonsight collect serve ours --host 0.0.0.0 --port 443 --certificate fullchain.pem --key privkey.pem \
--known-as collect.example[/]"""


def command(
    folder: Folder,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Who can reach it.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="Where it listens.")] = 8000,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="For TLS.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's.")] = None,
    public_without_tls: Annotated[
        bool,
        typer.Option("--public-without-tls", help="A proxy in front of this does TLS: let others reach it."),
    ] = False,
    known_as: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name under which people ask for it, such as collect.example."),
    ] = None,
) -> None:
    """Serve the annotation app until it is stopped; by default for this machine alone."""
    from commonsight.web.serving import Address, check_address, host_names, serve

    address = Address(host, port, certificate, key, public_without_tls)
    check_address(address)
    hosts = host_names(host, known_as or [])
    with opened(folder) as desk:
        from commonsight.collect.similar import Similar
        from commonsight.collect.tidying import kept_tidy
        from commonsight.collect.webhooks import delivered
        from commonsight.runs.watching import Watcher
        from commonsight.web.collect.app import build_app

        secure = certificate is not None or public_without_tls
        similar = Similar(desk)
        site = build_app(desk, hosts=hosts, watcher=Watcher(desk, similar=similar), secure_cookies=secure)
        site.state.similar = similar
        err.print(visible(f"{folder} is served at {address.url} (Ctrl+C stops it)"), markup=False)
        with delivered(desk), kept_tidy(desk):
            serve(site, address)

