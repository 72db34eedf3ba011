"""The limits of a setting: unreachable evidence, the recall of an oracle, and the binding knobs."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.recall.ask import assembled, by_conversation, held
from inspector.analysis.recall.probes import Evidence
from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.measure import NO_PROMPT, gathered
from inspector.analysis.recommend.settings import all_values, changed_parameters, is_taken, put_back
from inspector.assembly.columns import Bool, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Traits, parameters_of
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.model import Probe
from inspector.tokens.cache import CountCache


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Shares of the evidence.

    `coverage` is the share that can come into a prompt under this setting at all: because it is present, is compared
    with questions, or is named by a memory. `oracle` is the share in a prompt filled with knowledge of the evidence.
    """

    coverage: float
    oracle: float


def ceilings(
    chats: Chats,
    settings: Sequence[Scenario],
    probes: Sequence[Probe],
    rooms: Sequence[int],
    cache: CountCache | None = None,
) -> list[Ceiling]:
    """Return the ceiling over each of these settings for these probes; `rooms` are their windows without the reply.

    All settings are asked with a probe before the next probe, so that its question is compared with texts once.
    """
    sums = np.zeros((len(settings), 2))
    for together in by_conversation(probes):
        name = together[0].conversation
        pipeline = chats.pipeline(name)
        traits = [pipeline.case(replace(setting, conversation=name)).traits for setting in settings]
        for _, evidence, assemblies in assembled(pipeline, settings, together, cache):
            for place, assembly in enumerate(assemblies):
                covered = _coverable(assembly, traits[place], evidence).mean()
                sums[place] += covered, _packed(assembly, evidence, rooms[place])
    return [Ceiling(coverage, oracle) for coverage, oracle in (sums / len(probes)).tolist()]


def _coverable(assembly: Assembly, traits: Traits, evidence: Evidence) -> Bool:
    candidates, rows = assembly.candidates, evidence.rows
    kept, _ = held(assembly, evidence)
    is_message = rows >= candidates.items.first_message
    named = np.bincount(evidence.cited[candidates.open[evidence.citing]], minlength=len(rows)) > 0
    return candidates.open[rows] & (kept | named | ~is_message | traits.compares_messages)


def _packed(assembly: Assembly, evidence: Evidence, room: int) -> float:
    """Return the share of the evidence that fits beside the system text, each item itself or as its shortest memory."""
    candidates = assembly.candidates
    costs = candidates.tokens[evidence.rows].astype(np.int64)
    np.minimum.at(costs, evidence.cited, candidates.tokens[evidence.citing])
    spare = room - int(assembly.used[Section.SYSTEM])
    return float((np.cumsum(np.sort(costs)) <= spare).mean())


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
