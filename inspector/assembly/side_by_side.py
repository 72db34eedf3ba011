"""Several answers side by side: the differing settings, and the items grouped by their actions in each answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer, resolved_scenario
from inspector.assembly.columns import I64, U8, Action, Rows
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.decisions import Assembly
from inspector.assembly.parameter_text import setting_text
from inspector.derived import cached_property

_NOT_COMPARED = ("format", "tokenizer_reason", "base", "model_row", "given")


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A differing setting: its value in each answer, None if an answer does not have it, and the values as text."""

    name: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """The items, as places `start` to `stop`, with the same actions in the answers; None for an answer without them."""

    actions: tuple[Action | None, ...]
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The differing items of several answers, as places: sorted by their actions, then in prompt order.

    `rows` is places × answers: the row of the item in each answer, `NO_ROW` if it has none; `actions` likewise, with
    `ABSENT`.
    """

    names: tuple[str, ...]
    answers: tuple[Answer, ...]
    settings: tuple[SettingRow, ...]
    rows: Rows
    actions: U8

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, place: int) -> tuple[Assembly, int]:
        """Return the last assembly with the item of a place, and its row there."""
        last = int(np.flatnonzero(self.rows[place] != NO_ROW)[-1])
        return self.answers[last].assembly, int(self.rows[place, last])

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of actions, each as a slice of the places."""
        if not len(self):
            return ()
        starts = [0, *(np.flatnonzero((self.actions[1:] != self.actions[:-1]).any(axis=1)) + 1).tolist()]
        return tuple(
            Pattern(tuple(None if one == ABSENT else Action(one) for one in self.actions[start].tolist()), start, stop)
            for start, stop in zip(starts, [*starts[1:], len(self)], strict=True)
        )


def side_by_side(names: Sequence[str], answers: Sequence[Answer]) -> SideBySide:
    """Set answers side by side. Items are the same when their ids are. Raise ValueError for no answers."""
    if not answers:
        raise ValueError("nothing is set side by side")
    rows = _rows_of([answer.assembly for answer in answers])
    actions = np.stack([_actions(answer.assembly, rows[:, n]) for n, answer in enumerate(answers)], axis=1)
    differ = np.flatnonzero((actions != actions[:, :1]).any(axis=1))
    order = differ[np.argsort(_code(actions[differ]), kind="stable")]
    return SideBySide(tuple(names), tuple(answers), settings_that_differ(answers), rows[order], actions[order])


def settings_that_differ(answers: Sequence[Answer]) -> tuple[SettingRow, ...]:
    """Return the differing settings of several answers, with every default filled in; parameters by their names."""
    told = [dict(_settings(answer)) for answer in answers]
    names = dict.fromkeys(name for settings in told for name in settings)
    rows = ((name, [settings.get(name) for settings in told]) for name in names)
    return tuple(
        SettingRow(name, tuple(values), tuple(map(partial(_text, name), answers, values)))
        for name, values in rows
        if any(value != values[0] for value in values[1:])
    )


def _text(name: str, answer: Answer, value: Any) -> str:
    return setting_text(name, value, answer.case.policy)


def _settings(answer: Answer) -> Iterator[tuple[str, Any]]:
    for name, value in resolved_scenario(answer).items():
        if name == "parameters":
            yield from value.items()
        elif name not in _NOT_COMPARED:
            yield name, value


def _rows_of(assemblies: Sequence[Assembly]) -> Rows:
    """For every item, return its row in each assembly: in the order of the first, then items of later ones only."""
    if all(one.candidates.ids == assemblies[0].candidates.ids for one in assemblies):
        return np.repeat(np.arange(len(assemblies[0].candidates))[:, None], len(assemblies), axis=1)
    places = {
        name: row for row, name in enumerate(dict.fromkeys(id for one in assemblies for id in one.candidates.ids))
    }
    rows = np.full((len(places), len(assemblies)), NO_ROW, np.intp)
    for number, assembly in enumerate(assemblies):
        there = np.fromiter((places[name] for name in assembly.candidates.ids), np.intp, len(assembly.candidates))
        rows[there, number] = np.arange(len(there))
    return rows


def _actions(assembly: Assembly, rows: Rows) -> U8:
    actions = np.full(len(rows), ABSENT, np.uint8)
    there = rows != NO_ROW
    actions[there] = assembly.action[rows[there]]
    return actions


def _code(actions: U8) -> I64:
    """Return a number for each row of actions, equal for equal rows."""
    code = np.zeros(len(actions), np.int64)
    for column in actions.T:
        code = code * (ABSENT + 1) + column
    return code
