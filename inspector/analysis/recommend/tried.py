"""The settings tried for the plots: along a knob, with a line for each policy, or every pair of values of two knobs.

Values only; no widgets.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.along import RecallAlong, recall_along
from inspector.analysis.recall.probes import reasons_of
from inspector.analysis.recommend.blocks import Asked, asked_of, find_probes
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.folds import NEAR
from inspector.analysis.recommend.front import thinned
from inspector.analysis.recommend.knobs import Knob, knobs_of
from inspector.analysis.recommend.measure import NO_PROMPT, gathered
from inspector.analysis.recommend.settings import all_values, as_setting, in_window, is_taken
from inspector.assembly.columns import F64
from inspector.assembly.edits import use_policy
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_of, policy_title
from inspector.assembly.remembered import Remembered
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.figures import counted, dollars, percentage
from inspector.model import Probe
from inspector.tables import Column, Kind, Table, or_none

TRIED_FORMAT = "prompt-inspector/recall-along@1"
ALONG, ACROSS = 21, 13
"""The maximum of values tried along a knob, and for each value of another knob."""
SIZED = 24
"""The maximum of questions by whose prompts tokens and cost are measured."""
NEAR_STEPS = 2
"""The maximum distance of near values, in steps of their knob: two steps double a window."""


@dataclass(frozen=True, eq=False)
class Bench:
    """The variations to try: the current setting under which all questions are asked, and its knobs.

    `others` are the settings of other policies, as last used, with their knobs; `today` are the current values, and
    `titles` those of the policies by name.
    """

    setting: Scenario
    knobs: tuple[Knob, ...]
    coarse: tuple[Knob, ...]
    today: dict[str, object]
    others: tuple[tuple[Scenario, tuple[Knob, ...]], ...]
    titles: Mapping[str, str]

    @property
    def policy(self) -> str:
        """The current policy."""
        return self.setting.policy or DEFAULT_POLICY


def bench_of(
    pipeline: Pipeline, asked: Scenario, window: int, policies: Sequence[str], remembered: Remembered
) -> Bench:
    """Return the variations around a setting with a window of this size, and around these policies as last used.

    Raise PolicyError if the setting is refused.
    """
    setting = in_window(asked, window)
    others = []
    for name in policies:
        other = use_policy(setting, name, None, remembered).scenario
        if name != setting.policy and is_taken(pipeline, other):
            others.append((other, _knobs(pipeline, other, ALONG)))
    today = {**all_values(pipeline, setting), WINDOW: window}
    titles = {name: policy_title(name, kind) for name, kind in pipeline.choices.policies.items()}
    knobs = _knobs(pipeline, setting, ALONG), _knobs(pipeline, setting, ACROSS)
    return Bench(setting, *knobs, today, tuple(others), titles)


def _knobs(pipeline: Pipeline, setting: Scenario, most: int) -> tuple[Knob, ...]:
    choices = pipeline.choices
    kind = choices.preset(setting).kind(choices.policies[setting.policy or DEFAULT_POLICY])
    return knobs_of(parameters_of(kind), all_values(pipeline, setting), setting.context_window or 0, most)


@dataclass(frozen=True, eq=False)
class Tried:
    """Settings to try: the place of each along a knob, and its policy, or its place along another knob.

    `recall` is their recall so far, None before the first. `tokens` and `cost` are the means of a prompt, by `sized` of
    the questions, of each setting of the policy in use (NaN: not measured).
    """

    knobs: tuple[Knob, ...]
    base: Scenario
    settings: tuple[Scenario, ...]
    places: tuple[tuple[int, int], ...]
    policies: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    recall: RecallAlong | None = None
    tokens: F64 | None = None
    cost: F64 | None = None
    sized: int = 0

    def is_about(self, setting: Scenario) -> bool:
        """Return whether a setting is among the tried settings, or is the setting around which they were tried."""
        now = _with_window(setting)
        return any(now == _with_window(one) for one in (self.base, *self.settings))

    def words(self, place: int) -> str:
        """Describe a tried setting in a few words."""
        across, other = self.places[place]
        first = f"{self.knobs[0].title} {self.knobs[0].written(self.knobs[0].values[across])}"
        if len(self.knobs) > 1:
            return f"{first}, {self.knobs[1].title} {self.knobs[1].written(self.knobs[1].values[other])}"
        return f"{self.titles[other]}, {first}"

    def sentence(self, place: int) -> str:
        """Describe the recall of a tried setting, with its interval."""
        if self.recall is None or not self.recall.taken[place]:
            return f"{self.words(place)}: the policy does not take it"
        interval = self.recall.interval(place)
        sure = f" ({percentage(interval[0])} to {percentage(interval[1])})" if interval else ""
        return f"{self.words(place)}: {percentage(float(self.recall.means[place]))}{sure}{self._price(place)}"

    def _price(self, place: int) -> str:
        """Return the tokens and the cost of a prompt under a setting, after its recall; "" if not measured."""
        if self.tokens is None or np.isnan(self.tokens[place]):
            return ""
        cost = "" if self.cost is None or np.isnan(self.cost[place]) else f", {dollars(float(self.cost[place]))}"
        return f" for {self.tokens[place]:,.0f} tokens a prompt{cost}"

    @property
    def standing(self) -> str:
        """The number of questions behind these results."""
        if self.recall is None:
            return "asking …"
        if self.recall.asked < self.recall.of:
            return f"by {self.recall.asked:,} of {counted(self.recall.of, 'question')} so far …"
        return f"by {counted(self.recall.asked, 'question')}"

    @property
    def standing_in_short(self) -> str:
        """The same in fewer words."""
        if self.recall is None or self.recall.asked == self.recall.of:
            return self.standing
        return f"{self.recall.asked:,} of {self.recall.of:,} …"

    def best(self, bench: Bench, within: float = inf) -> int | None:
        """Return the pair of two knobs with the highest recall; of those within half a point of it the nearest to now.

        Only pairs within this many steps of the current values are considered.
        """
        if self.recall is None:
            return None
        means = np.where(self._steps(bench) <= within, self.recall.means, np.nan)
        if np.isnan(means).all():
            return None
        across, up = self.today(bench) or (0.0, 0.0)
        equal = np.flatnonzero(means >= np.nanmax(means) - NEAR).tolist()
        far = lambda place: hypot(self.places[place][0] - across, self.places[place][1] - up)  # noqa: E731
        return min(equal, key=lambda place: (far(place), -means[place]))

    def best_near(self, bench: Bench) -> int | None:
        """Return the best pair near now; None also if the current place is not known."""
        return self.best(bench, NEAR_STEPS)

    def best_sentence(self, bench: Bench, marked: str = "") -> str:
        """Return the best pair, with the words for its mark, and the best near now; "" if unknown."""
        best, near = self.best(bench), self.best_near(bench)
        if best is None:
            return ""
        of_all = f"Best{', near now' if best == near else ''}{marked}: {self.sentence(best)}"
        if near in (None, best):
            return of_all
        return f"{of_all}; best near now, at most {NEAR_STEPS} steps of each away: {self.sentence(near)}"

    def _steps(self, bench: Bench) -> F64:
        """Return the distance of each setting from the current values in steps, the maximum over its knobs.

        Another word of a choice is one step. Infinite if the place of the current values is unknown.
        """
        today = self.today(bench)
        if today is None:
            return np.full(len(self.places), inf)
        steps = abs(np.array(self.places, np.float64)[:, : len(today)] - np.array(today))
        ordered = np.array([knob.is_ordered for knob in self.knobs])
        return np.where(ordered, steps, np.minimum(steps, 1)).max(axis=1)

    def today(self, bench: Bench) -> tuple[float, ...] | None:
        """Return the places of the current values along the knobs; None if any of them is outside.

        This happens if its policy lacks any of these knobs, for instance after changing the policy.
        """
        if any(knob.name not in bench.today for knob in self.knobs):
            return None
        places = [knob.place(bench.today[knob.name]) for knob in self.knobs]
        known = tuple(place for place in places if place is not None)
        return known if len(known) == len(places) else None


def tried_value(tried: Tried, bench: Bench) -> dict[str, Any]:
    """Return the tried settings as JSON: the knobs with today's values, the rows, and the number of probes."""
    best, near = (tried.best(bench), tried.best_near(bench)) if len(tried.knobs) > 1 else (None, None)
    rows = list(TRIED.records(tried))
    return {
        "format": TRIED_FORMAT,
        "policy": bench.policy,
        "knobs": [{"name": knob.name, "now": bench.today.get(knob.name)} for knob in tried.knobs],
        "probes": tried.recall.asked if tried.recall is not None else 0,
        "rows": rows,
        "best": None if best is None else rows[best],
        "best_near_now": None if near is None else rows[near],
    }


def _with_window(setting: Scenario) -> tuple[Scenario, int | None]:
    return as_setting(setting), setting.context_window


def try_out(basis: Basis, tried: Tried, probes: Sequence[Probe]) -> Iterator[Share | Tried]:
    """Yield the recall of these settings by more and more of these probes, finally by all askable probes.

    Raise ScenarioError and UnknownTokenizerError, ValueError if no probe can be asked, and AbandonedError.
    """
    asked = asked_of([find_probes(basis.pipeline, tried.base, probes)])
    if not asked.probes:
        raise ValueError(reasons_of(asked.skipped) or "there are none")
    for step in recall_along(basis.pipeline, tried.settings, asked, basis.cache):
        if isinstance(step, Share):
            yield step
        else:
            tried = replace(tried, recall=step)
            yield tried
    if len(tried.knobs) == 1:
        yield _sized(basis, tried, asked)


def _sized(basis: Basis, tried: Tried, asked: Asked) -> Tried:
    """Return the same with tokens and cost of the settings of the policy in use, by some of the questions."""
    assert tried.recall is not None, "recall is measured first"
    own = np.flatnonzero((np.array(tried.places)[:, 1] == 0) & tried.recall.taken)
    some = thinned(len(asked.probes), SIZED)
    settings, probes = [tried.settings[row] for row in own.tolist()], [asked.probes[row] for row in some.tolist()]
    total = gathered(OpenChats(basis.pipeline), settings, probes, basis.cache).total
    made = np.where(total == NO_PROMPT, np.nan, total)
    price = np.where(total == NO_PROMPT, np.nan, asked.costs(some, total))
    tokens, cost = (np.full(len(tried.settings), np.nan) for _ in range(2))
    there = ~np.isnan(made).all(axis=1)
    tokens[own[there]] = np.nanmean(made[there], axis=1)
    if all(asked.prices[place] is not None for place in some.tolist()):
        cost[own[there]] = np.nanmean(price[there], axis=1)
    return replace(tried, tokens=tokens, cost=cost, sized=len(some))


def along(bench: Bench, name: str) -> Tried:
    """Return the settings along a knob: under the current policy, and under every other policy with this knob."""
    knob = next(each for each in bench.knobs if each.name == name)
    lines = [(bench.setting, knob), *_others_with(bench, name)]
    found = [
        (setting, (place, line))
        for line, (base, turned) in enumerate(lines)
        for place, value in enumerate(knob.values)
        if value in turned.values and (setting := turned.turned(base, value)) is not None
    ]
    policies = tuple(base.policy or DEFAULT_POLICY for base, _ in lines)
    titles = tuple(bench.titles.get(name, name) for name in policies)
    settings, places = zip(*found, strict=True)
    return Tried((knob,), bench.setting, settings, places, policies, titles)


def _others_with(bench: Bench, name: str) -> Iterator[tuple[Scenario, Knob]]:
    for setting, knobs in bench.others:
        yield from ((setting, knob) for knob in knobs if knob.name == name)


def crossed(bench: Bench, across: str, up: str) -> Tried:
    """Return the settings with every pair of values of two knobs."""
    first, second = (next(each for each in bench.coarse if each.name == name) for name in (across, up))
    found = []
    for row, high in enumerate(second.values):
        raised = second.turned(bench.setting, high)
        for column, value in enumerate(first.values if raised else ()):
            setting = first.turned(raised, value, (second.name,)) if raised else None
            if setting is not None:
                found.append((setting, (column, row)))
    settings, places = zip(*found, strict=True)
    return Tried((first, second), bench.setting, settings, places)


def _policy(tried: Tried, row: int) -> str:
    return tried.policies[tried.places[row][1]] if tried.policies else tried.base.policy or DEFAULT_POLICY


def _places(tried: Tried, side: int) -> F64:
    return np.array([place[side] for place in tried.places], np.float64)


def _means(tried: Tried) -> F64:
    return tried.recall.means if tried.recall is not None else np.full(len(tried.settings), np.nan)


def _end(tried: Tried, row: int, end: int) -> float | None:
    interval = tried.recall.interval(row) if tried.recall is not None else None
    return interval[end] if interval else None


def _knob_column(knob: Knob, number: int) -> Column[Tried]:
    def value(tried: Tried, row: int) -> Any:
        return tried.knobs[number].values[tried.places[row][number]]

    return Column(
        knob.name,
        knob.title,
        "The value that was tried",
        value,
        lambda tried: _places(tried, number),
        Kind.NUMBER if knob.is_ordered else Kind.TEXT,
        lambda tried, row: tried.knobs[number].written(value(tried, row)),
        digits=14,
    )


def _title(tried: Tried, row: int) -> str:
    return tried.titles[tried.places[row][1]] if tried.titles else _policy(tried, row)


def _mean(values: F64 | None, row: int) -> float | None:
    return None if values is None else or_none(values[row])


_POLICY: Column[Tried] = Column(
    "policy",
    "Policy",
    "The policy that decides",
    _policy,
    lambda tried: _places(tried, 1),
    words=_title,
    digits=22,
    stretches=True,
)
_SIZES: tuple[Column[Tried], ...] = (
    Column(
        "tokens",
        "Tokens",
        "The mean number of tokens of a prompt, for the policy in use",
        lambda tried, row: _mean(tried.tokens, row),
        kind=Kind.NUMBER,
        words=lambda tried, row: "–" if (mean := _mean(tried.tokens, row)) is None else f"{mean:,.0f}",
        digits=9,
    ),
    Column(
        "cost",
        "Cost",
        "The mean cost of a prompt in US dollars, for the policy in use",
        lambda tried, row: _mean(tried.cost, row),
        kind=Kind.MONEY,
        absent="–",
        digits=11,
    ),
)
_RECALL: tuple[Column[Tried], ...] = (
    Column(
        "recall",
        "Recall",
        "The share of the needed items in the prompts, by themselves or by a memory that names them",
        lambda tried, row: or_none(_means(tried)[row]),
        _means,
        Kind.SHARE,
        digits=9,
    ),
    Column(
        "low",
        "From",
        "The lower end of its 95 % interval, over conversations",
        lambda tried, row: _end(tried, row, 0),
        kind=Kind.SHARE,
        digits=9,
    ),
    Column(
        "high",
        "To",
        "The upper end of its 95 % interval, over conversations",
        lambda tried, row: _end(tried, row, 1),
        kind=Kind.SHARE,
        digits=9,
    ),
)


def tried_columns(tried: Tried | None) -> tuple[Column[Tried], ...]:
    """Return the columns of tried settings, including a column for each knob."""
    knobs = () if tried is None else tried.knobs
    sizes = _SIZES if len(knobs) == 1 else ()
    return _POLICY, *(_knob_column(knob, number) for number, knob in enumerate(knobs)), *_RECALL, *sizes


TRIED: Table[Tried] = Table(tried_columns, lambda tried: range(len(tried.settings)))
