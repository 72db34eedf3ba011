"""Finding local model servers and counting on them. Nothing is sent before one of these functions is called."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from inspector.tokens.chat.messages import ChatMessage
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow
from inspector.tokens.servers.kinds import KINDS, Inquiry, Kind, Messages
from inspector.tokens.servers.server import Measured, Server, ServerError, normal_address
from inspector.tokens.tokenizer import Tokenizer

DEFAULT_ADDRESSES = tuple(f"127.0.0.1:{port}" for port in dict.fromkeys(kind.port for kind in KINDS.values()))
"""The default addresses of the known kinds: on this machine only."""


def find_servers(addresses: Iterable[str] = DEFAULT_ADDRESSES) -> Iterator[Server]:
    """Yield the server at each address, in turn; for no server, an entry of kind "" with the reason.

    Addresses of other machines are asked only because the caller passes them. An address without an answer takes about
    two seconds, and none takes more than a few.
    """
    for text in addresses:
        try:
            address = normal_address(text)
        except ServerError as problem:
            yield Server("", text, problems=(str(problem),))
            continue
        yield _server_at(address)


def count_on_server(server: Server, model: str, texts: Iterable[str]) -> Generator[int, None, None]:
    """Yield the server's count of each text, requested when the iterator reaches it.

    Special tokens that a server may put before every text are left out. Raises ServerError if it cannot count, if the
    model is not loaded, and for a useless answer.
    """
    kind = _counting_kind(server, model)
    if kind.count is None:
        raise ServerError(f"{kind.title} at {server.address} cannot be asked for counts.")
    beginning = kind.count(server.address, model, "") if kind.counts_beginning else 0
    for text in texts:
        yield kind.count(server.address, model, text) - beginning if text else 0


def count_messages_on_server(server: Server, model: str, messages: Messages) -> int | None:
    """Return the tokens of the whole prompt the server makes of these messages, None if it cannot report them.

    Messages come from `sent_messages`. A llama.cpp server continues a last message of the assistant, while our prompts
    begin another reply. Raises ServerError.
    """
    kind = _counting_kind(server, model)
    if kind.count_messages is None:
        return None
    return kind.count_messages(server.address, model, messages)


def sent_messages(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """Return messages in the form sent to a server, which is OpenAI's: the arguments of a call are text there."""
    return [_sent(message) for message in messages]


def _sent(message: ChatMessage) -> dict[str, Any]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.calls
    ]
    optional = {"name": message.name, "tool_calls": calls, "tool_call_id": message.call_id}
    return {"role": message.role, "content": message.content} | {key: held for key, held in optional.items() if held}


def measure_on_server(
    server: Server, model: str, tokenizer: Tokenizer, items: Sequence[tuple[str, str]]
) -> Generator[Measured, None, None]:
    """Yield each item (name, text) counted by our tokenizer and by a server, in turn.

    Raises ServerError like `count_on_server`.
    """
    ours = tokenizer.count([text for _, text in items]).tolist()
    theirs = count_on_server(server, model, (text for _, text in items))
    for (name, _), own in zip(items, ours, strict=True):
        yield Measured(name, own, next(theirs))


def can_count_messages(server: Server) -> bool:
    """Return whether the server can count a whole prompt."""
    return server.kind in KINDS and KINDS[server.kind].count_messages is not None


def reads_specials(server: Server) -> bool:
    """Return whether the server counts special tokens spelled out in a text as such; we treat them as ordinary text."""
    return server.kind in KINDS and KINDS[server.kind].reads_specials


def title_of(server: Server) -> str:
    """Return the common name of this kind of server."""
    return KINDS[server.kind].title if server.kind in KINDS else server.address


def known_model(name: str) -> ModelRow | None:
    """Return the row of the model table for a server's model: `qwen2.5:7b`, `C:\\models\\Qwen2.5-7B-Q4_K_M.gguf`."""
    plain = name.replace("\\", "/").rstrip("/")
    short = plain.rsplit("/", 1)[-1].removesuffix(".gguf").replace(":", "-")
    found = (load_models().find(wanted).row for wanted in (plain, short, short.replace("_", "-")))
    return next((row for row in found if row is not None), None)


def _counting_kind(server: Server, name: str) -> Kind:
    if server.kind not in KINDS:
        raise ServerError(f"There is no server at {server.address} to count.")
    model = server.model(name)
    if model is None:
        raise ServerError(f"{title_of(server)} at {server.address} has no model {name!r}.")
    if not model.loaded:
        raise ServerError(f"{name} is not loaded at {server.address}; a count would make the server load it.")
    return KINDS[server.kind]


def _server_at(address: str) -> Server:
    """Return the server at an address: the first kind to recognise an answer."""
    inquiry = Inquiry(address)
    answered: dict[str, Any] = {}
    for kind in KINDS.values():
        for probe in kind.probes:
            if probe not in answered:
                answered[probe] = inquiry.ask(probe)
            if inquiry.is_silent:
                return Server("", address, problems=tuple(inquiry.problems[-1:]))
            server = kind.read(Inquiry(address), answered[probe])
            if server is not None:
                return server
    nothing = f"{address} answers, but not like any server that is known here."
    return Server("", address, problems=(nothing, *inquiry.problems[:1]))
