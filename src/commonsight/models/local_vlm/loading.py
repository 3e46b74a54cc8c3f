"""Loading: from a folder or a hub name to a model that can be asked, or a message that says why not."""

from __future__ import annotations

from typing import Any, NamedTuple

from commonsight.errors import AnswererUnusable, InputError
from commonsight.models.libraries import libraries
from commonsight.models.sources import Place, place

_LOAD_ERRORS = (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, RuntimeError)
"""What the library raises for a folder that holds something else, a name that nobody has, a broken file."""
DTYPES = ("auto", "float32", "bfloat16", "float16")
_REMEDY = (
    "Give a folder that save_pretrained wrote (model and processor), or the name of a model on the hub; "
    "or let a server run it, and ask that with openai:NAME."
)


class Found(NamedTuple):
    """A model that is there and of a kind that can be asked; its weights are not read yet."""

    place: Place
    config: Any
    name: str
    """For provenance: what it is called, and which version of it."""
    sees: bool
    """Whether it takes pictures; otherwise it is a language model."""
    revision: str | None
    remote_code: bool

    def options(self) -> dict[str, Any]:
        """What every part of it is loaded with. Code that comes with a model runs only if that is wished."""
        return {"revision": self.revision, "trust_remote_code": self.remote_code}


class Loaded(NamedTuple):
    """A model in memory."""

    model: Any
    processor: Any
    """Makes inputs of texts and pictures; for a language model its tokenizer."""
    tokenizer: Any
    device: Any


def find(given: str, *, revision: str | None = None, trust_remote_code: bool = False) -> Found:
    """Look at the model before it is needed: what can be wrong with it is said at once."""
    transformers = libraries().transformers
    try:
        where = place(given)
    except InputError as error:
        raise AnswererUnusable(str(error)) from error
    try:
        config = transformers.AutoConfig.from_pretrained(
            where.path, revision=revision, trust_remote_code=trust_remote_code
        )
    except _LOAD_ERRORS as error:
        raise unusable(given, error) from error
    return Found(where, config, where.named(config), _sees(given, config), revision, trust_remote_code)


def _sees(given: str, config: Any) -> bool:
    transformers = libraries().transformers
    own = getattr(config, "auto_map", None) or {}
    if getattr(config, "is_encoder_decoder", False):
        raise AnswererUnusable(
            f"{given}: this is a {type(config).__name__}, an encoder with a decoder; only models that go on "
            f"with a text can be asked here. {_REMEDY}"
        )
    if type(config) in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return True
    if "AutoModelForImageTextToText" in own:
        return True
    if type(config) in transformers.MODEL_FOR_CAUSAL_LM_MAPPING or "AutoModelForCausalLM" in own:
        return False
    raise AnswererUnusable(
        f"{given}: this is a {type(config).__name__}, neither a vision-language nor a language model. "
        f"{_REMEDY}"
    )


def load(found: Found, *, device: str = "auto", dtype: str = "auto") -> Loaded:
    """Read the weights, and put them where they compute."""
    transformers = libraries().transformers
    where = device_of(device)
    kind = transformers.AutoModelForImageTextToText if found.sees else transformers.AutoModelForCausalLM
    maker = transformers.AutoProcessor if found.sees else transformers.AutoTokenizer
    try:
        processor = maker.from_pretrained(found.place.path, **found.options())
        model, told = kind.from_pretrained(
            found.place.path, dtype=_dtype(dtype), output_loading_info=True, **found.options()
        )
        model.to(where)
    except _LOAD_ERRORS as error:
        raise unusable(found.place.given, error) from error
    _check_weights(found, told)
    tokenizer = getattr(processor, "tokenizer", processor)
    _check_tokenizer(found, tokenizer)
    model.eval()
    model.generation_config = _plain_generation(model, tokenizer)
    return Loaded(model, processor, tokenizer, where)


def device_of(name: str) -> Any:
    """The device of this name; `auto` is the best there is."""
    torch = libraries().torch
    if name == "auto":
        mps = torch.backends.mps.is_available()
        name = "cuda" if torch.cuda.is_available() else "mps" if mps else "cpu"
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = _first_line(error)
        raise AnswererUnusable(f"There is no device {name} here ({reason}). Use auto or cpu.") from error
    return device


def _dtype(name: str) -> Any:
    if name not in DTYPES:
        raise AnswererUnusable(f"There is no number format {name}. Use one of: {', '.join(DTYPES)}.")
    return name if name == "auto" else getattr(libraries().torch, name)


def _check_weights(found: Found, told: dict[str, Any]) -> None:
    """The library fills missing weights with random ones; such a model would only seem to answer."""
    missing = sorted({str(key) for key in told.get("missing_keys") or ()})
    odd = sorted(str(key) for key in told.get("mismatched_keys") or ())
    if missing or odd:
        names = ", ".join((missing + odd)[:3])
        raise AnswererUnusable(
            f"{found.place.given}: {len(missing) + len(odd)} of its weights are missing or of another size "
            f"({names}), so it would answer at random. {_REMEDY}"
        )


def _check_tokenizer(found: Found, tokenizer: Any) -> None:
    # Where its files are missing the library makes one that knows no words, and says nothing.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise AnswererUnusable(f"{found.place.given}: there is no tokenizer with this model. {_REMEDY}")
    tokenizer.padding_side = "left"  # what is written must follow what was read
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)


def _plain_generation(model: Any, tokenizer: Any) -> Any:
    """Only where a reply ends: a model's own habits of sampling and penalties would change the scores."""
    own = model.generation_config
    ends = _as_list(own.eos_token_id) or _as_list(tokenizer.eos_token_id)
    return libraries().transformers.GenerationConfig(
        do_sample=False,
        num_beams=1,
        bos_token_id=own.bos_token_id,
        eos_token_id=ends or None,
        pad_token_id=tokenizer.pad_token_id,
    )


def _as_list(ids: Any) -> list[int]:
    if ids is None:
        return []
    return [int(one) for one in ids] if isinstance(ids, list | tuple) else [int(ids)]


def end_tokens(model: Any) -> frozenset[int]:
    """The tokens that end a reply."""
    return frozenset(_as_list(model.generation_config.eos_token_id))


def most_tokens(loaded: Loaded) -> int:
    """How many tokens question and reply may have together."""
    positions = getattr(loaded.model.config.get_text_config(), "max_position_embeddings", None)
    return int(positions or min(loaded.tokenizer.model_max_length, 2**31))


def unusable(given: str, error: Exception) -> AnswererUnusable:
    """A model that the library refuses."""
    reason = _first_line(error)
    if _wants_torchvision(error):
        return AnswererUnusable(
            f"{given}: the processor of this kind of model needs torchvision, which is not installed "
            f"({reason}). Install the torchvision that fits your torch, or let a server run the model and "
            "ask that with openai:NAME."
        )
    return AnswererUnusable(f"{given}: this cannot be loaded as a model ({reason}). {_REMEDY}")


def _wants_torchvision(error: Exception) -> bool:
    """Processors that also take videos need it, and say so by an error about something else."""
    if libraries().transformers.utils.is_torchvision_available():
        return False
    said = str(error).lower()
    return "torchvision" in said or "video_processor" in said or "video processor" in said


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
