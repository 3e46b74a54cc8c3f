"""One step after another: gradients, rates, averages and ends, by values worked out by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn
from toy_training import Asked, Told, toy_training

from commonsight.errors import InputError, UsageError
from commonsight.models.engine import checkpoint
from commonsight.models.engine.checkpoint import Checkpoint
from commonsight.models.engine.loop import Training
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores

PLAIN = Recipe(epochs=1, batch=4, optimiser="sgd", momentum=0.0, rate=0.5, decay=0.0, clip=None, plateau=None)


class Numbers:
    """Questions that are nothing but their number; the first choice is right."""

    def __init__(self, count: int) -> None:
        self.lengths: NDArray[np.int64] = np.ones(count, np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        for numbers in chosen:
            count = len(numbers)
            yield Batch(torch.ones(count, 2, dtype=torch.bool), torch.zeros(count, dtype=torch.long))


class OneWeight(nn.Module):
    """Its one weight is the extra loss itself, so that each question's gradient is `slope`."""

    def __init__(self, slope: float = 1.0) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(()))
        self.slope = slope

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        assert generator is not None
        extra: Tensor = (self.slope * self.weight).expand(len(batch))
        return Scores(torch.zeros(len(batch), 2) + 0 * self.weight, extra, {})


def trained(
    network: nn.Module,
    folder: Path,
    recipe: Recipe,
    judge: Callable[..., float] = lambda *_: 0.5,
    count: int = 8,
) -> State:
    return Training(network, Numbers(count), judge, recipe, folder, seed=0, team=Team("cpu")).run()


def test_a_step_is_the_mean_of_its_questions(tmp_path: Path) -> None:
    network = OneWeight()
    state = trained(network, tmp_path, PLAIN)
    assert network.weight.item() == -1.0  # two steps of 0.5, whatever the batch's size
    assert state.history == (EpochLine(1, pytest.approx(math.log(2)), pytest.approx(-0.25), 0.5, 0.5),)
    # The last batch of nine has one question, and the same weight as a whole one: a step is a mean.
    other = OneWeight()
    trained(other, tmp_path / "odd", PLAIN, count=9)
    assert other.weight.item() == -1.5


@pytest.mark.parametrize(("clip", "wanted"), [(None, -8.0), (2.0, -2.0), (100.0, -8.0)])
def test_gradients_are_clipped_by_their_length(tmp_path: Path, clip: float | None, wanted: float) -> None:
    network = OneWeight(slope=8.0)
    trained(network, tmp_path, replace(PLAIN, clip=clip, steps=2))
    assert network.weight.item() == pytest.approx(wanted)


def test_pieces_of_a_batch_add_up_to_the_batch(tmp_path: Path) -> None:
    """Dropout is off, for what it draws depends on who is read together."""
    plain = Recipe(epochs=1, batch=12, optimiser="sgd", rate=0.1, plateau=None)
    found = []
    for pieces in (1, 4):
        asked = Asked(recipe=replace(plain, accumulate=pieces), dropout=False)
        training = toy_training(tmp_path / str(pieces), asked)
        state = training.run()
        found.append((state, training.network.state_dict()))
    (one, whole), (two, added) = found
    assert one.history[0].loss == pytest.approx(two.history[0].loss, abs=1e-5)
    assert one.history[0].extra == pytest.approx(two.history[0].extra, abs=1e-5)
    for name, value in whole.items():
        torch.testing.assert_close(value, added[name], rtol=1e-4, atol=1e-5)


def test_the_average_is_what_is_judged_and_kept(tmp_path: Path) -> None:
    seen = []

    def judge(network: nn.Module, _: Team) -> float:
        assert isinstance(network, OneWeight)
        seen.append(network.weight.item())
        return 0.1 * len(seen)

    network = OneWeight()
    trained(network, tmp_path, replace(PLAIN, ema=0.75, epochs=2), judge)
    # Weights after each step: -0.5, -1, -1.5, -2. A quarter of each is taken into the average.
    averages = [-0.125]
    for weight in (-1.0, -1.5, -2.0):
        averages.append(0.75 * averages[-1] + 0.25 * weight)
    assert seen == pytest.approx([averages[1], averages[3]])
    assert checkpoint.weights(tmp_path / "best.safetensors")["weight"].item() == pytest.approx(averages[3])
    assert network.weight.item() == -2.0  # training goes on with its own weights
    kept = checkpoint.latest(tmp_path)
    assert kept is not None
    assert kept.model["weight"].item() == -2.0
    assert kept.average["weight"].item() == pytest.approx(averages[3])


def test_the_best_weights_are_kept_not_the_last(tmp_path: Path) -> None:
    judged = iter((0.2, 0.6, 0.6, 0.3))
    state = trained(OneWeight(), tmp_path, replace(PLAIN, epochs=4), lambda *_: next(judged))
    assert (state.best, state.best_epoch, state.epoch) == (0.6, 1, 4)
    assert checkpoint.weights(tmp_path / "best.safetensors")["weight"].item() == -2.0
    assert [line.accuracy for line in state.history] == [0.2, 0.6, 0.6, 0.3]


def test_a_plateau_lowers_the_rate_and_patience_ends_it(tmp_path: Path) -> None:
    judged = iter((0.5, 0.4, 0.4, 0.6, 0.1, 0.1, 0.1, 0.1))
    many = replace(PLAIN, epochs=20, plateau=2, patience=4, rate=1.0)
    state = trained(OneWeight(), tmp_path, many, lambda *_: next(judged))
    assert [line.rate for line in state.history] == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25]
    assert state.finished == "no better for 4 epochs"
    assert state.epoch == 8
    assert state.lowered == 0.125


def test_patience_grows_whenever_an_epoch_is_better_than_all_before(tmp_path: Path) -> None:
    found = (0.1, 0.2, 0.2, 0.3, *[0.25] * 20)
    ended = {}
    for growth in (1.0, 1.5):
        judged = iter(found)
        many = replace(PLAIN, epochs=20, plateau=None, patience=2, growth=growth)
        state = trained(OneWeight(), tmp_path / str(growth), many, lambda *_, judged=judged: next(judged))
        ended[growth] = (state.epoch, state.finished)
    # Three epochs were better: 2 x 1.5 x 1.5 x 1.5 is 6.75, of which six are whole.
    assert ended == {1.0: (6, "no better for 2 epochs"), 1.5: (10, "no better for 6 epochs")}
    kept = checkpoint.latest(tmp_path / "1.5")  # what goes on goes on with the patience that it had
    assert kept is not None
    assert kept.state.grown == 1.5**3


def test_what_was_begun_before_patience_could_grow_is_read(tmp_path: Path) -> None:
    trained(OneWeight(), tmp_path, replace(PLAIN, epochs=2))
    (kept,) = tmp_path.glob("checkpoints/*/state.json")
    told = json.loads(kept.read_text())
    assert told.pop("grown") == 1.0
    kept.write_text(json.dumps(told))
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert found.state.grown == 1.0


def test_training_ends_after_so_many_steps(tmp_path: Path) -> None:
    network = OneWeight()
    state = trained(network, tmp_path, replace(PLAIN, epochs=5, steps=3))
    assert (state.step, state.epoch, state.finished) == (3, 2, "all epochs are done")
    assert network.weight.item() == -1.5
    assert len(state.history) == 2  # the second was cut short, and is judged all the same


def test_numbers_that_are_not_finite_end_it_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    class Breaking(OneWeight):
        def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
            scores = super().forward(batch, generator=generator)
            return scores._replace(extra=scores.extra / 0) if self.weight < -1.2 else scores

    network = Breaking()
    with pytest.raises(InputError) as told:
        trained(network, tmp_path, replace(PLAIN, epochs=5))
    assert str(told.value) == (
        "Training was lost at step 4, in epoch 2: the loss is -inf, or its gradient has no length. The last "
        f"good checkpoint stays in {tmp_path}. Train into another folder with a lower rate or stronger "
        "clipping, and look for numbers that are not finite in features of your own."
    )
    kept = checkpoint.latest(tmp_path)
    assert kept is not None
    assert kept.state.step == 2
    assert kept.model["weight"].item() == -1.0
    with pytest.raises(InputError, match="step 1, in epoch 1: the loss is nan") as early:
        trained(OneWeight(slope=math.nan), tmp_path / "early", PLAIN)
    assert "checkpoint" not in str(early.value)


def test_16_bits_train_as_well(tmp_path: Path) -> None:
    numbers = Recipe(epochs=2, batch=12, rate=0.01, plateau=None)
    full = toy_training(tmp_path / "full", Asked(recipe=numbers)).run()
    state = toy_training(tmp_path, Asked(recipe=replace(numbers, precision="bf16"))).run()
    first, second = (line.loss + line.extra for line in state.history)
    assert second < first
    assert state.history != full.history
    assert state.history[0].loss == pytest.approx(full.history[0].loss, rel=0.05)
    kept = checkpoint.weights(tmp_path / "best.safetensors")
    assert all(value.dtype == torch.float32 for value in kept.values() if value.is_floating_point())


def test_checkpoints_take_little_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One takes three seconds, so that the next comes a minute later, though ten seconds were asked for."""
    now, saved = [0.0], []
    plain = checkpoint.save

    def slow(folder: Path, moment: Checkpoint) -> None:
        now[0] += 3.0
        saved.append(moment.state.step)
        plain(folder, moment)

    monkeypatch.setattr(checkpoint, "save", slow)

    def tick(_: int) -> None:
        now[0] += 1.0

    made = replace(PLAIN, batch=1)
    Training(
        OneWeight(), Numbers(150), lambda *_: 0.5, made, tmp_path,
        seed=0, watch=Told(tick), team=Team("cpu"), every=10.0, clock=lambda: now[0],
    ).run()  # fmt: skip
    assert saved == [11, 72, 133, 150]


def test_nothing_to_train_on_and_nothing_to_train(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is nothing to train on"):
        trained(OneWeight(), tmp_path, PLAIN, count=0)
    frozen = OneWeight()
    frozen.requires_grad_(False)
    with pytest.raises(InputError, match="This network has nothing to train"):
        trained(frozen, tmp_path, PLAIN)


def test_an_epoch_is_watched_step_by_step(tmp_path: Path) -> None:
    told = Told()
    state = toy_training(tmp_path, Asked(recipe=Recipe(epochs=1, batch=10, plateau=None)), told).run()
    assert told.steps == [1, 2, 3, 4]
    assert told.losses[-1] == state.history[0].loss


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"epochs": 0}, r"epochs is 0\. Give at least 1\."),
        ({"growth": 0.99}, r"growth is 0\.99\. Give at least 1\."),
        ({"rate": math.nan}, r"rate is nan\. Give more than 0\."),
        ({"rate": math.inf}, r"rate is inf\. Give more than 0\."),
        ({"ema": 1.0}, r"ema is 1\. Give a share between 0 and 1\."),
        ({"clip": 0.0}, r"clip is 0\. Give more than 0\."),
        ({"warm_up": 1.5}, r"warm-up is 1\.5\. Give a share of 1, and less than 1\."),
        ({"warm_up_steps": -1}, r"warm-up-steps is -1\. Give at least 0\."),
        ({"decay": -0.1}, r"decay is -0\.1\. Give at least 0\."),
    ],
)
def test_a_recipe_that_could_train_nothing_is_refused(numbers: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Recipe(**numbers)  # type: ignore[arg-type]
