"""How the work of each protocol is done: from what the picture shows, and by who remembers what was meant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drawn_sources import write_drawn_clusters, write_drawn_sets

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect.forms import checked
from commonsight.collect.protocol import Protocol, Shown, visible
from commonsight.collect.sources import Beside, open_source
from commonsight.runs.simulated import cric, pmr
from commonsight.runs.simulated.minds import Mind
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.runs.simulated.sitting import sat, verdict
from commonsight.runs.simulated.ways import answer_of
from commonsight.store.dataset import sha256
from commonsight.store.pictures import picture_size
from commonsight.world.voices import voices

Minds = Callable[..., Mind]


@pytest.fixture
def minds(world: DrawnWorld) -> Minds:
    """People who share what they remember, and do not err unless they should."""
    memory: dict[tuple[str, ...], Any] = {}
    crew = voices(5, 12)

    def mind(number: int, error_rate: float = 0.0) -> Mind:
        return Mind(crew[number], world, random.Random(number), error_rate, memory)

    return mind


def _shown(find: Callable[[str], Path], name: str) -> Shown:
    path = find(name)
    return Shown(f"{sha256(path)}{path.suffix}", *picture_size(path), "")


def _payloads(protocol: str, source: Path) -> Iterator[dict[str, Any]]:
    """What first tasks show."""
    declared = BY_NAME[protocol]
    settings = {name: setting.default for name, setting in declared.settings.items()}
    for item, find in open_source(source, Beside()).subjects:
        for task in declared.subjects(item, settings, partial(_shown, find)):
            yield dict(visible(task.payload))


def _hands_in(protocol: Protocol, stage: str, payload: dict[str, Any], mind: Mind) -> dict[str, Any]:
    """What someone says, as the form takes it."""
    said = answer_of(protocol.name)(stage, payload, mind)
    assert said is not None
    declared = protocol.stage(stage)
    return checked(declared.form, payload, said, declared.checks)


def test_vcr_is_written_and_reviewed(minds: Minds, world_folder: Path) -> None:
    protocol, good = BY_NAME["vcr"], []
    for number, payload in zip(range(8), _payloads("vcr", world_folder / "vcr"), strict=False):
        said = _hands_in(protocol, "write", payload, minds(number))
        review = {"picture": payload["picture"], "context": [], "work": said["triplets"]}
        read = _hands_in(protocol, "review", review, minds(9))
        careless = _hands_in(protocol, "review", review, minds(9, 1.0))
        assert read["good_enough"] != careless["good_enough"]
        good.append(read["good_enough"])
    assert "yes" in good


def test_pmr_is_written_examined_and_checked(minds: Minds, world_folder: Path) -> None:
    protocol, decided = BY_NAME["pmr"], []
    for number, payload in zip(range(8), _payloads("pmr", world_folder / "pmr"), strict=False):
        said = pmr.answer("write", payload, minds(number))
        if said is None:
            continue
        declared = protocol.stage("write")
        said = checked(declared.form, payload, said, declared.checks)
        shown = {
            "picture": payload["picture"], "premise": payload["premises"][int(said["premise"])],
            "action_true": said["action_true"], "action_false": said["action_false"],
        }  # fmt: skip
        examined = _hands_in(protocol, "examine", shown, minds(9))
        decided.append(examined["decision"])
        if examined["decision"] == "accept":
            texts = {shown[name] for name in ("action_true", "action_false")}
            texts |= {examined[name] for name in ("distractor1", "distractor2")}
            assert len(texts) == 4
            assert all("{" in text and "}" in text for text in texts)
        told = "accepted" if examined["decision"] == "accept" else "dropped"
        check = {**shown, "decision": [{"Decision": told}]}
        assert _hands_in(protocol, "check", check, minds(10))["meets"] == "yes"
        assert _hands_in(protocol, "check", check, minds(10, 1.0))["meets"] == "no"
    assert "accept" in decided


@pytest.mark.parametrize(
    ("premise", "category", "value"),
    [
        ("[person1] is thought to be a generous person.", "personality", "generous"),
        ("[person2] is an electrician.", "identity", "electrician"),
        ("Because of [person2]'s behavior, [person1] feels very nervous.", "mood", "nervous"),
    ],
)
def test_premises_are_understood(premise: str, category: str, value: str) -> None:
    found = pmr.meaning(premise)
    assert found is not None
    assert (found.category, found.value, found.sureness) == (category, value, 1.0)


def test_other_words_of_premises_are_taken_for_the_nearest() -> None:
    found = pmr.meaning("[person1] is thought to be an untrustworthy person.")
    assert found is not None
    assert 0 < found.sureness < 1
    assert pmr.meaning("[person1] and [person2] had a fight.") is None, "it has no slot"


def test_nlvr2_goes_from_a_set_to_labels(minds: Minds, world_folder: Path, tmp_path: Path) -> None:
    write_drawn_sets(world_folder, tmp_path / "sets")
    protocol, payload = BY_NAME["nlvr2"], next(_payloads("nlvr2", tmp_path / "sets"))
    assert not _hands_in(protocol, "prune", payload, minds(0)).get("remove")
    strange = [*payload["pictures"], {**payload["pictures"][0], "picture": "0" * 64 + ".png"}]
    assert _hands_in(protocol, "prune", {**payload, "pictures": strange}, minds(0)) == {"remove": ["8"]}
    twice = [*payload["pictures"], payload["pictures"][2]]
    assert _hands_in(protocol, "construct", {**payload, "pictures": twice}, minds(0))["duplicates"] == ["8"]
    pairs = [payload["pictures"][place : place + 2] for place in range(0, 8, 2)]
    said = _hands_in(protocol, "write", {"pairs": pairs}, minds(1))
    assert said["fit"] == "yes"
    labels = [
        _hands_in(protocol, "validate", {"pair": [pair], "sentence": said["sentence"]}, minds(2))["label"]
        for pair in pairs
    ]
    assert [str(place) for place, label in enumerate(labels) if label == "true"] == said["selected"]
    judged = {"pairs": pairs, "selected": "A", "sentence": said["sentence"]}
    assert _hands_in(protocol, "judge", judged, minds(3))["follows"] == "yes"
    assert _hands_in(protocol, "judge", judged, minds(3, 1.0))["violations"]


def test_aokvqa_goes_from_pictures_to_answers(minds: Minds, world_folder: Path, tmp_path: Path) -> None:
    write_drawn_clusters(world_folder, tmp_path / "clusters")
    protocol, payload = BY_NAME["aokvqa"], next(_payloads("aokvqa", tmp_path / "clusters"))
    said = _hands_in(protocol, "write", payload, minds(0))
    assert len(said["questions"]) >= 2
    for entry in said["questions"]:
        choices = [entry["answer"], *entry["wrong"]]
        shown = {
            "picture": payload["pictures"][int(entry["picture"])], "question": entry["question"],
            "choices": choices, "answer": entry["answer"],
        }  # fmt: skip
        meets = _hands_in(protocol, "screen", shown, minds(1))["meets"]
        explained = _hands_in(protocol, "explain", shown, minds(2))
        assert (meets == "yes") == (explained["confirmed"] == "yes")
        assert explained.get("rationale") or explained["own_answer"]
        assert _hands_in(protocol, "screen", shown, minds(1, 1.0))["meets"] != meets
        assert _hands_in(protocol, "answer", shown, minds(3))["answer"]
        assert _hands_in(protocol, "solve", shown, minds(4))["pick"] in "0123"


def _generated(answer: str, gives: str, points: str = "[dog1]") -> dict[str, Any]:
    return {
        "question": "Is there a dog beside the bench?", "answer": answer, "points": points, "facts": [],
        "picture": {"picture": "x", "regions": [{"label": "dog"}, {"label": "cat"}]},
        "steps": [{"step": "1. find", "gives": "[dog1]"}, {"step": "2. exist", "gives": gives}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "right", "mended"),
    [
        (_generated("yes", "yes"), "yes", {"action": "drop"}),
        (_generated("no", "yes"), "no", {"action": "correct", "answer": "yes", "pointing": "same"}),
        (_generated("yes", "no"), "no", {"action": "correct", "answer": "no", "pointing": "none"}),
        (_generated("no", "yes", "no object"), "no", {"action": "correct", "pointing": "other"}),
    ],
)
def test_cric_is_judged_and_mended_by_its_steps(
    shown: dict[str, Any], right: str, mended: dict[str, str], minds: Minds
) -> None:
    protocol = BY_NAME["cric"]
    assert _hands_in(protocol, "review", shown, minds(0))["right"] == right
    said = cric.answer("correct", shown, minds(1))
    assert said is not None
    declared = protocol.stage("correct")
    assert mended.items() <= checked(declared.form, {**shown, "said": []}, said, declared.checks).items()


@pytest.mark.parametrize("protocol", list(BY_NAME))
def test_every_exam_can_be_sat(protocol: str, minds: Minds) -> None:
    """Without samples, as when there is nothing to draw them from."""
    for exam in BY_NAME[protocol].exams:
        answers = sat(exam, (), answer_of(protocol), minds(0))
        fields = (*(question.field for question in exam.graded), *exam.written)
        kept = checked(fields, {}, answers) if not exam.samples else answers
        assert all(kept[question.field.name] == question.right for question in exam.graded)
        wrong = sat(exam, (), answer_of(protocol), minds(0, 1.0))
        assert all(wrong[question.field.name] != question.right for question in exam.graded)
        assert verdict(exam, 1.0, minds(0)) in ("passed", "distinction")
        assert verdict(exam, -1.0, minds(0)) == "failed"
