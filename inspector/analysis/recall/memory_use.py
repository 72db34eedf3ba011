"""Memory use: over many questions, how often each memory is considered, kept, and carries evidence, and what is lost
without it.

A memory carries evidence of a question if it is needed itself, or names a needed message as its source. It is useful
where it is also kept. The recall lost without it is that of the same questions asked with the memory left out: other
memories may take its room, so that recall can also be gained.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.ask import assembled, considered, found_in, not_counted
from inspector.analysis.recall.probes import Evidence, Skipped, askable, scenario_of
from inspector.assembly.columns import F64, I64, Action, Rows, frozen
from inspector.assembly.columns import Kind as ItemKind
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.derived import cached_property
from inspector.figures import counted, percentage
from inspector.model import Probe
from inspector.retrieval.duplicates import groups_of, near_duplicates
from inspector.steps import check_wanted
from inspector.tables import Column, Kind, Table

_TOLD_PROBES = 10
_NOTHING = 1e-9
"""A smaller loss is the rounding of a sum."""
MEMORY_USE_FORMAT = "prompt-inspector/memory-use@1"


@dataclass(frozen=True, slots=True)
class UsedItem:
    """A memory, or a needed message: its id as shown in answers, a conversation with it, and its text."""

    name: str
    conversation: str
    text: str


@dataclass(frozen=True, eq=False)
class MemoryUse:
    """The memories of all questions, with a figure for each in every array; then the messages that no memory names.

    `asked` counts the questions of its conversations, `considered` those for which the policy weighed it, `kept` those
    with it whole in the prompt, `carries` those with evidence in it, and `useful` those of `kept` among `carries`.
    `lost` is the sum over questions of the recall (with memories, 0–1) lost without it; NaN if it has no id of its own,
    so that it cannot be left out alone. `twins` counts the other memories of its conversation with nearly the same
    text. `unnamed` are needed messages named by no memory, `wanted` the questions that need each, and `there` those of
    them with the message itself in the prompt.
    """

    questions: int
    memories: tuple[UsedItem, ...]
    asked: I64
    considered: I64
    kept: I64
    carries: I64
    useful: I64
    lost: F64
    twins: I64
    unnamed: tuple[UsedItem, ...]
    wanted: I64
    there: I64
    skipped: tuple[Skipped, ...]

    @cached_property
    def never(self) -> Rows:
        """The memories without evidence of any question."""
        return frozen(np.flatnonzero(self.carries == 0))

    @cached_property
    def order(self) -> Rows:
        """The memories with the most recall lost first; of equal ones those useful more often, then those kept less."""
        return frozen(np.lexsort((self.kept, -self.useful, -self.lost)))

    @property
    def useful_share(self) -> float | None:
        """The share of the places of memories in the prompts whose memory is useful there; None without places."""
        places = int(self.kept.sum())
        return int(self.useful.sum()) / places if places else None

    @property
    def sentence(self) -> str:
        """The figures of all memories in words."""
        if not self.memories:
            return "There are no memories here."
        total, never = len(self.memories), len(self.never)
        none = f"{never:,} of {counted(total, 'memory', plural='memories')} ({percentage(never / total)})"
        places = ""
        if self.useful_share is not None:
            held = counted(int(self.kept.sum()), "place")
            places = f"; {percentage(self.useful_share)} of their {held} in the prompts are useful"
        spare = int(np.count_nonzero(self.lost < _NOTHING))
        without = f"; {spare:,} can be left out singly at no loss of recall"
        return f"{none} never carry evidence of {counted(self.questions, 'question')}{places}{without}"


def memory_uses(basis: Basis, probes: Sequence[Probe]) -> Iterator[Share | MemoryUse]:
    """Ask every probe, and those again whose evidence is in a kept memory, without this memory.

    Raise ScenarioError and UnknownTokenizerError.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    wanted, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    tally = _Tally()
    for number, (probe, evidence, assemblies) in enumerate(assembled(pipeline, (scenario,), wanted, basis.cache), 1):
        skipped += not_counted(probe, evidence)
        if len(evidence.rows):
            for assembly in assemblies:
                rows = tally.add(probe, evidence, assembly)
                _tell_losses(basis, tally, probe, evidence, assembly, rows)
        if number % _TOLD_PROBES == 0:
            yield Share(number, len(wanted))
    yield tally.use(tuple(skipped))


def _tell_losses(
    basis: Basis, tally: "_Tally", probe: Probe, evidence: Evidence, assembly: Assembly, rows: Rows
) -> None:
    """Tell a tally the recall lost by each of these useful memories."""
    asked, items = scenario_of(basis.scenario, probe), assembly.candidates.items
    recall = found_in(assembly, evidence).recall_with_memories
    for row in rows.tolist():
        check_wanted()
        name = items.names[row]
        lost = np.nan
        if items.rows_called((name,)).get(name) == [row]:
            without = replace(asked, excluded=(*asked.excluded, name))
            other = basis.pipeline.assemble(make_all(basis.pipeline, without, basis.cache))
            lost = recall - found_in(other, evidence).recall_with_memories
        tally.lost[tally.place(items, row)] += lost


@dataclass(eq=False)
class _Tally:
    """Sums over questions, in lists by memory: the same memory of several conversations is a single entry."""

    questions: int = 0
    figures: list[list[int]] = field(default_factory=lambda: [[], [], [], [], []])
    lost: list[float] = field(default_factory=list)
    memories: list[UsedItem] = field(default_factory=list)
    things: list[object] = field(default_factory=list)
    twins: list[int] = field(default_factory=list)
    unnamed: dict[tuple[str, str], tuple[UsedItem, int, int]] = field(default_factory=dict)
    _places: dict[int, int] = field(default_factory=dict)
    _known: dict[ItemTexts, I64] = field(default_factory=dict)

    def add(self, probe: Probe, evidence: Evidence, assembly: Assembly) -> Rows:
        """Add the outcome of a question. Return the rows of its useful memories."""
        items, rows = assembly.candidates.items, assembly.candidates.rows(ItemKind.MEMORY)
        places = self._places_of(items, rows, probe.conversation)
        self.questions += 1
        fails = assembly.error is not None
        kept = (assembly.action[rows] == int(Action.KEPT)) & (not fails)
        carries = np.isin(rows, np.concatenate([evidence.citing, evidence.rows]))
        is_open = assembly.candidates.open[rows]
        weighed = is_open & (not fails)
        weighed[weighed] = considered(assembly, rows[weighed])
        masks = (is_open, weighed, kept, carries, kept & carries)
        for sums, mask in zip(self.figures, masks, strict=True):
            for place in places[mask].tolist():
                sums[place] += 1
        self._add_unnamed(probe, evidence, assembly)
        return rows[kept & carries]

    def place(self, items: ItemTexts, row: int) -> int:
        """Return the place of a memory by its row."""
        return self._places[id(items.things[row])]

    def use(self, skipped: tuple[Skipped, ...]) -> MemoryUse:
        """Return the sums."""
        asked, weighed, kept, carries, useful = (frozen(np.array(one, np.int64)) for one in self.figures)
        lost, twins = frozen(np.array(self.lost, np.float64)), frozen(np.array(self.twins, np.int64))
        unnamed = sorted(self.unnamed.values(), key=lambda one: -one[1])
        wanted, there = (frozen(np.array([one[n] for one in unnamed], np.int64)) for n in (1, 2))
        return MemoryUse(
            self.questions, tuple(self.memories), asked, weighed, kept, carries, useful, lost, twins,
            tuple(item for item, _, _ in unnamed), wanted, there, skipped,
        )  # fmt: skip

    def _places_of(self, items: ItemTexts, rows: Rows, conversation: str) -> I64:
        known = self._known.get(items)
        if known is None:
            new = [row for row in rows.tolist() if id(items.things[row]) not in self._places]
            for row in new:
                self._places[id(items.things[row])] = len(self.memories)
                self.memories.append(UsedItem(items.names[row], conversation, items.texts[row]))
                self.things.append(items.things[row])  # so that no other thing has its id
                self.lost.append(0.0)
                self.twins.append(0)
                for sums in self.figures:
                    sums.append(0)
            known = np.array([self.place(items, row) for row in rows.tolist()], np.int64)
            for place, twins in zip(known.tolist(), _twins([items.texts[row] for row in rows.tolist()]), strict=True):
                self.twins[place] = max(self.twins[place], twins)
            self._known[items] = known
        return known

    def _add_unnamed(self, probe: Probe, evidence: Evidence, assembly: Assembly) -> None:
        items = assembly.candidates.items
        named = np.isin(np.arange(len(evidence.rows)), evidence.cited)
        for row in evidence.rows[~named & (evidence.rows >= items.first_message)].tolist():
            kept = assembly.error is None and int(assembly.action[row]) == Action.KEPT
            item = UsedItem(items.names[row], probe.conversation, items.texts[row])
            _, wanted, there = self.unnamed.get((probe.conversation, item.name), (item, 0, 0))
            self.unnamed[probe.conversation, item.name] = item, wanted + 1, there + kept


def _twins(texts: Sequence[str]) -> list[int]:
    """Return for each text how many others nearly repeat it."""
    if len(texts) < 2:
        return [0] * len(texts)
    labels = np.zeros(0, np.intp)
    for search in near_duplicates(texts):
        check_wanted()
        labels = search.labels
    twins = [0] * len(texts)
    for group in groups_of(labels):
        for place in group:
            twins[place] = len(group) - 1
    return twins


def _count(key: str, title: str, help: str) -> Column[MemoryUse]:
    def figures(use: MemoryUse) -> I64:
        return getattr(use, key)

    return Column(key, title, help, lambda use, row: int(figures(use)[row]), figures, Kind.COUNT)


def _item_columns(title: str, items: str) -> tuple[Column[MemoryUse], Column[MemoryUse], Column[MemoryUse]]:
    def item(use: MemoryUse, row: int) -> UsedItem:
        return getattr(use, items)[row]

    return (
        Column("id", title, f"The id of the {title.lower()}", lambda use, row: item(use, row).name, digits=13),
        Column(
            "conversation", "Conversation", f"A conversation with this {title.lower()}",
            lambda use, row: item(use, row).conversation, yields=2, digits=10,
        ),
        Column(
            "text", "Text", "How it begins", lambda use, row: item(use, row).text, kind=Kind.EXCERPT, stretches=True
        ),
    )  # fmt: skip


def _lost(use: MemoryUse, row: int) -> float | None:
    lost = float(use.lost[row])
    return None if np.isnan(lost) else lost / use.questions


_MEMORY, _OF_MEMORY, _TEXT = _item_columns("Memory", "memories")
USED_MEMORIES: Table[MemoryUse] = Table(
    (
        _MEMORY,
        _OF_MEMORY,
        _count("asked", "Questions", "The questions asked when it could be in the prompt"),
        _count("considered", "Considered", "The questions for which the policy weighed it"),
        _count("kept", "Kept", "The prompts with it whole"),
        _count("carries", "Evidence", "The questions with evidence in it: needed itself, or naming a needed message"),
        _count("useful", "Useful", "The prompts with it whole, for a question with evidence in it"),
        Column(
            "lost",
            "Recall lost",
            "The recall with memories, over all questions, lost if it is left out; below 0 if others in its room serve "
            "better",
            _lost,
            lambda use: use.lost,
            Kind.SHARE_DIFFERENCE,
            digits=11,
        ),
        _count("twins", "Twins", "Other memories with nearly the same text"),
        _TEXT,
    ),
    lambda use: use.order.tolist(),
    has_both_ends=True,
)
_MESSAGE, _OF_MESSAGE, _SAID = _item_columns("Message", "unnamed")
UNNAMED_EVIDENCE: Table[MemoryUse] = Table(
    (
        _MESSAGE,
        _OF_MESSAGE,
        _count("wanted", "Questions", "The questions that need this message, which no memory names: memories to write"),
        _count("there", "Kept", "Those with the message itself whole in the prompt"),
        _SAID,
    ),
    lambda use: range(len(use.unnamed)),
)


def memory_use_value(use: MemoryUse, scenario: Scenario, kind: type | None) -> dict[str, Any]:
    """Return the use of memories as a JSON value: the totals, each memory, and the messages that no memory names.

    `kind` is the class that decides.
    """
    return {
        "format": MEMORY_USE_FORMAT,
        "scenario": scenario_value(scenario, kind),
        "questions": use.questions,
        "never": len(use.never),
        "useful_share": use.useful_share,
        "skipped": [{"id": one.id, "reason": one.reason} for one in use.skipped],
        "memories": list(USED_MEMORIES.records(use)),
        "unnamed": list(UNNAMED_EVIDENCE.records(use)),
    }
