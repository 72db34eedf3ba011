"""Replay: a whole conversation under given settings, each turn as the prompt sent at the time.

A turn is a number of existing messages, as on the slider of turns. Every replayed turn is a whole assembly of its own,
equal to a fresh assembly, regardless of the policy; the candidates of many turns are made together (see
`assembly/turns.py`). Texts are read only where something is compared with the query of a turn. Differences of two turns
(falls, the shared prefix) are computed from their columns.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.caching.money import Spending, cost_with_cache
from inspector.analysis.caching.schemes import Scheme, scheme_of
from inspector.analysis.caching.use import PromptCache, Request
from inspector.analysis.replay.falling import NO_FALL, Fall, fall_between, fell
from inspector.analysis.replay.prefix import NO_UNITS, PromptUnits, UnitReader, shared_prefix
from inspector.analysis.replay.shortening import EventLog, Shortening
from inspector.assembly.answer import answer_with
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import F64, I64, Action, Bool, Rows, Section
from inspector.assembly.contenders import Contender
from inspector.assembly.cost import prices_of_model, prompt_cost
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline, wants_vectors
from inspector.assembly.recorded_requests import recorded_requests
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import is_rough_plan
from inspector.assembly.turns import MOST_TURNS, candidates_at
from inspector.derived import cached_property
from inspector.model import Usage
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

NOTHING = -1
"""Stands for a missing turn or row."""
LONGEST = 5_000
"""The maximum number of replayed turns: longer conversations are replayed at intervals."""
FIRST_TURNS = 200
_ANSWERS = "assistant"
_TOLD_TIMES = 100


@dataclass(frozen=True, eq=False)
class Replay:
    """The contents of the prompts of the replayed turns: arrays of the length of `turns` unless stated otherwise.

    turns: how many messages exist, rising.
    is_sent: whether a prompt went to the model at this turn: the next message is a reply, or is still to come.
    tokens, shape (turns, sections): tokens of the items by section. overhead: the other tokens of the prompt.
    estimated: whether the size is an estimate: texts of the prompt are, or parts counted separately share a message.
    window: the context window. reserve: tokens kept free for the reply.
    findings: the codes of the warnings and errors of each turn; refused: whether there was an error and no prompt.
    oldest: the place in the conversation of the oldest message of the prompt, from 0 on; NOTHING if there is none.
    times: the time of the newest message, in seconds since 1970; NaN if unknown.
    falls: the items that left the prompt at each turn; after a refused turn, since the turn before it.
    shared: the tokens of the common beginning with the last sent prompt; unshared: its tokens after that.
    breaks: the row at which they differ, and `was` the row there before; NOTHING if the prompt continues the whole
    previous prompt.
    scheme: the rule of the provider's prompt cache; None if none is known. read, written: the tokens that the prompt
    reads from the cache by this rule and writes to it, after the prompts sent before; 0 without a rule.
    costs, cached_costs: US dollars for the prompt, without a cache and with it; NaN if no price or no rule is known.
    events: the moments at which the program shortened its list, in their order.
    """

    case: Case
    candidates: Candidates
    turns: Rows
    is_sent: Bool
    tokens: I64
    overhead: I64
    estimated: Bool
    reserve: I64
    findings: tuple[tuple[str, ...], ...]
    refused: Bool
    oldest: Rows
    times: F64
    falls: tuple[Fall, ...]
    shared: I64
    unshared: I64
    breaks: Rows
    was: Rows
    scheme: Scheme | None
    read: I64
    written: I64
    costs: F64
    cached_costs: F64
    events: tuple[Shortening, ...]

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def window(self) -> int:
        """The context window in tokens."""
        return self.case.model.window.tokens

    @cached_property
    def totals(self) -> I64:
        """Tokens of the whole prompt of each turn."""
        return self.tokens.sum(axis=1) + self.overhead

    @cached_property
    def horizon(self) -> Rows:
        """How many turns back the prompt of each turn reaches; 0 without messages."""
        return np.where(self.oldest == NOTHING, 0, self.turns - self.oldest)

    @cached_property
    def fell_at(self) -> Rows:
        """For each candidate the turn at which it is first dropped after it was in a prompt; NOTHING for never."""
        found = np.full(len(self.candidates), NOTHING, np.intp)
        for turn, fall in zip(self.turns.tolist()[::-1], self.falls[::-1], strict=True):
            found[fall.rows[fall.actions == int(Action.DROPPED)]] = turn
        return found

    @cached_property
    def fallen(self) -> I64:
        """How many items left the prompt at each turn, or are no longer whole in it."""
        return np.array([len(fall.rows) for fall in self.falls], np.int64)

    @property
    def is_whole(self) -> bool:
        """Whether it reaches the last turn: its first part is shown while the rest is still replayed."""
        return len(self) > 0 and int(self.turns[-1]) == len(self.case.chosen.parts.messages)

    @cached_property
    def is_broken(self) -> Bool:
        """The turns at which the prompt does not continue the whole last sent prompt."""
        return (self.unshared > 0) | (self.breaks != NOTHING) | (self.was != NOTHING)

    @cached_property
    def recorded(self) -> tuple[Usage | None, ...]:
        """The usage that the file records for the answer to the prompt of each turn; None without any."""
        first = self.candidates.items.first_message
        usages = {one.start - first: one.usage for one in recorded_requests(self.candidates.items)}
        return tuple(map(usages.get, self.turns.tolist()))

    def place(self, turn: int) -> int:
        """Return the place of the last replayed turn that is not later; 0 if all are."""
        return max(int(np.searchsorted(self.turns, turn, side="right")) - 1, 0)

    def next_drop(self, turn: int) -> int | None:
        """Return the next turn at which something falls; None if nothing does any more."""
        places = range(int(np.searchsorted(self.turns, turn, side="right")), len(self))
        return next((int(self.turns[place]) for place in places if len(self.falls[place].rows)), None)

    @cached_property
    def sent_in_all(self) -> int:
        """The number of sent prompts of the conversation, replayed or not."""
        return int(sent_turns(self.case).sum())

    @property
    def has_all_sent(self) -> bool:
        """Whether every sent prompt is replayed: otherwise their totals are unknown."""
        return int(self.is_sent.sum()) == self.sent_in_all

    @cached_property
    def paid(self) -> F64:
        """US dollars for the prompt of each turn, with the cache where its rule is known; NaN without a price."""
        return np.where(np.isnan(self.cached_costs), self.costs, self.cached_costs)

    @cached_property
    def assumes_alive(self) -> bool:
        """Whether the cache is taken as alive, because its rule has a lifetime and a prompt has no time."""
        timed = self.scheme is not None and self.scheme.lifetime is not None
        return timed and bool(np.isnan(self.times[self.is_sent]).any())

    def spending(self) -> Spending | None:
        """Return US dollars for the replayed prompts that were sent; None if the price is unknown."""
        sent, cached = self.costs[self.is_sent], self.cached_costs[self.is_sent]
        if np.isnan(sent).any():
            return None
        return Spending(float(sent.sum()), None if np.isnan(cached).any() else float(cached.sum()))


def replays(
    basis: Basis, contenders: Sequence[Contender | None] = (None,), every: int | None = None
) -> Iterator[Share | tuple[Replay, ...]]:
    """Replay the conversation under each of these contenders (None: unchanged), all of them roughly first.

    For a single contender, the first pass also yields the turns so far. With `every`, replay every so many turns,
    without a rough pass and without parts. Raise the errors of `replay`.
    """
    scenario = basis.scenario
    scenarios = [scenario if contender is None else contender.scenario(scenario) for contender in contenders]
    steps = steps_of(len(basis.pipeline.case(scenario).chosen.parts.messages)) if every is None else (every,)
    for step in steps:
        found: list[Replay] = []
        for number, each in enumerate(scenarios):
            tells_parts = len(scenarios) == 1 and every is None and step == steps[0]
            made = yield from _replaying(replace(basis, scenario=each), step, (number, len(scenarios)), tells_parts)
            found.append(made)
        yield tuple(found)


def steps_of(messages: int) -> tuple[int, ...]:
    """Return the intervals of replayed turns, a rough pass first if there are many."""
    finest = max(1, -(-messages // LONGEST))
    first = max(finest, messages // FIRST_TURNS)
    return (first, finest) if first > finest else (finest,)


def replayed_scenario(scenario: Scenario) -> Scenario:
    """Return the scenario without its own turn and draft: scenarios equal in the rest have the same replay."""
    return replace(scenario, at=None, as_of=False, draft=None)


def replay(pipeline: Pipeline, scenario: Scenario, cache: CountCache | None = None, *, every: int = 1) -> Replay:
    """Replay the conversation of a scenario, without its draft, at every turn or every so many (`replayed_turns`).

    Everything missing is computed here and now. The scenario's own turn is ignored. Raise ScenarioError,
    UnknownTokenizerError, and AbandonedError once the result is no longer wanted.
    """
    (found,) = result_of(replays(Basis(pipeline, scenario, cache), every=every))
    return found


def _replaying(
    basis: Basis, every: int, place: tuple[int, int], tells_parts: bool
) -> Generator[Share | tuple[Replay, ...], None, Replay]:
    """Return the replay of a single scenario, yielding the share of the work for all, and the turns so far if told.

    `place` is the number of the scenario, and how many there are.
    """
    number, scenarios = place
    case = make_all(basis.pipeline, replayed_scenario(basis.scenario), basis.cache)
    turns = replayed_turns(sent_turns(case), every)
    recorder = _Recorder(basis.pipeline, case, turns)
    for made in _batches(_assembled(basis.pipeline, case, turns, basis.cache)):
        for done in recorder.take(made):
            if done % max(1, len(turns) // _TOLD_TIMES) == 0:
                yield Share(number * len(turns) + done, scenarios * len(turns))
        if tells_parts and not (found := recorder.replay()).is_whole:
            yield (found,)
    return recorder.replay()


def replay_last(
    pipeline: Pipeline,
    scenario: Scenario,
    prompts: int,
    cache: CountCache | None = None,
    placed: Callable[[Assembly], Assembly] = lambda assembly: assembly,
) -> Replay:
    """Replay only the last so many prompts that were sent, with their items `placed` otherwise. Raise the errors of
    `replay`.
    """
    case = make_all(pipeline, replayed_scenario(scenario), cache)
    turns = (np.flatnonzero(sent_turns(case)) + 1)[-prompts:]
    recorder = _Recorder(pipeline, case, turns)
    for made in _batches(_assembled(pipeline, case, turns, cache)):
        recorder.take([(now, placed(assembly)) for now, assembly in made])
    return recorder.replay()


def find_next_drop(basis: Basis) -> int | None:
    """Return the first turn after that of the scenario at which something falls; None if nothing does.

    Raise the errors of `replay`.
    """
    pipeline, scenario, cache = basis.pipeline, basis.scenario, basis.cache
    case = make_all(pipeline, replayed_scenario(scenario), cache)
    turns = replayed_turns(sent_turns(case), 1)
    turns = turns[(len(turns) if scenario.at is None else max(scenario.at, 1)) - 1 :]
    before: Assembly | None = None
    for turn, (_, assembly) in zip(turns.tolist(), _assembled(pipeline, case, turns, cache), strict=True):
        if assembly.error is not None:
            continue
        if before is not None and len(fell(before, assembly)):
            return turn
        before = assembly
    return None


def sent_turns(case: Case) -> Bool:
    """Return for each turn whether the model was asked: the next message is a reply, or is still to come."""
    messages = case.chosen.parts.messages
    return np.array([message.role == _ANSWERS for message in messages[1:]] + [True] * bool(messages), np.bool_)


def replayed_turns(is_sent: Bool, every: int) -> Rows:
    """Return all turns; or every so many a turn at which a prompt was sent, and always the last. Empty without
    messages.

    If user and model alternate, every second turn covers all sent prompts, and so their total cost.
    """
    last = len(is_sent)
    if every <= 1 or not last:
        return np.arange(1, last + 1, dtype=np.intp)
    sent = np.flatnonzero(is_sent) + 1
    return np.unique(sent[np.searchsorted(sent, np.arange(last, -every, -every))])


def _assembled(
    pipeline: Pipeline, case: Case, turns: Rows, cache: CountCache | None
) -> Iterator[tuple[Case, Assembly]]:
    """Yield the assembly of each of these turns, for the case of the whole conversation."""
    if not lacks_more(case):
        for candidates in candidates_at(pipeline, case, turns):
            check_wanted()
            yield case, pipeline.decide(case, candidates)
        return
    for turn in turns.tolist():
        check_wanted()
        now = make_all(pipeline, replace(case.scenario, at=turn, as_of=True), cache)
        yield now, pipeline.assemble(now)


def _batches(made: Iterator[tuple[Case, Assembly]]) -> Iterator[list[tuple[Case, Assembly]]]:
    while batch := list(islice(made, MOST_TURNS)):
        yield batch


def lacks_more(case: Case) -> bool:
    """Return whether a turn may need more than the whole conversation: the vector of its query, summaries of its
    own.
    """
    embedder, summarizer = case.embedder and case.embedder.embedder, case.summarizer
    needs_vectors = embedder is not None and not embedder.quick and wants_vectors(case, "?")
    return needs_vectors or (summarizer is not None and summarizer.name == "endpoint")


class _Recorder:
    """The columns of a replay while they are made, a turn after the other."""

    def __init__(self, pipeline: Pipeline, case: Case, turns: Rows) -> None:
        self._pipeline, self._case, self._turns = pipeline, case, turns
        self._candidates = candidates = pipeline.scoped(case)
        self._reader = UnitReader(case.model.chat_format, case.chosen.parts.tools)
        self._first = candidates.items.first_message
        self._blocks = np.array([max(1, len(one.parts)) for one in case.chosen.parts.messages], np.int64)
        self._is_sent = sent_turns(case)[turns - 1]
        size = len(turns)
        self._tokens = np.zeros((size, len(Section)), np.int64)
        self._overhead, self._reserve, self._shared = (np.zeros(size, np.int64) for _ in range(3))
        self._read, self._written, self._unshared = (np.zeros(size, np.int64) for _ in range(3))
        self._refused, self._estimated = (np.zeros(size, np.bool_) for _ in range(2))
        self._oldest, self._breaks, self._was = (np.full(size, NOTHING, np.intp) for _ in range(3))
        self._findings: list[tuple[str, ...]] = []
        self._falls: list[Fall] = []
        self._costs, self._cached_costs = np.full(size, np.nan), np.full(size, np.nan)
        self._before: Assembly | None = None
        self._log = EventLog()
        self._sent_last: PromptUnits = NO_UNITS
        self._times = candidates.time[self._first + turns - 1]
        self._prices = prices_of_model(case.model.row)
        self._scheme = scheme_of(case.model.row, self._prices)
        self._cache = None if self._scheme is None else PromptCache(self._scheme)

    def take(self, made: Sequence[tuple[Case, Assembly]]) -> range:
        """Record the assemblies of the next turns, step by step and not turn by turn. Return the numbers of the turns
        taken.

        Turn by turn takes a seventh longer: the code of all steps then alternates in the caches of the processor.
        """
        for _, assembly in made:
            _ = assembly.blocks
        units = [self._reader.units(assembly) for _, assembly in made]
        ledgers = [self._reader.ledger(assembly, parts) for (_, assembly), parts in zip(made, units, strict=True)]
        for (case, assembly), ledger in zip(made, ledgers, strict=True):
            self._findings.append(_codes(answer_with(self._pipeline, case, assembly, ledger).findings))
        first = len(self._falls)
        for _, assembly in made:
            self._falls.append(self._fall(assembly))
        for place, (_, assembly) in enumerate(made, first):
            self._take_columns(place, assembly)
        for place, ((_, assembly), parts, ledger) in enumerate(zip(made, units, ledgers, strict=True), first):
            if not self._refused[place]:
                self._overhead[place] = ledger.overhead
                self._take_prefix(place, parts, ledger.total, self._blocks_in(assembly))
                if self._is_sent[place]:
                    self._log.take(place, assembly)
        return range(first + 1, len(self._falls) + 1)

    def _fall(self, assembly: Assembly) -> Fall:
        before = self._before
        if assembly.error is not None:
            return NO_FALL
        self._before = assembly
        return NO_FALL if before is None else fall_between(before, assembly)

    def _take_columns(self, place: int, assembly: Assembly) -> None:
        if assembly.error is not None:
            self._refused[place] = True
            return
        self._tokens[place] = assembly.used
        self._estimated[place] = is_rough_plan(assembly)
        self._reserve[place] = assembly.budget.response_reserve
        there = assembly.in_prompt[self._first :]
        if np.count_nonzero(there):
            self._oldest[place] = there.argmax()

    def _blocks_in(self, assembly: Assembly) -> int:
        """Return the number of blocks of content of the messages in the prompt."""
        there = assembly.in_prompt[self._first :]
        return int(self._blocks[: len(there)][there].sum())

    def _take_prefix(self, place: int, units: PromptUnits, total: int, blocks: int) -> None:
        shared = shared_prefix(self._sent_last, units)
        self._shared[place], self._breaks[place], self._was[place] = shared.tokens, shared.row, shared.was
        self._unshared[place] = self._sent_last.tokens - shared.tokens
        cost = prompt_cost(self._case.model.row, total)
        self._costs[place] = np.nan if cost is None else cost
        self._take_cache(place, Request(total, units.tokens, shared.tokens, float(self._times[place]), blocks))
        if self._is_sent[place]:
            self._sent_last = units

    def _take_cache(self, place: int, request: Request) -> None:
        """Record what the prompt reads from the cache and writes to it; a prompt that was sent changes the cache."""
        if self._cache is None or self._prices is None:
            return
        use = self._cache.use(request)
        self._read[place], self._written[place] = use.read, use.written
        cost = cost_with_cache(self._prices, self._cache.scheme, use)
        self._cached_costs[place] = np.nan if cost is None else cost
        if self._is_sent[place]:
            self._cache = self._cache.after(request)

    def replay(self) -> Replay:
        """Return everything recorded so far."""
        done = len(self._falls)
        return Replay(
            case=self._case,
            candidates=self._candidates,
            turns=self._turns[:done],
            is_sent=self._is_sent[:done],
            tokens=self._tokens[:done],
            overhead=self._overhead[:done],
            estimated=self._estimated[:done],
            reserve=self._reserve[:done],
            findings=tuple(self._findings),
            refused=self._refused[:done],
            oldest=self._oldest[:done],
            times=self._times[:done],
            falls=tuple(self._falls),
            shared=self._shared[:done],
            unshared=self._unshared[:done],
            breaks=self._breaks[:done],
            was=self._was[:done],
            scheme=self._scheme,
            read=self._read[:done],
            written=self._written[:done],
            costs=self._costs[:done],
            cached_costs=self._cached_costs[:done],
            events=tuple(self._log.found),
        )


def _codes(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the warnings and errors among findings, each kind once."""
    return tuple(dict.fromkeys(finding.code for finding in findings if finding.severity != "info"))
