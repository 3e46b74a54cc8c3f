"""`commonsight train` and `predict` with networks that read facts and point to objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from safetensors import safe_open

from commonsight.cli.main import main
from commonsight.core.answer import Grounded
from commonsight.models.blueprint import read_blueprint
from commonsight.store.runs import read_answers

from .conftest import Run

QUICK = ("--epochs", 1, "--limit", 32, "--threads", 1)
pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")


def quietly(*arguments: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["commonsight", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
    assert not stop.value.code


@pytest.fixture(scope="module")
def knowledge(drawn_world: Path) -> Path:
    return drawn_world / "raw" / "knowledge" / "triples.tsv"


@pytest.fixture(scope="module")
def asked(kept: Path, drawn_world: Path, knowledge: Path) -> Path:
    """Questions about the drawn world."""
    images = drawn_world / "raw" / "images"
    quietly(
        "build", "questions", "--scenes", drawn_world, "--knowledge", knowledge, "--images", images,
        "--per-scene", 6, "--read-back", 0, "--out", kept / "asked",
    )  # fmt: skip
    return kept / "asked"


@pytest.fixture(scope="module")
def trained(kept: Path, asked: Path, knowledge: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(kept / "cache"))
        quietly(
            "train", "memory-vqa-att", asked, "--knowledge", knowledge, "--facts", 20, *QUICK,
            "--out", kept / "memory",
        )  # fmt: skip
    return kept / "memory"


def test_the_network_remembers_which_facts_it_read(trained: Path, knowledge: Path) -> None:
    blueprint = read_blueprint(trained / "answer")
    assert blueprint.knowledge == (str(knowledge.resolve()),)
    assert blueprint.names["knowledge"] == blueprint.facts
    assert " facts@" in blueprint.facts
    plan = json.loads((trained / "training.json").read_bytes())
    assert (plan["facts"], set(plan["sources"])) == (20, {"train", "val", "knowledge triples.tsv"})


def test_what_facts_say_stands_beside_how_much_each_was_looked_at(
    run: Run, trained: Path, asked: Path, tmp_path: Path
) -> None:
    done = run("predict", trained, asked, "--split", "val", "--threads", 1, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    assert all(name in done.out for name in ("answer", "grounding", "final"))
    with safe_open(tmp_path / "run" / "attention.safetensors", "np") as file:
        told, names = file.metadata(), list(file.keys())
        facts = [name for name in names if name.endswith("/facts")]
        assert facts
        assert set(told) == set(facts)
        for name in facts:
            texts, shares = json.loads(told[name]), file.get_tensor(name)
            assert shares.shape == (1, 1, len(texts))
            assert len(texts) <= 20
            assert all(text.count(", ") == 2 for text in texts)
            assert shares.sum() == pytest.approx(1.0, abs=0.02)
            assert name.replace("/facts", "/glimpses") in names
    assert all(isinstance(line.answer, Grounded) for line in read_answers(tmp_path / "run"))


def test_what_facts_are_worth_is_seen_without_any(
    run: Run, asked: Path, knowledge: Path, tmp_path: Path
) -> None:
    told = run(
        "train", "memory-vqa", asked, "--knowledge", knowledge, "--facts", 0, *QUICK, "--out", tmp_path / "no"
    )
    assert told.code == 0, told.err
    ask = ("predict", tmp_path / "no", asked, "--split", "val", "--threads", 1, "--out", tmp_path / "run")
    assert run(*ask).code == 0
    with safe_open(tmp_path / "run" / "attention.safetensors", "np") as file:
        read = {name: file.get_tensor(name) for name in file.keys() if name.endswith("/facts")}  # noqa: SIM118
    assert not any(shares.any() for shares in read.values())


def test_the_same_knowledge_may_lie_elsewhere_and_other_knowledge_is_refused(
    run: Run, trained: Path, asked: Path, knowledge: Path, tmp_path: Path
) -> None:
    moved, other = tmp_path / "moved.tsv", tmp_path / "other.tsv"
    lines = knowledge.read_text("utf-8").splitlines(keepends=True)
    moved.write_text("".join(lines), "utf-8")
    other.write_text("".join(lines[:-5]), "utf-8")
    ask = ("predict", trained, asked, "--attention", 0, "--threads", 1)
    assert run(*ask, "--knowledge", moved, "--out", tmp_path / "run").code == 0
    refused = run(*ask, "--knowledge", other, "--out", tmp_path / "other", width=1000)
    assert refused.code == 2
    assert "the network was trained with" in refused.err
    assert "Say with --knowledge where the same one is now." in refused.err
    assert not (tmp_path / "other").exists()


def test_a_training_goes_on_only_with_the_same_facts(
    run: Run, trained: Path, asked: Path, knowledge: Path
) -> None:
    again = ("train", "memory-vqa-att", asked, "--knowledge", knowledge, *QUICK, "--out", trained)
    assert run(*again, "--facts", 20).code == 0
    told = run(*again, "--facts", 21, width=1000)
    assert (told.code, "facts was 20, now 21" in told.err) == (2, True)


@pytest.mark.parametrize(
    ("network", "text", "message"),
    [
        ("memory-vqa", None, "Memory-VQA reads facts. Say with --knowledge FILE where they are."),
        ("memory-vqa", "missing", "there is no such file of knowledge. Give ConceptNet's CSV, triples"),
        ("memory-vqa", "UsedFor\tfork\teating\nUsedFor\tfork\n", "broken.tsv:2: 2 columns instead of 3."),
        ("memory-vqa", "", "broken.tsv"),
        ("bottom-up-named", "UsedFor\tfork\teating\n", "--knowledge: Bottom-Up reads no facts. Leave it out"),
    ],
)
def test_what_is_wrong_with_knowledge_is_told_at_once(
    run: Run, asked: Path, tmp_path: Path, network: str, text: str | None, message: str
) -> None:
    path = tmp_path / "broken.tsv"
    if text not in (None, "missing"):
        path.write_text(str(text), "utf-8")
    given = () if text is None else ("--knowledge", path)
    told = run("train", network, asked, *given, *QUICK, "--out", tmp_path / "out", width=1000)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "out").exists()


def test_a_knowledge_file_that_is_gone_is_named(
    run: Run, trained: Path, asked: Path, tmp_path: Path
) -> None:
    plan = json.loads((trained / "training.json").read_bytes())
    gone = tmp_path / "gone"
    gone.mkdir()
    (gone / "training.json").write_text(json.dumps(plan | {"knowledge": [str(tmp_path / "lost.tsv")]}))
    told = run("predict", gone, asked, "--out", tmp_path / "run", width=1000)
    assert told.code == 2
    assert "lost.tsv: there is no such file of knowledge." in told.err
    assert "--knowledge" in told.err


def test_a_network_begins_with_what_fits_of_one_that_is_like_it(
    run: Run, asked: Path, tmp_path: Path
) -> None:
    first = run("train", "bottom-up-named", asked, *QUICK, "--out", tmp_path / "plain")
    assert first.code == 0, first.err
    again = ("train", "bottom-up-att", asked, *QUICK, "--weights", tmp_path / "plain")
    told = run(*again, "--out", tmp_path / "taught", width=1000)
    assert told.code == 0, told.err
    assert "weights taken over" in told.err + told.out
    another = ("train", "san", asked, *QUICK, "--weights", tmp_path / "plain")
    other = run(*another, "--out", tmp_path / "san", width=1000)
    assert (other.code, "holds bottom-up-named, and this is san" in other.err) == (2, True)
