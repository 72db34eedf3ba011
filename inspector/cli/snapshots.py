"""Three or more snapshots side by side, as the command line writes them: settings and items that differ, and totals."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, word
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.side_by_side import SideBySide, side_by_side
from inspector.cli.output import print_csv, print_json, say
from inspector.cli.shootout import totals_of
from inspector.figures import counted

_ITSELF = "the inspection"
_ABSENT = "not there"
_TOTALS = ("status", "total", "free")


def compare_snapshots(paths: Sequence[str], answers: Sequence[Answer], answer_format: str) -> None:
    """Print how the answers to these snapshots differ."""
    sides = side_by_side([_name(path) for path in paths], answers)
    if answer_format == "json":
        print_json(sides_value(sides))
    elif answer_format == "csv":
        print_csv(_lines(sides))
    else:
        _print(sides)


def sides_value(sides: SideBySide) -> dict[str, Any]:
    """What differs as JSON has it: a value of each snapshot in each list; null where one does not have it."""
    return {
        "columns": list(sides.names),
        "settings": [{"name": setting.name, "values": list(setting.values)} for setting in sides.settings],
        "rows": _rows(sides),
        "totals": [totals_of(answer) for answer in sides.answers],
    }


def _name(path: str) -> str:
    _, name = inspection_part(path) or (path, "")
    return name or _ITSELF


def _rows(sides: SideBySide) -> list[dict[str, Any]]:
    """The items that differ: what each snapshot makes of them, and spends on them."""
    return [_row(sides, place) for place in range(len(sides))]


def _row(sides: SideBySide, place: int) -> dict[str, Any]:
    assembly, item = sides.item(place)
    actions, rows = sides.actions[place].tolist(), sides.rows[place].tolist()
    spent = zip(sides.answers, rows, strict=True)
    return {
        "id": assembly.candidates.ids[item],
        "actions": [None if action == ABSENT else word(Action(action)) for action in actions],
        "spent": [None if row == NO_ROW else int(answer.assembly.spent[row]) for answer, row in spent],
    }


def _lines(sides: SideBySide) -> Iterator[dict[str, Any]]:
    """A line for each item that differs and each snapshot, as files have it."""
    for row in _rows(sides):
        for name, action, spent in zip(sides.names, row["actions"], row["spent"], strict=True):
            yield {"item": row["id"], "snapshot": name, "action": action, "spent": spent}


def _print(sides: SideBySide) -> None:
    from inspector.cli.console import Console, Table

    console, columns = Console(), [(name, "") for name in sides.names]
    table = Table(("setting", ""), *columns)
    for setting in sides.settings:
        table.add_row(setting.name.replace("_", " "), *setting.texts)
    for name in _TOTALS:
        table.add_row(name, *(str(totals_of(answer)[name]) for answer in sides.answers))
    console.print(table)
    table = Table(("item", ""), *columns)
    for row in _rows(sides):
        table.add_row(row["id"], *(action or _ABSENT for action in row["actions"]))
    if table.row_count:
        console.print(table)
    differing = f"{counted(len(sides.settings), 'setting')} and {counted(len(sides), 'item')} differ"
    say(f"{differing}: {' · '.join(sides.names)}")
