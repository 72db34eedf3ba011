"""open_webui: the messages that Open WebUI folds into a summary.

Source: Open WebUI 0.12.4, utils/context_compaction.py (`compact_messages_for_request`, `_find_compaction_boundary`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.finding_kinds import COMPACTED
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout, roles_of
from inspector.assembly.policies.programs_chat.messages import chat_messages
from inspector.assembly.policies.programs_chat.parameters import (
    context,
    message_overhead,
)
from inspector.assembly.policies.programs_chat.reasons import AFTER_FOLDED, BELOW_THRESHOLD, FOLDED
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import PINNED

_LEAST_KEPT = 2
_LEAST_SHARE, _MOST_SHARE = 10, 50


@dataclass(frozen=True)
class OpenWebui:
    """Sends the whole chat up to a threshold; above it the older messages are folded into a summary of a model.

    Without compaction Open WebUI drops nothing, and the server decides. The summary is not made here.
    """

    traits: ClassVar[Traits] = Traits(title="Open WebUI", whose="Open WebUI 0.12.4", maker="program")

    token_threshold: int = context(
        80_000, 1, "The estimated tokens above which messages are folded.", label="Threshold"
    )
    retention_percentage: int = param(40, 10, 50, label="Retention", help="Percent of the messages that stay.")
    message_overhead: int = message_overhead(4)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        rows = chat_messages(ledger)
        system = rows[roles_of(candidates, rows) == ROLE_NUMBER["system"]][:1]
        told = rows[len(system) :] if len(system) and system[0] == rows[0] else rows
        estimated = ledger.cost(rows) + self.message_overhead * len(told)
        start = self._cut(candidates, told) if estimated > self.token_threshold else 0
        folded = told[:start][~candidates.pinned[told[:start]]]
        pinned = rows[candidates.pinned[rows]]
        ledger.guarantee(pinned, PINNED)
        stays = rows[~candidates.pinned[rows] & ~np.isin(rows, folded)]
        ledger.keep(stays[::-1], AFTER_FOLDED if len(folded) else BELOW_THRESHOLD)
        if len(folded):
            ledger.drop(folded[::-1], FOLDED)
            noun = "message is" if len(folded) == 1 else "messages are"
            message = (
                f"About {estimated:,} tokens are above the threshold of {self.token_threshold:,}: {len(folded):,} "
            )
            ledger.report(COMPACTED, f"{message}{noun} folded into a summary.", folded)
        return ledger.close(message_layout)

    def _cut(self, candidates: Candidates, told: Rows) -> int:
        """Return the number of leading messages that are folded: up to the last boundary before the retained part."""
        share = min(max(self.retention_percentage, _LEAST_SHARE), _MOST_SHARE)
        target = max(1, len(told) - max(_LEAST_KEPT, len(told) * share // 100))
        roles = roles_of(candidates, told)
        if has_tools := bool((roles == ROLE_NUMBER["tool"]).any()):
            places = np.flatnonzero(np.isin(told, candidates.items.callers))
        else:
            places = np.flatnonzero(roles == ROLE_NUMBER["user"])
        places = places[places > 0] if has_tools else places[1:]
        if not has_tools and len(places):
            target = max(target, int(places[0]))
        before = places[places <= target]
        return int(before[-1]) if len(before) else 0
