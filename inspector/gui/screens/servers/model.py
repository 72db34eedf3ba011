"""The models of the tables of the servers page. No widgets here."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.figures import counted
from inspector.gui.table.model import ArrayTableModel
from inspector.tokens.servers.server import Measured
from inspector.tokens.servers.tables import COUNT_COLUMNS, OFFER_COLUMNS, Counts, Offer, Offers


class OffersModel(ArrayTableModel[Offers]):
    """A row for each model of a server; models that are not loaded are muted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(OFFER_COLUMNS, parent)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show these offers."""
        self.show(tuple(offers), np.arange(len(offers)), tuple(offer.name for offer in offers))


class CountsModel(ArrayTableModel[Counts]):
    """A row for each message, counted twice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COUNT_COLUMNS, parent)

    def show_counts(self, counts: Sequence[Measured]) -> None:
        """Show these counts."""
        self.show(tuple(counts), np.arange(len(counts)), tuple(item.item for item in counts))


def counts_summary(counts: Sequence[Measured]) -> str:
    """Return the totals of the counts in a sentence."""
    ours, theirs = sum(item.ours for item in counts), sum(item.theirs for item in counts)
    different = sum(item.difference != 0 for item in counts)
    tokens, messages = counted(theirs, "token"), counted(len(counts), "message")
    if not different:
        return f"Your server counts {tokens} in {messages}, as we do."
    differ = "differs" if different == 1 else "differ"
    return f"Your server counts {tokens}, we count {ours:,}; {different:,} of {messages} {differ}."
