"""Cross-encoders: they learn, the same every time; what is not a model is told."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonsight.errors import InputError, MissingExtra, UsageError
from commonsight.models import libraries as made_with
from commonsight.models.cross_encoder import CrossEncoder, Example, Fitting, Step, mixed
from commonsight.models.sources import source
from commonsight.models.untrained import TINY, Shape, untrained, vocabulary_of

PLACES = {"kitchen": "soup", "street": "cabs"}
FITTING = Fitting(learning_rate=3e-3, batch=16, epochs=20)
BRIEF = Fitting(learning_rate=1e-3, batch=32, epochs=1)


def examples(count: int, seed: int = 0) -> list[Example]:
    """A place, and what belongs there or elsewhere: nothing in the words is shared."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        place, other = rng.choice(sorted(PLACES)), rng.choice(sorted(PLACES))
        filler = " ".join(rng.choices(("now", "again", "here"), k=rng.randrange(4)))
        made.append(Example(f"in the {place} ?", f"{PLACES[other]} {filler} .", int(place == other)))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [text for example in examples(200) for text in example[:2]]
    return untrained(tmp_path_factory.mktemp("models") / "tiny", texts, TINY)


def _columns(found: Sequence[Example]) -> tuple[list[str], list[str]]:
    return [example.first for example in found], [example.second for example in found]


def fitted(folder: Path, *, seed: int = 3, fitting: Fitting = BRIEF, **options: Any) -> CrossEncoder:
    model = CrossEncoder.load(source(str(folder)), classes=2, seed=seed)
    model.fit(lambda epoch: examples(256, seed=epoch), fitting, seed=seed, **options)
    return model


@pytest.fixture(scope="module")
def model(folder: Path) -> CrossEncoder:
    return fitted(folder, fitting=FITTING)


def test_it_learns(model: CrossEncoder) -> None:
    tried = examples(200, seed=99)
    chances = model.log_chances(*_columns(tried))[:, 1]
    actual = np.array([example.label == 1 for example in tried])
    better = (chances[actual][:, None] > chances[~actual][None, :]).mean()  # the area under the curve
    assert better > 0.8


def test_the_chances_of_all_classes_make_one(model: CrossEncoder) -> None:
    scores = model.log_chances(*_columns(examples(50)))
    assert scores.dtype == np.float32
    assert scores.max() <= 0
    np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1, rtol=1e-5)


def test_a_score_hardly_depends_on_the_texts_beside_it(model: CrossEncoder) -> None:
    firsts, seconds = _columns(examples(90))
    seconds[7] = "soup " * 40  # all others would have to be padded
    together = model.log_chances(firsts, seconds)
    alone = np.concatenate([model.log_chances([a], [b]) for a, b in zip(firsts, seconds, strict=True)])
    np.testing.assert_allclose(together, alone, atol=2e-5)


def test_no_pairs_no_scores(model: CrossEncoder) -> None:
    assert model.log_chances([], []).shape == (0, 2)


def test_texts_that_are_too_long_or_not_quite_text_are_scored(model: CrossEncoder) -> None:
    scores = model.log_chances(["soup " * 5000, "half \ud800 pair", ""], ["roses " * 5000, "\U0001f600", ""])
    assert np.isfinite(scores).all()


def test_the_same_seed_gives_the_same_model(folder: Path) -> None:
    texts = _columns(examples(60))
    model = fitted(folder)
    import torch

    torch.manual_seed(17)  # what others do with chance is nothing to it, nor is it to them
    before = torch.random.get_rng_state()
    again = fitted(folder)
    assert torch.equal(before, torch.random.get_rng_state())
    assert model.log_chances(*texts).tobytes() == again.log_chances(*texts).tobytes()
    assert model.log_chances(*texts).tobytes() != fitted(folder, seed=4).log_chances(*texts).tobytes()


def test_it_is_saved_and_found_again(model: CrossEncoder, tmp_path: Path) -> None:
    model.save(tmp_path / "saved")
    again = CrossEncoder.load(source(str(tmp_path / "saved")))
    texts = _columns(examples(60))
    assert model.log_chances(*texts).tobytes() == again.log_chances(*texts).tobytes()


def test_other_classes_than_it_came_with(folder: Path) -> None:
    assert source(str(folder)).labels == ("other", "actual")
    three = CrossEncoder.load(source(str(folder)), classes=3, seed=1)
    again = CrossEncoder.load(source(str(folder)), classes=3, seed=1)
    scores = three.log_chances(["in the kitchen"], ["soup"])
    assert scores.shape == (1, 3)
    assert scores.tobytes() == again.log_chances(["in the kitchen"], ["soup"]).tobytes()


def test_progress_is_told(folder: Path) -> None:
    steps: list[Step] = []
    fitted(folder, fitting=Fitting(1e-3, 64, 2), progress=steps.append)
    assert [(step.epoch, step.batch) for step in steps] == [(e, b) for e in range(2) for b in range(4)]
    assert all(step.epochs == 2 and step.batches == 4 and step.loss > 0 for step in steps)


def test_a_loss_that_is_no_number_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    lost = torch.tensor(float("nan"), requires_grad=True)
    monkeypatch.setattr(torch.nn.functional, "cross_entropy", lambda *_: lost * 1)
    with pytest.raises(InputError, match=r"loss of epoch 1 is not a number\. Give a lower learning rate"):
        fitted(folder)


@pytest.mark.parametrize(
    ("values", "said"),
    [((0.0, 32, 3), "learning rate is 0"), ((1e-5, 0, 3), "batch is 0"), ((1e-5, 32, 0), "epochs is 0")],
)
def test_fitting_that_cannot_be(values: tuple[float, int, int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Fitting(*values)


def test_the_papers_values_are_the_default() -> None:
    assert str(Fitting()) == "learning rate 2e-05, batch 32, epochs 3"


def test_batches_hold_everything_once_and_lengths_that_are_alike() -> None:
    rng = random.Random(0)
    lengths = [rng.randrange(5, 60) for _ in range(1000)]
    batches = mixed(lengths, 8, random.Random(1))
    assert sorted(place for batch in batches for place in batch) == list(range(1000))
    assert all(len(batch) <= 8 for batch in batches)
    assert np.mean([np.ptp([lengths[place] for place in batch]) for batch in batches]) < 5
    assert batches == mixed(lengths, 8, random.Random(1))
    assert [lengths[batch[0]] for batch in batches] != sorted(lengths[batch[0]] for batch in batches)


# --- sources -----------------------------------------------------------------------------------------------


def test_a_folder_is_known_by_what_is_in_it(folder: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folder, tmp_path / "elsewhere" / "tiny")
    one, other = source(str(folder)), source(str(tmp_path / "elsewhere" / "tiny"))
    assert one.name == other.name
    assert one.name.startswith("tiny@")
    assert one.tokens == TINY.tokens - 2
    config = tmp_path / "elsewhere" / "tiny" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"hidden_dropout_prob": 0.2}))
    assert source(str(config.parent)).name != one.name


@pytest.mark.parametrize("what", ["nothing", "no config", "a file", "not json", "no tokenizer", "a riddle"])
def test_what_is_not_a_model_is_told(folder: Path, tmp_path: Path, what: str) -> None:
    import shutil

    given = tmp_path / "given"
    if what == "no config":
        given.mkdir()
    elif what == "a file":
        given.write_text("dear")
    elif what != "nothing":
        shutil.copytree(folder, given)
    if what == "not json":
        (given / "config.json").write_text("{")
    if what == "a riddle":
        (given / "config.json").write_text(json.dumps({"model_type": "sphinx"}))
    if what == "no tokenizer":
        for path in given.glob("tokenizer*"):
            path.unlink()
    with pytest.raises(InputError) as caught:
        source(str(given))
    assert str(given) in str(caught.value)
    assert "Give a folder that save_pretrained wrote" in str(caught.value)


def test_a_model_without_weights_is_told(folder: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folder, tmp_path / "given")
    (tmp_path / "given" / "model.safetensors").unlink()
    found = source(str(tmp_path / "given"))
    with pytest.raises(InputError, match="cannot be loaded as a model"):
        CrossEncoder.load(found)


def test_a_name_that_the_hub_does_not_give_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="nobody/nothing: this cannot be loaded as a model"):
        source("nobody/nothing")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(made_with, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"torch is not installed.*commonsight\[models\]"):
        made_with.libraries()


def test_threads_are_as_they_were_afterwards() -> None:
    import torch

    before = torch.get_num_threads()
    with made_with.threads(1):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


# --- untrained models --------------------------------------------------------------------------------------


def test_a_vocabulary_spells_what_it_does_not_know(tmp_path: Path) -> None:
    assert list(vocabulary_of(["Ab ab, c!"], 100)) == [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
        "!", ",", "a", "b", "c", "##!", "##,", "##a", "##b", "##c", "ab",
    ]  # fmt: skip
    from transformers import AutoTokenizer

    made = untrained(tmp_path / "m", ["ab c"], Shape(1, 8, 1, 40, 32), labels=("no", "yes"))
    read = AutoTokenizer.from_pretrained(made)("Ab", "ca z")
    assert read.tokens() == ["[CLS]", "ab", "[SEP]", "c", "##a", "[UNK]", "[SEP]"]
    assert read["token_type_ids"] == [0, 0, 0, 1, 1, 1, 1]
