"""The kinds of local servers: how each is recognised, asked about its models, and used for counting.

Several answer in each other's forms: KoboldCpp speaks Ollama's and llama.cpp's, llama.cpp speaks Ollama's, and LM
Studio answers a wrong path with 200. So kinds are tried in a fixed order, by the shape of an answer, never by the port.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.tokens.servers import answers
from inspector.tokens.servers.server import ServedModel, Server, ServerError, SilentServerError, ask

MOST_SHOWN = 40
"""The number of models of an Ollama server asked for their length, the loaded ones first."""

Messages = Sequence[Mapping[str, Any]]

_MODELS = "/v1/models"


@dataclass(slots=True)
class Inquiry:
    """The requests to an address, and a sentence about each unanswered one.

    After the first request without any answer no more are sent, so a hanging server costs its two seconds only once.
    """

    address: str
    problems: list[str] = field(default_factory=list)
    is_silent: bool = False

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the answer; None, with a problem recorded, if there is none."""
        if self.is_silent:
            return None
        try:
            return ask(self.address, path, body)
        except ServerError as problem:
            self.problems.append(str(problem))
            self.is_silent = isinstance(problem, SilentServerError)
            return None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of server. `read` turns the answer to a probe into a server, None if it is of another kind.

    `count` gives the tokens of a text, including any tokens the server puts before every text if `counts_beginning`;
    `count_messages` those of the whole prompt the server would make. `reads_specials` means the server counts special
    tokens spelled out in a text as such, while we never do.
    """

    name: str
    title: str
    port: int
    probes: tuple[str, ...]
    read: Callable[[Inquiry, Any], Server | None]
    count: Callable[[str, str, str], int] | None = None
    count_messages: Callable[[str, str, Messages], int] | None = None
    reads_specials: bool = False
    counts_beginning: bool = False


def _read_koboldcpp(inquiry: Inquiry, first: Any) -> Server | None:
    if answers.field(first, "result") != "KoboldCpp":
        return None
    length = answers.whole_number(answers.field(inquiry.ask("/api/extra/true_max_context_length"), "value"))
    name = answers.name_text(answers.field(inquiry.ask("/api/v1/model"), "result")).removeprefix("koboldcpp/")
    models = (ServedModel(name, length),) if name and name != "inactive" else ()
    return _server("koboldcpp", inquiry, answers.field(first, "version"), models)


def _read_lm_studio(inquiry: Inquiry, first: Any) -> Server | None:
    models = answers.lm_studio_models(first)
    return None if models is None else _server("lm_studio", inquiry, "", models)


def _read_llama_cpp(inquiry: Inquiry, first: Any) -> Server | None:
    if not isinstance(answers.field(first, "default_generation_settings"), dict):
        return None
    models = answers.llama_cpp_models(first, inquiry.ask(_MODELS))
    return _server("llama_cpp", inquiry, answers.field(first, "build_info"), models)


def _read_ollama(inquiry: Inquiry, first: Any) -> Server | None:
    version = answers.name_text(answers.field(first, "version"))
    if not version:
        return None
    names = list(answers.ollama_names(inquiry.ask("/api/tags"), inquiry.ask("/api/ps")))
    models: list[ServedModel] = []
    for place, (name, running) in enumerate(names):
        shown = inquiry.ask("/api/show", {"model": name, "name": name}) if place < MOST_SHOWN else None
        models.append(answers.ollama_model(name, running, shown))
    if len(names) > MOST_SHOWN:
        inquiry.problems.append(f"{inquiry.address} has {len(names):,} models; {MOST_SHOWN} were asked for.")
    return _server("ollama", inquiry, version, tuple(models))


def _read_vllm(inquiry: Inquiry, first: Any) -> Server | None:
    models = answers.listed_models(first)
    if answers.owner(first) != "vllm" and not any(model.context_length for model in models):
        return None
    return _server("vllm", inquiry, answers.field(inquiry.ask("/version"), "version"), models)


def _read_llama_cpp_python(inquiry: Inquiry, first: Any) -> Server | None:
    if answers.owner(first) != "me":
        return None
    described = answers.field(inquiry.ask("/openapi.json"), "info", "version")
    return _server("llama_cpp_python", inquiry, described, answers.listed_models(first))


def _read_other(inquiry: Inquiry, first: Any) -> Server | None:
    if not isinstance(answers.field(first, "data"), list):
        return None
    return _server("other", inquiry, "", answers.listed_models(first))


def _server(kind: str, inquiry: Inquiry, version: Any, models: tuple[ServedModel, ...]) -> Server:
    known = tuple(model for model in models if model.name)
    title, counts = KINDS[kind].title, KINDS[kind].count is not None
    if not known:
        inquiry.problems.append(f"{title} at {inquiry.address} names no model.")
    elif not any(model.window for model in known):
        inquiry.problems.append(f"{title} at {inquiry.address} does not tell how long a context its models take.")
    return Server(kind, inquiry.address, answers.name_text(version), known, counts, tuple(inquiry.problems))


def _count_koboldcpp(address: str, model: str, text: str) -> int:
    return _number(address, "/api/extra/tokencount", {"prompt": text, "special": False}, "value")


def _count_llama_cpp(address: str, model: str, text: str) -> int:
    body = {"model": model, "content": text, "add_special": False, "parse_special": False}
    return _ids(address, "/tokenize", body)


def _count_vllm(address: str, model: str, text: str) -> int:
    return _number(address, "/tokenize", {"model": model, "prompt": text, "add_special_tokens": False}, "count")


def _count_llama_cpp_python(address: str, model: str, text: str) -> int:
    return _number(address, "/extras/tokenize/count", {"model": model, "input": text}, "count")


def _count_prompt_llama_cpp(address: str, model: str, messages: Messages) -> int:
    """Return the tokens of a prompt made like the server's own: its template, with special tokens before the text."""
    path = "/apply-template"
    prompt = answers.field(ask(address, path, {"model": model, "messages": list(messages)}), "prompt")
    if not isinstance(prompt, str):
        raise _bad_shape(address, path, "a prompt")
    return _ids(address, "/tokenize", {"model": model, "content": prompt, "add_special": True, "parse_special": True})


def _count_prompt_vllm(address: str, model: str, messages: Messages) -> int:
    body = {"model": model, "messages": list(messages), "add_generation_prompt": True}
    return _number(address, "/tokenize", body, "count")


def _number(address: str, path: str, body: Any, key: str) -> int:
    number = answers.count(answers.field(ask(address, path, body), key))
    if number is None:
        raise _bad_shape(address, path, "a count")
    return number


def _ids(address: str, path: str, body: Any) -> int:
    tokens = answers.field(ask(address, path, body), "tokens")
    if not isinstance(tokens, list):
        raise _bad_shape(address, path, "a list of tokens")
    return len(tokens)


def _bad_shape(address: str, path: str, expected: str) -> ServerError:
    return ServerError(f"{address} answers POST {path} with something else than {expected}.")


_ALL = (
    Kind(
        name="koboldcpp",
        title="KoboldCpp",
        port=5001,
        probes=("/api/extra/version",),
        read=_read_koboldcpp,
        count=_count_koboldcpp,
        reads_specials=True,
        counts_beginning=True,
    ),
    Kind(
        name="lm_studio",
        title="LM Studio",
        port=1234,
        probes=("/api/v0/models", "/api/v1/models"),
        read=_read_lm_studio,
    ),
    Kind(
        name="llama_cpp",
        title="llama.cpp",
        port=8080,
        probes=("/props",),
        read=_read_llama_cpp,
        count=_count_llama_cpp,
        count_messages=_count_prompt_llama_cpp,
    ),
    Kind(name="ollama", title="Ollama", port=11434, probes=("/api/version",), read=_read_ollama),
    Kind(
        name="vllm",
        title="vLLM",
        port=8000,
        probes=(_MODELS,),
        read=_read_vllm,
        count=_count_vllm,
        count_messages=_count_prompt_vllm,
        reads_specials=True,
    ),
    Kind(
        name="llama_cpp_python",
        title="llama-cpp-python",
        port=8000,
        probes=(_MODELS,),
        read=_read_llama_cpp_python,
        count=_count_llama_cpp_python,
        reads_specials=True,
        counts_beginning=True,
    ),
    Kind(name="other", title="A server like OpenAI's", port=8000, probes=(_MODELS,), read=_read_other),
)

KINDS = {kind.name: kind for kind in _ALL}
"""All kinds by name, in the order of trying them."""
