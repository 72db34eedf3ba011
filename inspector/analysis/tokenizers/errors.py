"""The tables of tokenizer errors by kind of content, and of flipped decisions."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.tokenizers.ask import RULES, KindErrors, TokenizerColumn, TokenizerComparison
from inspector.assembly.columns import Action, Rows, word
from inspector.assembly.numbers import number_in, title_in
from inspector.derived import cached_property
from inspector.figures import signed
from inspector.tables import Column, Face, Kind, Table, Tone, Value
from inspector.tokens.content_kinds import ContentKind
from inspector.tokens.tokenizer import tokenizer_title

ALL_KINDS = "all"
KIND_WORDS = {
    ContentKind.PROSE: "prose",
    ContentKind.CODE: "code",
    ContentKind.CJK: "CJK",
    ContentKind.EMOJI: "emoji",
    ContentKind.JSON: "JSON",
    ContentKind.OTHER: "other",
}
FIGURE_SPACE = "\u2007"
_SHARE_FIGURES = 3


def short_name(name: str) -> str:
    """Return the displayed name of a tokenizer: `o200k`, or the rule of an estimator, `characters / 4`."""
    return RULES.get(name) or tokenizer_title(name)


def full_label(name: str) -> str:
    """Return the label of a tokenizer with its name in settings: `characters / 4 · estimate:chorus`."""
    return f"{short_name(name)} · {name}"


def signed_share(share: float) -> str:
    """Return a share of 1 as a signed percentage, padded to a fixed width with spaces as wide as figures; "" if
    unknown.
    """
    if np.isnan(share):
        return ""
    percentage = f"{abs(share) * 100:,.1f}"
    sign = "±" if percentage == "0.0" else "+" if share > 0 else "−"
    missing = _SHARE_FIGURES - len(percentage.partition(".")[0])
    return f"{FIGURE_SPACE * max(missing, 0)}{sign}{percentage} %"


@dataclass(frozen=True, eq=False)
class ErrorTable:
    """A comparison as rows: for all texts and for each kind of them a heading, then every tokenizer.

    A row is `group × tokenizers + place`; a heading is −1 less its group.
    """

    comparison: TokenizerComparison

    @cached_property
    def kinds(self) -> tuple[ContentKind | None, ...]:
        """The groups; None means all texts."""
        return (None, *self.comparison.kinds_present)

    @cached_property
    def cells(self) -> tuple[KindErrors | None, ...]:
        """The errors of each row, None until a tokenizer has counted."""
        places = range(len(self.comparison.columns))
        return tuple(self.comparison.errors(place, kind) for kind in self.kinds for place in places)

    @cached_property
    def flips(self) -> tuple[int | None, ...]:
        """The number of flipped decisions in each row, None if unknown."""
        compared = self.comparison
        of_kind = [slice(None) if kind is None else compared.kinds == kind for kind in self.kinds]
        masks = [compared.flipped(place) for place in range(len(compared.columns))]
        return tuple(None if mask is None else int(mask[group].sum()) for group in of_kind for mask in masks)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """A name for each row."""
        return tuple(f"{kind}/{column.name}" for kind in self.kinds for column in self.comparison.columns)

    @cached_property
    def rows(self) -> Rows:
        """All rows and headings, in order."""
        size = len(self.comparison.columns)
        groups = range(len(self.kinds))
        return np.array([row for group in groups for row in (-1 - group, *range(group * size, (group + 1) * size))])

    def place(self, row: int) -> int:
        """Return the place of the tokenizer of a row."""
        return row % len(self.comparison.columns)

    def column(self, row: int) -> TokenizerColumn:
        """Return the tokenizer of a row."""
        return self.comparison.columns[self.place(row)]

    def kind(self, row: int) -> ContentKind | None:
        """Return the kind of content of a row, None for all."""
        return self.kinds[row // len(self.comparison.columns)]

    def is_base(self, row: int) -> bool:
        """Return whether the row is of the tokenizer with which the others are compared."""
        return self.place(row) == self.comparison.base

    def share(self, row: int) -> float:
        """Return the error of a row's total as a share; NaN if unknown, and for the base of the comparison."""
        errors = self.cells[row]
        bias = None if errors is None or self.is_base(row) else errors.bias
        return float("nan") if bias is None else bias

    def title(self, group: int) -> str:
        """Return the content of the texts of a group, and their number."""
        kind, errors = self.kinds[group], self.cells[group * len(self.comparison.columns) + self.comparison.base]
        count = 0 if errors is None else errors.items
        words = "All content" if kind is None else KIND_WORDS[kind][:1].upper() + KIND_WORDS[kind][1:]
        return f"{words} · {count:,} text{'' if count == 1 else 's'}" if count else words


def _error(read: Callable[[KindErrors], Value]) -> Callable[[ErrorTable, int], Value]:
    """Return a figure of a row, unknown where the tokenizer has not counted yet."""
    return lambda table, row: None if (errors := table.cells[row]) is None else read(errors)


def _own(text: Callable[[ErrorTable, int], str]) -> Callable[[ErrorTable, int], str]:
    """Return the text of a figure, empty for the tokenizer with which the others are compared."""
    return lambda table, row: "" if table.is_base(row) else text(table, row)


def _flip_count(table: ErrorTable, row: int) -> str:
    flips = table.flips[row]
    return "" if flips is None else f"{flips:,}"


def _mean(table: ErrorTable, row: int) -> str:
    errors = table.cells[row]
    return "" if errors is None else f"{errors.mean_absolute_error:,.1f}"


def _worst(table: ErrorTable, row: int) -> str | None:
    errors = table.cells[row]
    return None if errors is None or errors.worst is None else table.comparison.ids[errors.worst]


def _worst_number(table: ErrorTable, row: int) -> str:
    errors = table.cells[row]
    return "" if errors is None or errors.worst is None else number_in(table.comparison.candidates.items, errors.worst)


def _worst_tooltip(table: ErrorTable, row: int) -> str:
    errors, differences = table.cells[row], table.comparison.differences(table.place(row))
    if errors is None or errors.worst is None or differences is None:
        return "None is off."
    title = title_in(table.comparison.candidates.items, errors.worst)
    return f"{title} is off by {signed(int(differences[errors.worst]))} tokens."


def _base_color(table: ErrorTable, row: int) -> Tone | None:
    return "muted" if table.is_base(row) else None


_ERROR_COLUMNS: tuple[Column[ErrorTable], ...] = (
    Column(
        "kind",
        "Content",
        "The main content of the texts",
        lambda table, row: ALL_KINDS if (kind := table.kind(row)) is None else word(kind),
        words=lambda table, row: ALL_KINDS if (kind := table.kind(row)) is None else KIND_WORDS[kind],
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "label",
        "Tokenizer",
        "The tokenizer",
        lambda table, row: short_name(table.column(row).name),
        tooltip=lambda table, row: full_label(table.column(row).name),
        faces=Face.WINDOW,
        digits=22,
        least=14,
        tone=_base_color,
    ),
    Column(
        "tokenizer",
        "Tokenizer",
        "The tokenizer",
        lambda table, row: table.column(row).name,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column("exact", "Exact", "Whether it counts exactly", lambda table, row: table.column(row).exact, faces=Face.FILES),
    Column(
        "items",
        "Items",
        "How many texts there are of that kind",
        _error(lambda errors: errors.items),
        kind=Kind.COUNT,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "total",
        "Tokens",
        "Its tokens for these texts together",
        _error(lambda errors: errors.total),
        kind=Kind.TOKENS,
        estimated=lambda table, row: not table.column(row).exact,
        digits=9,
        tone=_base_color,
    ),
    Column(
        "low",
        "At least",
        "The least that its tokens may be by its own error, where that is known",
        _error(lambda errors: errors.low),
        kind=Kind.TOKENS,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "high",
        "At most",
        "The most that its tokens may be by its own error, where that is known",
        _error(lambda errors: errors.high),
        kind=Kind.TOKENS,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "bias",
        "Bias",
        "By how much the total is too large (+) or too small (−)",
        _error(lambda errors: errors.bias),
        kind=Kind.SHARE_DIFFERENCE,
        words=lambda table, row: signed_share(table.share(row)),
        digits=8,
        tint=lambda table, row: table.share(row),
    ),
    Column(
        "mean_absolute_error",
        "Mean error",
        "By how many tokens a text is off, whichever way",
        _error(lambda errors: errors.mean_absolute_error),
        kind=Kind.NUMBER,
        words=_own(_mean),
        digits=8,
    ),
    Column(
        "flips",
        "Flips",
        "How many decisions about these texts it flips",
        lambda table, row: table.flips[row],
        kind=Kind.COUNT,
        words=_own(_flip_count),
        digits=7,
    ),
    Column(
        "worst",
        "Worst item",
        "The item that is off by most tokens",
        _worst,
        words=_worst_number,
        digits=14,
        stretches=True,
        tooltip=_worst_tooltip,
    ),
)
_DIFFERENCE_TITLES = {
    "bias": "Difference", "mean_absolute_error": "Mean difference", "worst": "Furthest item",
}  # fmt: skip
"""The titles if no tokenizer is exact, so that differences are not errors."""
_DIFFERENCE_COLUMNS = tuple(
    replace(column, title=_DIFFERENCE_TITLES.get(column.key, column.title)) for column in _ERROR_COLUMNS
)


def error_columns(table: ErrorTable | None) -> tuple[Column[ErrorTable], ...]:
    """Return the columns of errors, or of differences if no tokenizer is exact; those of bounds if any has some."""
    compared = None if table is None else table.comparison
    columns = _ERROR_COLUMNS if compared is None or compared.reference is not None else _DIFFERENCE_COLUMNS
    if compared is not None and any(column.bounds for column in compared.columns):
        return columns
    return tuple(column for column in columns if column.key not in ("low", "high"))


ERRORS: Table[ErrorTable] = Table(error_columns, lambda table: table.rows[table.rows >= 0].tolist())


def flip_value(comparison: TokenizerComparison, place: int, row: int) -> dict[str, str]:
    """Return the outcomes of an item under the base of the comparison, and under a tokenizer."""
    actions = (comparison.columns[column].actions for column in (comparison.base, place))
    usual, other = (word(Action(int(found[row]))) for found in actions if found is not None)
    return {"id": comparison.ids[row], "reference": usual, "action": other}


@dataclass(frozen=True, eq=False)
class Flips:
    """The flipped decisions of a comparison, the items flipped by most tokenizers first."""

    comparison: TokenizerComparison

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The item and the tokenizer of each."""
        compared = self.comparison
        places = range(len(compared.columns))
        flips = ((place, found) for place in places if (found := compared.flips(place)) is not None)
        found = [(row, place) for place, rows in flips for row in rows.tolist()]
        return tuple(sorted(found, key=lambda pair: (-compared.dissent[pair[0]], *pair)))

    def tokens(self, row: int, place: int) -> int | None:
        """Return the tokenizer's count for the item of a row."""
        tokens = self.comparison.columns[place].tokens
        return None if tokens is None else int(tokens[self.pairs[row][0]])

    def value(self, row: int) -> dict[str, str]:
        """Return a flip as JSON."""
        return flip_value(self.comparison, *reversed(self.pairs[row]))


def _flip_columns(flips: Flips) -> tuple[Column[Flips], ...]:
    base = flips.comparison.columns[flips.comparison.base]
    return (
        Column("item", "Item", "The item whose decision flips", lambda flips, row: flips.value(row)["id"]),
        Column(
            "tokenizer",
            "Tokenizer",
            "Under which tokenizer",
            lambda flips, row: flips.comparison.columns[flips.pairs[row][1]].name,
        ),
        Column(
            "tokens",
            "Tokens",
            "Its tokens",
            lambda flips, row: flips.tokens(row, flips.pairs[row][1]),
            kind=Kind.TOKENS,
        ),
        Column(
            "reference_tokens",
            "Exact" if base.exact else base.name,
            "The tokens of the reference",
            lambda flips, row: flips.tokens(row, flips.comparison.base),
            kind=Kind.TOKENS,
        ),
        Column(
            "reference",
            "Reference",
            "Its outcome with the reference",
            lambda flips, row: flips.value(row)["reference"],
            faces=Face.FILES,
        ),
        Column(
            "action",
            "Decision",
            "Its outcome with the reference, and with the tokenizer",
            lambda flips, row: flips.value(row)["action"],
            words=lambda flips, row: "{reference} → {action}".format(**flips.value(row)),
        ),
    )


FLIPS: Table[Flips] = Table(_flip_columns, lambda flips: range(len(flips.pairs)))
