"""Networks are found by name, and each says what it is."""

from __future__ import annotations

import re

import pytest
from making import tiny_network
from msgspec import structs

from commonsight.errors import UsageError
from commonsight.models.assembly import parameters, sight_of, text_of
from commonsight.models.catalogue import ALL, find
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.describing import outlined, parameter_counts
from commonsight.models.networks.grounded_entries import GROUNDED
from commonsight.models.networks.knowledge_entries import KNOWING
from commonsight.models.networks.program_entries import PROGRAMMED
from commonsight.models.networks.r2c import R2C
from commonsight.models.writing.style import Decoding


def test_names_are_what_people_type_and_no_two_alike() -> None:
    names = [entry.name for entry in ALL]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert len({entry.title for entry in ALL}) == len(ALL)


def test_every_network_that_learns_says_whose_it_is() -> None:
    for entry in ALL:
        assert not entry.learns or re.search(r"\(\d{4}\)\. .+\. https://", entry.citation), entry.name
        assert not entry.note or entry.note.endswith("."), entry.name


@pytest.mark.parametrize("entry", ALL, ids=[entry.name for entry in ALL])
def test_each_is_found_by_its_name(entry: Entry) -> None:
    assert find(entry.name) is entry


def test_a_wrong_name_is_told_what_comes_close() -> None:
    with pytest.raises(UsageError, match=r"There is no network 'Mutn'\. Did you mean mutan\?"):
        find("Mutn")
    with pytest.raises(UsageError, match="Did you mean bert-response-only"):
        find("bert_response")
    with pytest.raises(UsageError, match=r"'zzzz'\. Choose one of chance, bert, .*mutan"):
        find("zzzz")


def test_networks_that_attend_to_pictures_see_what_their_papers_say() -> None:
    everything = {"mlb", "mutan", "vl-bert", "uniter", "ernie-vil", "ernie-vil-no-premise", "mac-objects"}
    everything |= {entry.name for entry in (*GROUNDED, *PROGRAMMED, *KNOWING)}
    everything |= {"biatt-objects", "biatt-pointer", "gpv-2", "nmn-grammar"}
    assert {entry.name for entry in ALL if entry.objects == "all"} == everything
    # "we pass this model object regions referenced by the query and response" (VCR, section 6.1)
    assert find("r2c").objects == find("bottom-up").objects == "mentioned"


def test_what_a_published_network_reads_must_be_said() -> None:
    asking = {entry.name for entry in ALL if not text_known(entry, entry.paper)}
    assert {"r2c", "r2c-glove", "bert", "esim", "lstm", "mlb"} <= asking
    assert all(text_known(entry, entry.small) for entry in ALL)
    with pytest.raises(UsageError, match=r"R2C as published reads a BERT\. Say .* --text bert:PLACE, or"):
        text_of(find("r2c"), find("r2c").paper)
    assert text_of(find("r2c-glove"), find("r2c-glove").small) == "glove"
    assert text_of(find("r2c"), find("r2c").small) == "learned"


def test_what_a_published_network_sees_by_must_be_said() -> None:
    with pytest.raises(UsageError, match=r"R2C as published sees by a ResNet\. .* resnet:PLACE, or"):
        sight_of(find("r2c"), find("r2c").paper)
    for name in ("vl-bert", "uniter", "ernie-vil"):
        for size in (find(name).paper, find(name).large):
            assert size is not None
            with pytest.raises(UsageError, match=r"sees by regions .* features:FILE_OR_FOLDER, or .* crops"):
                sight_of(find(name), size)
            with pytest.raises(UsageError, match=r"as published reads a BERT\. Say .* --text bert:PLACE, or"):
                text_of(find(name), size)
    assert sight_of(find("cmm"), find("cmm").paper) == "pixels"  # it learns to see from nothing
    assert sight_of(find("r2c-no-vision"), find("r2c-no-vision").paper) == "crops"  # of no matter


def test_every_published_network_that_sees_vectors_says_by_what() -> None:
    for entry in ALL:
        sizes = [entry.paper, *([] if entry.large is None else [entry.large])]
        longer = [size for size in sizes if entry.sees and size.regions > Size(entry.small.build).regions]
        assert all(size.sight for size in longer), entry.name
        for size in sizes if entry.sees else ():
            if ":" not in size.sight:
                continue
            with pytest.raises(UsageError, match=rf"Say where that is with --regions {size.sight}, or"):
                sight_of(entry, size)
        assert sight_of(entry, entry.small) in ("crops", "pixels")


def text_known(entry: Entry, size: Size) -> bool:
    try:
        return bool(text_of(entry, size))
    except UsageError:
        return False


@pytest.mark.parametrize("entry", KNOWING, ids=lambda entry: entry.name)
def test_specialised_networks_are_as_large_as_their_own_vocabulary_makes_them(entry: Entry) -> None:
    """2,133 answers (A-OKVQA, appendix D), where classifiers of its Table 3 have 10,424 (appendix B)."""
    counted = parameter_counts(entry)["paper"]
    assert counted == parameters(outlined(entry, entry.paper, 2_133))
    assert counted < parameters(outlined(entry, entry.paper, 4_550))


def test_classifiers_have_the_large_vocabulary() -> None:
    assert parameter_counts(find("clip-classifier"))["paper"] == (2 * 512 + 1) * 10_424


# What A-OKVQA, its authors' code (ClipCap) and the programs that it keeps to (appendix D) say.
PUBLISHED = {
    "clipcap": {"epochs": 10, "batch": 16, "rate": 2e-5, "decay": 0.0, "optimiser": "adamw"},
    "clipcap-transformer": {"epochs": 10, "batch": 16, "rate": 2e-5, "decay": 0.0, "optimiser": "adamw"},
    "gpv-2": {"epochs": 8, "batch": 60, "rate": 3e-4, "decay": 1e-4, "warm_up": 0.1, "optimiser": "adamw"},
    "pythia": {
        "batch": 512, "rate": 0.01, "clip": 0.25, "warm_up_steps": 1000, "steps": 22_000, "lower": 0.1,
        "lower_at": tuple(step / 22_000 for step in (15_000, 18_000, 20_000, 21_000)), "optimiser": "adamax",
    },
    "lxmert": {"epochs": 4, "batch": 32, "rate": 5e-5, "decay": 0.01, "warm_up": 0.1, "optimiser": "adamw"},
    "krisp": {"batch": 56, "rate": 5e-5, "warm_up_steps": 2000, "steps": 88_000, "optimiser": "adamw"},
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_networks_of_aokvqa_are_trained_with_published_numbers(name: str) -> None:
    recipe = find(name).paper.recipe
    assert {key: getattr(recipe, key) for key in PUBLISHED[name]} == PUBLISHED[name]


@pytest.mark.parametrize(
    ("name", "answer", "rationale"),
    [
        ("clipcap", Decoding(1, 67, 0.0), Decoding(5, 67, 1.0)),
        ("clipcap-transformer", Decoding(1, 67, 0.0), Decoding(5, 67, 1.0)),
        ("gpv-2", Decoding(20, 10, 0.0), Decoding(20, 67, 0.0)),
    ],
)
def test_texts_are_looked_for_as_published(name: str, answer: Decoding, rationale: Decoding) -> None:
    """ClipCap's beam of five by the mean over 67 tokens is as released; GPV-2's of 20 is of appendix D."""
    writes = find(name).writes
    assert writes is not None
    assert (writes.answer, writes.rationale) == (answer, rationale)


def test_the_released_r2c_drops_some_of_what_it_sees() -> None:
    def dropped(name: str) -> float:
        network = tiny_network(find(name))
        assert isinstance(network, R2C)
        assert network.objects is not None
        return network.objects.drop

    assert (dropped("r2c"), dropped("r2c-released")) == (0.0, 0.1)


def test_the_released_r2c_loses_its_patience() -> None:
    """What else differs from the released settings is told in docs/train.md."""
    released, paper = find("r2c-released").paper.recipe, find("r2c").paper.recipe
    assert (released.patience, paper.patience) == (3, None)
    assert structs.replace(released, patience=None) == paper
