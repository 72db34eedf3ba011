"""The tables of a survival: a row for each item, and for files a row for each stretch of each item."""

from collections.abc import Callable
from functools import partial

import numpy as np

from inspector.analysis.survival.ask import Survived
from inspector.analysis.survival.stretches import Outcome, Stretch
from inspector.assembly.columns import I64, Action, Rows, Section, section_title, word
from inspector.assembly.numbers import number_of
from inspector.assembly.parameter_text import FINEST, value_text
from inspector.tables import Column, Face, Kind, Table, Tone, Value


def written(survived: Survived, number: int) -> str:
    """Return a numbered value of the slider as displayed, such as `35.0 %` or `4,096`."""
    return _written(survived)(survived.found.axis.value(number))


def words(survived: Survived, row: int) -> str:
    """Describe the outcome of an item from value to value."""
    return survived.found.words(row, _written(survived))


def _written(survived: Survived) -> Callable[[float], str]:
    parameter = survived.slider.parameter
    return "{:,}".format if parameter is None else partial(value_text, parameter, finest=FINEST)


def words_of(outcome: int) -> str:
    """Return the word for an outcome."""
    return word(Outcome(outcome)).replace("_", " ")


def _section(survived: Survived, row: int) -> Section:
    return Section(int(survived.assembly.section[row]))


def _in_from(survived: Survived, row: int) -> float | None:
    found, falls = survived.found, int(survived.found.falls[row])
    return None if falls > found.last else found.axis.value(falls)


def _falls(survived: Survived, row: int) -> str:
    falls = int(survived.found.falls[row])
    if falls > survived.found.last:
        return "lost with more" if survived.found.is_ever_in[row] else "never"
    return "always" if falls == survived.found.first else written(survived, falls)


def _quiet(survived: Survived, row: int) -> Tone | None:
    return None if survived.assembly.in_prompt[row] else "muted"


def _flip_counts(survived: Survived) -> I64:
    return np.diff(survived.found.bounds) - 1


ITEM_COLUMNS: tuple[Column[Survived], ...] = (
    Column(
        "item",
        "#",
        "The number of the item; grey if it is not in the prompt now",
        lambda survived, row: survived.assembly.candidates.ids[row],
        lambda survived: np.arange(len(survived.found)),
        words=lambda survived, row: number_of(survived.assembly.candidates, row),
        faces=Face.PEOPLE,
        digits=18,
        tone=_quiet,
    ),
    Column(
        "section",
        "Section",
        "Its part of the budget",
        lambda survived, row: word(_section(survived, row)),
        lambda survived: survived.assembly.section,
        words=lambda survived, row: section_title(_section(survived, row)),
        faces=Face.PEOPLE,
        digits=10,
        yields=1,
    ),
    Column(
        "today",
        "Now",
        "Its outcome with the present value",
        lambda survived, row: word(Action(int(survived.assembly.action[row]))),
        lambda survived: survived.assembly.action,
        Kind.OUTCOME,
        faces=Face.PEOPLE,
        digits=11,
        yields=2,
    ),
    Column(
        "in_from",
        "In from",
        "From this value on it is in every prompt",
        _in_from,
        lambda survived: survived.found.falls,
        Kind.NUMBER,
        _falls,
        faces=Face.PEOPLE,
        digits=13,
    ),
    Column(
        "flips",
        "Changes",
        "The number of changes of its outcome along the slider",
        lambda survived, row: int(_flip_counts(survived)[row]),
        _flip_counts,
        Kind.COUNT,
        faces=Face.PEOPLE,
        digits=8,
        yields=3,
    ),
    Column(
        "stretches",
        "Outcome by value",
        "Its outcome from value to value; about: the change lies near that value",
        words,
        faces=Face.PEOPLE,
        digits=40,
        stretches=True,
    ),
)
ITEMS: Table[Survived] = Table(ITEM_COLUMNS, lambda survived: range(len(survived.found)))


def _of_stretch(read: Callable[[Stretch], Value]) -> Callable[[Survived, int], Value]:
    return lambda survived, place: read(survived.found.stretch(place))


STRETCHES: Table[Survived] = Table(
    (
        Column(
            "item",
            "Item",
            "Its id",
            lambda survived, place: survived.assembly.candidates.ids[int(survived.found.rows[place])],
        ),
        Column("parameter", "Parameter", "The varied parameter", lambda survived, place: survived.found.name),
        Column("from", "From", "The lowest value", _of_stretch(lambda stretch: stretch.low), kind=Kind.NUMBER),
        Column("to", "To", "The highest value", _of_stretch(lambda stretch: stretch.high), kind=Kind.NUMBER),
        Column(
            "action",
            "Outcome",
            "Its outcome with these values",
            _of_stretch(lambda stretch: word(stretch.outcome)),
            kind=Kind.OUTCOME,
        ),
        Column(
            "exact",
            "Exact",
            "Whether the change is exactly at that value",
            _of_stretch(lambda stretch: stretch.exact),
            kind=Kind.FLAG,
        ),
    ),
    lambda survived: range(len(survived.found.begins)),
)


def places_of(survived: Survived, rows: Rows) -> Rows:
    """Return the places of the stretches of some items, item by item."""
    bounds = survived.found.bounds
    parts = [np.arange(int(bounds[row]), int(bounds[row + 1])) for row in rows.tolist()]
    return np.concatenate([np.zeros(0, np.intp), *parts])
