"""Local model servers as values: what one is, what it serves, and a count of ours beside one of theirs. No network."""

from dataclasses import dataclass


class ServerError(Exception):
    """A server cannot be asked, or its answer is of no use; the message is a sentence that names the place."""


class SilentServerError(ServerError):
    """Nothing useful comes from this address at all: asking it something else would only cost the time again."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server offers. `context_length` is what it runs with, `max_context_length` what it could take;
    both in tokens, None where the server does not tell."""

    name: str
    context_length: int | None = None
    max_context_length: int | None = None
    loaded: bool = True

    @property
    def window(self) -> int | None:
        """The window to plan with: what the model runs with, else what it could take, None where neither is known."""
        return self.context_length or self.max_context_length


@dataclass(frozen=True, slots=True)
class Server:
    """What answered at an address (`HOST:PORT`). `kind` is "" where nothing of use did; `problems` says why, and what
    the server did not tell. `counts_tokens` says whether it can be asked for counts."""

    kind: str
    address: str
    version: str = ""
    models: tuple[ServedModel, ...] = ()
    counts_tokens: bool = False
    problems: tuple[str, ...] = ()

    def model(self, name: str) -> ServedModel | None:
        """The model of that name, None where the server has none."""
        return next((model for model in self.models if model.name == name), None)


@dataclass(frozen=True, slots=True)
class Measured:
    """One item counted twice, in tokens: by our tokenizer, and by the server."""

    item: str
    ours: int
    theirs: int

    @property
    def difference(self) -> int:
        """What ours counts more than theirs."""
        return self.ours - self.theirs
