"""The recommendation: for each window the setting that keeps most of the evidence, and its reliability.

Settings are chosen by the probes of all conversations; the gain is measured by leaving each conversation out of the
whole search, and evaluating on it the setting chosen from the others.
"""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend.blocks import Asked, asked_of, find_probes
from inspector.analysis.recommend.by_policy import PolicyAdvice, best_of_policies
from inspector.analysis.recommend.cached import cheapest, with_cached_costs
from inspector.analysis.recommend.ceiling import Ceiling, bindings, ceilings
from inspector.analysis.recommend.chats import Chats, OpenChats
from inspector.analysis.recommend.climbing import Measuring, climb
from inspector.analysis.recommend.folds import NEAR, USUAL_MARGIN, RecallTable, best_fitting, choose, margin_cost
from inspector.analysis.recommend.front import front_rows
from inspector.analysis.recommend.interval import samples_needed
from inspector.analysis.recommend.learning import LearningPoint, learning_curve
from inspector.analysis.recommend.measured import BlockGain, Setting, gains_of, interval_of, setting_of
from inspector.analysis.recommend.rendered import Rendered, rendered
from inspector.analysis.recommend.search import Search, Terms, begin
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.figures import counted, percentage
from inspector.model import Probe
from inspector.tokens.cache import CountCache

FEW_PROBES, FEW_CONVERSATIONS = 50, 3
_LOOKED_AT = 250
"""The number of probes used to find binding knobs and the coverage of the evidence."""


@dataclass(frozen=True, slots=True)
class WindowAdvice:
    """The recommendation for a window. `interval` is of the mean gain, None if nothing can be left out.

    `front` is the cost of recall: fitting settings, fewest tokens first, each with higher recall than all cheaper
    settings; in the end also than all that cost less with the provider's cache, where that is known. `policies` are the
    best setting of each policy and the current setting. `binds`, `ceiling` and the costs with the cache are known once
    everything is measured. `margin` is kept free beyond the largest prompt of the best setting, as a share of the
    window, and costs `margin_cost` points of recall. `baseline` is the best policy and preset, as shipped, whose
    prompts all fit (None if none does), and `over` are the gains on it, with the interval of their mean. `rendered` are
    prompts of the best setting counted on their texts, and `rendered_now` those of the current, in the end.
    """

    context_window: int
    current: Setting
    best: Setting
    gains: tuple[BlockGain, ...]
    interval: tuple[float, float] | None
    front: tuple[Setting, ...] = ()
    policies: tuple[PolicyAdvice, ...] = ()
    binds: tuple[str, ...] = ()
    ceiling: Ceiling | None = None
    margin: float = 0.0
    margin_cost: float = 0.0
    baseline: Setting | None = None
    over: tuple[BlockGain, ...] = ()
    over_interval: tuple[float, float] | None = None
    rendered: Rendered | None = None
    rendered_now: Rendered | None = None

    @property
    def gain_over_baseline(self) -> float | None:
        """The mean of the gains on the best shipped setting, in points."""
        return float(np.mean([each.gain for each in self.over])) if self.over else None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The current setting, the best, those of the front, and the best of each policy."""
        return self.current, self.best, *self.front, *(each.setting for each in self.policies)

    @property
    def gain(self) -> float | None:
        """The mean of the gains, in points."""
        return float(np.mean([each.gain for each in self.gains])) if self.gains else None

    @property
    def held_out_fits(self) -> float | None:
        """The share of fitting prompts among conversations unseen by the search."""
        if not self.gains:
            return None
        return sum(each.fits * each.probes for each in self.gains) / sum(each.probes for each in self.gains)

    @property
    def changes(self) -> bool:
        """Whether to change: the gain is surely above 0, or the current setting leaves the reply too little room."""
        is_sure = self.interval is not None and self.interval[0] > 0
        return self.best != self.current and (is_sure or self.current.fits < self.best.fits)

    @property
    def may_be_chance(self) -> bool:
        """Whether the best found is another setting, without certainty of a gain."""
        return self.best != self.current and not self.changes

    @property
    def is_short_of_samples(self) -> bool:
        """Whether the best found may be chance, and gains on conversations that the search did not see."""
        return self.may_be_chance and len(self.gains) > 1 and self.gain is not None and self.gain > 0

    @property
    def needed(self) -> int | None:
        """How many conversations (or parts of the only one) would decide, where too few do; None if over 1,000."""
        return samples_needed([each.gain for each in self.gains]) if self.is_short_of_samples else None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The answer. `margin` is the largest of its windows, as a share of the window; `notes` are warnings for the user.

    `is_whole` is False for results found while probes are still being asked. `is_of_one` says whether parts of a single
    conversation were left out.
    """

    terms: Terms
    margin: float
    probes: int
    skipped: tuple[Skipped, ...]
    windows: tuple[WindowAdvice, ...]
    learning: tuple[LearningPoint, ...]
    notes: tuple[str, ...]
    is_whole: bool
    is_of_one: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of a search, in cells, and its result so far; None before the first."""

    done: int
    total: int
    found: Recommendation | None


def recommend(
    pipeline: Pipeline,
    scenario: Scenario,
    probes: Sequence[Probe],
    terms: Terms,
    cache: CountCache | None = None,
    executor: Executor | None = None,
) -> Generator[Step, None, None]:
    """Search for the best settings for these probes; the last step holds the complete recommendation.

    Raise ScenarioError, UnknownTokenizerError, and the errors of `recommend_for`.
    """
    asked = asked_of([find_probes(pipeline, scenario, probes)])
    return recommend_for(OpenChats(pipeline), scenario, asked, terms, cache, executor)


def recommend_for(
    chats: Chats,
    scenario: Scenario,
    asked: Asked,
    terms: Terms,
    cache: CountCache | None = None,
    executor: Executor | None = None,
) -> Generator[Step, None, None]:
    """Search for the best settings for probes found before, wherever their conversations are.

    With an executor its worker processes measure, otherwise this process. Closing the iterator ends the search. Raise
    ScenarioError, UnknownTokenizerError, ValueError if there are no probes, and AbandonedError soon after the result is
    no longer wanted.
    """
    if not asked.probes:
        raise ValueError("; ".join(dict.fromkeys(one.reason for one in asked.skipped[:3])) or "there are none")
    if not terms.windows:
        terms = replace(terms, windows=(_window_in_use(chats, scenario, asked),))
    search = begin(chats.plain, scenario, asked, terms)
    found: Recommendation | None = None
    done = total = 0
    for done, total, rung in climb(search, Measuring(chats, cache, executor)):
        if rung is not None:
            found = _advise(search, rung)
        yield Step(done, total, found)
    if found is not None:
        yield Step(done, total, _completed(chats, search, found, cache, executor))


def _window_in_use(chats: Chats, scenario: Scenario, asked: Asked) -> int:
    name = asked.probes[0].conversation
    return chats.pipeline(name).case(replace(scenario, conversation=name)).model.window.tokens


def _advise(search: Search, probes: Rows) -> Recommendation:
    """Return the recommendation by these probes, for which all remaining settings are measured."""
    tables = search.tables(probes)
    everything = search.others(search.folds[-1])
    windows = [_window_advice(search, table, place, probes, everything) for place, table in enumerate(tables)]
    asked, margin = search.asked, max(advice.margin for advice in windows)
    notes = _notes(search, windows)
    given = search.terms, margin, len(probes), asked.skipped, tuple(windows), ()
    return Recommendation(*given, notes, False, asked.of_one)


def _window_advice(search: Search, table: RecallTable, place: int, probes: Rows, everything: Rows) -> WindowAdvice:
    current, best = search.current(place), choose(table, search.alive[-1][place], everything)
    chosen = _chosen(search, table, place) if len(everything) > 1 else ()
    gains = gains_of(search, table, probes, chosen, current) if chosen else ()
    found = WindowAdvice(
        table.window,
        setting_of(search, current, probes, table.room),
        setting_of(search, best, probes, table.room),
        gains,
        interval_of(search, gains, current, probes),
        tuple(setting_of(search, row, probes, table.room) for row in _front(search, table, place, probes)),
        best_of_policies(search, table, place, probes, (best, gains)),
        margin=float(table.margins(np.array([best]), everything)[0]) / table.window,
        margin_cost=margin_cost(table, search.alive[-1][place], everything, best),
    )
    shipped = best_fitting(table, search.shipped[place], everything, 1).tolist()
    if not shipped:
        return found
    over = gains_of(search, table, probes, chosen, shipped[0]) if chosen else ()
    baseline = setting_of(search, shipped[0], probes, table.room)
    return replace(found, baseline=baseline, over=over, over_interval=interval_of(search, over, shipped[0], probes))


def _front(search: Search, table: RecallTable, place: int, probes: Rows) -> list[int]:
    """Return the rows of the front of a window that hold at least as much as the current setting."""
    front = front_rows(search.cells, table, search.rows[place], probes, has_margin=True).tolist()
    recall = search.cells.with_memories[:, probes].mean(axis=1)
    return [row for row in front if recall[row] >= recall[search.current(place)]]


def _chosen(search: Search, table: RecallTable, window: int) -> list[int]:
    """Return for each block the setting chosen from the other blocks."""
    blocks = range(len(search.asked.names))
    return [choose(table, search.alive[block][window], search.others(block)) for block in blocks]


def _completed(
    chats: Chats, search: Search, found: Recommendation, cache: CountCache | None, executor: Executor | None
) -> Recommendation:
    """Return the recommendation with the figures measured only for the best settings."""
    looked_at = search.rungs[-2] if len(search.rungs) > 1 else search.rungs[-1]
    probes = [search.asked.probes[place] for place in looked_at[:_LOOKED_AT].tolist()]
    changes = [(advice.current.scenario, advice.best.scenario) for advice in found.windows]
    rooms = [advice.context_window - search.terms.reply for advice in found.windows]
    limits = ceilings(chats, changes[0][0], probes, rooms, cache)
    binding = bindings(chats, changes, probes, NEAR, cache, executor)
    both = [setting for of in zip(*changes, strict=True) for setting in of]
    sizes = rendered(chats, both, [*rooms, *rooms], probes, cache)
    priced = _with_cache(chats, found.windows, probes, cache)
    windows = tuple(
        replace(advice, binds=binds, ceiling=limit, rendered_now=now, rendered=then)
        for advice, binds, limit, now, then in zip(
            priced, binding, limits, sizes[: len(rooms)], sizes[len(rooms) :], strict=True
        )
    )
    notes = (*found.notes, *_excess_notes(windows, search.terms.reply))
    return replace(found, windows=windows, learning=learning_curve(search, looked_at), notes=notes, is_whole=True)


def _excess_notes(windows: Sequence[WindowAdvice], reply: int) -> Iterator[str]:
    """Yield a warning for each window in which planned prompts fit, and prompts counted on their texts do not."""
    for advice in windows:
        if advice.rendered is not None and advice.rendered.over and advice.best.fits == 1:
            yield (
                f"Window {advice.context_window:,}: counted on their texts, {advice.rendered.over:,} of "
                f"{counted(advice.rendered.prompts, 'prompt')} leave less than {reply:,} tokens for the reply."
            )


def _with_cache(
    chats: Chats, windows: Sequence[WindowAdvice], probes: Sequence[Probe], cache: CountCache | None
) -> Iterator[WindowAdvice]:
    """Yield the recommendations with the costs of their settings with the provider's cache, by which the front is."""
    settings = [setting for advice in windows for setting in advice.settings]
    found = iter(with_cached_costs(chats, settings, probes, cache))
    for advice in windows:
        current, best, *others = islice(found, len(advice.settings))
        front, own = others[: len(advice.front)], others[len(advice.front) :]
        policies = tuple(replace(each, setting=setting) for each, setting in zip(advice.policies, own, strict=True))
        yield replace(advice, current=current, best=best, front=cheapest(front), policies=policies)


def _notes(search: Search, windows: Sequence[WindowAdvice]) -> tuple[str, ...]:
    asked, notes = search.asked, []
    if asked.of_one:
        notes.append(
            f"One conversation: its {len(asked.names)} parts are left out in turn, cut between sittings. "
            "How other conversations would do is not known."
            if len(asked.names) > 1
            else "One conversation that cannot be divided: nothing is left out, and the gain is not known."
        )
    elif len(asked.names) < FEW_CONVERSATIONS:
        notes.append(f"{len(asked.names)} conversations are few: intervals are wide, and the margin is a guess.")
    if len(asked.probes) < FEW_PROBES:
        notes.append(f"{len(asked.probes)} questions are few: {FEW_PROBES} or more tell settings apart.")
    if len(asked.names) < FEW_CONVERSATIONS:
        notes.append(f"The margin is {percentage(USUAL_MARGIN)} of the window where it cannot be learned.")
    notes += [
        f"Window {advice.context_window:,}: no setting that was tried leaves {search.terms.reply:,} tokens "
        "for the reply in every prompt."
        for advice in windows
        if advice.best.fits < 1
    ]
    return tuple(notes)
