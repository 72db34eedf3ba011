"""The tables of a tokenizer comparison: items by tokenizer, and errors by kind of content. Columns only; no widgets."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.content_kinds import ContentKind
from inspector.analysis.tokenizers import RULES, TokenizerComparison
from inspector.assembly.columns import F64, Action, Rows, phrase
from inspector.figures import counted, figures
from inspector.gui.table.header_entries import HeaderEntry, HeaderLine
from inspector.gui.table.matrix_model import MatrixModel
from inspector.gui.theme import ACTION_GLYPH
from inspector.tables import Column, Tone, first_line

FLIP_GLYPH = "⇄"
KIND_WORDS = {
    ContentKind.PROSE: "prose",
    ContentKind.CODE: "code",
    ContentKind.CJK: "CJK",
    ContentKind.EMOJI: "emoji",
    ContentKind.JSON: "JSON",
    ContentKind.OTHER: "other",
}

_FIGURE_SPACE = "\u2007"
_SHARE_FIGURES = 3
_FLIPPED_FIRST = 1e6


def short_name(name: str) -> str:
    """How people call a tokenizer: `o200k_base`, or the rule of an estimator, `characters / 4`."""
    return RULES.get(name) or name.partition(":")[2] or name


def full_label(name: str) -> str:
    """A tokenizer with the name that it is asked for by: `characters / 4 · estimate:chorus`."""
    return f"{short_name(name)} · {name}"


def signed_share(share: float) -> str:
    """A share of 1 as a signed percentage, filled to one width with spaces as wide as figures; "" where unknown."""
    if np.isnan(share):
        return ""
    percentage = f"{abs(share) * 100:,.1f}"
    sign = "±" if percentage == "0.0" else "+" if share > 0 else "−"
    missing = _SHARE_FIGURES - len(percentage.partition(".")[0])
    return f"{_FIGURE_SPACE * max(missing, 0)}{sign}{percentage} %"


def tokenizer_key(name: str) -> str:
    """The key of the column of a tokenizer."""
    return f"tokenizer:{name}"


def header_entries(comparison: TokenizerComparison) -> tuple[HeaderEntry, ...]:
    """What stands over the column of each tokenizer: its name, its total and what it flips."""
    return tuple(
        HeaderEntry(tokenizer_key(column.name), column.name, "tokenizer", place == 0, _header_lines(comparison, place))
        for place, column in enumerate(comparison.columns)
    )


def _header_lines(comparison: TokenizerComparison, place: int) -> tuple[HeaderLine, ...]:
    column = comparison.columns[place]
    lines = (HeaderLine(short_name(column.name), "name"), HeaderLine(column.name, "muted"))
    if column.tokens is None:
        return (*lines, HeaderLine("not counted yet", "muted"))
    total = int(column.tokens.sum(dtype=np.int64))
    if place == comparison.base:
        role = "the reference" if column.exact else "compared with it"
        return (
            *lines,
            HeaderLine(counted(total, "token", estimated=not column.exact), "usual"),
            HeaderLine(role, "muted"),
        )
    errors = comparison.errors(place)
    bias = "" if errors is None or errors.bias is None else f"  {signed_share(errors.bias).strip(_FIGURE_SPACE)}"
    flips = HeaderLine(flips_text(comparison, place), "usual" if _flip_count(comparison, place) else "muted")
    return (*lines, HeaderLine(f"{figures(total, not column.exact)}{bias}", "usual"), flips)


def _flip_count(comparison: TokenizerComparison, place: int) -> int | None:
    flips = comparison.flips(place)
    return None if flips is None else len(flips)


def flips_text(comparison: TokenizerComparison, place: int) -> str:
    """How many decisions a tokenizer flips, in words."""
    count = _flip_count(comparison, place)
    if count is None:
        return "decisions not known"
    return f"flips {count:,} decision{'' if count == 1 else 's'}" if count else "flips nothing"


def _column_tooltip(comparison: TokenizerComparison, place: int) -> str:
    column, errors = comparison.columns[place], comparison.errors(place)
    lines = [full_label(column.name), "Counts exactly." if column.exact else "Estimates."]
    if errors is None:
        return "\n".join([*lines, "Not counted yet."])
    if place != comparison.base:
        mean = "Off" if comparison.reference else "Apart"
        lines.append(f"{mean} by {errors.mean_absolute_error:,.1f} tokens an item; {flips_text(comparison, place)}.")
    return "\n".join([*lines, "A click sorts by what it flips and by how far it is off."])


def _muted(comparison: TokenizerComparison, row: int) -> Tone:
    return "muted"


def _flips(comparison: TokenizerComparison, row: int) -> str:
    count = int(comparison.dissent[row])
    return f"{count} of {len(comparison.columns) - 1}" if count else ""


ITEM_COLUMNS: tuple[Column[TokenizerComparison], ...] = (
    Column(
        "number",
        "#",
        "The number of the item, as it was loaded; sorts by it",
        lambda _, row: f"{row + 1:,}",
        lambda comparison: np.arange(len(comparison.kinds)),
        digits=7,
        right=True,
        tone=_muted,
        tooltip=lambda comparison, row: comparison.ids[row],
    ),
    Column(
        "content",
        "Content",
        "What the text mostly holds; sorts by it",
        lambda comparison, row: KIND_WORDS[ContentKind(int(comparison.kinds[row]))],
        lambda comparison: comparison.kinds,
        digits=8,
        tone=_muted,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda comparison, row: first_line(comparison.candidates.texts[row]),
        digits=20,
        stretches=True,
        tooltip=lambda comparison, row: comparison.candidates.texts[row],
    ),
    Column(
        "flips",
        "Flips",
        "Under how many tokenizers the policy decides otherwise; sorts by it",
        _flips,
        lambda comparison: comparison.dissent,
        digits=7,
    ),
)


def _distance(comparison: TokenizerComparison, place: int) -> F64:
    """What a tokenizer's column is sorted by: flipped decisions first, then how far its counts are off."""
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
    """The glyphs before a count whose item meets another action: that it flips, and to what."""
    actions = comparison.columns[place].actions
    if actions is None or not _is_flipped(comparison, row, place):
        return ""
    return f"{FLIP_GLYPH}{ACTION_GLYPH[Action(int(actions[row]))]} "


def _tokenizer_column(place: int, name: str) -> Column[TokenizerComparison]:
    def text(comparison: TokenizerComparison, row: int) -> str:
        tokens, shares = comparison.columns[place].tokens, comparison.shares(place)
        if tokens is None:
            return ""
        number = f"{int(tokens[row]):,}"
        if shares is None or place == comparison.base:
            return number
        return f"{_flip_mark(comparison, row, place)}{number}  {signed_share(float(shares[row]))}"

    def tone(comparison: TokenizerComparison, row: int) -> Tone | None:
        """What agrees is quiet; all else has the usual ink, which alone can be read on every tint."""
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
        tokenizer_key(name),
        name,
        "",
        text,
        distances,
        digits=18,
        right=True,
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


class TokenizerComparisonModel(MatrixModel[TokenizerComparison]):
    """The matrix of a comparison; a cell that is off has a ground of its own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, lambda comparison: comparison.candidates, _column_tooltip, parent)

    def show_comparison(self, comparison: TokenizerComparison | None, rows: Rows) -> None:
        """Show these rows of a comparison, with a column for each of its tokenizers."""
        names = [] if comparison is None else [column.name for column in comparison.columns]
        columns = [_tokenizer_column(place, name) for place, name in enumerate(names)]
        if self.place(self.sorted_by) is not None and all(column.key != self.sorted_by for column in columns):
            self.sorted_by = "flips"
        self.show_matrix(columns, comparison, rows, () if comparison is None else comparison.ids)
