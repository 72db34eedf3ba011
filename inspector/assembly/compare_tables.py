"""Two answers side by side as tables: the differing items, their transitions, and the totals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate, Section, outcome_tone, outcome_words, section_title, word
from inspector.assembly.compare import ABSENT, NO_ROW, Comparison, TotalLine, TransitionGroup, compare, total_lines
from inspector.assembly.decisions import Assembly
from inspector.assembly.numbers import number_of
from inspector.assembly.side_by_side import SideBySide
from inspector.derived import cached_property
from inspector.figures import figures
from inspector.tables import Column, Face, Kind, Table, Tone, field_column

ABSENT_WORD = "not there"


@dataclass(frozen=True, eq=False)
class Compared:
    """Two answers and their differences."""

    sides: SideBySide

    @property
    def answers(self) -> tuple[Answer, Answer]:
        """The answers before and after."""
        before, after = self.sides.answers
        return before, after

    @cached_property
    def comparison(self) -> Comparison:
        """The differing items; none if a side has no prompt."""
        before, after = self.answers
        return compare(before.assembly, after.assembly)

    @cached_property
    def lines(self) -> tuple[TotalLine, ...]:
        """The tokens of every part of the budget and of the summaries within, then how many items met each fate."""
        counts = (answer.assembly.fate_counts for answer in self.answers)
        met = [(fate, int(one), int(other)) for fate, one, other in zip(Fate, *counts, strict=True)]
        items = (TotalLine(f"items_{word(fate)}", *both) for fate, *both in met if fate != Fate.NOT_YET or any(both))
        summaries = TotalLine("summaries_of_the_program", *(answer.assembly.summaries_total for answer in self.answers))
        within = [summaries] if summaries.before or summaries.after else []
        return (*total_lines(*self.answers), *within, *items)

    @property
    def refusals(self) -> list[str]:
        """The sides without a prompt, with the reasons: changes between the sides are then undefined."""
        errors = zip("ab", (answer.assembly.error for answer in self.answers), strict=True)
        return [f"No prompt was made of {name}: {error.message}" for name, error in errors if error is not None]


def item_of(comparison: Comparison, place: int) -> tuple[Assembly, int]:
    """Return the assembly and the row of the item at a place, as it is after, or as it was before if it is gone."""
    after = int(comparison.rows_after[place])
    if after != NO_ROW:
        return comparison.after, after
    return comparison.before, int(comparison.rows_before[place])


def item_id(comparison: Comparison, place: int) -> str:
    """Return the id of the item at a place of the comparison."""
    assembly, row = item_of(comparison, place)
    return assembly.candidates.ids[row]


def item_number(comparison: Comparison, place: int) -> str:
    """Return the number of the item at a place of the comparison."""
    assembly, row = item_of(comparison, place)
    return number_of(assembly.candidates, row)


def item_text(comparison: Comparison, place: int) -> str:
    """Return the whole text of the item at a place."""
    assembly, row = item_of(comparison, place)
    return assembly.candidates.texts[row]


def item_section(comparison: Comparison, place: int) -> Section:
    """Return the section of the item at a place."""
    assembly, row = item_of(comparison, place)
    return Section(int(assembly.section[row]))


def transition_words(before: Fate | None, after: Fate | None) -> str:
    """Return the outcome of an item before and after, None if there is no such item."""
    return " → ".join(ABSENT_WORD if fate is None else outcome_words(fate) for fate in (before, after))


def _fate(number: int) -> Fate | None:
    return None if number == ABSENT else Fate(number)


def _transition(comparison: Comparison, place: int) -> str:
    return transition_words(_fate(comparison.fates_before[place]), _fate(comparison.fates_after[place]))


def _action(fate: int) -> str | None:
    """Return the action of a fate: a future item is dropped, with its own reason."""
    return None if fate == ABSENT else word(Fate.DROPPED if fate == Fate.NOT_YET else Fate(fate))


def _after_tone(comparison: Comparison, place: int) -> Tone | None:
    fate = int(comparison.fates_after[place])
    return outcome_tone(Fate(fate)) if fate < ABSENT else None


def _difference(comparison: Comparison, place: int) -> int:
    return int(comparison.spent_after[place]) - int(comparison.spent_before[place])


def _is_estimated(comparison: Comparison, place: int) -> bool:
    sides = (comparison.before, comparison.rows_before), (comparison.after, comparison.rows_after)
    rows = ((side.candidates, int(rows[place])) for side, rows in sides)
    return any(bool(candidates.estimated[row]) for candidates, row in rows if row != NO_ROW)


def _spent_before(comparison: Comparison, place: int) -> str:
    spent, fate = int(comparison.spent_before[place]), int(comparison.fates_before[place])
    return _spent(comparison.before, int(comparison.rows_before[place]), fate, spent)


def _spent_after(comparison: Comparison, place: int) -> str:
    spent, fate = int(comparison.spent_after[place]), int(comparison.fates_after[place])
    return _spent(comparison.after, int(comparison.rows_after[place]), fate, spent)


def _spent(assembly: Assembly, row: int, fate: int, spent: int) -> str:
    """Return the cost of a row in its prompt; a dash, as in the table of decisions, if it is not there."""
    return figures(spent, bool(assembly.candidates.estimated[row])) if fate < Fate.DROPPED else figures(None)


def _reason(assembly: Assembly, row: int) -> str | None:
    return None if row == NO_ROW else assembly.reason_of(row).code


def _label(assembly: Assembly, row: int) -> str:
    return "" if row == NO_ROW else assembly.reason_of(row).label


def _muted(_: object, __: int) -> Tone:
    return "muted"


COMPARISON_COLUMNS: tuple[Column[Comparison], ...] = (
    Column("id", "#", "The number of the item", item_id, words=item_number, digits=6, tooltip=item_id),
    Column(
        "section",
        "Section",
        "The part of the budget charged for it",
        lambda comparison, place: word(item_section(comparison, place)),
        words=lambda comparison, place: section_title(item_section(comparison, place)),
        faces=Face.FILES,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        item_text,
        kind=Kind.EXCERPT,
        digits=22,
        stretches=True,
        tooltip=item_text,
        faces=Face.WINDOW,
    ),
    Column(
        "before",
        "Before",
        "Its outcome in the baseline",
        lambda comparison, place: _action(int(comparison.fates_before[place])),
        faces=Face.FILES,
    ),
    Column(
        "after",
        "After",
        "Its outcome now",
        lambda comparison, place: _action(int(comparison.fates_after[place])),
        faces=Face.FILES,
    ),
    Column(
        "transition",
        "Before → After",
        "Its outcome in the baseline, and now",
        _transition,
        digits=21,
        tone=_after_tone,
        faces=Face.PEOPLE,
    ),
    Column(
        "spent_before",
        "Before",
        "Its tokens in the prompt of the baseline",
        lambda comparison, place: int(comparison.spent_before[place]),
        kind=Kind.TOKENS,
        words=_spent_before,
        digits=7,
        tone=_muted,
        yields=1,
    ),
    Column(
        "spent_after",
        "After",
        "Its tokens in this prompt",
        lambda comparison, place: int(comparison.spent_after[place]),
        kind=Kind.TOKENS,
        words=_spent_after,
        digits=7,
    ),
    Column(
        "change",
        "Change",
        "The change in tokens",
        _difference,
        kind=Kind.DIFFERENCE,
        estimated=_is_estimated,
        digits=7,
        faces=Face.PEOPLE,
    ),
    Column(
        "reason_before",
        "Reason before",
        "The reason in the baseline",
        lambda comparison, place: _reason(comparison.before, int(comparison.rows_before[place])),
        words=lambda comparison, place: _label(comparison.before, int(comparison.rows_before[place])),
        digits=21,
        tone=_muted,
        yields=3,
    ),
    Column(
        "reason_after",
        "Reason after",
        "The reason now",
        lambda comparison, place: _reason(comparison.after, int(comparison.rows_after[place])),
        words=lambda comparison, place: _label(comparison.after, int(comparison.rows_after[place])),
        digits=21,
        yields=2,
    ),
)
CHANGES: Table[Comparison] = Table(COMPARISON_COLUMNS, lambda comparison: range(len(comparison)))


def _fate_word(fate: Fate | None) -> str | None:
    return None if fate is None else word(fate)


_Groups = Sequence[TransitionGroup]


def _group_words(groups: _Groups, number: int) -> str:
    return transition_words(groups[number].before, groups[number].after)


GROUPS: Table[_Groups] = Table(
    (
        Column(
            "before",
            "Before",
            "Their outcome in the baseline",
            lambda groups, number: _fate_word(groups[number].before),
            faces=Face.FILES,
        ),
        Column(
            "after",
            "After",
            "Their outcome now",
            lambda groups, number: _fate_word(groups[number].after),
            faces=Face.FILES,
        ),
        Column(
            "transition",
            "Before → After",
            "Their outcome in the baseline, and now",
            _group_words,
            faces=Face.TERMINAL,
        ),
        Column("items", "Items", "The number of items", lambda groups, number: len(groups[number]), kind=Kind.COUNT),
        field_column("spent_before", "Before", "Their tokens in the baseline", Kind.TOKENS),
        field_column("spent_after", "After", "Their tokens now", Kind.TOKENS),
    ),
    lambda groups: range(len(groups)),
)
"""The occurring transitions, each with its items."""

_Lines = Sequence[TotalLine]
_LINE_TITLES = {word(section): section_title(section) for section in Section} | {
    "overhead": "Formatting",
    "reserve": "Reply",
}


def line_title(line: TotalLine) -> str:
    """Return the name of a part of the budget, such as Memories or Items kept."""
    return _LINE_TITLES.get(line.name) or line.name.capitalize().replace("_", " ")


TOTALS: Table[_Lines] = Table(
    (
        field_column(
            "name", "Part", "Tokens of the budget, or how many items", words=lambda lines, row: line_title(lines[row])
        ),
        field_column("before", "Before", "The tokens or items in the baseline", Kind.TOKENS),
        field_column("after", "After", "The tokens or items now", Kind.TOKENS),
        field_column("change", "Change", "The difference", Kind.DIFFERENCE),
    ),
    lambda lines: range(len(lines)),
)


def totals_of(answer: Answer) -> dict[str, Any]:
    """Return the totals of an assembly: its status, the number of items by action, and its tokens by part."""
    counts, used = answer.assembly.action_counts, answer.assembly.used
    return {
        "status": answer.status,
        **{word(action): int(counts[action]) for action in Action},
        "sections": {word(section): int(used[section]) for section in Section if used[section]},
        "items": answer.ledger.items,
        "overhead": answer.ledger.overhead,
        "total": answer.ledger.total,
        "reserve": answer.assembly.budget.response_reserve,
        "free": answer.free,
    }


def comparison_value(compared: Compared) -> dict[str, Any]:
    """Return the comparison as JSON: every differing item, with null on a side without it."""
    before, after = compared.answers
    return {
        "transitions": list(CHANGES.records(compared.comparison)),
        "totals": {
            "changed": len(compared.comparison),
            "before": totals_of(before),
            "after": totals_of(after),
            "groups": list(GROUPS.records(compared.comparison.groups)),
        },
        "settings": [
            {"name": setting.name, "before": setting.values[0], "after": setting.values[1]}
            for setting in compared.sides.settings
        ],
    }
