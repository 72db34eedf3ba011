"""The requests with recorded usage in a file: the messages of their prompts, and the total of the shown request.

A recorded total is the truth of its request. Where the prompt here has exactly the messages of that request, the
difference is a named remainder. Elsewhere a difference would mean nothing, so both totals are given in words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, Action, Bool, Kind, State, frozen
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.numbers import called
from inspector.assembly.token_ledger import NOT_MEASURED, TokenLedger
from inspector.figures import counted
from inspector.formats.compaction import SUMMARY_MARK
from inspector.model import Message, Usage, recorded_usage
from inspector.tokens.calibration import Calibration, calibrate

_ANSWERS = "assistant"
_ALWAYS = (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
_OF_REQUEST = (*_ALWAYS, Kind.ATTACHMENT, Kind.GREETING)
"""Kinds of items, besides messages, in the requests of the file as well; all others are chosen here."""
REMAINDER_TITLE = "Not in the file"
_TEMPLATE = "chat template"
"""The line of a ledger for the frames of messages."""


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request with its usage: its prompt ends before the row `start`, where the answer begins.

    `answer` is the row of the message with the usage, perhaps the last of several messages of the same answer. `since`
    is the row of the first sent message: that of the last summary of all before it, if there is one. `model` is the
    name of the model of the answer, "" if the file has none.
    """

    start: int
    answer: int
    since: int
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class RecordedTotal:
    """A request with its recorded tokens, beside the tokens counted here for the same prompt.

    `counted` is None where the prompt here is not that of the request, for the reason in `otherwise`. `later` is the
    number of tokens here later than the request. `low` and `high` are the range of the count: by the certainty of its
    lines or, where the requests of the file measure it, by `calibration`. `likely` is the probable content of the
    remainder, in words.
    """

    request: RecordedRequest
    prompt: int
    counted: int | None
    later: int = 0
    low: int = 0
    high: int = 0
    otherwise: str = ""
    likely: str = ""
    calibration: Calibration | None = None

    @property
    def usage(self) -> Usage:
        """The usage of the request."""
        return self.request.usage

    @property
    def difference(self) -> int | None:
        """Recorded minus counted tokens; None if the prompts are not the same."""
        return None if self.counted is None else self.prompt - self.counted

    @property
    def remainder(self) -> int:
        """Tokens of the request that are not in the file; 0 where the prompts are not the same."""
        return max(0, self.difference or 0)

    @property
    def is_less(self) -> bool:
        """Whether fewer tokens are recorded than the error of the count explains."""
        return self.counted is not None and self.prompt < self.low

    @property
    def is_within(self) -> bool:
        """Whether the error of the count alone may explain the difference."""
        return self.counted is not None and self.low <= self.prompt <= self.high

    @property
    def parts_words(self) -> str:
        """The parts of the recorded prompt: `100,000 read from a cache, 2,000 written to it`; "" without any."""
        usage = self.usage
        if not usage.is_divided:
            return ""
        written = "written to it" if usage.cached else "written to a cache"
        parts = (usage.cached, "read from a cache"), (usage.written, written), (usage.fresh, "neither")
        return ", ".join(f"{tokens:,} {words}" for tokens, words in parts if tokens)


def recorded_requests(items: ItemTexts) -> tuple[RecordedRequest, ...]:
    """Return the requests with a recorded prompt, in the order of the conversation."""
    return items.derived("recorded requests", None, lambda: tuple(_requests(items)))


def summary_rows(items: ItemTexts) -> tuple[int, ...]:
    """Return the rows of the summaries that replace all messages before them."""
    placed = enumerate(items.things[items.first_message :], items.first_message)
    found = (row for row, thing in placed if isinstance(thing, Message) and thing.metadata.get(SUMMARY_MARK))
    return items.derived("recorded_summaries", None, lambda: tuple(found))


def prompts_before(candidates: Candidates) -> I64:
    """Return for each row the tokens of a request with its answer there, and with the frame around each message.

    Messages replaced by a summary do not count, nor do messages marked as not sent in the file.
    """
    return candidates.items.derived("prompts before", candidates.counts, lambda: _prompts_before(candidates))


def _prompts_before(candidates: Candidates) -> I64:
    items = candidates.items
    first = items.first_message
    cost = candidates.tokens.astype(np.int64) + candidates.frame_tokens
    cost[first : first + len(_left_out(items))][_left_out(items)] = 0
    always = int(cost[np.isin(candidates.kind, _ALWAYS)].sum())
    sums = np.zeros(len(cost) + 1, np.int64)
    sums[first + 1 :] = np.cumsum(cost[first:])
    for row in summary_rows(items):
        sums[row + 1 :] -= sums[row]  # the summary stands for all before it
    return frozen(sums + always)


def constant_overhead(assembly: Assembly, total: int) -> int:
    """Return the tokens of a prompt outside items and frames: tools, ends, joints; the same in each request."""
    frames = int(assembly.candidates.frame_tokens[assembly.in_prompt].sum(dtype=np.int64))
    return max(0, total - assembly.items_total - frames)


def calibration_of(candidates: Candidates, model: str, constant: int) -> Calibration | None:
    """Return the factor of the counts here, measured on the requests to this model; None for too few.

    `constant` is the number of tokens of each prompt outside items and their frames.
    """
    terms = candidates.counts, model, constant
    return candidates.items.derived("calibration", terms, lambda: _calibration(candidates, model, constant))


def _calibration(candidates: Candidates, model: str, constant: int) -> Calibration | None:
    of_model = [one for one in recorded_requests(candidates.items) if one.model == model]
    before = prompts_before(candidates)
    return calibrate(
        [int(before[one.start]) + constant for one in of_model], [one.usage.prompt or 0 for one in of_model]
    )


def request_shown(assembly: Assembly) -> RecordedRequest | None:
    """Return the request of the answer at the turn, else the last request before it; None if none is recorded.

    Takes no time in files without usage.
    """
    items = assembly.candidates.items
    requests = recorded_requests(items)
    if not requests or assembly.error is not None:
        return None
    starts = items.derived("starts of requests", None, lambda: np.array([one.start for one in requests], np.intp))
    place = int(np.searchsorted(starts, _end(assembly.candidates), side="right")) - 1
    return requests[place] if place >= 0 else None


def recorded_total(
    assembly: Assembly, request: RecordedRequest, ledger: TokenLedger, *, otherwise: str, has_tools: bool
) -> RecordedTotal:
    """Return the recorded total of a request beside the prompt of a ledger.

    `otherwise` is the reason why the prompts differ, "" if their messages alone decide.
    """
    prompt = request.usage.prompt or 0
    if otherwise := otherwise or _otherwise(assembly, request):
        return RecordedTotal(request, prompt, None, otherwise=otherwise)
    cost = ledger.cost
    later = min(_tokens_from(assembly, ledger, request.start), cost.tokens)
    low, high = max(0, min(cost.low, cost.tokens) - later), max(cost.high, cost.tokens) - later
    measured = calibration_of(assembly.candidates, request.model, constant_overhead(assembly, cost.tokens))
    if measured is not None and assembly.candidates.has_estimates:
        expected = measured.cost(cost.tokens - later)
        low, high = expected.low, expected.high
    likely = _likely(assembly, has_tools)
    return RecordedTotal(request, prompt, cost.tokens - later, later, low, high, likely=likely, calibration=measured)


def recorded_sentence(found: RecordedTotal, candidates: Candidates, estimated: bool) -> str:
    """Return the recorded total in words, with its parts and a comparison with the count here."""
    answer = called(candidates, found.request.answer)
    divided = f" ({found.parts_words})" if found.parts_words else ""
    recorded = f"The file records {counted(found.prompt, 'token')}{divided} for the prompt behind {answer}"
    if found.counted is None:
        return f"{recorded}, which is not this prompt: {found.otherwise}."
    here = counted(found.counted, "token", estimated=estimated)
    if not found.difference:
        return f"{recorded}, and as many are counted here."
    measured = "" if found.calibration is None else f", {found.calibration.words}"
    range_ = f", a count that may be {found.low:,} to {found.high:,}{measured}" if found.low < found.high else ""
    if found.difference < 0:
        return f"{recorded}, {-found.difference:,} fewer than the {here} counted here{range_}."
    rest = f"The other {found.remainder:,} are not in the file: most likely the {found.likely}."
    if found.is_within:
        rest = f"The difference of {found.remainder:,} is within the error of the count."
    return f"{recorded}; {here} of them are counted here{range_}. {rest}"


def _requests(items: ItemTexts) -> Iterator[RecordedRequest]:
    first, default = items.first_message, items.conversation.model if items.conversation else ""
    start, since, speaker = -1, first, ""
    for row, thing in enumerate(items.things[first:], first):
        if not isinstance(thing, Message):
            continue
        if thing.role != _ANSWERS or (start >= 0 and thing.name != speaker):
            start = -1
        if thing.role == _ANSWERS and start < 0:
            start, speaker = row, thing.name
        if not thing.metadata:
            continue
        if thing.metadata.get(SUMMARY_MARK):
            since = row
        usage = recorded_usage(thing.metadata)
        if thing.role == _ANSWERS and usage.prompt:
            model = thing.metadata.get("model")
            yield RecordedRequest(start, row, since, usage, model if isinstance(model, str) and model else default)
            start = -1  # a further message of the assistant answers a request of its own


def _end(candidates: Candidates) -> int:
    """Return the row after the last message at the turn, without a draft."""
    items = candidates.items
    stored = slice(items.first_message, len(candidates) - items.has_draft)
    is_later = candidates.state[stored] == int(State.NOT_YET)
    there = int(is_later.argmax()) if is_later.any() else len(is_later)
    return items.first_message + there


def _otherwise(assembly: Assembly, request: RecordedRequest) -> str:
    """Return the reason why the prompt here lacks messages of the request, or has others; "" if it has the same."""
    candidates, action = assembly.candidates, assembly.action
    first = candidates.items.first_message
    sent = slice(request.since, request.start)
    is_whole = (action[sent] == int(Action.KEPT)) & (assembly.form[sent] == 0)
    lost = int(
        np.count_nonzero(~is_whole & ~_left_out(candidates.items)[request.since - first : request.start - first])
    )
    if lost:
        messages = counted(request.start - request.since, "message")
        return f"{lost:,} of its {messages} {'is' if lost == 1 else 'are'} not whole in this one"
    replaced = int(np.count_nonzero(assembly.in_prompt[first : request.since]))
    if replaced:
        return f"{counted(replaced, 'message')} that a summary stood for {'is' if replaced == 1 else 'are'} in this one"
    others = assembly.in_prompt[:first] & ~np.isin(candidates.kind[:first], _OF_REQUEST)
    if number := int(np.count_nonzero(others)):
        return f"{counted(number, 'item')} besides its messages {'is' if number == 1 else 'are'} in this one"
    return ""


def _left_out(items: ItemTexts) -> Bool:
    """Return a mask of the messages marked as not sent in the file."""
    marks = (isinstance(one, Message) and one.excluded for one in items.things[items.first_message :])
    return items.derived("left out by the file", None, lambda: frozen(np.array([*marks], np.bool_)))


def _tokens_from(assembly: Assembly, ledger: TokenLedger, row: int) -> int:
    """Return the tokens of the messages in the prompt from a row on, with their frames and files.

    Once the prompt is measured, these are the tokens as written by the template.
    """
    costs = assembly.spent
    if ledger.counted is not None:
        costs = np.where(ledger.counted == NOT_MEASURED, costs, ledger.counted)
    frames = assembly.candidates.frame_tokens[row:][assembly.in_prompt[row:]]
    parts, messages = assembly.candidates.items.parts_of_messages
    tokens = (costs[row:], frames, costs[parts[messages >= row]])
    return sum(int(part.sum(dtype=np.int64)) for part in tokens) + _frames_of_tools(assembly, ledger, row)


def _frames_of_tools(assembly: Assembly, ledger: TokenLedger, row: int) -> int:
    """Return the part, from a row on, of the extra cost of the frames of calls and results above plain messages."""
    there = assembly.in_prompt
    used = np.unique(np.concatenate([assembly.candidates.items.callers, *assembly.candidates.items.tool_pairs]))
    used = used[there[used]]
    if ledger.counted is None or not len(used):
        return 0
    template = sum(line.tokens for line in ledger.lines if line.name == _TEMPLATE)
    above = max(0, template - int(assembly.candidates.frame_tokens[there].sum(dtype=np.int64)))
    return round(above * int(np.count_nonzero(used >= row)) / len(used))


def _likely(assembly: Assembly, has_tools: bool) -> str:
    """Return the likely content of a remainder in words: usual parts of a request missing from the prompt here."""
    candidates, there = assembly.candidates, assembly.in_prompt
    first = candidates.things[candidates.items.first_message]
    has_system = isinstance(first, Message) and first.role == "system"
    has_system = has_system or bool(np.isin(candidates.kind[there], (Kind.SYSTEM, Kind.COMPONENT)).any())
    missing = [*(["system prompt"] if not has_system else []), *(["tools"] if not has_tools else [])]
    words = f"{' and '.join(missing) or 'additions'} of the application"
    return f"pictures and documents, {words}" if bool(candidates.images[there].any()) else words
