"""The cost of settings with the provider's prompt cache, by the last prompts of some conversations in a row.

A prompt alone has no cache: it is the prompts in a row, each with its time, that read from it and write to it. So the
share that the cache leaves of the full price is measured on a stretch, and applied to the mean cost of a prompt.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.front import pareto, thinned
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.replay.ask import Replay, lacks_more, replay_last
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

_PROMPTS = 12
"""The prompts of a stretch; the first finds an empty cache and is not counted."""
_CONVERSATIONS = 3


def with_cached_costs(
    chats: Chats, settings: Sequence[Setting], probes: Sequence[Probe], cache: CountCache | None = None
) -> list[Setting]:
    """Return the settings with their cost with the provider's cache, where its rule and the prices are known.

    Equal settings get equal costs. Settings that need vectors or summaries of another program at every turn are left
    without: measuring them would ask it again.
    """
    names = list(dict.fromkeys(probe.conversation for probe in probes))
    chosen = [names[place] for place in thinned(len(names), _CONVERSATIONS).tolist()]
    unlike: list[Scenario] = []
    for setting in settings:
        if setting.cost is not None and setting.scenario not in unlike:
            unlike.append(setting.scenario)
    shares = _shares(chats, unlike, chosen, cache)
    return [_with_share(setting, shares[unlike.index(setting.scenario)]) if setting.cost is not None else setting
            for setting in settings]  # fmt: skip


def cheapest(front: Sequence[Setting]) -> tuple[Setting, ...]:
    """Return the settings of a front not dominated by equal recall for less money with the cache.

    All of them where any cost with the cache is unknown.
    """
    paid = [setting.cost_cached for setting in front]
    known = [cost for cost in paid if cost is not None]
    if len(known) < len(paid):
        return tuple(front)
    recall = np.array([setting.recall_with_memories for setting in front])
    return tuple(front[place] for place in sorted(pareto(recall, np.array(known)).tolist()))


def _with_share(setting: Setting, share: float | None) -> Setting:
    return setting if share is None or setting.cost is None else replace(setting, cost_cached=setting.cost * share)


def _shares(
    chats: Chats, settings: Sequence[Scenario], names: Sequence[str], cache: CountCache | None
) -> list[float | None]:
    """Return the share of the full price that the cache leaves for each setting; above 1 it costs more."""
    sums = np.zeros((len(settings), 2))
    for name in names:
        pipeline = chats.pipeline(name)
        for place, setting in enumerate(settings):
            check_wanted()
            sums[place] += _stretch(pipeline, replace(setting, conversation=name), cache)
    return [float(cached / alone) if alone and not np.isnan(cached) else None for alone, cached in sums.tolist()]


def _stretch(pipeline: Pipeline, scenario: Scenario, cache: CountCache | None) -> tuple[float, float]:
    """Return the cost of a stretch without the cache and with it; NaN if unknown."""
    if lacks_more(pipeline.case(scenario)):
        return np.nan, np.nan
    found = replay_last(pipeline, scenario, _PROMPTS, cache)
    counted = _counted(found)
    return float(found.costs[counted].sum()), float(found.cached_costs[counted].sum())


def _counted(found: Replay) -> slice:
    return slice(1, None) if len(found) > 1 else slice(None)
