"""The limits of a window: the evidence found by the best way of comparing alone, and the knobs that bind."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.recall.ask import assembled, by_conversation
from inspector.analysis.recall.probes import Evidence
from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.measure import NO_PROMPT, gathered
from inspector.analysis.recommend.settings import all_values, changed_parameters, is_taken, put_back
from inspector.assembly.columns import F64, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_of
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.model import Probe
from inspector.retrieval.similarity import WAYS
from inspector.tokens.cache import CountCache

CEILING_WAYS = tuple(way for way in WAYS if way != "recorded")
_PROBES_LOOKED_AT = 100
_COMPARES_ALL = "window_rag"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Shares of the evidence that prompts of a window would hold if they were filled by an order alone.

    `found` is that of the best way of comparing, named `way`: the most similar items first, as long as they fit.
    `newest` is that of the newest messages, which look at no question.
    """

    found: float
    way: str
    newest: float


def ceilings(
    chats: Chats, scenario: Scenario, probes: Sequence[Probe], rooms: Sequence[int], cache: CountCache | None = None
) -> list[Ceiling]:
    """Return the ceiling of each room, a window without the reply, for an even sample of these probes.

    The items are those of the scenario, under a policy that compares everything with the question.
    """
    places = np.unique(np.linspace(0, len(probes) - 1, min(len(probes), _PROBES_LOOKED_AT)).round().astype(int))
    sums = np.zeros((len(CEILING_WAYS) + 1, len(rooms)))
    compared = replace(scenario, policy=_COMPARES_ALL, preset=None, base=None, parameters={})
    for together in by_conversation([probes[place] for place in places.tolist()]):
        pipeline = chats.pipeline(together[0].conversation)
        settings = [replace(compared, similarity=way) for way in CEILING_WAYS]
        for _, evidence, assemblies in assembled(pipeline, settings, together, cache):
            for number, assembly in enumerate(assemblies):
                sums[number] += _held_by_order(assembly, evidence, _likeness(assembly), rooms)
                if not number:
                    sums[-1] += _held_by_order(assembly, evidence, _newness(assembly), rooms)
    shares = sums / len(places)
    best = shares[:-1].argmax(axis=0)
    return [
        Ceiling(float(shares[way, room]), CEILING_WAYS[way], float(shares[-1, room]))
        for room, way in enumerate(best.tolist())
    ]


def _likeness(assembly: Assembly) -> F64:
    """Return the similarity of every item to the question; NaN for those that are not compared."""
    candidates = assembly.candidates
    found, turns = candidates.similarity.copy(), candidates.earlier_messages
    found[turns] = candidates.message_likeness.values[turns]
    return found


def _newness(assembly: Assembly) -> F64:
    """Return the place of every message, NaN for other items."""
    candidates = assembly.candidates
    found, turns = np.full(len(candidates), np.nan), candidates.earlier_messages
    found[turns] = np.arange(len(turns))
    return found


def _held_by_order(assembly: Assembly, evidence: Evidence, order: F64, rooms: Sequence[int]) -> F64:
    """Return the share of the evidence in a prompt of each room that takes items, the highest first, as they fit."""
    candidates = assembly.candidates
    rows = np.flatnonzero(candidates.open & ~np.isnan(order))
    rows = rows[np.argsort(-order[rows], kind="stable")]
    costs = candidates.tokens[rows].astype(np.int64) + candidates.frame_tokens[rows]
    always = int(assembly.used[Section.SYSTEM]) + int(assembly.used[Section.CURRENT])
    ends, shares = np.cumsum(costs), np.zeros(len(rooms))
    for place, room in enumerate(rooms):
        kept = np.zeros(len(candidates), np.bool_)
        kept[rows[: int(np.searchsorted(ends, room - always, side="right"))]] = True
        named = np.bincount(evidence.cited[kept[evidence.citing]], minlength=len(evidence.rows)) > 0
        shares[place] = (kept[evidence.rows] | named).mean()
    return shares


Variants = dict[tuple[str, ...], Scenario]
"""The best setting with some of its knobs put back, by the names of these knobs."""


def bindings(
    chats: Chats,
    changes: Sequence[tuple[Scenario, Scenario]],
    probes: Sequence[Probe],
    least: float,
    cache: CountCache | None = None,
    executor: Executor | None = None,
) -> list[tuple[str, ...]]:
    """Return for each change from a current to a best setting the knobs that cost at least this recall when put back.

    The costliest are first. Knobs that have to move together, such as shares of a whole, are put back together.
    """
    pipeline = chats.plain
    variants = [_variants(pipeline, current, best) for current, best in changes]
    settings = [
        setting for (_, best), some in zip(changes, variants, strict=True) for setting in (best, *some.values())
    ]
    cells = gathered(chats, settings, probes, cache, executor)
    found, end = [], 0
    for some in variants:
        start, end = end, end + 1 + len(some)
        recall = cells.with_memories[start:end].mean(axis=1).tolist()
        works = (cells.total[start + 1 : end] != NO_PROMPT).all(axis=1).tolist()
        losses = [recall[0] - other for other in recall[1:]]
        found.append(_costly(dict(zip(some, works, strict=True)), dict(zip(some, losses, strict=True)), least))
    return found


def _variants(pipeline: Pipeline, current: Scenario, best: Scenario) -> Variants:
    before = all_values(pipeline, put_back(current, best))
    names = [name for name in changed_parameters(pipeline, current, best) if name in before]
    together = _groups(pipeline, best, names)
    variants = {names: _with(best, before, names) for names in [*((name,) for name in names), *together]}
    if best.similarity != current.similarity:
        variants["similarity",] = replace(best, similarity=current.similarity)
    return {names: setting for names, setting in variants.items() if is_taken(pipeline, setting)}


def _costly(works: dict[tuple[str, ...], bool], losses: dict[tuple[str, ...], float], least: float) -> tuple[str, ...]:
    # One share alone cannot be put back where shares have to sum to 1: then all of them are.
    counted = [
        names for names in works if works[names] and (len(names) == 1 or not all(works.get((n,)) for n in names))
    ]
    costly = sorted((names for names in counted if losses[names] >= least), key=lambda names: -losses[names])
    return tuple(dict.fromkeys(name for names in costly for name in names))


def _with(best: Scenario, before: dict[str, object], names: Sequence[str]) -> Scenario:
    return replace(best, parameters={**best.parameters, **{name: before[name] for name in names}})


def _groups(pipeline: Pipeline, best: Scenario, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of these parameters declared to move together."""
    kind = pipeline.choices.policies[best.policy or DEFAULT_POLICY]
    groups: dict[str, list[str]] = {}
    for parameter in parameters_of(kind):
        if parameter.group and parameter.name in names:
            groups.setdefault(parameter.group, []).append(parameter.name)
    return [tuple(members) for members in groups.values() if len(members) > 1]
