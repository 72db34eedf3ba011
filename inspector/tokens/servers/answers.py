"""The answers of each kind of local server about itself and its models, read into values. No network here.

Every reader accepts any JSON and returns None, "" or nothing if the shape is not the documented one. Sources:
docs.ollama.com/api (tags, ps, show), lmstudio.ai/docs (REST API v0 and v1), tools/server/README.md of llama.cpp,
vllm/entrypoints of vLLM, the API page of KoboldCpp, llama_cpp/server/app.py of llama-cpp-python.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.tokens.servers.server import ServedModel

_LONGEST_NAME = 200
_MOST_MODELS = 1000
_EMBEDDERS = ("embeddings", "embedding")

Answers = Mapping[str, Any]


def field(value: Any, *path: str) -> Any:
    """Return the value at a path of keys, None if there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def whole_number(value: Any) -> int | None:
    """Return a positive number of tokens, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**40 else None


def count(value: Any) -> int | None:
    """Return a number of tokens, which may be 0, else None."""
    return 0 if value == 0 and isinstance(value, int) and not isinstance(value, bool) else whole_number(value)


def name_text(value: Any) -> str:
    """Return a name or version fit for display: a single line of printable characters; "" for anything else."""
    return "".join(filter(str.isprintable, value))[:_LONGEST_NAME] if isinstance(value, str) else ""


def listed(value: Any, *path: str) -> list[dict[str, Any]]:
    """Return the objects of the list at a path."""
    held = field(value, *path)
    return [entry for entry in held[:_MOST_MODELS] if isinstance(entry, dict)] if isinstance(held, list) else []


def ollama_names(tags: Any, running: Any) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield the models of `/api/tags` with their entries in `/api/ps`, None if not loaded; loaded models first."""
    loaded = {name: entry for entry in listed(running, "models") if (name := _ollama_name(entry))}
    yield from loaded.items()
    yield from ((name, None) for entry in listed(tags, "models") if (name := _ollama_name(entry)) not in ("", *loaded))


def _ollama_name(entry: Mapping[str, Any]) -> str:
    return name_text(entry.get("model")) or name_text(entry.get("name"))


def ollama_model(name: str, running: Any, shown: Any) -> ServedModel:
    """Return a model from its entry in `/api/ps` (None: not loaded) and its answer to `/api/show` (None: not asked).

    Versions before 0.10 do not tell the loaded length; then `num_ctx` of the parameters counts, if set.
    """
    known = field(shown, "model_info")
    lengths = (
        (whole_number(held) for key, held in known.items() if key.endswith(".context_length"))
        if isinstance(known, dict)
        else ()
    )
    asked = whole_number(field(running, "context_length")) or _num_ctx(field(shown, "parameters"))
    return ServedModel(name, asked, next(filter(None, lengths), None), running is not None)


def _num_ctx(parameters: Any) -> int | None:
    """Return the value of the line `num_ctx 8192` among the parameters of a model."""
    for line in parameters.splitlines() if isinstance(parameters, str) else ():
        words = line.split()
        if len(words) == 2 and words[0] == "num_ctx" and words[1].isdecimal() and words[1].isascii():
            return whole_number(int(words[1][:12]))
    return None


def lm_studio_models(value: Any) -> tuple[ServedModel, ...] | None:
    """Return the models of `/api/v0/models`, or of `/api/v1/models`; None for any other answer."""
    if isinstance(field(value, "data"), list):
        entries = listed(value, "data")
        if not all("state" in entry for entry in entries):
            return None
        return tuple(_lm_studio_v0(entry) for entry in entries if entry.get("type") not in _EMBEDDERS)
    if isinstance(field(value, "models"), list):
        entries = listed(value, "models")
        if not all("loaded_instances" in entry for entry in entries):
            return None
        return tuple(_lm_studio_v1(entry) for entry in entries if entry.get("type") not in _EMBEDDERS)
    return None


def _lm_studio_v0(entry: Mapping[str, Any]) -> ServedModel:
    length, longest = whole_number(entry.get("loaded_context_length")), whole_number(entry.get("max_context_length"))
    return ServedModel(name_text(entry.get("id")), length, longest, entry["state"] == "loaded")


def _lm_studio_v1(entry: Mapping[str, Any]) -> ServedModel:
    instances = listed(entry, "loaded_instances")
    lengths = (whole_number(field(instance, "config", "context_length")) for instance in instances)
    longest = whole_number(entry.get("max_context_length"))
    return ServedModel(name_text(entry.get("key")), next(filter(None, lengths), None), longest, bool(instances))


def llama_cpp_models(properties: Any, value: Any) -> tuple[ServedModel, ...]:
    """Return the models of `/v1/models` of a llama.cpp server; with a single model, its length is in `/props`."""
    entries = listed(value, "data")
    own = whole_number(field(properties, "default_generation_settings", "n_ctx"))
    if not entries:
        return (ServedModel(name_text(field(properties, "model_path")), own),) if own else ()
    alone = own if len(entries) == 1 else None
    return tuple(
        ServedModel(
            name_text(entry.get("id")),
            whole_number(field(entry, "meta", "n_ctx")) or alone,
            whole_number(field(entry, "meta", "n_ctx_train")),
            field(entry, "status", "value") in (None, "loaded"),
        )
        for entry in entries
    )


def listed_models(value: Any) -> tuple[ServedModel, ...]:
    """Return the models of `/v1/models`, with vLLM's `max_model_len` if given; other servers give no length."""
    return tuple(
        ServedModel(name_text(entry.get("id")), whole_number(entry.get("max_model_len")))
        for entry in listed(value, "data")
    )


def owner(value: Any) -> str:
    """Return the owner of the first model in `/v1/models`: `vllm`, `llamacpp`, `me` (llama-cpp-python), …"""
    return next((name_text(entry.get("owned_by")) for entry in listed(value, "data")), "")
