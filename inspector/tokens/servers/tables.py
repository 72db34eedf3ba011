"""The tables of model servers: their models, and counts of ours beside theirs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.tables import Column, Face, Kind, Table, Tone, Value
from inspector.tokens.servers.search import title_of
from inspector.tokens.servers.server import Measured, ServedModel, Server


@dataclass(frozen=True, slots=True)
class Offer:
    """A model on a server; a server that names none has one offer without a model."""

    server: Server
    model: ServedModel | None

    @property
    def name(self) -> str:
        """What tells this offer from all others."""
        return f"{self.server.address}/{self.model.name if self.model else ''}"

    @property
    def can_count(self) -> bool:
        """Whether the server can be asked for counts with this model as it is."""
        return self.server.counts_tokens and self.model is not None and self.model.loaded


Offers = tuple[Offer, ...]
Counts = Sequence[Measured]


def offers_of(server: Server) -> Offers:
    """The offers of a server, in its own order."""
    return tuple(Offer(server, model) for model in server.models) or (Offer(server, None),)


def _of_model(name: str) -> Callable[[Offers, int], Value]:
    def value(offers: Offers, row: int) -> Value:
        model = offers[row].model
        return None if model is None else getattr(model, name)

    return value


def _lengths(name: str) -> Callable[[Offers], np.ndarray]:
    def values(offers: Offers) -> np.ndarray:
        lengths = (getattr(offer.model, name) if offer.model else None for offer in offers)
        return np.array([np.nan if length is None else length for length in lengths], np.float64)

    return values


def _quiet(offers: Offers, row: int) -> Tone | None:
    model = offers[row].model
    return "muted" if model is None or not model.loaded else None


def _server(offers: Offers, row: int) -> str:
    server = offers[row].server
    return f"{title_of(server)} {server.version}".strip()


def _server_tooltip(offers: Offers, row: int) -> str:
    server = offers[row].server
    return "\n".join((f"{_server(offers, row)} at {server.address}", *server.problems))


def _state(offers: Offers, row: int) -> str:
    model = offers[row].model
    return "" if model is None else "loaded" if model.loaded else "not loaded"


OFFER_COLUMNS: tuple[Column[Offers], ...] = (
    Column(
        "server",
        "Server",
        "The program that answers, and its version",
        _server,
        digits=20,
        yields=1,
        tone=_quiet,
        tooltip=_server_tooltip,
    ),
    Column(
        "address",
        "Address",
        "Where it answers",
        lambda offers, row: offers[row].server.address,
        tone=_quiet,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "model",
        "Model",
        "The model, as the server names it",
        _of_model("name"),
        absent="no model",
        digits=24,
        stretches=True,
        tone=_quiet,
    ),
    Column(
        "loaded",
        "State",
        "Whether the model is in memory",
        _of_model("loaded"),
        words=_state,
        digits=11,
        yields=2,
        tone=_quiet,
    ),
    Column(
        "context_length",
        "Context",
        "Tokens that the model runs with; – where the server does not tell",
        _of_model("context_length"),
        _lengths("context_length"),
        Kind.TOKENS,
        digits=9,
        tone=_quiet,
    ),
    Column(
        "max_context_length",
        "At most",
        "Tokens that the model could take; – where the server does not tell",
        _of_model("max_context_length"),
        _lengths("max_context_length"),
        Kind.TOKENS,
        digits=9,
        yields=3,
        tone=_quiet,
    ),
)
OFFERS: Table[Offers] = Table(OFFER_COLUMNS, lambda offers: range(len(offers)))

COUNT_COLUMNS: tuple[Column[Counts], ...] = (
    Column("item", "Item", "The item that is counted", lambda counts, row: counts[row].item, digits=13, stretches=True),
    Column(
        "ours",
        "Ours",
        "Tokens of its text as they are counted here",
        lambda counts, row: counts[row].ours,
        lambda counts: np.array([item.ours for item in counts]),
        Kind.TOKENS,
        digits=7,
    ),
    Column(
        "theirs",
        "Theirs",
        "Tokens of its text, measured by your server",
        lambda counts, row: counts[row].theirs,
        lambda counts: np.array([item.theirs for item in counts]),
        Kind.TOKENS,
        digits=7,
    ),
    Column(
        "difference",
        "Difference",
        "The difference to the count of the server; sorts by its size",
        lambda counts, row: counts[row].difference,
        lambda counts: np.array([abs(item.difference) for item in counts]),
        Kind.DIFFERENCE,
        digits=8,
        yields=1,
        tone=lambda counts, row: "error" if counts[row].difference else "muted",
    ),
)
COUNTS: Table[Counts] = Table(COUNT_COLUMNS, lambda counts: range(len(counts)))
