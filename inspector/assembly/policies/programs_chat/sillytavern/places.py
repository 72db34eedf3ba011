"""The places of a SillyTavern prompt: which component and which lore entry goes where.

Source: the default prompt order of public/scripts/PromptManager.js and `doChatInject` of public/script.js.
"""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, ROLES, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Joined, Run
from inspector.assembly.defaults import leave_out
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.programs_chat.sillytavern.lore import ChosenLore
from inspector.assembly.reasons import SWITCHED_OFF
from inspector.model import Component, LoreEntry

_COMPONENTS = (
    *("description", "personality", "scenario", "persona", "post_history_instructions"),
    *("authors_note", "depth_prompt", "example"),
)
_NOT_PLACED = (Kind.PROFILE, Kind.MEMORY, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
_INJECTED_LORE_DEPTH = 4
_SYSTEM = ROLE_NUMBER["system"]


@dataclass(frozen=True, eq=False, slots=True)
class Injection:
    """Texts that are one message of a role before the newest `depth` messages, from `rows` in order."""

    depth: int
    role: int
    rows: Rows


@dataclass(frozen=True, eq=False, slots=True)
class Note:
    """The author's note beside the main prompt, with the lore around it: a message of a role, or nothing."""

    role: int
    before: Rows
    after: Rows


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """The rows of each place: `fixed` by type of component, lore by position, and what is among the messages."""

    main: Rows
    note: Note
    fixed: dict[str, Rows]
    injections: tuple[Injection, ...]
    examples: Rows
    lore_before: Rows
    lore_after: Rows

    def of(self, kind: str) -> Rows:
        """Return the rows of a type of component."""
        return self.fixed.get(kind, self.main[:0])


def leave_unplaced(ledger: Ledger) -> None:
    """Drop everything without a place in a SillyTavern prompt, and what is blank or switched off."""
    candidates = ledger.candidates
    components, system = ledger.rows(Kind.COMPONENT), ledger.rows(Kind.SYSTEM)
    known = np.array([_type(candidates, row) in _COMPONENTS for row in components.tolist()], np.bool_)
    outlet = [row for row in ledger.rows(Kind.LORE).tolist() if _position(candidates, row) == "outlet"]
    outlet = [row for row in outlet if candidates.active[row] or candidates.pinned[row]]
    leave_out(ledger, np.concatenate([ledger.rows(*_NOT_PLACED), components[~known], np.array(outlet, np.intp)]))
    placed = np.concatenate([system, components[known]])
    ledger.drop(placed[is_blank(candidates, placed)], SWITCHED_OFF, Section.SYSTEM)


def is_blank(candidates: Candidates, rows: Rows) -> np.ndarray:
    """Return a mask of the rows that are switched off or have no text."""
    return ~candidates.active[rows] | (candidates.items.lengths[rows] == 0)


def places_of(ledger: Ledger, lore: Rows, note_depth: int, depth_prompt_depth: int) -> Places:
    """Return the places of the open components and of these lore entries, which are in the order of a message."""
    candidates = ledger.candidates
    rows = ledger.rows(Kind.COMPONENT)
    rows = rows[~is_blank(candidates, rows)]
    system = ledger.rows(Kind.SYSTEM)
    by_type: dict[str, list[int]] = {}
    for row in rows.tolist():
        by_type.setdefault(_type(candidates, row), []).append(row)
    fixed = {kind: np.array(found, np.intp) for kind, found in by_type.items()}
    at: dict[str, list[int]] = {}
    for row in lore.tolist():
        at.setdefault(_position(candidates, row), []).append(row)
    note = [*at.get("note_top", ()), *by_type.get("authors_note", ()), *at.get("note_bottom", ())]
    examples = [*at.get("examples_top", ()), *by_type.get("example", ()), *at.get("examples_bottom", ())]
    groups: dict[tuple[int, int], list[int]] = {}
    beside = _note_of(candidates, by_type.get("authors_note", [])[:1], np.array(note, np.intp))
    if not len(beside.before) and not len(beside.after):
        groups.setdefault(_place_of(candidates, by_type.get("authors_note", [])[:1], note_depth), []).extend(note)
    for row in by_type.get("depth_prompt", ()):
        groups.setdefault(_place_of(candidates, [row], depth_prompt_depth), []).append(row)
    for row in at.get("at_depth", ()):
        groups.setdefault(_depth_and_role(candidates, row), []).append(row)
    injections = tuple(Injection(*key, np.array(found, np.intp)) for key, found in sorted(groups.items()) if found)
    return Places(
        main=system[~is_blank(candidates, system)],
        note=beside,
        fixed=fixed,
        injections=injections,
        examples=np.array(examples, np.intp),
        lore_before=np.array(at.get("before_char", ()), np.intp),
        lore_after=np.array(at.get("after_char", ()), np.intp),
    )


def pinned_rows(ledger: Ledger, places: Places, lore: ChosenLore) -> Rows:
    """Return the pinned rows of all places but the messages, each once."""
    rows = np.concatenate([places.main, *places.fixed.values(), lore.rows])
    return np.unique(rows[ledger.candidates.pinned[rows]])


def with_injections(newest_first: Rows, injections: tuple[Injection, ...]) -> tuple[Rows, Rows]:
    """Return messages and injections, newest first, and for each row the number of its injection, -1 for none.

    An injection stands before the newest `depth` messages, at the beginning of a shorter chat. Injections are sorted.
    """
    if not injections:
        return newest_first, np.full(len(newest_first), -1, np.intp)
    sizes = [len(each.rows) for each in injections]
    at = np.repeat([min(each.depth, len(newest_first)) for each in injections], sizes)
    rows = np.concatenate([each.rows[::-1] for each in injections])
    numbers = np.repeat(np.arange(len(injections)), sizes)
    return np.insert(newest_first, at, rows), np.insert(np.full(len(newest_first), -1, np.intp), at, numbers)


def history_blocks(assembly: Assembly, newest_first: Rows, injections: tuple[Injection, ...]) -> list[Block]:
    """Return the messages of the prompt and the injections among them, in the order of the prompt."""
    rows, numbers = with_injections(newest_first, injections)
    there = assembly.in_prompt[rows]
    rows, numbers = rows[there][::-1], numbers[there][::-1]
    ends = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
    firsts = numbers[np.concatenate([[0], ends])] if len(rows) else numbers
    blocks: list[Block] = []
    for part, number in zip(np.split(rows, ends), firsts.tolist(), strict=False):
        if number < 0:
            blocks.append(Run(part))
        else:
            blocks.append(Joined(ROLES[injections[number].role], part, joint="\n"))
    return blocks


def one_each(rows: Rows) -> list[Block]:
    """Return a system message for each of these rows."""
    return [Composed("system", (row,)) for row in rows.tolist()]


def one_of_all(rows: Rows, role: str = "system") -> list[Block]:
    """Return one message of these rows, a line each; nothing without rows."""
    return [Joined(role, rows, joint="\n")] if len(rows) else []


def _type(candidates: Candidates, row: int) -> str:
    thing = candidates.things[row]
    return thing.type if isinstance(thing, Component) else ""


def _position(candidates: Candidates, row: int) -> str:
    thing = candidates.things[row]
    assert isinstance(thing, LoreEntry)
    return thing.position or "before_char"


def _place_of(candidates: Candidates, notes: list[int], depth: int) -> tuple[int, int]:
    """Return depth and role of a note: as its file has them, else this depth and the system."""
    thing = candidates.things[notes[0]] if notes else None
    if not isinstance(thing, Component):
        return depth, _SYSTEM
    return depth if thing.depth is None else max(0, thing.depth), ROLE_NUMBER[thing.role or "system"]


def _note_of(candidates: Candidates, notes: list[int], rows: Rows) -> Note:
    """Return these rows as the note beside the main prompt where the file of its first component puts them there.

    Source: `getPromptPosition` of public/scripts/openai.js, and the anchors of the story string in public/script.js.
    """
    thing = candidates.things[notes[0]] if notes else None
    position = thing.position if isinstance(thing, Component) else None
    before, after = (rows if position == each else rows[:0] for each in ("before_prompt", "after_prompt"))
    return Note(_place_of(candidates, notes, 0)[1], before, after)


def _depth_and_role(candidates: Candidates, row: int) -> tuple[int, int]:
    thing = candidates.things[row]
    assert isinstance(thing, LoreEntry)
    settings = thing.activation
    depth, role = settings.get("depth"), settings.get("role")
    number = ROLE_NUMBER.get(role, _SYSTEM) if isinstance(role, str) else _SYSTEM
    if isinstance(depth, bool) or not isinstance(depth, int | float):
        return _INJECTED_LORE_DEPTH, number
    return max(0, int(depth)), number
