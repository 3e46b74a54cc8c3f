"""The API keeps to its schema, whatever is sent: Schemathesis makes it up from the schema itself."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from busy import Busy
from hypothesis import HealthCheck, given, settings
from people import PASSWORD
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from commonsight.collect import accounts
from commonsight.collect.desk import Desk
from commonsight.web.collect.app import build_app
from commonsight.web.collect.limits import Limits

FEW, MANY = 2, 60
MUCH = 10**9
KINDS = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
NOT_OURS = [positive_data_acceptance]
"""What fits the schema may still be refused: a form has rules that no schema can say."""
NOT_OURS_OF_ADDRESSES = [*NOT_OURS, negative_data_rejection]
"""Names in an address that nobody asked for do no harm."""
UNHURRIED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much]


@pytest.fixture
def api(busy: Busy, desk: Desk, tmp_path: Path) -> Any:
    """The schema of an app whose limits are out of reach, and a copy of its collection to begin anew with."""
    shutil.copy(tmp_path / "collect.sqlite", tmp_path / "kept.sqlite")
    limits = Limits(desk.clock, writes_a_minute=MUCH, failures_by_address=MUCH, failures_by_name=MUCH)
    app = build_app(desk, hosts=["testserver"], limits=limits)
    app.state.busy = busy
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def check(case: Any, folder: Path) -> None:
    """Send what was made up, as the owner, most often about things that are there."""
    app = case.operation.app
    desk, busy = app.state.desk, app.state.busy
    desk.database.close()
    shutil.copy(folder / "kept.sqlite", folder / "collect.sqlite")
    there = {
        "campaign_id": busy.campaign_id, "task_id": busy.disputed, "record_id": busy.record,
        "erratum_id": busy.erratum, "try_id": busy.exam_try, "user_id": busy.users["ada"],
        "assignment_id": busy.held, "name": "start",
    }  # fmt: skip
    for name, value in case.path_parameters.items():
        if name in there and (name == "name" or (isinstance(value, int) and 0 < value < 2**53)):
            case.path_parameters[name] = there[name]
    token = accounts.sign_in(desk, "olga", PASSWORD)
    headers = {"authorization": f"Bearer {token}"}
    left_out = NOT_OURS if case.method != "GET" else NOT_OURS_OF_ADDRESSES
    case.validate_response(case.call(headers=headers), excluded_checks=left_out, headers=headers)


def check_all(api: Any, folder: Path, examples: int) -> None:
    """Every operation, with so many examples of what fits its schema and of what does not."""
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 35
    for operation in operations:
        for kind in KINDS if operation.method != "get" or examples > FEW else KINDS[:1]:
            made_up = operation.as_strategy(generation_mode=kind)

            @settings(max_examples=examples, suppress_health_check=UNHURRIED)
            @given(case=made_up)
            def holds(case: Any) -> None:
                check(case, folder)

            holds()


def test_every_operation_keeps_to_the_schema(api: Any, tmp_path: Path) -> None:
    check_all(api, tmp_path, FEW)


@pytest.mark.slow
def test_every_operation_keeps_to_the_schema_thoroughly(api: Any, tmp_path: Path) -> None:
    check_all(api, tmp_path, MANY)
