"""Makes the pictures of README.md: pages of ours in a real browser, over a small drawn world.

    python docs/screenshots.py            writes docs/images/*.jpg

Needs Debian's Chromium, and the extras `serve` and `dev`. The same world, runs and annotators each time.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE = {"width": 1240, "height": 800}
PASSWORD = "a long enough password"
NAME = "Everyday scenes"
CLOSED = "document.querySelectorAll('details').forEach((each) => { each.open = false; })"


def run(*command: str | Path, cwd: Path) -> None:
    """A command of ours."""
    told = [sys.executable, "-m", "commonsight", *map(str, command)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "examples"), "COMMONSIGHT_PASSWORD": PASSWORD}
    subprocess.run(told, cwd=cwd, check=True, stdout=subprocess.DEVNULL, env=environment)


@contextmanager
def served(app: Any) -> Iterator[str]:
    """A page's address, for as long as the block lasts."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


def shot(page: Any, name: str) -> None:
    """What the window shows now."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=72)


def explorer(folder: Path, browser: Any) -> None:
    """The grid, an item and the leaderboard of a small benchmark with three runs."""
    from commonsight.runs.exploring.book import open_book
    from commonsight.web.explore.app import build_app, named

    run("world", "make", "--out", "world", "--scenes", "120", "--seed", "7", "--kind", "vcr", cwd=folder)
    raw = ("world/raw/vcr.jsonl", "--images", "world/raw/images", "--folds", "3")
    run("build", "match", *raw, "--out", "matched", cwd=folder)
    for network in ("r2c", "lstm"):
        run("train", network, "matched", "--epochs", "3", "--features", "f", "--out", network, cwd=folder)
        tried = ("--split", "val", "--features", "f", "--out", f"run-{network}")
        run("predict", network, "matched", *tried, cwd=folder)
    model = ("--model", "python:first_choice:answer", "--split", "val", "--out", "first-choice")
    run("run", "matched", *model, cwd=folder)
    runs = [folder / name for name in ("run-r2c", "run-lstm", "first-choice")]
    books = named([open_book(folder / "matched", runs)])
    with served(build_app(books)) as address:
        page = browser.new_page(viewport=SIZE)
        view = f"{address}/{next(iter(books))}/"
        page.goto(f"{view}?f.split=val")
        shot(page, "grid")
        page.locator(".grid a.open").nth(2).click()
        page.wait_for_load_state("networkidle")
        page.locator(".step a.tag").first.hover()
        shot(page, "item")
        page.goto(f"{view}board")
        shot(page, "board")
        page.close()


def annotation_app(folder: Path, browser: Any) -> None:
    """A worker's page and the owner's overview of a campaign that simulated annotators have begun."""
    from commonsight.benchmarks.protocols import BY_NAME
    from commonsight.collect import accounts
    from commonsight.collect.campaigns import add_member_in
    from commonsight.collect.desk import campaign_named
    from commonsight.collect.folder import open_folder
    from commonsight.collect.tables import Member
    from commonsight.web.collect.app import build_app

    told = ("--protocol", "vcr", "--name", NAME, "--owner", "owner")
    run("collect", "init", "ours", *told, cwd=folder)
    run("collect", "import", "ours", "world/vcr", cwd=folder)
    people = ("--world", "world", "--workers", "6", "--most", "60", "--seed", "3")
    run("collect", "simulate", "ours", *people, cwd=folder)
    desk = open_folder(folder / "ours", BY_NAME)
    worker = accounts.make_user(desk, "worker", PASSWORD)
    with desk.database.read() as session:
        campaign = campaign_named(session, NAME)

    def join(session: Any) -> None:
        add_member_in(session, desk, campaign.id, worker.user_id, "worker")
        session.flush()
        member = session.get(Member, (campaign.id, worker.user_id))
        member.passed = [exam.name for exam in BY_NAME["vcr"].exams]

    desk.database.write(join)
    with served(build_app(desk)) as address:
        for name, path, picture in (
            ("worker", f"/work/{campaign.id}", "collect"),
            ("owner", f"/campaigns/{campaign.id}/", "campaign"),
        ):
            context = browser.new_context(viewport=SIZE)
            secret = accounts.sign_in(desk, name, PASSWORD)
            context.add_cookies([{"name": "commonsight", "value": secret, "url": address}])
            page = context.new_page()
            page.goto(address + path)
            if picture == "collect":
                page.evaluate(CLOSED)
                page.locator("textarea, input[type=text]").first.fill("Why is [person1] smiling at ")
                page.evaluate("scrollTo(0, 0)")
            shot(page, picture)
            context.close()


def main() -> None:
    """All pictures."""
    sys.path.insert(0, str(ROOT / "examples"))
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        os.environ["COMMONSIGHT_CACHE"] = f"{name}/cache"
        explorer(Path(name), browser)
        annotation_app(Path(name), browser)


if __name__ == "__main__":
    main()
