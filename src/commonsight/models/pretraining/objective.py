"""What an objective is, and several of them as a network that the ordinary engine trains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, scored
from commonsight.models.pretraining.described import described
from commonsight.models.states import CrossModal


@runtime_checkable
class Objective(Protocol):
    """A module with heads of its own; the network is given, so that it is kept and saved once."""

    name: str
    """What it is called: in the log, and by whoever chooses it."""

    def __call__(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The loss, a number. The batch has one choice a question, true of its picture."""
        ...


class Pretraining(nn.Module):
    """A network whose scores are all alike and whose extra loss is that of the objectives.

    Scores that are alike have no gradient, so an engine that lowers the cross entropy of the choices and the
    extra loss lowers the objectives alone. What was learned is `network`.
    """

    def __init__(
        self, network: nn.Module, objectives: Sequence[nn.Module], *, one_a_step: bool = False
    ) -> None:
        """With `one_a_step` each step of training draws one objective, as UNITER does."""
        super().__init__()
        self.network, self.objectives = network, nn.ModuleList(objectives)
        self.one_a_step = one_a_step
        self.last: dict[str, float] = {}
        """The loss of each objective at the last step, for the log."""

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        """Logits of zero, and the objectives' losses added up."""
        losses = self.losses(batch, generator=generator)
        self.last = {name: float(loss.detach()) for name, loss in losses.items()}
        extra = sum(losses.values(), start=self._idle())
        return scored(extra.new_zeros(batch.choices.shape), batch, extra=extra)

    def _idle(self) -> Tensor:
        """Zero. A batch may have nothing to learn from; what is minimised must depend on some weight even
        then, and where several processes average gradients, on each."""
        trained = [each for each in self.parameters() if each.requires_grad]
        together = torch.distributed.is_available() and torch.distributed.is_initialized()
        return torch.stack([each.sum() * 0.0 for each in (trained if together else trained[:1])]).sum()

    def losses(self, batch: Batch, *, generator: Generator | None = None) -> dict[str, Tensor]:
        """Each objective's own, by name; without a generator everything is drawn as at every other time, so
        that losses on held-out questions can be compared."""
        if generator is None:
            if self.training:
                raise ValueError("masks need a generator to draw from: pass generator=, or call eval() first")
            generator = Generator().manual_seed(0)
        told = described(batch)
        if not len(told):
            return {}
        chosen = list(self.objectives)
        if self.one_a_step and self.training:
            place = torch.randint(len(chosen), (), generator=generator, device=generator.device)
            chosen = [chosen[int(place)]]
        return {str(each.name): each(self.network, told, generator=generator) for each in chosen}
