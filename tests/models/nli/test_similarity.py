"""ESIM as judge: reading texts once changes nothing, and nothing depends on what was read before."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from toy_nli import toy, untaught

from commonsight.build.matching.fakes import WordSimilarity
from commonsight.build.matching.narrow import NarrowSimilarity
from commonsight.build.matching.similarity_fit import Judged
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.models.features.reading import WordReading
from commonsight.models.features.vocabulary import Vocabularies, Vocabulary
from commonsight.models.nli.network import ABOUT, Inference, Trained, reads
from commonsight.models.nli.pairs import examples
from commonsight.models.nli.similarity import EsimSimilarity

TEXTS = list(dict.fromkeys(text for pair in toy(36) for text in (pair.premise, pair.hypothesis)))
PAIRS = [
    Pair(str(number), str(number), (), TaggedText.plain("?"), TaggedText.plain(text))
    for number, text in enumerate(TEXTS)
]
ROWS = np.arange(len(PAIRS), dtype=np.int64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untaught(tmp_path_factory.mktemp("models") / "nli")


def one_by_one(folder: Path, premises: list[str], hypotheses: list[str]) -> list[float]:
    """The chance of entailment of each pair, its texts read for it alone, as in training."""
    about = ABOUT.read(folder)
    network = Inference(about.size, reads("learned", about.words, about.dim).module()).eval()
    network.esim.load_state_dict(Trained(folder, torch.device("cpu")).esim.state_dict())
    reading = WordReading(Vocabularies(about.words, Vocabulary(())))
    found = []
    with torch.inference_mode():
        for premise, hypothesis in zip(premises, hypotheses, strict=True):
            (example,) = examples([Judged(premise, hypothesis, "neutral")])
            found.append(float(network(reading.batch([example])).logits.softmax(dim=1)[0, 0]))
    return found


def test_reading_texts_once_gives_what_reading_pairs_does(folder: Path) -> None:
    judge = EsimSimilarity(folder)
    matrix = judge.weigh(PAIRS).rows(ROWS)
    assert (matrix == matrix.T).all()
    assert (matrix.diagonal() == 1).all()
    places = [(one, other) for one in range(0, len(TEXTS), 6) for other in range(1, len(TEXTS), 5)]
    ones, others = ([TEXTS[place] for place in side] for side in zip(*places, strict=True))
    there, back = one_by_one(folder, ones, others), one_by_one(folder, others, ones)
    assert np.abs(np.subtract(there, back)).max() > 1e-3  # directions differ
    for (one, other), first, second in zip(places, there, back, strict=True):
        if one != other:
            assert matrix[one, other] == pytest.approx(max(first, second), abs=1e-5)
    assert judge.weigh(PAIRS).pairs(ROWS, ROWS[::-1]).tolist() == matrix[ROWS, ROWS[::-1]].tolist()


def test_all_ways_to_ask_agree(folder: Path) -> None:
    judge = EsimSimilarity(folder)
    whole = judge.weigh(PAIRS).rows(ROWS)
    everything = NarrowSimilarity(WordSimilarity(), judge, len(PAIRS))
    assert everything.weigh(PAIRS).rows(ROWS).tobytes() == whole.tobytes()
    nearly = NarrowSimilarity(WordSimilarity(), judge, len(PAIRS) - 1).weigh(PAIRS).rows(ROWS)
    np.testing.assert_allclose(nearly, whole, atol=1e-5)
    assert judge.score([], []).shape == (0,)
    assert judge.weigh(PAIRS[:1]).rows(ROWS[:1]).tolist() == [[1.0]]


def test_nothing_depends_on_what_was_asked_before_or_is_kept(folder: Path) -> None:
    fresh = EsimSimilarity(folder).weigh(PAIRS[10:]).rows(ROWS[:-10])
    used = EsimSimilarity(folder)
    used.weigh(PAIRS[:20])
    assert used.weigh(PAIRS[10:]).rows(ROWS[:-10]).tobytes() == fresh.tobytes()
    forgetful = EsimSimilarity(folder, kept=6000)  # some three texts
    assert forgetful.weigh(PAIRS[10:]).rows(ROWS[:-10]).tobytes() == fresh.tobytes()
    texts = forgetful._texts
    assert texts is not None
    assert 0 < texts._size <= 6000
    assert texts._size == sum(steps.nbytes for steps in texts._known.values())


def test_each_text_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = EsimSimilarity(folder)
    read: list[int] = []
    esim = judge._loaded().model.esim
    encode = esim.encode

    def counted(text: object) -> object:
        read.append(1)
        return encode(text)  # type: ignore[arg-type]

    monkeypatch.setattr(esim, "encode", counted)
    judge.weigh(PAIRS)
    judge.score(PAIRS[:5], PAIRS[5:10])
    assert len(read) == len(TEXTS)


def test_it_travels_as_a_name(folder: Path) -> None:
    judge = EsimSimilarity(folder)
    there = judge.score(PAIRS[:4], PAIRS[4:8])
    sent = pickle.dumps(judge)
    assert len(sent) < 2000
    again = pickle.loads(sent)
    assert again.name == judge.name
    assert judge.name.startswith("esim-similarity-1(nli@")
    assert str(folder) not in judge.name
    assert again.score(PAIRS[:4], PAIRS[4:8]).tobytes() == there.tobytes()


def test_what_is_no_model_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no model of inference here"):
        EsimSimilarity(tmp_path)
