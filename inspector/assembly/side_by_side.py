"""Several settings side by side: the differing values, and the outcome of every item under each. Nothing is counted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer, resolved_scenario
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, I64, ROLES, U8, Action, Bool, Fate, Kind, Rows, word
from inspector.assembly.compare import ABSENT, NO_ROW
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.parameter_text import setting_text
from inspector.assembly.policy import parameters_by_name, policy_title
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.figures import counted
from inspector.tokens.certainty import Certainty

_NOT_COMPARED = ("format", "tokenizer_reason", "base", "model_row", "given")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a setting. `over` is the tokens by which prompt and reply exceed the window.

    `made` is False if there is no prompt; `certainty` is that of the total, at best an estimate until the prompt is
    measured. `items` are those in the prompt, `cost` is in dollars, None for an unknown price.
    """

    total: int
    items: int
    free: int
    over: int
    errors: int
    warnings: int
    made: bool
    certainty: Certainty
    cost: float | None

    @property
    def exact(self) -> bool:
        """Whether every figure is a real count."""
        return self.certainty is Certainty.EXACT

    @property
    def estimated(self) -> bool:
        """Whether any figure is an estimate or not known."""
        return self.certainty >= Certainty.ESTIMATE


@dataclass(frozen=True, eq=False)
class Side:
    """A column: a setting under its title, what it is (such as `as designed`), and the answer to it.

    `key` tells it from the others. `scenario` is the setting as it would be used; the answer may be to a similar one
    that asks no server.
    """

    key: str
    title: str
    about: str
    scenario: Scenario
    answer: Answer

    @cached_property
    def outcome(self) -> Outcome:
        """The figures of its answer."""
        return _outcome(self.answer)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A differing setting: its value in each answer, None if an answer does not have it, and the values as text.

    `title` is its name for users.
    """

    name: str
    title: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SideBySide:
    """All items of several answers, matched by their ids: in the order of the first, then items of later ones only.

    `rows` is items × sides: the row of the item in each answer, `NO_ROW` if it has none. `refused` says in a sentence
    each why a setting has no side.
    """

    sides: tuple[Side, ...]
    rows: Rows
    refused: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The titles of the sides."""
        return tuple(side.title for side in self.sides)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers of the sides."""
        return tuple(side.answer for side in self.sides)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the items."""
        return _ids_of([answer.assembly for answer in self.answers])

    @cached_property
    def actions(self) -> U8:
        """The action for each item in each answer, `ABSENT` for an answer without it."""
        return self._spread([answer.assembly.action for answer in self.answers])

    @cached_property
    def fates(self) -> U8:
        """The `Fate` of each item in each answer, for display, `ABSENT` likewise."""
        return self._spread([answer.assembly.fate for answer in self.answers])

    def _spread(self, columns: Sequence[U8]) -> U8:
        """Return a column of each answer as items × sides."""
        return np.stack([_at(column, self.rows[:, n]) for n, column in enumerate(columns)], axis=1)

    @cached_property
    def made(self) -> Bool:
        """Mask of the sides with a prompt; the others do not count as disagreeing."""
        return np.array([side.outcome.made for side in self.sides], np.bool_)

    @cached_property
    def dissent(self) -> I32:
        """For each item, the number of sides that disagree with the majority, 0 if all agree."""
        actions = self.actions[:, self.made]
        most = np.zeros(len(actions), np.int32)
        for action in (*Action, ABSENT):
            np.maximum(most, (actions == int(action)).sum(axis=1, dtype=np.int32), out=most)
        return actions.shape[1] - most

    @cached_property
    def disputed(self) -> int:
        """The number of items on which the sides disagree."""
        return int(np.count_nonzero(self.dissent))

    def shown(self, only_disputed: bool = False) -> Rows:
        """Return all items, or those on which the sides disagree."""
        return np.flatnonzero(self.dissent) if only_disputed else np.arange(len(self))

    @cached_property
    def differing(self) -> Rows:
        """The items with another action in some answer: sorted by their actions, then in prompt order."""
        differ = np.flatnonzero((self.actions != self.actions[:, :1]).any(axis=1))
        return differ[np.argsort(_code(self.actions[differ]), kind="stable")]

    @cached_property
    def settings(self) -> tuple[SettingRow, ...]:
        """The differing settings."""
        return settings_that_differ(self.answers)

    def item(self, place: int) -> tuple[Assembly, int]:
        """Return the last assembly with an item, and its row there."""
        last = int(np.flatnonzero(self.rows[place] != NO_ROW)[-1])
        return self.answers[last].assembly, int(self.rows[place, last])

    def candidate(self, place: int) -> tuple[Candidates, int]:
        """Return the candidates of the first side with an item, and its row there."""
        first = int(np.flatnonzero(self.rows[place] != NO_ROW)[0])
        return self.answers[first].assembly.candidates, int(self.rows[place, first])

    def text(self, place: int) -> str:
        """Return the whole text of an item."""
        candidates, row = self.candidate(place)
        return candidates.texts[row]

    def role(self, place: int) -> str:
        """Return the role of a message, or the kind of another item."""
        candidates, row = self.candidate(place)
        role, kind = int(candidates.role[row]), Kind(int(candidates.kind[row]))
        return ROLES[role] if role < len(ROLES) else word(kind)

    def found(self, number: int) -> str:
        """Return why a side made no prompt, or the number of errors and warnings; "" for none."""
        outcome, error = self.sides[number].outcome, self.answers[number].assembly.error
        if error is not None:
            return error.code.replace("_", " ")
        parts = ((outcome.errors, "error"), (outcome.warnings, "warning"))
        return ", ".join(counted(number, noun) for number, noun in parts if number)

    def messages(self, number: int) -> tuple[str, ...]:
        """Return the same as sentences, with every finding."""
        answer = self.answers[number]
        refused = () if answer.assembly.error is None else (answer.assembly.error.message,)
        return (*refused, *(f"{finding.severity}: {finding.message}" for finding in answer.findings))

    @property
    def sentence(self) -> str:
        """The number of disputed items, and whether any figure is an estimate."""
        about = f"They disagree about {self.disputed:,} of {counted(len(self), 'item')}"
        estimated = any(side.outcome.made and side.outcome.estimated for side in self.sides)
        return f"{about} · ≈ marks estimates" if estimated else about


def side_by_side(sides: Sequence[Side], refused: Sequence[str] = ()) -> SideBySide:
    """Set sides side by side. Items are the same when their ids are. Raise ValueError for no sides."""
    if not sides:
        raise ValueError("nothing is set side by side")
    return SideBySide(tuple(sides), _rows_of([side.answer.assembly for side in sides]), tuple(refused))


def answered_sides(
    scenarios: Sequence[tuple[str, Scenario]], answer_to: Callable[[Scenario], Answer]
) -> tuple[Side, ...]:
    """Answer scenarios under their titles with `answer_to`, whose errors are passed on."""
    return tuple(Side(title, title, "", scenario, answer_to(scenario)) for title, scenario in scenarios)


def settings_that_differ(answers: Sequence[Answer]) -> tuple[SettingRow, ...]:
    """Return the differing settings of several answers, with every default filled in; parameters by their names."""
    told = [dict(_settings(answer)) for answer in answers]
    names = dict.fromkeys(name for settings in told for name in settings)
    rows = ((name, [settings.get(name) for settings in told]) for name in names)
    return tuple(
        SettingRow(name, _title(name, answers), tuple(values), tuple(map(partial(_text, name), answers, values)))
        for name, values in rows
        if any(value != values[0] for value in values[1:])
    )


def _title(name: str, answers: Sequence[Answer]) -> str:
    """Return the label of a parameter, or the name of another setting in words."""
    declared = (parameters_by_name(answer.case.policy).get(name) for answer in answers)
    label = next((parameter.label for parameter in declared if parameter is not None), "")
    return label or name.replace("_", " ").capitalize()


def _text(name: str, answer: Answer, value: Any) -> str:
    if name == "policy" and value is not None:
        return policy_title(value, type(answer.case.policy) if answer.case.policy is not None else None)
    return setting_text(name, value, answer.case.policy)


def _settings(answer: Answer) -> Iterator[tuple[str, Any]]:
    for name, value in resolved_scenario(answer).items():
        if name == "parameters":
            yield from value.items()
        elif name not in _NOT_COMPARED:
            yield name, value


def _outcome(answer: Answer) -> Outcome:
    assembly, ledger, total = answer.assembly, answer.ledger, answer.ledger.total
    severities = [finding.severity for finding in answer.findings]
    return Outcome(
        total=total,
        items=len(assembly.rows_in_prompt),
        free=answer.free,
        over=max(0, total + assembly.budget.response_reserve - assembly.budget.context_window),
        errors=severities.count("error"),
        warnings=severities.count("warning"),
        made=assembly.error is None,
        certainty=ledger.certainty if ledger.rendered is not None else max(ledger.certainty, Certainty.ESTIMATE),
        cost=prompt_cost(answer.model.row, total),
    )


def _ids_of(assemblies: Sequence[Assembly]) -> tuple[str, ...]:
    first = assemblies[0].candidates.ids
    if all(one.candidates.ids is first or one.candidates.ids == first for one in assemblies):
        return first
    return tuple(dict.fromkeys(name for one in assemblies for name in one.candidates.ids))


def _rows_of(assemblies: Sequence[Assembly]) -> Rows:
    """For every item, return its row in each assembly."""
    first, ids = assemblies[0].candidates.ids, _ids_of(assemblies)
    if ids is first:
        return np.broadcast_to(np.arange(len(first))[:, None], (len(first), len(assemblies)))
    places = {name: place for place, name in enumerate(ids)}
    rows = np.full((len(places), len(assemblies)), NO_ROW, np.intp)
    for number, assembly in enumerate(assemblies):
        there = np.fromiter((places[name] for name in assembly.candidates.ids), np.intp, len(assembly.candidates))
        rows[there, number] = np.arange(len(there))
    return rows


def _at(column: U8, rows: Rows) -> U8:
    """Return the values of a column at these rows, `ABSENT` for `NO_ROW`."""
    if not len(column):
        return np.full(len(rows), ABSENT, np.uint8)
    return np.where(rows == NO_ROW, np.uint8(ABSENT), column[rows])


def _code(actions: U8) -> I64:
    """Return a number for each row of actions, equal for equal rows."""
    code = np.zeros(len(actions), np.int64)
    for column in actions.T:
        code = code * (ABSENT + 1) + column
    return code


def fate_at(sides: SideBySide, place: int, number: int) -> Fate | None:
    """Return the fate of an item under a side, None if its answer does not have it."""
    fate = int(sides.fates[place, number])
    return None if fate == ABSENT else Fate(fate)
