"""Teaching networks that point where to look (CRIC's l_att, section 4.1)."""

from __future__ import annotations

from torch import Tensor

from commonsight.models.features.batch import Batch
from commonsight.models.layers.looking import Gaze, pointing_loss


def taught(gaze: Gaze, batch: Batch, weight: float) -> Tensor | None:
    """(batch): what is lost by looking elsewhere than at what a right answer may point to, weighed; nothing
    where nobody weighs it."""
    if not weight or batch.targets is None or batch.seen is None:
        return None
    return weight * pointing_loss(gaze.scores, batch.seen.mask, batch.targets)
