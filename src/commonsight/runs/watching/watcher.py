"""Looks over writers' shoulders, and learns from a campaign's work in the background as it grows."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from threading import Lock, Thread

from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.forms import word_count
from commonsight.collect.protocol import Answers, Payload, Protocol
from commonsight.collect.similar import Similar, texts_at
from commonsight.collect.so_far import newest_answers, newest_records, protocol_of, record_count
from commonsight.runs.watching.drafts import draft_of, watched_paths
from commonsight.runs.watching.learning import learn
from commonsight.runs.watching.looking import Eyes, warnings
from commonsight.runs.watching.values import Learned, Place, Warning_
from commonsight.text.encoders import Encoder, default_encoder

log = logging.getLogger(__name__)

EVERY = 25
"""New records after which one learns anew; when there are many, a tenth of them."""
MOST = 2000
"""Records, and hand-ins of a stage, that are learned from: the newest. More take longer and tell little."""
PATIENCE = 15 * SECOND
"""How often it is asked whether there is enough that is new."""
NEIGHBOURS = 3


class Watcher:
    """Warns about what is being written in any campaign; one for all threads of a server.

    It never stands in the way. What takes time happens in a thread of its own; and a fault here is written
    to the log, since the writer can do nothing about it.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        similar: Similar | None = None,
        encoder: Encoder | None = None,
        every: int = EVERY,
    ) -> None:
        self._desk, self._every, self._given_encoder = desk, every, encoder
        self._similar = similar
        self._learned: dict[int, Learned] = {}
        self._asked_at: dict[int, int] = {}
        self._lock, self._learning = Lock(), Lock()

    def look(self, campaign_id: int, stage: str, payload: Payload, answers: Answers) -> list[Warning_]:
        """What the writer of these answers, finished or not, should think about."""
        try:
            self._keep_up(campaign_id)
            declared = protocol_of(self._desk, campaign_id).stage(stage)
            if not watched_paths(declared):
                return []
            draft = draft_of(declared, payload, answers)
            return warnings(self.learned(campaign_id), stage, draft, self._eyes(campaign_id, stage))
        except Exception:
            log.exception("no warnings for a draft of campaign %s, stage %s", campaign_id, stage)
            return []

    def learned(self, campaign_id: int) -> Learned:
        """What was learned last."""
        return self._learned.get(campaign_id, Learned())

    def refresh(self, campaign_id: int) -> Learned:
        """Learn now from all that is there."""
        with self._learning:  # one at a time, whichever campaign: pages need the machine too
            protocol = protocol_of(self._desk, campaign_id)
            records = newest_records(self._desk, campaign_id, MOST)
            items = [item for record in records for item in protocol.item_of(record)]
            lengths = dict(_lengths(self._desk, campaign_id, protocol))
            count = record_count(self._desk, campaign_id)
            found = learn(items, lengths, self._encoder, records=count, seed=campaign_id)
            self._learned[campaign_id] = found
            return found

    def _keep_up(self, campaign_id: int) -> None:
        """Learn anew in the background, if it is time and there is enough that is new."""
        now = self._desk.clock()
        with self._lock:
            if now - self._asked_at.get(campaign_id, -PATIENCE) < PATIENCE:
                return
            self._asked_at[campaign_id] = now
        Thread(target=self.catch_up, args=(campaign_id,), name="watching", daemon=True).start()

    def catch_up(self, campaign_id: int) -> bool:
        """Learn anew if there is enough that is new; whether there was."""
        try:
            records = record_count(self._desk, campaign_id)
            known = self._learned.get(campaign_id)
            if known is not None and records - known.records < max(self._every, known.records // 10):
                return False
            self.refresh(campaign_id)
            return True
        except Exception:
            log.exception("nothing learned from campaign %s", campaign_id)
            return False

    @property
    def _encoder(self) -> Encoder:
        with self._lock:
            if self._given_encoder is None:
                self._given_encoder = default_encoder()
            return self._given_encoder

    def _eyes(self, campaign_id: int, stage: str) -> Eyes:
        similar = self._similar = self._similar or Similar(self._desk, self._encoder)

        def earlier(field: str, text: str) -> Sequence[tuple[str, float]]:
            return similar.near(campaign_id, stage, field, text, NEIGHBOURS)

        return Eyes(self._encoder, earlier)


def _lengths(desk: Desk, campaign_id: int, protocol: Protocol) -> Iterator[tuple[Place, list[int]]]:
    """How many words the newest texts of each watched field have."""
    for stage in protocol.stages:
        paths = watched_paths(stage)
        given = newest_answers(desk, campaign_id, stage.name, MOST) if paths else []
        for path in paths:
            yield (stage.name, path), [word_count(text) for one in given for text in texts_at(one, path)]
