"""Every episode of the world by name. The tables are in `world.plots`."""

from __future__ import annotations

from commonsight.world.plots import home, play, town, work
from commonsight.world.plots.script import Episode, Need, Role, castable, choices

__all__ = ["EPISODES", "Episode", "Need", "Role", "castable", "choices"]

EPISODES: dict[str, Episode] = {
    episode.name: episode
    for episode in (*home.EPISODES, *play.EPISODES, *town.EPISODES, *work.EPISODES)
}
