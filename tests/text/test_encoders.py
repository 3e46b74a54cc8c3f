"""Encoders: rows of length 1, the same in every process, alike texts near each other, absence told."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from commonsight.errors import MissingExtra
from commonsight.text.encoders import Encoder, HashedEncoder, WordLlamaEncoder, default_encoder

TEXTS = (
    "A man is riding a horse.",
    "A man rides a brown horse.",
    "The stock market fell on Monday.",
    "",
    "  ",
    "Ünïcode 漢字 and 😀",
    "\ud800 half a pair",
    "why " * 500,
)


def _encoder(kind: str) -> Encoder:
    if kind == "hashed":
        return HashedEncoder()
    pytest.importorskip("safetensors")
    pytest.importorskip("tokenizers")
    try:
        return WordLlamaEncoder()
    except MissingExtra as missing:
        pytest.skip(str(missing))


KINDS = pytest.mark.parametrize("kind", ["hashed", "wordllama"])


@KINDS
def test_rows_have_length_one(kind: str) -> None:
    encoder = _encoder(kind)
    rows = encoder.encode(TEXTS)
    assert (rows.shape, rows.dtype) == ((len(TEXTS), encoder.dimension), np.float32)
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-5
    assert encoder.encode([]).shape == (0, encoder.dimension)


@KINDS
def test_alike_texts_are_nearer(kind: str) -> None:
    horse, brown, market, empty, blank, *_ = _encoder(kind).encode(TEXTS)
    assert horse @ brown > 0.4 > horse @ market
    assert np.array_equal(empty, blank)


@KINDS
def test_a_row_does_not_depend_on_the_texts_beside_it(kind: str) -> None:
    encoder = _encoder(kind)
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert together.tobytes() == alone.tobytes()


def test_meaning_is_known_to_static_embeddings() -> None:
    physician, doctor, rain = _encoder("wordllama").encode(["a physician", "a doctor", "rain"])
    assert physician @ doctor > physician @ rain + 0.2


_SCRIPT = """
import hashlib, sys
from commonsight.text.encoders import HashedEncoder, WordLlamaEncoder
encoder = HashedEncoder() if sys.argv[1] == "hashed" else WordLlamaEncoder()
rows = encoder.encode(["A man is riding a horse.", "why", "", "Ünïcode"])
print(hashlib.sha256(rows.tobytes()).hexdigest())
assert "wordllama" not in sys.modules and "torch" not in sys.modules
"""


@KINDS
def test_every_process_gives_the_same_bytes(kind: str) -> None:
    _encoder(kind)
    told = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT, kind],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_hashed_signs_never_change() -> None:
    row = HashedEncoder(8).encode(["horse"])[0]
    assert row.tolist() == pytest.approx([0.328, 0.14, -0.14, -0.328, 0.515, 0.328, 0.328, 0.515], abs=1e-3)


@pytest.mark.parametrize("dimension", [1, 7, 64, 1000])
def test_any_dimension_will_do(dimension: int) -> None:
    encoder = HashedEncoder(dimension)
    assert encoder.encode(["a", "b c"]).shape == (2, dimension)
    assert encoder.name == f"hashed-{dimension}"


def test_no_dimension_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one dimension, not 0"):
        HashedEncoder(0)


@pytest.mark.parametrize("absent", ["wordllama", "tokenizers", "safetensors.numpy"])
def test_without_the_package_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    if absent != "wordllama":
        _encoder("wordllama")
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(MissingExtra, match=r"is not installed.*commonsight\[nlp\]"):
        WordLlamaEncoder()
    assert default_encoder().name == "hashed-256"


def test_the_default_says_what_it_is() -> None:
    _encoder("wordllama")
    assert default_encoder().name.startswith("wordllama-0.")
