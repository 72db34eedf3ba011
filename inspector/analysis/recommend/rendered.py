"""Recommended prompts counted on their texts: a search goes by planned totals, which may be estimates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.recall.ask import by_conversation
from inspector.analysis.recall.probes import scenario_of
from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.front import thinned
from inspector.assembly.answer import ledger_terms
from inspector.assembly.columns import Section
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import measured_ledger, planned_total
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

_PROMPTS = 40
"""The maximum of prompts counted for a setting."""
_RETRIEVED = [Section.MEMORY, Section.LORE, Section.RETRIEVED]
_Totals = tuple[int, int, int]
"""The planned total of a prompt, the total counted on its texts, and the tokens of what was retrieved."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """Prompts of a setting counted on their texts, in tokens: how many, their mean, and the largest.

    `planned` is the mean of the planned totals of the same prompts, `retrieved` that of their tokens of memories, lore
    and passages, and `over` the number of prompts beyond the room.
    """

    prompts: int
    tokens: float
    largest: int
    planned: float
    retrieved: float
    over: int


def rendered(
    chats: Chats,
    settings: Sequence[Scenario],
    rooms: Sequence[int],
    probes: Sequence[Probe],
    cache: CountCache | None = None,
) -> list[Rendered | None]:
    """Return the prompts of each setting, with its room in tokens, for an even sample of these probes.

    None where the policy makes no prompt. Raise ScenarioError and UnknownTokenizerError.
    """
    some = [probes[place] for place in thinned(len(probes), _PROMPTS).tolist()]
    totals: list[list[_Totals]] = [[] for _ in settings]
    for together in by_conversation(some):
        pipeline = chats.pipeline(together[0].conversation)
        for setting, found in zip(settings, totals, strict=True):
            found += [total for probe in together if (total := _totals(pipeline, setting, probe, cache))]
    return [_rendered(found, room) for found, room in zip(totals, rooms, strict=True)]


def _totals(pipeline: Pipeline, setting: Scenario, probe: Probe, cache: CountCache | None) -> _Totals | None:
    """Return the totals of a prompt; None if there is none."""
    check_wanted()
    case = make_all(pipeline, scenario_of(setting, probe), cache, lambda work, done: check_wanted())
    assembly, terms = pipeline.assemble(case), ledger_terms(case)
    if assembly.error is not None:
        return None
    retrieved = int(assembly.used[_RETRIEVED].sum(dtype=np.int64))
    return planned_total(assembly, *terms), measured_ledger(assembly, *terms).total, retrieved


def _rendered(totals: Sequence[_Totals], room: int) -> Rendered | None:
    if not totals:
        return None
    planned, counted, retrieved = np.array(totals, np.int64).T
    means = float(counted.mean()), int(counted.max()), float(planned.mean()), float(retrieved.mean())
    return Rendered(len(counted), *means, int((counted > room).sum()))
