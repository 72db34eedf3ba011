"""Where memories stand: recall against the true cost of a replay, with the provider's cache, at each place of them.

A cache reads the common beginning of prompts in a row. Memories before the conversation change with every question, so
that nothing behind them is read; before the newest message they leave the conversation before them as it was. Policies
decide what is kept and not where else it could stand: the same items are replayed at other places of the prompt.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.ask import MeanRecall
from inspector.analysis.recall.memory_writing import asked_of_messages
from inspector.analysis.recall.probes import Skipped, askable, scenario_of
from inspector.analysis.recall.settings import recall_of_each
from inspector.analysis.recommend.front import thinned
from inspector.analysis.replay.ask import Replay, lacks_more, replay_last
from inspector.assembly.columns import F64, I64, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Run
from inspector.assembly.scenario import Scenario, of_conversation, scenario_value
from inspector.figures import dollars, percentage
from inspector.model import Probe
from inspector.tables import Column, Table
from inspector.tables import Kind as Meaning

NONE, LAID, FIRST, LAST = "none", "laid", "first", "last"
MEMORY_PLACES_FORMAT = "prompt-inspector/memory-places@1"
_TITLES = {
    NONE: "No memories",
    LAID: "Where the policy puts them",
    FIRST: "Before the conversation",
    LAST: "Before the newest message",
}
_PROMPTS, _CONVERSATIONS = 40, 5
"""The last prompts of so many conversations; the first of each finds an empty cache and is not counted."""
_SAME = 0.005
"""A smaller change of a cost is none."""


@dataclass(frozen=True, slots=True)
class PlaceFigures:
    """A place of memories: the recall of the questions, and means over the prompts of a replay.

    `tokens` are those of a prompt and `memories` those of its memories, `cost` its US dollars without a cache and
    `cost_cached` with that of the provider; None without a price or a rule. `read` is the share of the tokens read from
    the cache, None without a rule.
    """

    name: str
    recall: MeanRecall
    prompts: int
    tokens: float
    memories: float
    cost: float | None
    cost_cached: float | None
    read: float | None

    @property
    def title(self) -> str:
        """The place as displayed."""
        return _TITLES[self.name]

    @property
    def paid(self) -> float | None:
        """The mean cost of a prompt with the cache where it is known, else without."""
        return self.cost if self.cost_cached is None else self.cost_cached

    @property
    def recall_with_memories(self) -> float | None:
        """The mean recall with memories; None without questions."""
        return self.recall.columns["recall_with_memories"]


@dataclass(frozen=True, eq=False)
class MemoryPlaces:
    """The places beside each other, the policy's own first, and the rule of the cache ("" if none is known)."""

    places: tuple[PlaceFigures, ...]
    rule: str
    trouble: str
    skipped: tuple[Skipped, ...]

    @property
    def questions(self) -> int:
        """The number of questions asked."""
        return self.places[0].recall.probes if self.places else 0

    @property
    def sentence(self) -> str:
        """Which place costs least, and the price and the gain of having memories at all."""
        if self.trouble or not self.places:
            return self.trouble
        laid, *others = self.places
        none = next(one for one in others if one.name == NONE)
        moved = [one for one in others if one is not none]
        without = f"; without memories {_told(none)}"
        if not laid.memories:
            return f"No prompt of this setting has a memory: {_told(laid)}."
        if not moved:
            return f"Memories share a message with other items here and stand where they are: {_told(laid)}{without}."
        best = min((laid, *moved), key=lambda one: np.inf if one.paid is None else one.paid)
        if best.paid is None or laid.paid is None:
            return f"The price is not known: {_told(laid)}{without}."
        if best is laid or laid.paid - best.paid < _SAME * laid.paid:
            return f"No other place costs less than where the policy puts them: {_told(laid)}{without}."
        return (
            f"{best.title}, memories cost {dollars(best.paid)} a prompt instead of {dollars(laid.paid)} at the same "
            f"recall ({_recall(laid)}){without}."
        )


def _told(one: PlaceFigures) -> str:
    return f"{_recall(one)} of the needed messages for {dollars(one.paid)} a prompt"


def _recall(one: PlaceFigures) -> str:
    return "–" if one.recall_with_memories is None else percentage(one.recall_with_memories)


def memory_places(basis: Basis, probes: Sequence[Probe]) -> Iterator[Share | MemoryPlaces]:
    """Replay the conversations of the probes with their memories at each place, and ask the probes.

    Raise ScenarioError and UnknownTokenizerError.
    """
    pipeline, scenario, cache = basis.pipeline, basis.scenario, basis.cache
    offered, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    asked, others = asked_of_messages(pipeline, scenario, offered)
    names = list(dict.fromkeys(probe.conversation for probe in asked))
    chosen = [names[place] for place in thinned(len(names), _CONVERSATIONS).tolist()] if names else []
    without = replace(scenario, memory_sets=())
    if trouble := _trouble(basis, asked):
        yield MemoryPlaces((), "", trouble, (*skipped, *others))
        return
    steps = len(_TITLES) + 1
    yield Share(0, steps)
    recalls = [recall_of_each(pipeline, [setting], asked, cache)[0] for setting in (scenario, without)]
    found: list[PlaceFigures] = []
    rule = ""
    for number, name in enumerate((LAID, FIRST, LAST, NONE), 1):
        yield Share(number, steps)
        standing, setting = _Standing(name), without if name == NONE else scenario
        replayed = [
            replay_last(pipeline, of_conversation(setting, one), _PROMPTS, cache, standing.placed) for one in chosen
        ]
        rule = next((one.scheme.rule for one in replayed if one.scheme is not None), rule)
        if name in (LAID, NONE) or standing.moves:
            found.append(_figures(name, recalls[name == NONE], replayed))
    yield MemoryPlaces(tuple(found), rule, "", (*skipped, *others))


def _trouble(basis: Basis, asked: Sequence[Probe]) -> str:
    """Return why there is nothing to compare, "" if there is something."""
    cases = [basis.pipeline.case(scenario_of(basis.scenario, one)) for one in asked[:1]]
    if any(map(lacks_more, cases)):
        return "Each turn needs vectors or summaries of another program: a replay would ask it again at every turn."
    return ""


@dataclass(eq=False)
class _Standing:
    """Puts the memories of assemblies at a place; `moves` says whether it ever made a difference."""

    place: str
    moves: bool = False

    def placed(self, assembly: Assembly) -> Assembly:
        """Return the same decisions with the memories at the place."""
        if self.place in (LAID, NONE) or assembly.error is not None:
            return assembly
        blocks = moved_blocks(assembly, assembly.blocks, self.place)
        self.moves = self.moves or _order(blocks) != _order(assembly.blocks)
        return replace(assembly, layout=lambda _: blocks)


def moved_blocks(assembly: Assembly, blocks: Sequence[Block], place: str) -> tuple[Block, ...]:
    """Return the messages of a prompt with those of memories alone before the conversation, or before its newest
    message; memories within other messages stay.
    """
    memories = [block for block in blocks if _is_of(assembly, block, Kind.MEMORY, all)]
    rest = [block for block in blocks if not any(block is one for one in memories)]
    if not memories or not rest:
        return tuple(blocks)
    if place == FIRST:
        said = (number for number, block in enumerate(rest) if _is_of(assembly, block, Kind.MESSAGE, any))
        start = next(said, len(rest))
        return (*rest[:start], *memories, *rest[start:])
    *before, last = rest
    if isinstance(last, Run) and len(last.rows) > 1:
        before, last = [*before, replace(last, rows=last.rows[:-1])], replace(last, rows=last.rows[-1:])
    return (*before, *memories, last)


def _is_of(assembly: Assembly, block: Block, kind: Kind, how: Callable[[Iterable[object]], bool]) -> bool:
    kinds = assembly.candidates.kind[block.rows] == int(kind)
    return len(kinds) > 0 and how(kinds.tolist())


def _order(blocks: Sequence[Block]) -> list[int]:
    return [row for block in blocks for row in block.rows.tolist()]


def _figures(name: str, recall: MeanRecall, replayed: Sequence[Replay]) -> PlaceFigures:
    """Return the means over the prompts that find something in the cache, or could."""
    counted = [_counted(one) for one in replayed]
    totals = _joined([one.totals[mask] for one, mask in zip(replayed, counted, strict=True)])
    costs = _joined([one.costs[mask] for one, mask in zip(replayed, counted, strict=True)])
    cached = _joined([one.cached_costs[mask] for one, mask in zip(replayed, counted, strict=True)])
    read = _joined([one.read[mask] for one, mask in zip(replayed, counted, strict=True)])
    has_rule = bool(replayed) and all(one.scheme is not None for one in replayed)
    share = float(read.sum() / totals.sum()) if has_rule and totals.sum() else None
    memories = _joined(one.tokens[mask, Section.MEMORY] for one, mask in zip(replayed, counted, strict=True))
    tokens, told = _mean(totals) or 0.0, _mean(memories) or 0.0
    return PlaceFigures(name, recall, len(totals), tokens, told, _mean(costs), _mean(cached), share)


def _counted(found: Replay) -> Rows:
    """Return the places of the prompts that were made, without the first, which finds an empty cache."""
    made = np.flatnonzero(~found.refused)
    return made[1:] if len(made) > 1 else made


def _joined(parts: Iterable[F64 | I64]) -> F64:
    return np.concatenate([np.zeros(0), *parts]).astype(np.float64)


def _mean(values: F64) -> float | None:
    return None if not len(values) or np.isnan(values).any() else float(values.mean())


def _figure(
    key: str, title: str, help: str, kind: Meaning, of: Callable[[PlaceFigures], int | float | None]
) -> Column[MemoryPlaces]:
    def values(found: MemoryPlaces) -> F64:
        figures = map(of, found.places)
        return np.array([np.nan if figure is None else figure for figure in figures], np.float64)

    return Column(key, title, help, lambda found, row: of(found.places[row]), values, kind, digits=11)


PLACES: Table[MemoryPlaces] = Table(
    (
        Column(
            "place",
            "Memories",
            "Where the memories stand in the prompt",
            lambda found, row: found.places[row].name,
            words=lambda found, row: found.places[row].title,
            stretches=True,
            digits=22,
        ),
        _figure(
            "recall_with_memories",
            "Recall",
            "The share of the needed items in the prompts, by themselves or by a memory that names them",
            Meaning.SHARE,
            lambda one: one.recall_with_memories,
        ),
        _figure("prompts", "Prompts", "The prompts of the replay", Meaning.COUNT, lambda one: one.prompts),
        _figure("tokens", "Tokens", "The mean tokens of a prompt", Meaning.TOKENS, lambda one: round(one.tokens)),
        _figure("read", "From the cache", "The share of them read from the cache", Meaning.SHARE, lambda one: one.read),
        _figure("cost", "Full price", "The mean cost of a prompt without a cache", Meaning.MONEY, lambda one: one.cost),
        _figure(
            "cost_cached",
            "Cost",
            "The mean cost of a prompt with the provider's cache of prompts",
            Meaning.MONEY,
            lambda one: one.cost_cached,
        ),
    ),
    lambda found: range(len(found.places)),
)


def memory_places_value(found: MemoryPlaces, scenario: Scenario, kind: type | None) -> dict[str, Any]:
    """Return the places as a JSON value; `kind` is the class of the policy of the scenario."""
    return {
        "format": MEMORY_PLACES_FORMAT,
        "scenario": scenario_value(scenario, kind),
        "questions": found.questions,
        "cache": found.rule or None,
        "trouble": found.trouble or None,
        "skipped": [{"id": one.id, "reason": one.reason} for one in found.skipped],
        "places": list(PLACES.records(found)),
    }
