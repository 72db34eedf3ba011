"""naive: everything, whatever it costs. The baseline that the others are compared with."""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.places import active_lore, keep_all, keep_system_text, standard_layout
from inspector.assembly.policy import Traits
from inspector.assembly.reasons import EVERYTHING_FITS


@dataclass(frozen=True)
class Naive:
    """Everything in file order, with no limit. It ends over the window, and says so."""

    traits: ClassVar[Traits] = Traits(monotone=True)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Keep every candidate that takes part."""
        book = Ledger(candidates, window)
        for section in (Section.SYSTEM, Section.MEMORY, Section.HISTORY):
            book.limit(section, None)
        keep_system_text(book)
        keep_all(book, Kind.MEMORY, Section.MEMORY)
        book.keep(active_lore(book), EVERYTHING_FITS, Section.LORE)
        keep_all(book, Kind.PASSAGE, Section.RETRIEVED)
        keep_all(book, Kind.SUMMARY, Section.SUMMARIES)
        keep_all(book, Kind.DOCUMENT, Section.DOCUMENTS)
        keep_all(book, Kind.ATTACHMENT, Section.ATTACHMENTS)
        keep_all(book, Kind.MESSAGE, Section.HISTORY)
        return book.close(standard_layout("system"))
