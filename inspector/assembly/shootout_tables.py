"""Policies side by side as tables: the items by policies, and the totals of each policy."""

from typing import Any

import numpy as np

from inspector.assembly.columns import Action, Fate, outcome_tone, phrase, word
from inspector.assembly.compare_tables import totals_of
from inspector.assembly.explain import explain
from inspector.assembly.numbers import number_of
from inspector.assembly.shootout import Contender, Shootout
from inspector.tables import Column, Face, Kind, Table, Tone


def _candidate_text(shootout: Shootout, row: int) -> str:
    return shootout.answers[0].assembly.candidates.texts[row]


def _number(shootout: Shootout, row: int) -> str:
    return number_of(shootout.answers[0].assembly.candidates, row)


def _muted(shootout: Shootout, row: int) -> Tone:
    return "muted"


def _item_tone(shootout: Shootout, row: int) -> Tone | None:
    return "muted" if bool((shootout.actions[row] == Action.DROPPED).all()) else None


def _dissent_text(shootout: Shootout, row: int) -> str:
    dissent = int(shootout.dissent[row])
    return f"{dissent} of {int(shootout.made.sum())}" if dissent else ""


def _dissent_tooltip(shootout: Shootout, row: int) -> str:
    dissent = int(shootout.dissent[row])
    return f"{dissent} differ from most." if dissent else "All of them decide the same."


ITEM_COLUMNS: tuple[Column[Shootout], ...] = (
    Column(
        "number",
        "#",
        "The number of the item; sorts by it",
        lambda _, row: row,
        lambda shootout: np.arange(len(shootout.actions)),
        Kind.COUNT,
        _number,
        digits=7,
        least=5,
        tone=_muted,
        tooltip=lambda shootout, row: shootout.ids[row],
        faces=Face.PEOPLE,
    ),
    Column("item", "Id", "The id of the item", lambda shootout, row: shootout.ids[row], faces=Face.FILES),
    Column(
        "kind",
        "Kind",
        "The role of a message, or the kind of the item",
        Shootout.role,
        digits=10,
        yields=1,
        tone=_item_tone,
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        _candidate_text,
        kind=Kind.EXCERPT,
        digits=26,
        least=12,
        stretches=True,
        tone=_item_tone,
        tooltip=_candidate_text,
        faces=Face.WINDOW,
    ),
    Column(
        "differ",
        "Differ",
        "The number of policies that differ from most; sorts by it",
        lambda shootout, row: int(shootout.dissent[row]),
        lambda shootout: shootout.dissent,
        words=_dissent_text,
        digits=9,
        least=7,
        tooltip=_dissent_tooltip,
        faces=Face.FILES | Face.WINDOW,
    ),
)


def _policy_column(place: int, contender: Contender) -> Column[Shootout]:
    def fate(shootout: Shootout, row: int) -> Fate:
        return Fate(int(shootout.fates[row, place]))

    def value(shootout: Shootout, row: int) -> str | None:
        return phrase(fate(shootout, row)) if shootout.outcomes[place].made else None

    def tone(shootout: Shootout, row: int) -> Tone | None:
        found = fate(shootout, row)
        is_quiet = found is Fate.KEPT or not shootout.outcomes[place].made
        return "muted" if is_quiet else outcome_tone(found)

    def tooltip(shootout: Shootout, row: int) -> str:
        return f"{contender.name}: {explain(shootout.answers[place].assembly, row)}"

    about = f"The outcome under {contender.name}"
    return Column(
        contender.name,
        contender.name,
        about,
        value,
        kind=Kind.OUTCOME,
        absent="–",
        digits=16,
        tone=tone,
        tooltip=tooltip,
    )


def policy_columns(shootout: Shootout) -> tuple[Column[Shootout], ...]:
    """Return a column for each contender."""
    return tuple(_policy_column(place, contender) for place, contender in enumerate(shootout.contenders))


def _columns(shootout: Shootout) -> tuple[Column[Shootout], ...]:
    return (*ITEM_COLUMNS, *policy_columns(shootout))


def _most_disputed(shootout: Shootout) -> list[int]:
    return np.argsort(-shootout.dissent, kind="stable")[: shootout.disputed].tolist()


MATRIX: Table[Shootout] = Table(_columns, lambda shootout: shootout.rows().tolist())
"""Every item."""
DIFFERING: Table[Shootout] = Table(_columns, lambda shootout: shootout.rows(only_disputed=True).tolist())
"""The items decided differently by the contenders."""
MOST_DISPUTED: Table[Shootout] = Table(_columns, _most_disputed)
"""The same, most disputed first."""


def _met(action: Action) -> Column[Shootout]:
    return Column(
        word(action),
        word(action).capitalize(),
        f"How many items are {word(action)}",
        lambda shootout, place: int(shootout.answers[place].assembly.action_counts[action]),
        kind=Kind.COUNT,
    )


def _total(shootout: Shootout, place: int) -> int | None:
    outcome = shootout.outcomes[place]
    return outcome.total if outcome.made else None


OUTCOMES: Table[Shootout] = Table(
    (
        Column(
            "policy",
            "Policy",
            "The policy, with its preset unless it is the usual one",
            lambda shootout, place: shootout.contenders[place].name,
        ),
        Column(
            "status",
            "Status",
            "Whether the prompt fits",
            lambda shootout, place: shootout.answers[place].status,
            words=lambda shootout, place: shootout.answers[place].status.replace("_", " "),
        ),
        *map(_met, Action),
        Column(
            "total",
            "Tokens",
            "Tokens of the prompt",
            _total,
            kind=Kind.TOKENS,
            estimated=lambda shootout, place: not shootout.outcomes[place].exact,
        ),
        Column(
            "over",
            "Over by",
            "Tokens of prompt and reply over the window",
            lambda shootout, place: shootout.outcomes[place].over or None,
            kind=Kind.TOKENS,
            absent="",
        ),
        Column("findings", "Findings", "Why no prompt was made, or how many findings there are", Shootout.found),
    ),
    lambda shootout: range(len(shootout.contenders)),
)
"""The totals of each contender."""


def matrix_value(shootout: Shootout, differing: bool = False) -> dict[str, Any]:
    """Return the action of each policy for each item, or for each differing item, and the totals of each policy."""
    words = [word(action) for action in Action]
    return {
        "columns": [contender.name for contender in shootout.contenders],
        "rows": [
            {
                "id": shootout.ids[row],
                "actions": [words[action] for action in shootout.actions[row].tolist()],
                "differ": int(shootout.dissent[row]),
            }
            for row in shootout.rows(differing).tolist()
        ],
        "disputed": shootout.disputed,
        "totals": [
            {
                **totals_of(answer),
                "over": outcome.over,
                "exact": outcome.exact,
                "findings": {"error": outcome.errors, "warning": outcome.warnings},
                "messages": list(shootout.messages(place)),
            }
            for place, (answer, outcome) in enumerate(zip(shootout.answers, shootout.outcomes, strict=True))
        ],
    }
