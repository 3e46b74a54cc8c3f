"""How networks are trained, where several are trained alike."""

from __future__ import annotations

from commonsight.models.engine.recipe import Recipe

SMALL = Recipe(epochs=12, batch=32, rate=1e-3, plateau=2, patience=4)
"""For networks that learn from nothing, a few thousand questions and a CPU."""
SMALL_TRANSFORMER = Recipe(
    epochs=12, batch=32, optimiser="adamw", rate=5e-4, decay=0.01, warm_up=0.1, plateau=None, patience=4
)
