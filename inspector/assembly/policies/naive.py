"""naive: everything, whatever it costs. The baseline for comparisons with other policies."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import active_lore, keep_all, keep_system_text, standard_layout
from inspector.assembly.ledger import Ledger
from inspector.assembly.policy import Traits
from inspector.assembly.reasons import EVERYTHING_FITS
from inspector.assembly.thresholds import Packing, Room


@dataclass(frozen=True)
class Naive:
    """Keeps everything in file order, without a limit; a finding says when that is more than the window."""

    @property
    def traits(self) -> Traits:
        """The traits; no budget drops anything."""
        return Traits(title="Everything", whose="the baseline", monotone=True, packing=self.packing)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Keep every open candidate."""
        ledger = Ledger(candidates, window)
        for section in (Section.SYSTEM, Section.MEMORY, Section.HISTORY):
            ledger.limit(section, None)
        keep_system_text(ledger)
        keep_all(ledger, Kind.MEMORY, Section.MEMORY)
        ledger.keep(active_lore(ledger), EVERYTHING_FITS, Section.LORE)
        keep_all(ledger, Kind.PASSAGE, Section.RETRIEVED)
        keep_all(ledger, Kind.SUMMARY, Section.SUMMARIES)
        keep_all(ledger, Kind.DOCUMENT, Section.DOCUMENTS)
        keep_all(ledger, Kind.ATTACHMENT, Section.ATTACHMENTS)
        keep_all(ledger, Kind.MESSAGE, Section.HISTORY)
        return ledger.close(standard_layout("system"))

    def packing(self, candidates: Candidates) -> Packing:
        """Return a packing in which every open candidate is certain."""
        assembly = self(candidates, ContextWindow(0))
        return Packing(frozenset(), assembly.action, assembly.in_prompt, (), lambda _: Room((), np.zeros((), np.bool_)))
