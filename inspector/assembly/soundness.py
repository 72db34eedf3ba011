"""Soundness: rules for every assembly, whichever policy made it. Rules over columns; no policy is named here.

The pipeline checks them after every third-party policy, and `inspector.testing` after every policy it tests.
"""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Bool, Section, State, word
from inspector.assembly.decisions import Assembly, Run

FIRM_REASONS = ("always", "pinned", "guaranteed")
"""Codes of reasons for which items stay over a limit, besides those that the ledger holds as guaranteed."""

_COLUMNS = ("action", "reason", "section", "spent", "rank", "left", "score", "guaranteed", "form", "costs", "charges")


def first_fault(candidates: Candidates, assembly: object) -> str:
    """Return the first fault of an assembly made by a policy of these candidates, as a sentence; "" for none.

    Reads the layout, so its exceptions are passed on; reads no text.
    """
    if not isinstance(assembly, Assembly):
        return f"it returned {type(assembly).__name__} instead of an assembly"
    if assembly.candidates is not candidates:
        return "its assembly is one of other candidates than it was given"
    for rules in (_column_faults, _decision_faults, _limit_faults, _layout_faults):
        if fault := next(rules(assembly), ""):
            return fault
    return ""


def _column_faults(assembly: Assembly) -> Iterator[str]:
    size = len(assembly.candidates)
    for name in _COLUMNS:
        if (length := len(getattr(assembly, name))) != size:
            yield f"its column {name} has {length:,} rows, and there are {size:,} candidates"
    for name, codes in (("action", Action), ("reason", assembly.reasons), ("section", Section)):
        wrong = getattr(assembly, name) >= len(codes)
        if wrong.any():
            yield f"{_named(assembly, wrong)} has no {name} that exists"


def _decision_faults(assembly: Assembly) -> Iterator[str]:
    """Check: excluded and later ones dropped, each of the others weighed once, tokens spent only in the prompt."""
    there = assembly.in_prompt
    early = there & (assembly.candidates.state != State.OPEN)
    if early.any():
        yield f"{_named(assembly, early)} is in the prompt, although it is left out or does not exist yet"
    ranks = np.sort(assembly.rank[assembly.candidates.open])
    if len(ranks) and assembly.error is None and ((ranks[1:] == ranks[:-1]).any() or ranks[0] < 0):
        yield "two candidates have the same place in the order of decision, or one has none"
    for wrong, what in (
        (assembly.spent < 0, "spends less than nothing"),
        (~there & (assembly.spent != 0), "is dropped and spends tokens nevertheless"),
        (there & (assembly.spent != assembly.costs), "is in the prompt and does not spend what it costs in its form"),
    ):
        if wrong.any():
            yield f"{_named(assembly, wrong)} {what}"


def _limit_faults(assembly: Assembly) -> Iterator[str]:
    """Check: only firm items, or items named in the policy's own findings, may take a section over its room.

    Compares the charges of the policy, equal to the tokens spent unless the policy counts in its own way.
    """
    if assembly.error is not None:
        return
    charged = np.bincount(assembly.section, weights=assembly.charges * assembly.in_prompt, minlength=len(Section))
    for section, limits in assembly.budget.sections.items():
        used, room = int(charged[section]), limits.room
        if room is None or used <= room:
            continue
        inside = assembly.section == section
        loose = inside & ~_declared(assembly) & assembly.in_prompt & (assembly.charges > 0)
        if loose.any():
            yield (
                f"the {word(section)} section is charged {used:,} tokens of {room:,}, and {_named(assembly, loose)} "
                "is neither guaranteed nor named in a finding"
            )


def _declared(assembly: Assembly) -> Bool:
    """Return the items that may exceed a limit: guaranteed, kept for a firm reason, or named in a finding."""
    firm = np.array([reason.code in FIRM_REASONS for reason in assembly.reasons], np.bool_)
    declared = assembly.guaranteed | firm[assembly.reason]
    for finding in assembly.findings:
        declared[finding.rows] = True
    return declared


def _layout_faults(assembly: Assembly) -> Iterator[str]:
    """Check: every item in the prompt is in exactly one of its messages; items without text may be left out."""
    if assembly.error is not None:
        return
    parts = [block.rows for block in assembly.blocks]
    rows = np.concatenate(parts) if parts else np.empty(0, np.intp)
    times = np.bincount(rows, minlength=len(assembly.candidates))
    if len(times) > len(assembly.candidates) or (times[~assembly.in_prompt] > 0).any():
        wrong = (times[: len(assembly.candidates)] > 0) & ~assembly.in_prompt
        yield f"{_named(assembly, wrong)} is dropped and stands in a message of the prompt nevertheless"
    if (times > 1).any():
        yield f"{_named(assembly, times > 1)} stands more than once in the messages of the prompt"
    absent = assembly.in_prompt & (times == 0) & (assembly.costs > 0)
    if absent.any():
        yield f"{_named(assembly, absent)} is in the prompt, but in none of its messages"
    yield from _disorder(assembly)


def _disorder(assembly: Assembly) -> Iterator[str]:
    """Check: messages are in the order in which they were said, unless a block is marked as moved."""
    runs = [block.rows for block in assembly.blocks if isinstance(block, Run) and not block.moved]
    rows = np.concatenate(runs) if runs else np.empty(0, np.intp)
    late = np.flatnonzero(np.diff(rows) < 0)
    if len(late):
        yield f"{assembly.candidates.ids[int(rows[late[0] + 1])]} stands after a later message in the prompt"


def _named(assembly: Assembly, mask: Bool) -> str:
    """Return the id of the first of these rows."""
    rows = np.flatnonzero(mask)
    return assembly.candidates.ids[int(rows[0])] if len(rows) else "a row that is not a candidate"
