"""Several answers side by side as tables: the differing settings and items, a column for each answer."""

from typing import Any

from inspector.assembly.columns import Action, outcome_tone, outcome_words, word
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.compare_tables import ABSENT_WORD, totals_of
from inspector.assembly.explain import explain
from inspector.assembly.numbers import number_of
from inspector.assembly.side_by_side import SideBySide
from inspector.figures import figures
from inspector.tables import Column, Kind, Table, Tone, first_line

_TOTALS = ("status", "total", "free")


def place_of(sides: SideBySide, row: int) -> int:
    """Return the place of the item of a row; below 0 for a setting. The settings come first."""
    return row - len(sides.settings)


def _item(sides: SideBySide, place: int) -> int:
    """Return the item at a place among those that differ."""
    return int(sides.differing[place])


def row_name(sides: SideBySide, row: int) -> str:
    """Return the name of the setting, or the id of the item, of a row, as files name it."""
    place = place_of(sides, row)
    if place < 0:
        return sides.settings[row].name.replace("_", " ")
    assembly, item = sides.item(_item(sides, place))
    return assembly.candidates.ids[item]


def _row_title(sides: SideBySide, row: int) -> str:
    """Return the name of the setting, or the number of the item, of a row."""
    place = place_of(sides, row)
    if place < 0:
        return row_name(sides, row)
    assembly, item = sides.item(_item(sides, place))
    return number_of(assembly.candidates, item)


def _text(sides: SideBySide, row: int) -> str:
    """Return the text of an item, "" for a setting."""
    place = place_of(sides, row)
    if place < 0:
        return ""
    assembly, item = sides.item(_item(sides, place))
    return assembly.candidates.texts[item]


ROW_COLUMNS: tuple[Column[SideBySide], ...] = (
    Column(
        "item",
        "Difference",
        "The setting, or the number of the item, that differs",
        row_name,
        words=_row_title,
        digits=16,
        least=10,
        tooltip=lambda sides, row: _text(sides, row) or row_name(sides, row),
    ),
)


def side_column(number: int, title: str, about: str) -> Column[SideBySide]:
    """Return the column of an answer: its value of a setting, or its action for an item with the tokens spent."""

    def value(sides: SideBySide, row: int) -> str | None:
        place = place_of(sides, row)
        return sides.settings[row].texts[number] if place < 0 else _action(sides, place, number)

    def words(sides: SideBySide, row: int) -> str:
        place = place_of(sides, row)
        return first_line(sides.settings[row].texts[number]) if place < 0 else _outcome_text(sides, place, number)

    def tone(sides: SideBySide, row: int) -> Tone | None:
        place = place_of(sides, row)
        action = int(sides.actions[_item(sides, place), number]) if place >= 0 else Action.KEPT
        return outcome_tone(Action(action)) if action != ABSENT else None

    def tooltip(sides: SideBySide, row: int) -> str:
        place = place_of(sides, row)
        if place < 0:
            return sides.settings[row].texts[number]
        item = int(sides.rows[_item(sides, place), number])
        return ABSENT_WORD if item == NO_ROW else f"{about}: {explain(sides.answers[number].assembly, item)}"

    return Column(f"answer:{number}", title, about, value, words=words, digits=16, least=9, tone=tone, tooltip=tooltip)


def _action(sides: SideBySide, place: int, number: int) -> str | None:
    action = int(sides.actions[_item(sides, place), number])
    return None if action == ABSENT else word(Action(action))


def _spent(sides: SideBySide, place: int, number: int) -> int | None:
    item = int(sides.rows[_item(sides, place), number])
    return None if item == NO_ROW else int(sides.answers[number].assembly.spent[item])


def _outcome_text(sides: SideBySide, place: int, number: int) -> str:
    action = int(sides.actions[_item(sides, place), number])
    if action == ABSENT:
        return ABSENT_WORD
    spent = "" if action == Action.DROPPED else f" {figures(_spent(sides, place, number))}"
    return f"{outcome_words(Action(action))}{spent}"


def _columns(sides: SideBySide) -> tuple[Column[SideBySide], ...]:
    return (*ROW_COLUMNS, *(side_column(number, name, name) for number, name in enumerate(sides.names)))


SETTINGS: Table[SideBySide] = Table(_columns, lambda sides: range(len(sides.settings)))
"""The differing settings."""
ITEMS: Table[SideBySide] = Table(
    _columns, lambda sides: range(len(sides.settings), len(sides.settings) + len(sides.differing))
)
"""The differing items."""


def _total_column(number: int, name: str) -> Column[SideBySide]:
    def value(sides: SideBySide, row: int) -> str | int:
        return totals_of(sides.answers[number])[_TOTALS[row]]

    def words(sides: SideBySide, row: int) -> str:
        found = value(sides, row)
        return found.replace("_", " ") if isinstance(found, str) else figures(found)

    return Column(f"answer:{number}", name, f"The totals of {name}", value, words=words)


def _totals(sides: SideBySide) -> tuple[Column[SideBySide], ...]:
    named: Column[SideBySide] = Column("name", "Total", "The total", lambda sides, row: _TOTALS[row], kind=Kind.WORD)
    return (named, *(_total_column(number, name) for number, name in enumerate(sides.names)))


TOTALS: Table[SideBySide] = Table(_totals, lambda sides: range(len(_TOTALS)))


def _split(sides: SideBySide, row: int) -> tuple[int, int]:
    """Return the place of the item and the number of the answer of a line."""
    return divmod(row, len(sides.names))


LINES: Table[SideBySide] = Table(
    (
        Column("item", "Item", "The id of the item", lambda sides, row: _item_id(sides, _split(sides, row)[0])),
        Column("snapshot", "Snapshot", "The answer", lambda sides, row: sides.names[_split(sides, row)[1]]),
        Column("action", "Outcome", "Its outcome", lambda sides, row: _action(sides, *_split(sides, row))),
        Column("spent", "In the prompt", "Its tokens there", lambda sides, row: _spent(sides, *_split(sides, row))),
    ),
    lambda sides: range(len(sides.differing) * len(sides.names)),
)
"""A line for each differing item and each answer, in the form of files."""


def _item_id(sides: SideBySide, place: int) -> str:
    return row_name(sides, place + len(sides.settings))


def sides_value(sides: SideBySide) -> dict[str, Any]:
    """Return the differences as JSON: a value of each answer in each list; null if an answer does not have it."""
    numbers = range(len(sides.names))
    return {
        "columns": list(sides.names),
        "settings": [{"name": setting.name, "values": list(setting.values)} for setting in sides.settings],
        "rows": [
            {
                "id": _item_id(sides, place),
                "actions": [_action(sides, place, number) for number in numbers],
                "spent": [_spent(sides, place, number) for number in numbers],
            }
            for place in range(len(sides.differing))
        ],
        "totals": [totals_of(answer) for answer in sides.answers],
    }
