"""Language models by folder, and from nothing; what cannot write is told so."""

from __future__ import annotations

from pathlib import Path

import pytest
from making import WORDS, drawn, given_to, letters

from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue import find
from commonsight.models.language_models import bare, from_kept, from_nothing, from_place, refuse_longer
from commonsight.models.transformers_from import keep
from commonsight.models.untrained import Shape, untrained
from commonsight.models.untrained_vlm import untrained_lm
from commonsight.models.writing.style import Kind

TINY = Shape(2, 16, 2, 300, 256)


def saved(folder: Path, kind: Kind) -> Path:
    bare(kind, TINY, (letters().pad_token_id, letters().eos_token_id)).save_pretrained(folder)
    letters().save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["gpt2", "t5"])
def test_by_folder_kept_and_found_again(tmp_path: Path, kind: Kind) -> None:
    made = from_place(str(saved(tmp_path / "model", kind)), kind)
    assert made.name.startswith("model@")
    assert bool(made.model.config.is_encoder_decoder) == (kind == "t5")
    keep(tmp_path, made)
    again = from_kept(tmp_path)
    assert type(again.model) is type(made.model)
    assert {name: one.shape for name, one in again.model.state_dict().items()} == {
        name: one.shape for name, one in made.model.state_dict().items()
    }
    assert again.tokenizer.encode(" ".join(WORDS)) == made.tokenizer.encode(" ".join(WORDS))


def test_any_model_that_goes_on_will_do_and_padding_may_be_missing(tmp_path: Path) -> None:
    folder = untrained_lm(tmp_path, WORDS)
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        path = folder / file
        if path.is_file():
            path.write_text(path.read_text().replace('"pad_token": "<pad>",', ""))
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"eos_token_id": 2', '"eos_token_id": [2, 3]'))
    made = from_place(str(folder), "gpt2")
    assert made.model.config.eos_token_id == made.tokenizer.eos_token_id == 2
    assert made.tokenizer.pad_token_id in (made.tokenizer.eos_token_id, 0)


def test_one_that_does_not_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is a gpt2, no model that reads a text and writes another"):
        from_place(str(saved(tmp_path / "gpt2", "gpt2")), "t5")
    with pytest.raises(UsageError, match="this is a t5, no model that goes on with a text"):
        from_place(str(saved(tmp_path / "t5", "t5")), "gpt2")
    with pytest.raises(InputError, match="its tokenizer has no mark for a text's end"):
        from_place(str(untrained(tmp_path / "bert", WORDS, Shape(2, 16, 2, 300, 256))), "gpt2")
    with pytest.raises(InputError, match="what the language model was made like is missing"):
        from_kept(tmp_path)


def test_there_must_be_room_for_a_picture_a_question_and_an_answer(tmp_path: Path) -> None:
    folder = saved(tmp_path / "gpt2", "gpt2")
    made = from_place(str(folder), "gpt2")
    assert made.longest == (256 - 64) // 2
    refuse_longer(made, 96)
    with pytest.raises(UsageError, match="--longest 97: behind picture and question there is room for 96"):
        refuse_longer(made, 97)
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"n_positions": 256', '"n_positions": 128'))
    with pytest.raises(InputError, match="it reads 128 tokens, and picture, question and answer need 208"):
        from_place(str(folder), "gpt2")
    t5 = from_place(str(saved(tmp_path / "t5", "t5")), "t5")
    assert t5.longest == 192
    refuse_longer(t5, 10_000)


@pytest.mark.parametrize("name", ["clipcap", "gpv-2"])
def test_from_nothing_every_text_can_be_read(name: str) -> None:
    entry = find(name)
    assert entry.writes is not None
    made = from_nothing(given_to(entry, drawn(8)), (1, 16, 2), entry.writes.model)
    text = "Straße, 日本 ?!"
    assert made.tokenizer.decode(made.tokenizer.encode(text, add_special_tokens=False)) == text
    assert made.model.config.vocab_size == len(made.tokenizer)
