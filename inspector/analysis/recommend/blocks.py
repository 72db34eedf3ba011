"""Blocks of probes, which are left out together: conversations, or stretches of the only conversation."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.recall.ask import not_counted
from inspector.analysis.recall.probes import Evidence, Skipped, askable, evidence_of, scenario_of
from inspector.analysis.recommend.settings import auto_is_own_way
from inspector.assembly.case import Case
from inspector.assembly.columns import F64, I64, Rows
from inspector.assembly.cost import prices_of_model, prompt_costs
from inspector.assembly.items import ItemTexts
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Memory, Probe
from inspector.steps import check_wanted
from inspector.tokens.models.prices import Prices

STRETCHES = 5
"""The maximum number of stretches of a single conversation."""
SITTING_GAP = 4 * 3600
"""The seconds without a message after which another sitting begins."""
_SITTINGS_WITHOUT_TIMES = 10


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The probes to ask, each with its block: a place in `names`. `of_one` says whether a single chat was divided.

    `prices` are those of the model of each probe's prompt; None if unknown. `auto_is_own_way` says whether the way of
    comparing `auto` may differ from `fused` in any of the conversations.
    """

    probes: tuple[Probe, ...]
    prices: tuple[Prices | None, ...]
    blocks: Rows
    names: tuple[str, ...]
    of_one: bool
    skipped: tuple[Skipped, ...]
    auto_is_own_way: bool = False

    def costs(self, probes: Rows, totals: I64) -> F64:
        """Return the US dollars of prompts without a cache: a row of totals for each setting, a column for each probe.

        NaN where the price is unknown.
        """
        found = np.empty(totals.shape, np.float64)
        models = [self.prices[probe] for probe in probes.tolist()]
        for model in set(models):
            columns = [place for place, other in enumerate(models) if other == model]
            found[..., columns] = prompt_costs(model, totals[..., columns])
        return found


@dataclass(frozen=True, slots=True, eq=False)
class FoundProbes:
    """The askable probes of a workspace, by conversation, and the skipped ones.

    Each has a price (see `Asked`) and a place in its conversation; `times` are those of the last conversation.
    """

    probes: tuple[Probe, ...]
    prices: tuple[Prices | None, ...]
    places: tuple[float, ...]
    times: tuple[float, ...]
    skipped: tuple[Skipped, ...]
    auto_is_own_way: bool = False

    def about(self, conversations: Set[str]) -> "FoundProbes":
        """Return those about these conversations."""
        inside = [place for place, probe in enumerate(self.probes) if probe.conversation in conversations]
        return replace(
            self,
            probes=tuple(self.probes[place] for place in inside),
            prices=tuple(self.prices[place] for place in inside),
            places=tuple(self.places[place] for place in inside),
        )


def find_probes(pipeline: Pipeline, scenario: Scenario, probes: Sequence[Probe]) -> FoundProbes:
    """Return the askable probes. Raise ScenarioError and UnknownTokenizerError."""
    wanted, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    order = {name: place for place, name in enumerate(dict.fromkeys(probe.conversation for probe in wanted))}
    asked: list[Probe] = []
    prices: list[Prices | None] = []
    places: list[float] = []
    times: F64 = np.empty(0)
    for probe in sorted(wanted, key=lambda probe: order[probe.conversation]):
        check_wanted()
        case = pipeline.case(scenario_of(scenario, probe))
        items = pipeline.plain_items(case)
        evidence = evidence_of(items, probe)
        skipped += not_counted(probe, evidence)
        if len(evidence.rows):
            asked.append(probe)
            prices.append(prices_of_model(case.model.row))
            places.append(_place_of(items, evidence))
            times = _times(pipeline, case, items)
    is_own = auto_is_own_way(pipeline.workspace, order)
    return FoundProbes(tuple(asked), tuple(prices), tuple(places), tuple(times.tolist()), tuple(skipped), is_own)


def asked_of(parts: Sequence[FoundProbes]) -> Asked:
    """Return the probes to ask, with their blocks: the conversations, or stretches of the only conversation."""
    probes = tuple(probe for part in parts for probe in part.probes)
    prices = tuple(price for part in parts for price in part.prices)
    skipped = tuple(one for part in parts for one in part.skipped)
    names = tuple(dict.fromkeys(probe.conversation for probe in probes))
    is_own = any(part.auto_is_own_way for part in parts)
    if len(names) == 1:
        (only,) = (part for part in parts if part.probes)
        blocks = _stretches(np.array(only.places), np.array(only.times))
        names = tuple(f"{names[0]}, part {number + 1}" for number in range(int(blocks.max()) + 1))
        return Asked(probes, prices, blocks, names, True, skipped, is_own)
    found = {name: place for place, name in enumerate(names)}
    blocks = np.array([found[probe.conversation] for probe in probes], np.intp)
    return Asked(probes, prices, blocks, names, False, skipped, is_own)


def _times(pipeline: Pipeline, case: Case, items: ItemTexts) -> F64:
    return pipeline.scoped(case).time[items.first_message :]


def _place_of(items: ItemTexts, evidence: Evidence) -> float:
    """Return the message number of the first of the evidence; NaN if unknown."""
    found = [row - items.first_message for row in evidence.rows.tolist() if row >= items.first_message]
    for row in evidence.rows.tolist():
        thing = items.things[row]
        if isinstance(thing, Memory):
            cited = items.rows_called(thing.source_messages)
            found += [rows[0] - items.first_message for rows in cited.values()]
    return float(min(found, default=np.nan))


def _stretches(places: F64, times: F64) -> Rows:
    """Combine consecutive sittings until each stretch has about as many probes."""
    sittings = _sittings(places, times)
    blocks = np.zeros(len(places), np.intp)
    numbers, counts = np.unique(sittings, return_counts=True)
    before = np.cumsum(counts) - counts
    wanted = (before * min(STRETCHES, len(numbers)) // len(places)).tolist()
    dense = {stretch: number for number, stretch in enumerate(dict.fromkeys(wanted))}
    for sitting, stretch in zip(numbers.tolist(), wanted, strict=True):
        blocks[sittings == sitting] = dense[stretch]
    return blocks


def _sittings(places: F64, times: F64) -> Rows:
    """Return the sitting of each probe; without times, equal parts of the messages replace sittings."""
    known = np.nan_to_num(places, nan=len(times) - 1).astype(np.intp)
    if np.isnan(times).any():
        return known * _SITTINGS_WITHOUT_TIMES // max(1, len(times))
    return np.concatenate([[0], np.cumsum(np.diff(times) >= SITTING_GAP)]).astype(np.intp)[known]
