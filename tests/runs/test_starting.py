"""Weights to begin with: found, told apart, and taken over, for every network there is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
import toy_pairs as toy
from msgspec import structs
from safetensors.torch import save_file

from commonsight.errors import InputError, UsageError
from commonsight.models import transformers_from
from commonsight.models.assembly import Assembled, assembled
from commonsight.models.blueprint import Blueprint, save_blueprint
from commonsight.models.catalogue import ALL, find
from commonsight.models.describing import answer_weights
from commonsight.models.engine.checkpoint import BEST
from commonsight.models.eyes import default_way
from commonsight.models.features.vocabulary import vocabularies
from commonsight.models.untrained import Shape, untrained
from commonsight.runs.starting import Start, beginning, hidden, start, starts, ways

EXAMPLES = toy.drawn(6)
KNOWN = structs.replace(vocabularies(EXAMPLES), answers=("yes", "no"))
LEARNING = [entry.name for entry in ALL if entry.learns]


def _built(network: str, seed: int) -> Assembled:
    entry = find(network)
    text = entry.small.text if entry.reads == "wholes" else "learned"
    return assembled(
        Blueprint(network, "small", text, default_way(entry), KNOWN), seed=seed, examples=EXAMPLES
    )


def _kept(network: str, folder: Path, *, seed: int = 1) -> Assembled:
    """A network's folder as `train` leaves it."""
    built = _built(network, seed)
    folder.mkdir(parents=True)
    save_file({name: each.clone() for name, each in built.network.state_dict().items()}, folder / BEST)
    if built.transformer is not None:
        transformers_from.keep(folder, built.transformer)
    save_blueprint(folder, structs.replace(built.blueprint, names=built.names))
    return built


@pytest.mark.parametrize("network", LEARNING)
def test_every_network_begins_with_its_own(network: str, tmp_path: Path) -> None:
    before = _kept(network, tmp_path / "kept")
    begun = start(tmp_path / "kept", "any")
    assert begun.own is not None
    others = toy.drawn(9, seed=5)  # of other words and labels than those that the weights are of
    known = begun.known(vocabularies(others))
    assert known == KNOWN
    read = ways(find(network), "small", begun, text=None, regions=None)
    now = beginning(begun, Blueprint(network, "small", *read, known), seed=7, examples=others)
    taken = begun.take(now)
    assert taken.misfits == taken.missing == taken.unused == taken.partly == ()
    for name, weight in before.network.state_dict().items():
        assert torch.equal(now.network.state_dict()[name], weight), name
    if now.transformer is not None and before.transformer is not None:
        assert now.transformer.tokenizer.get_vocab() == before.transformer.tokenizer.get_vocab()
        assert now.names == before.names  # where it came from at first, not where it was kept


def test_the_weights_of_a_task_are_found(tmp_path: Path) -> None:
    for task, seed in (("q2a", 1), ("qa2r", 2)):
        _kept("lstm", tmp_path / "both" / task, seed=seed)
    found = starts(str(tmp_path / "both"), ("q2a", "qa2r"))
    assert {name: one.folder for name, one in found.items()} == {
        name: tmp_path / "both" / name for name in ("q2a", "qa2r")
    }
    assert found["q2a"].digest != found["qa2r"].digest
    assert starts(None, ("q2a",)) == {}
    with pytest.raises(UsageError, match=r"holds networks for q2a, qa2r, and none for action\. Give the fol"):
        start(tmp_path / "both", "action")
    shutil.rmtree(tmp_path / "both" / "qa2r")
    only = start(tmp_path / "both", "action")
    assert only.folder == tmp_path / "both" / "q2a"
    for same in (tmp_path / "both" / "q2a", tmp_path / "both" / "q2a" / BEST):
        assert start(same, "action") == only
    before = only.digest
    shutil.move(tmp_path / "both", tmp_path / "moved")
    assert start(tmp_path / "moved", "action").digest == before


def test_what_was_tampered_with_is_told(tmp_path: Path) -> None:
    built = _kept("lstm", tmp_path / "kept")
    some = dict(list(built.network.state_dict().items())[1:])
    save_file({name: each.clone() for name, each in some.items()}, tmp_path / "kept" / BEST)
    with pytest.raises(InputError, match=r"not of the network that its folder tells of \(.* is missing\)"):
        start(tmp_path / "kept", "any").take(built)


def test_a_released_folder_in_one_file_or_several(tmp_path: Path) -> None:
    folder = untrained(tmp_path / "bert", ["a red cup on the table"], Shape(2, 32, 2, 300, 64))
    whole = start(folder, "any")
    assert whole == Start((folder / "model.safetensors",), folder)
    text = ways(find("uniter"), "small", whole, text=None, regions=None).text
    assert text == f"bert:{folder.resolve()}"  # the tokenizer comes along
    built = assembled(Blueprint("uniter", "small", text, "crops", KNOWN), seed=0, examples=EXAMPLES)
    taken = whole.take(built)
    assert taken.loaded
    weights = {name: each.clone() for name, each in built.network.state_dict().items()}
    parts = tmp_path / "parts"
    parts.mkdir()
    for number, half in enumerate((list(weights)[::2], list(weights)[1::2]), start=1):
        save_file({name: weights[name] + 1 for name in half}, parts / f"model-{number}-of-2.safetensors")
    several = start(parts, "any")
    assert len(several.files) == 2
    assert several.digest not in (whole.digest, start(several.files[0], "any").digest)
    assert len(several.take(built).loaded) == len(weights)
    assert all(torch.equal(built.network.state_dict()[name], weights[name] + 1) for name in weights)


def test_a_plain_bert_begins_a_network_that_reads_alone(tmp_path: Path) -> None:
    folder = untrained(tmp_path / "bert", ["a red cup"], Shape(2, 32, 2, 300, 64), seed=3)
    built = assembled(
        Blueprint("bert", "small", f"bert:{folder}", "crops", KNOWN), seed=0, examples=EXAMPLES
    )
    for weight in built.network.parameters():
        weight.data.zero_()
    taken = start(folder, "any").take(built)
    assert taken.missing == ("score.weight",)
    assert built.network.get_parameter("transformer.embeddings.word_embeddings.weight").any()


def test_what_holds_no_weights_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        start(tmp_path / "nowhere", "any")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"there are no weights in this folder\. Give a folder of"):
        start(empty, "any")
    (empty / "pytorch_model.bin").write_bytes(b"\x80\x02.")
    with pytest.raises(InputError, match=r"only \.safetensors is read, because .* run a program"):
        start(empty, "any")
    with pytest.raises(InputError, match=r"only \.safetensors is read"):
        start(empty / "pytorch_model.bin", "any")
    for name in "ab":
        save_file({"x": torch.ones(1)}, empty / f"{name}.safetensors")
    with pytest.raises(UsageError, match=r"holds several files of weights\. Name one, such as .*a\.safe"):
        start(empty, "any")
    _kept("lstm", tmp_path / "begun")
    (tmp_path / "begun" / BEST).unlink()
    with pytest.raises(InputError, match=r"there are no weights here yet \(no best\.safetensors\)"):
        start(tmp_path / "begun", "any")


def test_how_it_reads_and_sees_must_go_with_the_weights(tmp_path: Path) -> None:
    _kept("uniter", tmp_path / "uniter")
    begun = start(tmp_path / "uniter", "any")
    entry = find("uniter")
    assert ways(entry, "small", None, text=None, regions=None) == ("learned", "crops")
    assert ways(entry, "small", begun, text="learned", regions="efficientnet") == ("learned", "efficientnet")
    with pytest.raises(UsageError, match=r"holds uniter, and this is vl-bert\. Give weights of the same"):
        ways(find("vl-bert"), "small", begun, text=None, regions=None)
    with pytest.raises(UsageError, match=r"holds a network of size small\. Say --size small\."):
        ways(entry, "paper", begun, text=None, regions=None)
    with pytest.raises(UsageError, match=r"brings its tokenizer along, .* Leave --text out\."):
        ways(entry, "small", begun, text="bert:bert-base-cased", regions=None)
    save_file({"x": torch.ones(1)}, tmp_path / "released.safetensors")
    released = start(tmp_path / "released.safetensors", "any")
    with pytest.raises(UsageError, match=r"know sub-words by the numbers .* Say with --text bert:PLACE"):
        ways(entry, "small", released, text="learned", regions=None)
    assert ways(entry, "small", released, text="bert:x", regions=None) == ("bert:x", "crops")
    with pytest.raises(UsageError, match=r"LSTM .* knows words by numbers, and nothing here tells which"):
        ways(find("lstm"), "small", released, text="glove", regions=None)


def test_a_hidden_layer_must_be_that_of_the_weights(tmp_path: Path) -> None:
    entry = find("clip-classifier")
    assert hidden(entry, None, None) is None
    assert hidden(entry, None, 5) == 5
    built = _kept("clip-classifier", tmp_path / "plain")
    with pytest.raises(UsageError, match=r"--hidden 5: of hidden layers .* has none\. Leave it out\."):
        hidden(entry, start(tmp_path / "plain", "any"), 5)
    wide = Start((), tmp_path, structs.replace(built.blueprint, hidden=5))
    assert hidden(entry, wide, None) == hidden(entry, wide, 5) == 5
    with pytest.raises(UsageError, match=r"--hidden 6: of hidden layers .* has one of 5 units"):
        hidden(entry, wide, 6)


def test_a_published_size_says_what_it_would_do_without_pretrained_weights(tmp_path: Path) -> None:
    """It would learn BERT-Base from nothing, and see crops, without a word."""
    entry = find("uniter")
    with pytest.raises(UsageError, match=r"UNITER as published reads a BERT\. .* such as --text learned"):
        ways(entry, "paper", None, text=None, regions="seen:x")
    with pytest.raises(UsageError, match=r"UNITER as published sees by .* such as --regions crops, which"):
        ways(entry, "paper", None, text="bert:x", regions=None)
    save_file({"x": torch.ones(1)}, tmp_path / "released.safetensors")
    released = start(tmp_path / "released.safetensors", "any")
    with pytest.raises(UsageError, match=r"Say where that is with --regions features:FILE_OR_FOLDER"):
        ways(entry, "paper", released, text="bert:x", regions=None)
    assert ways(entry, "paper", None, text="learned", regions="crops") == ("learned", "crops")


def test_what_was_pre_trained_with_premises_is_begun_with_without_them(tmp_path: Path) -> None:
    before = _kept("ernie-vil", tmp_path / "kept").network.state_dict()
    begun, entry = start(tmp_path / "kept", "any"), find("ernie-vil-no-premise")
    read = ways(entry, "small", begun, text=None, regions=None)
    now = beginning(begun, Blueprint(entry.name, "small", *read, KNOWN), seed=7, examples=EXAMPLES)
    taken = begun.take(now)
    assert taken.missing == taken.misfits == taken.unused == ()
    assert all(torch.equal(weight, before[name]) for name, weight in now.network.state_dict().items())


def test_a_network_that_is_like_another_takes_over_what_fits(tmp_path: Path) -> None:
    """What scores choices has no answers to name: those are found in the data, and learned from nothing."""
    before = _kept("ernie-vil", tmp_path / "kept")
    begun = start(tmp_path / "kept", "any")
    assert begun.own is not None
    unnamed = structs.replace(begun.own, known=structs.replace(begun.own.known, answers=()))
    begun = Start(begun.files, begun.folder, unnamed)
    known = begun.known(structs.replace(KNOWN, answers=("red", "cup", "dog")))
    assert known.answers == ("red", "cup", "dog")
    read = ways(find("vilbert-att"), "small", begun, text=None, regions=None)
    now = beginning(begun, Blueprint("vilbert-att", "small", *read, known), seed=7, examples=EXAMPLES)
    taken = begun.take(now)
    assert taken.unused == ("head.weight",)
    assert taken.misfits == taken.partly == ()
    assert {name.split(".")[0] for name in taken.missing} == {"look", "see", "answer"}
    layer = "connections.0.text.attention.query.weight"
    assert torch.equal(now.network.state_dict()[layer], before.network.state_dict()[layer])


@pytest.mark.parametrize("network", ["vilbert", "vilbert-named", "pythia", "lxmert", "krisp", "text-only"])
@pytest.mark.parametrize("answers", [("red", "cup", "dog"), ("red", "cup")], ids=["more", "as many"])
def test_for_other_answers_all_but_their_layer_is_taken_over(
    network: str, answers: tuple[str, ...], tmp_path: Path
) -> None:
    before = _kept(network, tmp_path / "kept").network.state_dict()
    begun, entry = start(tmp_path / "kept", "any"), find(network)
    known = begun.known(structs.replace(KNOWN, answers=answers))
    assert known == structs.replace(KNOWN, answers=answers)
    read = ways(entry, "small", begun, text=None, regions=None)
    now = beginning(begun, Blueprint(network, "small", *read, known), seed=7, examples=EXAMPLES)
    fresh = {name: weight.clone() for name, weight in now.network.state_dict().items()}
    taken = begun.take(now)
    assert taken.missing == taken.misfits == taken.unused == taken.partly == ()
    assert set(taken.anew) == answer_weights(entry, entry.small)
    assert f"{len(taken.anew)} begun anew, for other answers" in str(taken)
    for name, weight in now.network.state_dict().items():
        assert torch.equal(weight, fresh[name] if name in taken.anew else before[name]), name


def test_the_same_answers_in_another_order_are_those_of_the_weights(tmp_path: Path) -> None:
    _kept("question-only", tmp_path / "kept")
    begun = start(tmp_path / "kept", "any")
    turned = structs.replace(KNOWN, answers=("no", "yes"), counts=(1, 2))
    assert begun.known(turned) == structs.replace(KNOWN, answers=("yes", "no"), counts=(2, 1))


def test_weights_of_an_unlike_network_are_refused(tmp_path: Path) -> None:
    _kept("uniter", tmp_path / "kept")
    message = "holds uniter, and this is vilbert-named. Give weights of the same network, or of ernie-vil"
    with pytest.raises(UsageError, match=message):
        ways(find("vilbert-named"), "small", start(tmp_path / "kept", "any"), text=None, regions=None)


def test_one_network_goes_on_where_another_ends(tmp_path: Path) -> None:
    before = _kept("n2nmn-cloning", tmp_path / "cloned").network.state_dict()
    begun, entry = start(tmp_path / "cloned", "any"), find("n2nmn-tune")
    read = ways(entry, "small", begun, text=None, regions=None)
    now = beginning(begun, Blueprint(entry.name, "small", *read, KNOWN), seed=7, examples=EXAMPLES)
    taken = begun.take(now)
    assert taken.missing == ("expected.weight", "expected.bias")
    assert taken.misfits == taken.unused == ()
    assert all(torch.equal(now.network.state_dict()[name], weight) for name, weight in before.items())


def test_a_network_that_goes_on_must_be_given_what_to_begin_with(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"N2NMN-Tune begins with what n2nmn-cloning has learned\. .* --weights"
    ):
        ways(find("n2nmn-tune"), "small", None, text=None, regions=None)
    _kept("n2nmn-rl", tmp_path / "searched")
    with pytest.raises(UsageError, match=r"Give weights of the same network, or of n2nmn-cloning\."):
        ways(find("n2nmn-tune"), "small", start(tmp_path / "searched", "any"), text=None, regions=None)
