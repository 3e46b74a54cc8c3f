"""SacreBLEU: the library's own score and signature, and intervals that keep pictures together."""

from __future__ import annotations

import math

import pytest
import sacrebleu

from commonsight.score.sacre_bleu import sacre_bleu

TEXTS = ["The dog sleeps on the warm couch.", "It rains, so they carry umbrellas.", "a cup"]
REFERENCES = [
    ["The dog sleeps on the couch.", "A dog is lying on a warm couch.", "Dogs like couches."],
    ["They carry umbrellas because it rains.", "It is raining."],
    ["There is a cup of tea.", "A cup stands there."],
]


def test_it_is_the_librarys_corpus_score_with_its_signature() -> None:
    streams = [[several[at] if at < len(several) else None for several in REFERENCES] for at in range(3)]
    metric = sacrebleu.BLEU()
    wanted = metric.corpus_score(TEXTS, streams)  # type: ignore[arg-type]
    found = sacre_bleu(TEXTS, REFERENCES)
    assert found.figure.value == pytest.approx(wanted.score / 100, abs=1e-12)
    assert found.signature == str(metric.get_signature())
    assert found.signature.startswith("nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.")
    assert found.figure.low is not None
    assert found.figure.high is not None
    assert found.figure.low <= wanted.score / 100 <= found.figure.high


def test_a_small_case_by_hand() -> None:
    # Against "a b c d f": 4 of 5 words, 3 of 4 pairs, 2 of 3 triples, 1 of 2 runs of four; as long.
    found = sacre_bleu(["a b c d e"], [["a b c d f"]])
    assert found.figure.value == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    # Shorter than its reference by one word of five: exp(1 - 5/4).
    short = sacre_bleu(["a b c d"], [["a b c d e"]])
    assert short.figure.value == pytest.approx(math.exp(1 - 5 / 4))


def test_one_is_all_and_nothing_is_none() -> None:
    assert sacre_bleu(["the dog sleeps here"], [["the dog sleeps here"]]).figure.value == pytest.approx(1)
    assert sacre_bleu(["", ""], [["a b c d"], ["e"]]).figure.value == 0
    with pytest.raises(ValueError, match="at least one text"):
        sacre_bleu([], [])


def test_copies_of_a_text_under_one_picture_make_it_no_surer() -> None:
    alone = sacre_bleu(TEXTS, REFERENCES, seed=3).figure
    copied = sacre_bleu(TEXTS * 5, REFERENCES * 5, [0, 1, 2] * 5, seed=3).figure
    assert copied.clusters == alone.clusters == 3
    assert copied.value == pytest.approx(alone.value)
    assert copied.low == pytest.approx(alone.low, abs=0.02)
    assert sacre_bleu(TEXTS, REFERENCES, seed=3).figure == alone
