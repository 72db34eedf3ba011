"""Settings side by side as tables: every item by setting, and the totals of each setting."""

from functools import partial
from typing import Any

import numpy as np

from inspector.assembly.columns import I64, Action, Fate, outcome_tone, phrase, word
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.compare_tables import ABSENT_WORD, totals_of
from inspector.assembly.explain import explain
from inspector.assembly.numbers import number_of
from inspector.assembly.side_by_side import SideBySide, fate_at
from inspector.assembly.who import who
from inspector.tables import Column, Face, Kind, Table, Tone


def _muted(sides: SideBySide, row: int) -> Tone:
    return "muted"


def _item_tone(sides: SideBySide, row: int) -> Tone | None:
    return "muted" if bool((sides.actions[row] == int(Action.DROPPED)).all()) else None


def _dissent_text(sides: SideBySide, row: int) -> str:
    dissent = int(sides.dissent[row])
    return f"{dissent} of {int(sides.made.sum())}" if dissent else ""


def _dissent_tooltip(sides: SideBySide, row: int) -> str:
    dissent = int(sides.dissent[row])
    return f"{dissent} differ from most." if dissent else "All of them decide the same."


def _tokens(sides: SideBySide) -> I64:
    rows, ends = sides.rows, len(sides.answers)
    counts = np.zeros(len(sides), np.int64)
    for number in reversed(range(ends)):
        there = rows[:, number] != NO_ROW
        counts[there] = sides.answers[number].assembly.candidates.tokens[rows[there, number]]
    return counts


def _number(sides: SideBySide, place: int) -> str:
    candidates, row = sides.candidate(place)
    return number_of(candidates, row)


def _token_count(sides: SideBySide, place: int) -> int:
    candidates, row = sides.candidate(place)
    return int(candidates.tokens[row])


def _is_estimated(sides: SideBySide, place: int) -> bool:
    candidates, row = sides.candidate(place)
    return bool(candidates.estimated[row])


def _who(sides: SideBySide, place: int) -> str:
    """Return who a message is from; the number of other items says what they are."""
    candidates, row = sides.candidate(place)
    if row < candidates.items.first_message:
        return ""
    return who(candidates, row)


ITEM_COLUMNS: tuple[Column[SideBySide], ...] = (
    Column(
        "number",
        "#",
        "The number of the item; sorts by it",
        lambda _, place: place,
        lambda sides: np.arange(len(sides)),
        Kind.COUNT,
        _number,
        digits=6,
        least=6,
        tone=_muted,
        tooltip=lambda sides, place: sides.ids[place],
        faces=Face.PEOPLE,
    ),
    Column("item", "Id", "The id of the item", lambda sides, place: sides.ids[place], faces=Face.FILES),
    Column("kind", "Kind", "The role of a message, or the kind of the item", SideBySide.role, faces=Face.FILES),
    Column(
        "who",
        "Who",
        "Who a message is from",
        _who,
        digits=9,
        least=8,
        tone=_muted,
        faces=Face.WINDOW,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        SideBySide.text,
        kind=Kind.EXCERPT,
        digits=30,
        least=18,
        stretches=True,
        tone=_item_tone,
        tooltip=SideBySide.text,
        faces=Face.WINDOW,
    ),
    Column(
        "tokens",
        "Tokens",
        "The tokens of the whole item; sorts by them",
        _token_count,
        _tokens,
        Kind.TOKENS,
        estimated=_is_estimated,
        digits=6,
        least=5,
        faces=Face.WINDOW,
    ),
    Column(
        "differ",
        "Differ",
        "The number of settings that differ from most; sorts by it",
        lambda sides, place: int(sides.dissent[place]),
        lambda sides: sides.dissent,
        words=_dissent_text,
        digits=9,
        least=7,
        at_first=False,
        tooltip=_dissent_tooltip,
        faces=Face.FILES | Face.WINDOW,
    ),
)


def side_column(number: int, title: str, key: str = "") -> Column[SideBySide]:
    """Return the column of a side; its key is its title where files have it."""

    def value(sides: SideBySide, place: int) -> str | None:
        fate = fate_at(sides, place, number)
        return None if fate is None or not sides.sides[number].outcome.made else phrase(fate)

    def tone(sides: SideBySide, place: int) -> Tone | None:
        fate = fate_at(sides, place, number)
        is_quiet = fate in (None, Fate.KEPT) or not sides.sides[number].outcome.made
        return "muted" if is_quiet or fate is None else outcome_tone(fate)

    about = f"The outcome under {title}"
    return Column(
        key or title,
        title,
        about,
        value,
        kind=Kind.OUTCOME,
        absent="–",
        digits=16,
        tone=tone,
        tooltip=partial(side_tooltip, number=number),
    )


def side_tooltip(sides: SideBySide, place: int, number: int) -> str:
    """Return the outcome of an item under a side in a sentence."""
    title, row = sides.sides[number].title, int(sides.rows[place, number])
    return f"{title}: {ABSENT_WORD}" if row == NO_ROW else f"{title}: {explain(sides.answers[number].assembly, row)}"


def _columns(sides: SideBySide) -> tuple[Column[SideBySide], ...]:
    return (*ITEM_COLUMNS, *(side_column(number, title) for number, title in enumerate(sides.names)))


def _most_disputed(sides: SideBySide) -> list[int]:
    return np.argsort(-sides.dissent, kind="stable")[: sides.disputed].tolist()


MATRIX: Table[SideBySide] = Table(_columns, lambda sides: sides.shown().tolist())
"""Every item."""
DIFFERING: Table[SideBySide] = Table(_columns, lambda sides: sides.shown(only_disputed=True).tolist())
"""The items decided differently by the contenders."""
MOST_DISPUTED: Table[SideBySide] = Table(_columns, _most_disputed)
"""The same, most disputed first."""


def _met(action: Action) -> Column[SideBySide]:
    return Column(
        word(action),
        word(action).capitalize(),
        f"How many items are {word(action)}",
        lambda sides, place: int(sides.answers[place].assembly.action_counts[action]),
        kind=Kind.COUNT,
    )


def _total(sides: SideBySide, place: int) -> int | None:
    outcome = sides.sides[place].outcome
    return outcome.total if outcome.made else None


OUTCOMES: Table[SideBySide] = Table(
    (
        Column(
            "policy",
            "Policy",
            "The policy, with its preset unless it is the usual one",
            lambda sides, place: sides.names[place],
        ),
        Column(
            "status",
            "Status",
            "Whether the prompt fits",
            lambda sides, place: sides.answers[place].status,
            words=lambda sides, place: sides.answers[place].status.replace("_", " "),
        ),
        *map(_met, Action),
        Column(
            "total",
            "Tokens",
            "Tokens of the prompt",
            _total,
            kind=Kind.TOKENS,
            estimated=lambda sides, place: sides.sides[place].outcome.estimated,
        ),
        Column(
            "over",
            "Over by",
            "Tokens of prompt and reply over the window",
            lambda sides, place: sides.sides[place].outcome.over or None,
            kind=Kind.TOKENS,
            absent="",
        ),
        Column("findings", "Findings", "Why no prompt was made, or how many findings there are", SideBySide.found),
    ),
    lambda sides: range(len(sides.sides)),
)
"""The totals of each contender."""


def matrix_value(sides: SideBySide, differing: bool = False) -> dict[str, Any]:
    """Return the action of each side for each item, or for each differing item, and the totals of each side."""
    return {
        "columns": list(sides.names),
        "rows": [
            {
                "id": sides.ids[place],
                "actions": [
                    None if action == ABSENT else word(Action(action)) for action in sides.actions[place].tolist()
                ],
                "differ": int(sides.dissent[place]),
            }
            for place in sides.shown(differing).tolist()
        ],
        "disputed": sides.disputed,
        "totals": [_totals_value(sides, number) for number in range(len(sides.sides))],
    }


def _action(action: int) -> str | None:
    return None if action == ABSENT else word(Action(action))


def _totals_value(sides: SideBySide, number: int) -> dict[str, Any]:
    outcome = sides.sides[number].outcome
    return {
        **totals_of(sides.answers[number]),
        "over": outcome.over,
        "exact": outcome.exact,
        "certainty": outcome.certainty.word,
        "findings": {"error": outcome.errors, "warning": outcome.warnings},
        "messages": list(sides.messages(number)),
    }
