"""Local model servers as values: a server, its models, and pairs of our and its counts. No network."""

from dataclasses import dataclass


class ServerError(Exception):
    """A server cannot be asked, or its answer is useless; the message is a sentence naming its address."""


class SilentServerError(ServerError):
    """There is no useful answer from this address: other requests would only cost the same time again."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model offered by a server. `context_length` is the length it runs with, `max_context_length` the most it
    supports; both in tokens, None if the server does not tell.
    """

    name: str
    context_length: int | None = None
    max_context_length: int | None = None
    loaded: bool = True

    @property
    def window(self) -> int | None:
        """The window to plan with: the running length, else the supported length, None if neither is known."""
        return self.context_length or self.max_context_length


@dataclass(frozen=True, slots=True)
class Server:
    """The server at an address (`HOST:PORT`). `kind` is "" if there was no useful answer; `problems` has the reason,
    and anything the server did not tell. `counts_tokens` says whether it can count.
    """

    kind: str
    address: str
    version: str = ""
    models: tuple[ServedModel, ...] = ()
    counts_tokens: bool = False
    problems: tuple[str, ...] = ()

    def model(self, name: str) -> ServedModel | None:
        """Return the model of this name, None if the server has none."""
        return next((model for model in self.models if model.name == name), None)


@dataclass(frozen=True, slots=True)
class Measured:
    """An item counted twice, in tokens: by our tokenizer, and by the server."""

    item: str
    ours: int
    theirs: int

    @property
    def difference(self) -> int:
        """Our count less the server's."""
        return self.ours - self.theirs
