"""Recall by category: the evidence kept for each kind of question, under the current and a recommended setting."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.ask import Loss, ProbeRecall, Recalled, loss_columns, losses, mean_of, recalls
from inspector.assembly.columns import F64
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.figures import percentage, points
from inspector.model import Probe
from inspector.tables import Column, Face, Kind, Table

ALL, NONE = "all questions", "no kind given"
_NOTICED = 0.005
"""A smaller share that is missing holds nothing back."""
_REASONS = {
    Loss.NOT_CITED: "no memory names it",
    Loss.NOT_RETRIEVED: "it is not retrieved",
    Loss.OVER_BUDGET: "it has no room",
    Loss.EXCLUDED: "you left it out",
}


@dataclass(frozen=True, eq=False)
class Category:
    """A kind of question: the outcome of its evidence now and then; `then` is empty without a recommended setting."""

    name: str
    now: tuple[ProbeRecall, ...]
    then: tuple[ProbeRecall, ...]
    context_window: int | None = None

    @cached_property
    def lost(self) -> Mapping[Loss, float]:
        """The share of the evidence lost now, for each reason."""
        return losses(self.now)


Categories = tuple[Category, ...]


def categories_in(now: Recalled, then: Recalled | None, window: int | None = None) -> Categories:
    """Return all questions, then each category in the order of the probes."""
    names = list(dict.fromkeys(probe.category for probe in now.probes))
    whole = Category(ALL, now.found, then.found if then else (), window)
    if len(names) < 2:
        return (whole,)
    return whole, *(Category(name or NONE, _of(now, name), _of(then, name) if then else (), window) for name in names)


def _of(recalled: Recalled, name: str) -> tuple[ProbeRecall, ...]:
    pairs = zip(recalled.probes, recalled.found, strict=True)
    return tuple(found for probe, found in pairs if probe.category == name)


def asked_by_category(
    basis: Basis, settings: Sequence[Scenario], probes: Sequence[Probe]
) -> Iterator[Share | Categories]:
    """Ask the probes under the current setting and, if given, another; yield the results after each.

    Raise ScenarioError and UnknownTokenizerError.
    """
    total = len(settings) * len(probes)
    found: list[Recalled] = []
    for setting in settings:
        before = len(found) * len(probes)
        for step in recalls(replace(basis, scenario=setting), probes):
            if isinstance(step, Share):
                yield Share(before + step.done, total)
            else:
                found.append(step)
        yield categories_in(found[0], found[1] if len(found) > 1 else None, settings[0].context_window)


def held(found: Sequence[ProbeRecall], name: str = "recall_with_memories") -> float | None:
    """Return the mean of a figure of recall; None for no questions."""
    return mean_of(found).columns[name]


def what_holds_back(categories: Categories) -> str:
    """Return the kind of question that still lacks most under the last setting asked, and why; "" if nothing does."""
    asked = [(each, each.then or each.now) for each in (categories[1:] or categories)]
    lacking = [(1 - (held(found) or 0.0), each, found) for each, found in asked if found]
    if not lacking or max(share for share, _, _ in lacking) < _NOTICED:
        return ""
    share, category, found = max(lacking, key=lambda each: each[0])
    lost = {loss: part for loss, part in losses(found).items() if part}
    why = f", mostly because {_REASONS[max(lost, key=lambda loss: lost[loss])]}" if lost else ""
    lacking_most = "The questions lack" if category.name == ALL else f"“{category.name}” lacks"
    return f"{lacking_most} {percentage(share)} of what is needed{why}."


def gain(category: Category) -> float | None:
    """Return the gain from now to then, in points; None without another setting."""
    now, then = held(category.now), held(category.then)
    return None if now is None or then is None else (then - now) * 100


def _share(key: str, title: str, help: str, figure: str, **more: Any) -> Column[Categories]:
    """Return the column of a mean recall figure, under the setting named at the beginning of the key."""

    def value(categories: Categories, row: int) -> float | None:
        return held(getattr(categories[row], key.partition("_")[0]), figure)

    return Column(key, title, help, value, lambda all_: _known(value(all_, row) for row in range(len(all_))),
                  Kind.SHARE, digits=9, **more)  # fmt: skip


def _known(values: Iterable[float | None]) -> F64:
    return np.array([np.nan if value is None else value for value in values], np.float64)


_LOST: tuple[Column[Categories], ...] = tuple(loss_columns(lambda all_: [each.lost for each in all_]))
_WAITING = tuple(replace(column, at_first=False) for column in _LOST)
CATEGORY_COLUMNS: tuple[Column[Categories], ...] = (
    Column(
        "context_window",
        "Window",
        "The context window in tokens",
        lambda categories, row: categories[row].context_window,
        kind=Kind.COUNT,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column("category", "Kind", "The kind of question", lambda all_, row: all_[row].name, digits=15),
    Column(
        "bar",
        "Recall",
        "Recall under the setting as a bar; the line is recall now",
        lambda all_, row: held(all_[row].then) if all_[row].then else held(all_[row].now),
        words=lambda all_, row: percentage(held(all_[row].then) if all_[row].then else held(all_[row].now)),
        faces=Face.WINDOW,
        digits=12,
        stretches=True,
    ),
    Column(
        "questions",
        "Questions",
        "How many there are",
        lambda categories, row: len(categories[row].now),
        lambda categories: np.array([len(each.now) for each in categories]),
        Kind.COUNT,
        digits=9,
        at_first=False,
    ),
    _share("now", "Now", "The share of the needed items in the current prompts", "recall_with_memories", yields=1),
    _share("now_whole", "Whole", "The same, kept itself, not told by a memory that names it", "recall", at_first=False),
    _share("then", "Then", "The same as Now, under the recommended setting", "recall_with_memories"),
    _share("then_whole", "Then whole", "The same as Whole, under the recommended setting", "recall", faces=Face.FILES),
    Column(
        "gain",
        "Gain",
        "Then less now, in points",
        lambda categories, row: gain(categories[row]),
        lambda categories: _known(map(gain, categories)),
        Kind.NUMBER,
        lambda categories, row: points(gain(categories[row])),
        digits=8,
    ),
    *_WAITING,
)
CATEGORIES: Table[Categories] = Table(CATEGORY_COLUMNS, lambda categories: range(len(categories)))
