"""The tables of the servers page: what servers offer, and counts of ours beside theirs. Columns only; no widgets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from inspector.figures import counted, signed
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone
from inspector.tokens.servers.search import title_of
from inspector.tokens.servers.server import Measured, ServedModel, Server

NOT_TOLD = "–"


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
Counts = tuple[Measured, ...]


def offers_of(server: Server) -> Offers:
    """The offers of a server, in its own order."""
    return tuple(Offer(server, model) for model in server.models) or (Offer(server, None),)


def figure(number: int | None) -> str:
    """A number of tokens, a dash where it is not told."""
    return NOT_TOLD if number is None else f"{number:,}"


def _lengths(offers: Offers, name: str) -> np.ndarray:
    values = (getattr(offer.model, name) if offer.model else None for offer in offers)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _quiet(offers: Offers, row: int) -> Tone | None:
    model = offers[row].model
    return "muted" if model is None or not model.loaded else None


def _server_text(offers: Offers, row: int) -> str:
    server = offers[row].server
    return f"{title_of(server)} {server.version}".strip()


def _server_tooltip(offers: Offers, row: int) -> str:
    server = offers[row].server
    return "\n".join((f"{_server_text(offers, row)} at {server.address}", *server.problems))


def _model_text(offers: Offers, row: int) -> str:
    model = offers[row].model
    return model.name if model else "no model"


def _state_text(offers: Offers, row: int) -> str:
    model = offers[row].model
    return "" if model is None else "loaded" if model.loaded else "not loaded"


def _length_text(offers: Offers, row: int) -> str:
    model = offers[row].model
    return figure(model.context_length if model else None)


def _longest_text(offers: Offers, row: int) -> str:
    model = offers[row].model
    return figure(model.max_context_length if model else None)


OFFER_COLUMNS: tuple[Column[Offers], ...] = (
    Column(
        "server",
        "Server",
        "What answers, and its version",
        _server_text,
        digits=20,
        yields=1,
        tone=_quiet,
        tooltip=_server_tooltip,
    ),
    Column("model", "Model", "The model, as the server names it", _model_text, digits=24, stretches=True, tone=_quiet),
    Column("state", "State", "Whether the model is in memory", _state_text, digits=11, yields=2, tone=_quiet),
    Column(
        "context",
        "Context",
        "Tokens that the model runs with; – where the server does not tell",
        _length_text,
        lambda offers: _lengths(offers, "context_length"),
        digits=9,
        right=True,
        tone=_quiet,
    ),
    Column(
        "longest",
        "At most",
        "Tokens that the model could take; – where the server does not tell",
        _longest_text,
        lambda offers: _lengths(offers, "max_context_length"),
        digits=9,
        right=True,
        yields=3,
        tone=_quiet,
    ),
)


def _difference_text(counts: Counts, row: int) -> str:
    difference = counts[row].difference
    return signed(difference)


def _difference_color(counts: Counts, row: int) -> Tone | None:
    return "error" if counts[row].difference else "muted"


COUNT_COLUMNS: tuple[Column[Counts], ...] = (
    Column(
        "message", "Message", "A message of the prompt", lambda counts, row: counts[row].item, digits=13, stretches=True
    ),
    Column(
        "ours",
        "Ours",
        "Tokens of its text as they are counted here",
        lambda counts, row: f"{counts[row].ours:,}",
        lambda counts: np.array([item.ours for item in counts]),
        digits=7,
        right=True,
    ),
    Column(
        "theirs",
        "Theirs",
        "Tokens of its text, measured by your server",
        lambda counts, row: f"{counts[row].theirs:,}",
        lambda counts: np.array([item.theirs for item in counts]),
        digits=7,
        right=True,
    ),
    Column(
        "difference",
        "Difference",
        "What is counted here beyond what the server counts; sorts by its size",
        _difference_text,
        lambda counts: np.array([abs(item.difference) for item in counts]),
        digits=8,
        right=True,
        yields=1,
        tone=_difference_color,
    ),
)


class OffersModel(ArrayTableModel[Offers]):
    """One row a model of a server; those that are not loaded are muted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(OFFER_COLUMNS, parent)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show these offers."""
        self.show(tuple(offers), np.arange(len(offers)), tuple(offer.name for offer in offers))


class CountsModel(ArrayTableModel[Counts]):
    """One row a message, counted twice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COUNT_COLUMNS, parent)

    def show_counts(self, counts: Sequence[Measured]) -> None:
        """Show these counts."""
        self.show(tuple(counts), np.arange(len(counts)), tuple(item.item for item in counts))


def counts_summary(counts: Sequence[Measured]) -> str:
    """What the counts come to, in a sentence."""
    ours, theirs = sum(item.ours for item in counts), sum(item.theirs for item in counts)
    different = sum(item.difference != 0 for item in counts)
    tokens, messages = counted(theirs, "token"), counted(len(counts), "message")
    if not different:
        return f"Your server counts {tokens} in {messages}, as we do."
    differ = "differs" if different == 1 else "differ"
    return f"Your server counts {tokens}, we count {ours:,}; {different:,} of {messages} {differ}."
