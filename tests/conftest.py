"""What every test may use: bundled fixtures, the real data where it is at hand, Hypothesis profiles."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# Before torch is there: as many tests run at once as there are cores, and threads of several tests that share
# a core mostly wait for one another. Programs that tests start have it from here, too.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell starts what runs in its background deaf to Ctrl-C, and so would be whatever a test interrupts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure elsewhere is a failure here.
# A busy machine is no fault of a test: nothing here may fail because generating an example took long.
UNHURRIED = [HealthCheck.too_slow]
settings.register_profile(
    "default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=UNHURRIED
)
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=UNHURRIED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")


def _real_data() -> Path:
    named = os.environ.get("COMMONSIGHT_DATA")
    return Path(named) if named else ROOT.parent / "shared" / "data"


def _why_no_real_data() -> str | None:
    folder = _real_data()
    if folder.is_dir():
        return None
    return f"no real data: {folder} is not a folder; set COMMONSIGHT_DATA to the folder that holds it"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    why = _why_no_real_data()
    if why is None:
        return
    for item in items:
        if item.get_closest_marker("real_data") is not None:
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real benchmark files; a test that asks for it is skipped where there is none."""
    why = _why_no_real_data()
    if why is not None:
        pytest.skip(why)
    return _real_data()


@pytest.fixture(scope="session")
def drawn_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world with pictures: datasets `vcr`, `pmr` and `nlvr2`, and `raw` with scene graphs."""
    from commonsight.world.make import Plan, make_world

    folder = tmp_path_factory.mktemp("world") / "drawn"
    make_world(folder, Plan(26, 3, ("vcr", "pmr", "nlvr2", "cric")), progress=lambda done, _: done)
    return folder


@pytest.fixture(scope="session")
def fixtures_dir() -> Path:
    """The small examples that are part of the project."""
    return ROOT / "tests" / "fixtures"
