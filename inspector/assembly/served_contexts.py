"""The contexts of the models that a server runs, as the server itself tells them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.tokens.servers.server import Server  # not needed for the first picture

_SERVERS = {"llama_cpp": "llamacpp"}
"""The words of `assembly.servers` that differ from the kinds of `tokens.servers`."""


@dataclass(frozen=True, slots=True)
class ServedContext:
    """A running model of a server (a word of `SERVERS`), and the tokens that it runs with."""

    server: str
    model: str
    tokens: int


def server_word(kind: str) -> str:
    """Return the word of `SERVERS` for a kind of server that was found, the kind itself if there is none."""
    return _SERVERS.get(kind, kind)


def served_contexts(found: "Server") -> tuple[ServedContext, ...]:
    """Return the contexts of the running models of a server that was asked, as far as it tells them."""
    return tuple(
        ServedContext(server_word(found.kind), one.name, one.context_length)
        for one in found.models
        if one.loaded and one.context_length is not None
    )
