"""Local models: pictures matter, batches change nothing, weights of choices are exact, faults are told.

The models are made here, tiny and random, and saved and loaded as any other. Llava, Idefics 3 and Gemma 3 see
pictures in three different ways, and their processors need Pillow alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from PIL import Image, ImageDraw

from commonsight.errors import AnswererUnusable, RequestRefused
from commonsight.models.local_vlm import choices
from commonsight.models.local_vlm.chat import PLAIN_NOTE, Chat
from commonsight.models.local_vlm.choices import SHARED_NOTE
from commonsight.models.local_vlm.loading import find, load
from commonsight.models.local_vlm.model import LocalVlm
from commonsight.models.local_vlm.spelling import Spelling
from commonsight.models.local_vlm.values import Message, Prompted, Written
from commonsight.models.sources import place
from commonsight.models.untrained_vlm import TEMPLATE, Sizes, byte_tokenizer, untrained_lm, untrained_vlm

TEXTS = ["What is the person doing? A. running B. sitting C. reading D. sleeping True False"] * 4
LETTERS = ("A", "B", "C", "D")
DOING = ("running", "sitting on a wooden chair", "reading", "sleeping in the sun, and dreaming of ships")
Maker = Callable[[Path], Path]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def picture(colour: str, size: tuple[int, int] = (40, 30)) -> Image.Image:
    made = Image.new("RGB", size, colour)
    ImageDraw.Draw(made).rectangle((4, 4, 20, 12), fill="white")
    return made


RED, BLUE = picture("red"), picture("blue", (30, 64))


def prompted(*parts: str | Image.Image, **options: Any) -> Prompted:
    return Prompted((Message("user", parts),), **{"most_tokens": 8, **options})


def llava(folder: Path) -> Path:
    return untrained_vlm(folder, TEXTS)


def _text_sizes(words: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(words), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 512,
        "initializer_range": 0.3, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    }  # fmt: skip


_EYE: dict[str, Any] = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
    "image_size": 32, "patch_size": 8, "initializer_range": 0.3,
}  # fmt: skip


def idefics3(folder: Path) -> Path:
    """Cuts a picture into pieces."""
    words = byte_tokenizer(TEXTS, Sizes(), TEMPLATE)
    words.add_special_tokens(
        {"additional_special_tokens": ["<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]}
    )
    config = transformers.Idefics3Config(
        vision_config=transformers.Idefics3VisionConfig(**_EYE),
        text_config=transformers.LlamaConfig(**_text_sizes(words)),
        image_token_id=words.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=0,
    )
    eye = transformers.Idefics3ImageProcessorPil(
        size={"longest_edge": 64}, max_image_size={"longest_edge": 32}
    )
    torch.manual_seed(0)
    transformers.Idefics3ForConditionalGeneration(config).save_pretrained(folder)
    processor = transformers.Idefics3Processor(eye, words, image_seq_len=4, chat_template=TEMPLATE)
    processor.save_pretrained(folder)
    return folder


def gemma3(folder: Path) -> Path:
    """Sees all of a picture from every part of it, and forgets what is far back in every other layer."""
    words = byte_tokenizer(TEXTS, Sizes(), TEMPLATE)
    marks = {"image_token": "<image>", "boi_token": "<boi>", "eoi_token": "<eoi>"}
    words.add_special_tokens({"additional_special_tokens": ["<boi>", "<eoi>"]})
    words = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words.backend_tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
        extra_special_tokens=marks,
    )  # fmt: skip
    config = transformers.Gemma3Config(
        vision_config=transformers.SiglipVisionConfig(**_EYE),
        text_config=transformers.Gemma3TextConfig(**_text_sizes(words), head_dim=16, sliding_window=16),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        boi_token_index=words.convert_tokens_to_ids("<boi>"),
        eoi_token_index=words.convert_tokens_to_ids("<eoi>"),
        mm_tokens_per_image=4,
    )
    eye = transformers.Gemma3ImageProcessorPil(size={"height": 32, "width": 32})
    torch.manual_seed(0)
    network = transformers.Gemma3ForConditionalGeneration(config)
    # it begins as zeros, so that a model that has learned nothing would see nothing
    torch.nn.init.normal_(network.model.multi_modal_projector.mm_input_projection_weight, std=0.3)
    network.save_pretrained(folder)
    template = TEMPLATE.replace("<image>", "<boi>")
    processor = transformers.Gemma3Processor(eye, words, chat_template=template, image_seq_length=4)
    processor.save_pretrained(folder)
    return folder


MAKERS: tuple[Maker, ...] = (llava, idefics3, gemma3)


@pytest.fixture(scope="module", params=MAKERS, ids=lambda maker: maker.__name__)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = request.param(tmp_path_factory.mktemp("models") / "tiny")
    return made


@pytest.fixture(scope="module")
def model(folder: Path) -> LocalVlm:
    return LocalVlm.load(find(str(folder)), device="cpu")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llava(tmp_path_factory.mktemp("models") / "plain")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> LocalVlm:
    """A language model."""
    made = untrained_lm(tmp_path_factory.mktemp("models") / "reader", TEXTS)
    return LocalVlm.load(find(str(made)), device="cpu")


def written(outcome: object) -> Written:
    assert isinstance(outcome, Written), outcome
    return outcome


def one(model: LocalVlm, asked: Prompted) -> Written:
    return written(model.write([asked])[0])


def slowly(folder: Path, parts: tuple[str | Image.Image, ...], texts: tuple[str, ...]) -> list[float]:
    """The log-probability of each text, by the library alone: one reading each, no padding, no cache."""
    processor = transformers.AutoProcessor.from_pretrained(folder)
    network = transformers.AutoModelForImageTextToText.from_pretrained(folder).eval()
    content = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"} for part in parts
    ]
    talk = [{"role": "user", "content": content}]
    prompt = processor.apply_chat_template(talk, add_generation_prompt=True, tokenize=False)
    images = [[part for part in parts if not isinstance(part, str)]]
    found = []
    for text in texts:
        given = {"images": images} if images[0] else {}
        whole = processor(text=[prompt + text], return_tensors="pt", add_special_tokens=False, **given)
        count = len(processor.tokenizer(text, add_special_tokens=False)["input_ids"])
        with torch.no_grad():
            logs = torch.log_softmax(network(**whole).logits[0].double(), dim=-1)
        ids = whole["input_ids"][0]
        found.append(sum(float(logs[at - 1, ids[at]]) for at in range(len(ids) - count, len(ids))))
    return found


@pytest.mark.parametrize(
    "parts", [(RED, "What?"), (RED, BLUE, "Both?"), ("Nothing to see",)], ids=["one", "two", "none"]
)
def test_choices_weigh_what_the_slow_way_finds(
    folder: Path, model: LocalVlm, parts: tuple[str | Image.Image, ...]
) -> None:
    asked = (Message("user", parts),)
    first, again = (model.weigh(asked, DOING) for _ in range(2))
    slow = slowly(folder, parts, DOING)
    assert first.log_chances == pytest.approx(slow, abs=1e-4)
    assert again.log_chances == pytest.approx(slow, abs=1e-4)
    means = [log / count for log, count in zip(slow, first.tokens, strict=True)]
    assert first.means == pytest.approx(means, abs=1e-4)
    assert len(set(first.tokens)) > 1


def test_the_memory_of_the_prompt_is_shared(model: LocalVlm) -> None:
    model.weigh((Message("user", (RED, "What?")),), DOING)
    assert model._weigher.shares is True
    assert model.notes == ()


def test_a_batch_writes_what_each_alone_would(model: LocalVlm) -> None:
    asked = [
        prompted(RED, "What?", candidates=LETTERS),
        prompted(BLUE, "What is the person doing? Running, or reading?", candidates=("True", "False")),
        prompted(RED, BLUE, "Both?"),
        prompted("Nothing to see", most_tokens=3),
        prompted(BLUE, "Chance", temperature=1.0, seed=5),
        prompted(RED, "Short", most_tokens=2, candidates=LETTERS),
    ]
    together = [written(outcome) for outcome in model.write(asked)]
    alone = [one(model, row) for row in asked]
    for these, those in zip(together, alone, strict=True):
        assert these._replace(chances=None) == those._replace(chances=None)
        assert (these.chances is None) == (those.chances is None)
        assert these.chances is None or these.chances == pytest.approx(those.chances, abs=1e-4)
    assert [row.output_tokens for row in together if row.cut] == [
        min(row.most_tokens, 8) for row, reply in zip(asked, together, strict=True) if reply.cut
    ]


def test_the_picture_matters(model: LocalVlm) -> None:
    red, same, blue, none = (
        model.weigh((Message("user", (*shown, "What?")),), DOING).log_chances
        for shown in ((RED,), (picture("red"),), (BLUE,), ())
    )
    assert red == pytest.approx(same, abs=1e-4)  # the last bits depend on where numbers lie in memory
    assert max(abs(a - b) for a, b in zip(red, blue, strict=True)) > 0.01
    assert max(abs(a - b) for a, b in zip(red, none, strict=True)) > 0.01
    swapped = [
        model.weigh((Message("user", (*shown, "What?")),), DOING).log_chances
        for shown in ((RED, BLUE), (BLUE, RED))
    ]
    assert max(abs(a - b) for a, b in zip(*swapped, strict=True)) > 0.01


def test_the_same_folder_gives_the_same_model_and_replies(folder: Path, model: LocalVlm) -> None:
    again = LocalVlm.load(find(str(folder)), device="cpu")
    asked = [prompted(RED, "What?", candidates=LETTERS), prompted(RED, "?", temperature=2.0, seed=1)]
    assert again.write(asked) == model.write(asked)
    assert again.name == model.name


def test_the_same_seed_makes_the_same_model(tmp_path: Path, plain: Path) -> None:
    assert place(str(llava(tmp_path / "plain"))).named(None) == place(str(plain)).named(None)
    other = untrained_vlm(tmp_path / "b" / "plain", TEXTS, seed=1)
    assert place(str(other)).named(None) != place(str(plain)).named(None)


@pytest.fixture(scope="module")
def tiny(plain: Path) -> LocalVlm:
    return LocalVlm.load(find(str(plain)), device="cpu")


def first_distribution(folder: Path, *parts: str | Image.Image) -> tuple[Any, Any]:
    """Every token's probability to come first, by the library alone; and the tokenizer."""
    processor = transformers.AutoProcessor.from_pretrained(folder)
    network = transformers.AutoModelForImageTextToText.from_pretrained(folder).eval()
    content = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"} for part in parts
    ]
    prompt = processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
    )
    images = [part for part in parts if not isinstance(part, str)]
    inputs = processor(text=[prompt], images=[images], return_tensors="pt", add_special_tokens=False)
    with torch.no_grad():
        return torch.softmax(network(**inputs).logits[0, -1].double(), dim=-1), processor.tokenizer


def test_chances_are_those_of_the_tokens_that_spell_a_candidate(plain: Path, tiny: LocalVlm) -> None:
    chances = one(tiny, prompted(RED, "What?", candidates=LETTERS)).chances
    probabilities, words = first_distribution(plain, RED, "What?")
    vocabulary = words.get_vocab()
    spelt = [[piece for piece in (letter, f"Ġ{letter}") if piece in vocabulary] for letter in LETTERS]
    masses = [sum(float(probabilities[vocabulary[piece]]) for piece in pieces) for pieces in spelt]
    assert "ĠB" in vocabulary  # else "B" and " B" would not be two tokens here
    assert chances == pytest.approx([mass / sum(masses) for mass in masses], abs=1e-5)


def test_candidates_of_several_tokens_are_weighed_as_wholes(plain: Path, tiny: LocalVlm) -> None:
    assert tiny._spelling.of(("chair", "ships")) is None
    chances = one(tiny, prompted(RED, "What?", candidates=("chair", "ships"))).chances
    weights = [math.exp(log) for log in slowly(plain, (RED, "What?"), ("chair", "ships"))]
    assert chances == pytest.approx([weight / sum(weights) for weight in weights], abs=1e-4)


def test_one_token_never_counts_for_two_candidates() -> None:
    words = byte_tokenizer(TEXTS, Sizes(), None)
    assert Spelling(words).of(("A", " A ")) is None
    found = Spelling(words).of(LETTERS)
    assert found is not None
    assert [{words.decode([token]).strip() for token in ids} for ids in found] == [{"A"}, {"B"}, {"C"}, {"D"}]


def test_greedy_replies_are_the_librarys_own(plain: Path, tiny: LocalVlm) -> None:
    reply = one(tiny, prompted(RED, "What?", most_tokens=12))
    probabilities, words = first_distribution(plain, RED, "What?")
    first = words.decode([int(probabilities.argmax())])
    assert reply.text.startswith(first)
    assert (reply.output_tokens, reply.cut) == (12, True)


def test_draws_follow_the_temperature(plain: Path, tiny: LocalVlm) -> None:
    probabilities, words = first_distribution(plain, RED, "What?")
    asked = [prompted(RED, "What?", most_tokens=1, temperature=1.0, seed=seed) for seed in range(400)]
    texts = [written(outcome).text for outcome in tiny.write(asked)]
    chances: dict[str, float] = {}  # by text: single bytes are many tokens and all read as one sign
    for token, probability in enumerate(probabilities.tolist()):
        said = words.decode([token], skip_special_tokens=True)
        chances[said] = chances.get(said, 0.0) + probability
    for said in sorted(chances, key=lambda one: -chances[one])[:5]:
        share, chance = texts.count(said) / len(texts), chances[said]
        assert abs(share - chance) < 4 * math.sqrt(chance * (1 - chance) / len(texts))
    assert len(set(texts)) > 5
    cold = [prompted(RED, "What?", most_tokens=1, temperature=1e-4, seed=seed) for seed in range(20)]
    assert {written(outcome).text for outcome in tiny.write(cold)} == {
        words.decode([int(probabilities.argmax())])
    }


def test_a_reply_ends_at_its_stop_text_and_at_the_end_token(plain: Path, tiny: LocalVlm) -> None:
    whole = one(tiny, prompted(RED, "What?", most_tokens=12))
    stop = whole.text[2:4]
    cut = one(tiny, prompted(RED, "What?", most_tokens=12, stop=(stop,)))
    assert cut.text == whole.text[: whole.text.index(stop)]
    assert not cut.cut
    assert cut.output_tokens < whole.output_tokens
    network = load(find(str(plain)), device="cpu")
    inputs = tiny._read(prompted(RED, "What?").messages, continued=False).inputs
    second = int(network.model.generate(**inputs, max_new_tokens=2)[0, -1])
    network.model.generation_config.eos_token_id = [second]
    ended = one(LocalVlm(network, "tiny", sees=True), prompted(RED, "What?", most_tokens=12))
    assert (ended.cut, ended.output_tokens) == (False, 2)


def test_a_reply_that_nobody_wants_any_more_ends(tiny: LocalVlm) -> None:
    asked = [prompted(RED, "What?", most_tokens=30), prompted(BLUE, "What?", most_tokens=30)]
    outcomes = [written(outcome) for outcome in tiny.write(asked, lambda row: row == 1)]
    assert [outcome.output_tokens for outcome in outcomes] == [1, 30]


def test_a_language_model_is_asked_without_pictures(reader: LocalVlm) -> None:
    assert not reader.sees
    reply = one(reader, prompted("What is it?", candidates=LETTERS))
    assert reply.chances is not None
    assert sum(reply.chances) == pytest.approx(1)
    assert reader.weigh((Message("user", ("What?",)),), DOING).log_chances[0] < 0
    for asking in (
        lambda: reader.write([prompted(RED, "What?")]),
        lambda: reader.weigh((Message("user", (RED, "What?")),), DOING),
    ):
        with pytest.raises(AnswererUnusable, match=r"no pictures. Ask it without them \(--blind none\)"):
            asking()


def test_without_a_template_questions_are_put_plainly_and_a_note_says_so(tmp_path: Path) -> None:
    made = untrained_vlm(tmp_path / "bare", TEXTS, template=None)
    bare = LocalVlm.load(find(str(made)), device="cpu")
    assert bare.notes == (PLAIN_NOTE,)
    assert one(bare, prompted(RED, BLUE, "What?")).output_tokens > 0
    talk = (
        Message("system", ("Be brief.",)),
        Message("user", (RED, "First?")),
        Message("assistant", ("A",)),
        Message("user", (BLUE, "Second?")),
    )
    said = bare._chat.text(talk)
    assert said == "Be brief.\n\n<image>First?\nAnswer: A\n\n<image>Second?\nAnswer:"
    after = bare._tokenizer(" B", add_special_tokens=False)["input_ids"]
    assert bare._chat.continuations(said, ["B"]) == (0, [after])


def test_a_template_that_knows_no_system_hears_it_from_the_user(tiny: LocalVlm) -> None:
    strict = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no') }}{% endif %}" + TEMPLATE
    chat = Chat(tiny._chat._processor, tiny._tokenizer, sees=True)
    chat._template = strict
    said = chat.text((Message("system", ("Be brief.",)), Message("user", (RED, "What?"))))
    assert said == "<s>user: Be brief.<image>What?\nassistant:\n"
    broken = Chat(tiny._chat._processor, tiny._tokenizer, sees=True)
    broken._template = "{{ raise_exception('nothing pleases me') }}"
    with pytest.raises(RequestRefused, match="template does not take this: nothing pleases me"):
        broken.text((Message("user", ("What?",)),))


def test_one_opening_token_is_enough(tiny: LocalVlm) -> None:
    text = tiny._chat.text((Message("user", ("What?",)),))
    ids = tiny._chat.inputs([text], [(Message("user", ("What?",)),)])["input_ids"][0].tolist()
    assert ids.count(tiny._tokenizer.bos_token_id) == 1


def test_what_is_too_long_is_refused_and_the_rest_of_its_batch_is_not(tiny: LocalVlm) -> None:
    long, short = prompted(RED, "word " * 600), prompted(RED, "What?")
    refused, reply = tiny.write([long, short])
    assert isinstance(refused, RequestRefused)
    assert "the model reads at most 512" in str(refused)
    assert written(reply) == one(tiny, short)
    with pytest.raises(RequestRefused, match="reads at most 512"):
        tiny.weigh(long.messages, DOING)
    near = one(tiny, prompted("w" * 480, most_tokens=100))
    assert near.input_tokens + near.output_tokens <= 512


def test_where_memory_is_short_a_batch_is_halved(tiny: LocalVlm, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [prompted(RED, f"What {number}?") for number in range(5)]
    expected = [one(tiny, row) for row in asked]
    generate, sizes = tiny._model.generate, []

    def small(**inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError("out of memory")
        return generate(**inputs)

    monkeypatch.setattr(tiny._model, "generate", small)
    assert tiny.write(asked) == expected
    assert sizes == [5, 2, 3, 1, 2]


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (torch.OutOfMemoryError("CUDA out of memory"), "memory of cpu does not .* 28 tokens with 1 pic"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), "memory of cpu does not suffice"),
        (RuntimeError("shapes differ\nmore"), "model failed on this question: RuntimeError: shapes differ$"),
    ],
)
def test_one_question_that_cannot_be_computed_is_refused(
    tiny: LocalVlm, monkeypatch: pytest.MonkeyPatch, fault: Exception, says: str
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise fault

    monkeypatch.setattr(tiny._model, "generate", fail)
    (refused,) = tiny.write([prompted(RED, "What?")])
    assert isinstance(refused, RequestRefused)
    monkeypatch.setattr(tiny._weigher, "log_chances", fail)
    monkeypatch.setattr(tiny._weigher, "one_by_one", fail)
    with pytest.raises(RequestRefused, match=says):
        raise refused
    with pytest.raises(RequestRefused, match=says):
        tiny.weigh((Message("user", (RED, "What?")),), DOING)


def test_where_memory_is_short_choices_are_weighed_one_by_one(
    tiny: LocalVlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (Message("user", (RED, "What?")),)
    expected = tiny.weigh(asked, DOING)

    def fail(*_: Any) -> Any:
        raise torch.OutOfMemoryError("out of memory")

    monkeypatch.setattr(tiny._weigher, "log_chances", fail)
    assert tiny.weigh(asked, DOING).log_chances == pytest.approx(expected.log_chances, abs=1e-4)


@pytest.mark.parametrize("breaks", [True, False], ids=["raises", "differs"])
def test_a_cache_that_cannot_be_shared_is_found_out(
    plain: Path, tiny: LocalVlm, monkeypatch: pytest.MonkeyPatch, breaks: bool
) -> None:
    asked = (Message("user", (RED, "What?")),)
    expected = tiny.weigh(asked, DOING)
    shared = choices.Weigher._shared

    def odd(self: choices.Weigher, inputs: Any, continuations: Any) -> list[float]:
        if breaks:
            raise TypeError("unexpected argument")
        return [log - 0.5 for log in shared(self, inputs, continuations)]

    monkeypatch.setattr(choices.Weigher, "_shared", odd)
    careful = LocalVlm.load(find(str(plain)), device="cpu")
    for _ in range(2):
        found = careful.weigh(asked, DOING).log_chances
        assert found == pytest.approx(expected.log_chances, abs=1e-4)
    assert careful.notes == (SHARED_NOTE,)


def test_a_prompt_that_ends_in_a_space_is_split_as_one_text(tmp_path: Path) -> None:
    spaced = TEMPLATE.replace("assistant:{{ '\n' }}", "assistant: ")
    folder = untrained_lm(tmp_path / "spaced", ["a running person, a reading person"] * 4, template=spaced)
    model = LocalVlm.load(find(str(folder)), device="cpu")
    texts = ("running", "reading it", "swimming")
    found = model.weigh((Message("user", ("What?",)),), texts)
    words = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    for number, text in enumerate(texts):
        ids = words(f"<s>user: What?\nassistant: {text}", add_special_tokens=False)["input_ids"]
        begun = len(words("<s>user: What?\nassistant:", add_special_tokens=False)["input_ids"])
        with torch.no_grad():
            logs = torch.log_softmax(network(torch.tensor([ids])).logits[0].double(), dim=-1)
        slow = sum(float(logs[at - 1, ids[at]]) for at in range(begun, len(ids)))
        assert found.log_chances[number] == pytest.approx(slow, abs=1e-4)
        assert found.tokens[number] == len(ids) - begun
    assert words.tokenize(" running") == ["Ġrunning"]


def test_a_choice_without_text_is_refused(tiny: LocalVlm) -> None:
    with pytest.raises(RequestRefused, match="A choice has no text"):
        tiny.weigh((Message("user", (RED, "What?")),), ("running", ""))


def test_what_is_no_such_model_is_told(tmp_path: Path, plain: Path) -> None:
    with pytest.raises(AnswererUnusable, match="no such folder, and it is no hub name"):
        find(str(tmp_path / "nowhere" / "at" / "all"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(AnswererUnusable, match=r"no model in this folder \(no config.json\). Give a"):
        find(str(tmp_path / "empty"))
    with pytest.raises(AnswererUnusable, match="a CLIPConfig, neither a vision-language nor a language"):
        find(_only_config(tmp_path / "clip", {"model_type": "clip"}))
    with pytest.raises(AnswererUnusable, match="an encoder with a decoder"):
        find(_only_config(tmp_path / "t5", {"model_type": "t5"}))
    with pytest.raises(AnswererUnusable, match="cannot be loaded as a model"):
        find(_only_config(tmp_path / "odd", {"model_type": "nobody-knows-it"}))
    found = find(str(plain))
    with pytest.raises(AnswererUnusable, match="There is no device cuda:77 here"):
        load(found, device="cuda:77")
    with pytest.raises(AnswererUnusable, match=r"no number format int3. Use one of: auto, float32"):
        load(found, device="cpu", dtype="int3")


def test_weights_that_are_missing_are_not_made_up(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    made = llava(tmp_path / "holes")
    weights = load_file(made / "model.safetensors")
    name = next(name for name in weights if "q_proj" in name)
    del weights[name]
    save_file(weights, made / "model.safetensors", {"format": "pt"})
    with pytest.raises(AnswererUnusable, match=r"1 of its weights are missing .*q_proj.* answer at random"):
        load(find(str(made)), device="cpu")


@pytest.mark.skipif(transformers.utils.is_torchvision_available(), reason="torchvision is installed")
def test_a_processor_that_needs_torchvision_says_so(tmp_path: Path) -> None:
    folder = Path(_only_config(tmp_path / "qwen", {"model_type": "qwen2_vl"}))
    byte_tokenizer(TEXTS, Sizes(), TEMPLATE).save_pretrained(folder)
    eye = {"image_processor_type": "Qwen2VLImageProcessor", "processor_class": "Qwen2VLProcessor"}
    (folder / "preprocessor_config.json").write_text(json.dumps(eye), "utf-8")
    with pytest.raises(AnswererUnusable, match=r"needs torchvision, which is not installed .* openai:NAME"):
        load(find(str(folder)), device="cpu")


def _only_config(folder: Path, config: dict[str, Any]) -> str:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return str(folder)
