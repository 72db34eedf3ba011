"""Measuring settings: the recall and the planned total of every probe under each of many settings.

Everything that depends on a conversation is computed once for it, everything that depends on a query once for all
settings that compare texts alike, and the course of a session that looks at no query once for all probes; only the
policy's decision and its planned ledger remain for each cell.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from os import cpu_count
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.processes import processes
from inspector.analysis.recall.ask import held
from inspector.analysis.recall.probes import Evidence, evidence_of, scenario_of
from inspector.analysis.recommend.chats import Chats
from inspector.assembly.answer import ledger_terms
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import Rows
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import planned_total
from inspector.limits import MOST
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

NO_PROMPT = MOST
"""The total of a cell in which the policy made no prompt: it fits nowhere."""
_CELLS_A_PART = 8_000
_ITEMS_AT_ONCE = 100_000
"""The number of compared items, over all probes, that are kept at a time: about 10 MB."""
_APART_FROM_PROBES = 60
"""Fewer probes are asked sooner than other processes begin."""
_LOOKING_UP_SECONDS = 0.05
"""The interval at which waiting for processes checks whether the result is still wanted."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Settings × probes: recall, recall with memories (NaN where not measured), and the planned total in tokens."""

    recall: F32
    with_memories: F32
    total: I64

    def take(self, settings: Rows, probes: Rows, measured: "Cells") -> None:
        """Store the measurements of these settings and probes."""
        place = np.ix_(settings, probes)
        self.recall[place] = measured.recall
        self.with_memories[place] = measured.with_memories
        self.total[place] = measured.total

    def part(self, settings: Rows, probes: Rows) -> "Cells":
        """Return the cells of these settings and probes."""
        place = np.ix_(settings, probes)
        return Cells(self.recall[place], self.with_memories[place], self.total[place])

    def with_rows(self, settings: int) -> "Cells":
        """Return the same cells for more settings, so many in all, of which the last are not measured."""
        more = no_cells(settings - len(self.total), self.total.shape[1])
        return Cells(
            np.concatenate([self.recall, more.recall]),
            np.concatenate([self.with_memories, more.with_memories]),
            np.concatenate([self.total, more.total]),
        )


def no_cells(settings: int, probes: int) -> Cells:
    """Return cells of which none is measured."""
    shape = (settings, probes)
    return Cells(np.full(shape, np.nan, np.float32), np.full(shape, np.nan, np.float32), np.zeros(shape, np.int64))


def measuring(probes: int, workers: int | None = None) -> AbstractContextManager[Executor | None]:
    """Return the processes for `measured`: `workers`, or as many as cores; None if this process suffices for the
    probes.
    """
    number = workers or cpu_count() or 1
    if number < 2 or (workers is None and probes < _APART_FROM_PROBES):
        return nullcontext()
    return processes(number)


def measured(
    chats: Chats,
    settings: Sequence[Scenario],
    probes: Sequence[Probe],
    cache: CountCache | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[Rows, Cells]]:
    """Ask all probes under all settings, in parts as they are done: the places of their probes, and their cells.

    With an executor, its workers measure the parts, each on a single conversation; they cannot share the cache. Closing
    the iterator cancels the remaining parts. Raise AbandonedError once the result is no longer wanted.
    """
    if executor is None:
        for part in _parts(settings, probes):
            some = [probes[place] for place in part.tolist()]
            yield part, measure(chats.pipeline(some[0].conversation), settings, some, cache)
        return
    packed = pickle.dumps(chats)
    futures = {
        executor.submit(_measure_apart, packed, settings, [probes[place] for place in part.tolist()]): part
        for part in _parts(settings, probes)
    }
    try:
        for future in _as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def _as_completed(futures: Iterable[Future[Cells]]) -> Iterator[Future[Cells]]:
    """Yield the futures as they are done, checking whether they are still wanted."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, _LOOKING_UP_SECONDS, FIRST_COMPLETED)
        check_wanted()
        yield from done


def gathered(
    chats: Chats,
    settings: Sequence[Scenario],
    probes: Sequence[Probe],
    cache: CountCache | None = None,
    executor: Executor | None = None,
) -> Cells:
    """Return all cells of these settings and probes, measured as `measured` does."""
    cells, rows = no_cells(len(settings), len(probes)), np.arange(len(settings))
    for part, some in measured(chats, settings, probes, cache, executor):
        cells.take(rows, part, some)
    return cells


def _parts(settings: Sequence[Scenario], probes: Sequence[Probe]) -> Iterator[Rows]:
    """Yield places of probes of the same conversation, as many as take a few seconds."""
    most = max(1, _CELLS_A_PART // max(1, len(settings)))
    first = {probe.conversation: place for place, probe in reversed(list(enumerate(probes)))}
    order = sorted(range(len(probes)), key=lambda place: first[probes[place].conversation])
    for _, places in groupby(order, key=lambda place: probes[place].conversation):
        alike = np.fromiter(places, np.intp)
        yield from np.array_split(alike, -(-len(alike) // most))


def _measure_apart(packed: bytes, settings: Sequence[Scenario], probes: Sequence[Probe]) -> Cells:
    """Measure probes of a single conversation in another process, with its own pipeline."""
    return measure(_own_chats(packed, get_ident()).pipeline(probes[0].conversation), settings, probes)


@lru_cache(maxsize=1)
def _own_chats(packed: bytes, thread: int) -> Chats:
    """Return the chats of a process, unpacked once for all parts: they keep everything counted, embedded and indexed.

    Threads in place of processes have their own, because a pipeline must not be shared between threads.
    """
    return pickle.loads(packed)


def measure(
    pipeline: Pipeline, settings: Sequence[Scenario], probes: Sequence[Probe], cache: CountCache | None = None
) -> Cells:
    """Return the cells of these settings, and of probes in order of conversation.

    Raise ScenarioError and UnknownTokenizerError.
    """
    cells = no_cells(len(settings), len(probes))
    for name, places in groupby(range(len(probes)), key=lambda place: probes[place].conversation):
        together = list(places)
        cases = [_prepared(pipeline, replace(one, conversation=name), cache) for one in settings]
        for group in _compared_alike(cases):
            _measure_group(pipeline, group, probes, together, cells, cache)
    return cells


def _prepared(pipeline: Pipeline, scenario: Scenario, cache: CountCache | None) -> Case:
    """Return the case of a scenario with everything computed. Raise AbandonedError once it is no longer wanted."""
    check_wanted()
    return make_all(pipeline, scenario, cache, lambda work, done: check_wanted())


def _compared_alike(cases: Sequence[Case]) -> list[list[tuple[int, Case]]]:
    """Return the cases with their places, grouped by equal candidates and similarities for any query.

    Groups with the same items are adjacent, so that the items are made once.
    """
    groups: dict[Any, list[tuple[int, Case]]] = {}
    for place, case in enumerate(cases):
        groups.setdefault(_terms_of_candidates(case), []).append((place, case))
    return [groups[key] for key in sorted(groups, key=repr)]


def _terms_of_candidates(case: Case) -> tuple[Any, ...]:
    """Return all variable terms of a setting on which the candidates of a case depend."""
    traits, scenario, model = case.traits, case.scenario, case.model
    window = None if scenario.lore.budget_percent is None else model.window.tokens
    asks = case.policy if traits.question is not None else None
    counted = traits.counts_contents, traits.counts_replacements
    items = case.prefers_directive, case.greets, model.tokenizer.tokenizer.name, model.chat_format.name, window
    return *items, scenario.similarity, scenario.relevance, traits.compares_messages, counted, asks


def _measure_group(
    pipeline: Pipeline,
    group: Sequence[tuple[int, Case]],
    probes: Sequence[Probe],
    places: Sequence[int],
    cells: Cells,
    cache: CountCache | None,
) -> None:
    """Measure settings with equal candidates on probes of a conversation, a number of probes at a time.

    Each setting is measured on all of these before the next: a policy that looks at no query decides once for all.
    """
    end = 0
    while end < len(places):
        asked: list[tuple[int, Evidence, Candidates]] = []
        size = 0
        while end < len(places) and (not asked or size < _ITEMS_AT_ONCE):
            case = _prepared(pipeline, scenario_of(group[0][1].scenario, probes[places[end]]), cache)
            candidates = pipeline.candidates(case)
            asked.append((places[end], evidence_of(pipeline.plain_items(case), probes[places[end]]), candidates))
            end, size = end + 1, size + len(candidates)
        for row, case in group:
            check_wanted()
            for column, evidence, candidates in asked:
                _measure_cell(cells, (row, column), case, pipeline.decide(case, candidates), evidence)


def _measure_cell(cells: Cells, place: tuple[int, int], case: Case, assembly: Assembly, evidence: Evidence) -> None:
    kept, cited = held(assembly, evidence)
    cells.recall[place] = kept.mean()
    cells.with_memories[place] = (kept | cited).mean()
    failed = assembly.error is not None
    cells.total[place] = NO_PROMPT if failed else planned_total(assembly, *ledger_terms(case))
