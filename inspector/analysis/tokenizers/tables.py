"""The table of items by tokenizer, and a tokenizer comparison as JSON."""

from typing import Any

import numpy as np

from inspector.analysis.tokenizers.ask import KindErrors, TokenizerComparison
from inspector.analysis.tokenizers.errors import KIND_WORDS, flip_value, full_label, signed_share
from inspector.assembly.columns import F64, Action, phrase, word
from inspector.assembly.numbers import number_of
from inspector.figures import counted
from inspector.tables import OUTCOME_GLYPHS, Column, Face, Kind, Table, Tone
from inspector.tokens.content_kinds import ContentKind

FLIP_GLYPH = "⇄"
_FLIPPED_FIRST = 1e6


def _muted(comparison: TokenizerComparison, row: int) -> Tone:
    return "muted"


def _kind(comparison: TokenizerComparison, row: int) -> ContentKind:
    return ContentKind(int(comparison.kinds[row]))


def _flips(comparison: TokenizerComparison, row: int) -> str:
    count = int(comparison.dissent[row])
    return f"{count} of {len(comparison.columns) - 1}" if count else ""


ITEM_COLUMNS: tuple[Column[TokenizerComparison], ...] = (
    Column(
        "number",
        "#",
        "The number of the item; sorts by it",
        lambda _, row: row,
        lambda comparison: np.arange(len(comparison.kinds)),
        Kind.COUNT,
        lambda comparison, row: number_of(comparison.candidates, row),
        faces=Face.WINDOW,
        digits=7,
        tone=_muted,
        tooltip=lambda comparison, row: comparison.ids[row],
    ),
    Column("id", "Id", "Its id", lambda comparison, row: comparison.ids[row], faces=Face.FILES),
    Column(
        "kind",
        "Content",
        "The main content of the text; sorts by it",
        lambda comparison, row: word(_kind(comparison, row)),
        lambda comparison: comparison.kinds,
        words=lambda comparison, row: KIND_WORDS[_kind(comparison, row)],
        digits=8,
        tone=_muted,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda comparison, row: comparison.candidates.texts[row],
        kind=Kind.EXCERPT,
        faces=Face.WINDOW,
        digits=20,
        stretches=True,
        tooltip=lambda comparison, row: comparison.candidates.texts[row],
    ),
    Column(
        "flips",
        "Flips",
        "Under how many tokenizers the policy decides otherwise; sorts by it",
        lambda comparison, row: int(comparison.dissent[row]),
        lambda comparison: comparison.dissent,
        words=_flips,
        digits=7,
    ),
)


def _distance(comparison: TokenizerComparison, place: int) -> F64:
    """Return the sort key of a tokenizer's column: flipped decisions first, then the error of its counts."""
    distance = np.zeros(len(comparison.kinds), np.float64)
    shares, flipped = comparison.shares(place), comparison.flipped(place)
    if shares is not None:
        np.copyto(distance, np.abs(shares), where=~np.isnan(shares))
    if flipped is not None:
        distance[flipped] += _FLIPPED_FIRST
    return distance


def _is_flipped(comparison: TokenizerComparison, row: int, place: int) -> bool:
    flipped = comparison.flipped(place)
    return flipped is not None and bool(flipped[row])


def _flip_mark(comparison: TokenizerComparison, row: int, place: int) -> str:
    """Return the glyphs before the count of an item with another action: a flip sign, and the action."""
    actions = comparison.columns[place].actions
    if actions is None or not _is_flipped(comparison, row, place):
        return ""
    return f"{FLIP_GLYPH}{OUTCOME_GLYPHS.get(word(Action(int(actions[row]))), '')} "


def tokenizer_column(place: int, name: str) -> Column[TokenizerComparison]:
    """Return the column of a tokenizer, which has its name as the key."""

    def value(comparison: TokenizerComparison, row: int) -> int | None:
        tokens = comparison.columns[place].tokens
        return None if tokens is None else int(tokens[row])

    def text(comparison: TokenizerComparison, row: int) -> str:
        tokens, shares = comparison.columns[place].tokens, comparison.shares(place)
        if tokens is None:
            return ""
        number = f"{int(tokens[row]):,}"
        if shares is None or place == comparison.base:
            return number
        return f"{_flip_mark(comparison, row, place)}{number}  {signed_share(float(shares[row]))}"

    def tone(comparison: TokenizerComparison, row: int) -> Tone | None:
        """Return a quiet tone for equal counts; all else has the usual ink, the only readable ink on every tint."""
        shares = comparison.shares(place)
        agrees = place != comparison.base and shares is not None and shares[row] == 0
        return "muted" if agrees and not _is_flipped(comparison, row, place) else None

    def tooltip(comparison: TokenizerComparison, row: int) -> str:
        return _cell_tooltip(comparison, row, place)

    def tint(comparison: TokenizerComparison, row: int) -> float | None:
        shares = comparison.shares(place)
        return None if place == comparison.base or shares is None else float(shares[row])

    def distances(comparison: TokenizerComparison) -> F64:
        return _distance(comparison, place)

    return Column(
        name,
        name,
        f"Tokens by {name}, and by how much that differs",
        value,
        distances,
        Kind.TOKENS,
        text,
        digits=18,
        tone=tone,
        tint=tint,
        tooltip=tooltip,
    )


def _cell_tooltip(comparison: TokenizerComparison, row: int, place: int) -> str:
    column, base = comparison.columns[place], comparison.columns[comparison.base]
    if column.tokens is None:
        return f"{full_label(column.name)}: not counted yet."
    lines = [f"{full_label(column.name)}: {counted(int(column.tokens[row]), 'token')}."]
    if place != comparison.base and base.tokens is not None:
        lines.append(f"{base.name} counts {int(base.tokens[row]):,}.")
    if _is_flipped(comparison, row, place) and column.actions is not None and base.actions is not None:
        here, there = (phrase(Action(int(found.actions[row]))) for found in (column, base))  # type: ignore[index]
        lines.append(f"The policy would have it {here} instead of {there}.")
    return "\n".join(lines)


def _item_columns(comparison: TokenizerComparison) -> tuple[Column[TokenizerComparison], ...]:
    return *ITEM_COLUMNS, *(tokenizer_column(place, column.name) for place, column in enumerate(comparison.columns))


ITEMS: Table[TokenizerComparison] = Table(_item_columns, lambda comparison: range(len(comparison.kinds)))
"""The tokens of each item by each tokenizer."""


def comparison_value(comparison: TokenizerComparison) -> dict[str, Any]:
    """Return the comparison as a JSON value.

    `compared_with` is the reference, or the scenario's own tokenizer if none of them is exact and `reference` is null.
    `bias` is a share of the true total; flips are null if the policy makes no prompt.
    """
    reference, names = comparison.reference, [column.name for column in comparison.columns]
    return {
        "reference": reference.name if reference else None,
        "compared_with": comparison.columns[comparison.base].name,
        "tokenizers": [_tokenizer_value(comparison, place) for place in range(len(comparison.columns))],
        "items": [
            {"id": row["id"], "kind": row["kind"], "tokens": [row[name] for name in names]}
            for row in ITEMS.records(comparison)
        ],
    }


def _tokenizer_value(comparison: TokenizerComparison, place: int) -> dict[str, Any]:
    column, overall = comparison.columns[place], _errors_value(comparison, place, None)
    flips = comparison.flips(place)
    return {
        "name": column.name,
        "exact": column.exact,
        **overall,
        "by_kind": {word(kind): _errors_value(comparison, place, kind) for kind in comparison.kinds_present},
        "flips": None if flips is None else [flip_value(comparison, place, row) for row in flips.tolist()],
    }


def _errors_value(comparison: TokenizerComparison, place: int, kind: ContentKind | None) -> dict[str, Any]:
    errors = _errors(comparison, place, kind)
    return {
        "items": errors.items,
        "total": errors.total,
        "low": errors.low,
        "high": errors.high,
        "mean_absolute_error": errors.mean_absolute_error,
        "bias": errors.bias,
        "worst": None if errors.worst is None else comparison.ids[errors.worst],
    }


def _errors(comparison: TokenizerComparison, place: int, kind: ContentKind | None) -> KindErrors:
    errors = comparison.errors(place, kind)
    assert errors is not None, "the comparison is finished"
    return errors
