"""Waste of the agents in the open files: tokens and money over their sessions, the worst first.

Tokens are counted on the definitions and texts themselves. Money is the price of input: the first request pays each
text in full, or its writing to the cache. Later requests pay the price of a cache read where the maker's rule is
known, as if each request came in time; otherwise they pay in full.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.caching.schemes import Scheme, scheme_of
from inspector.analysis.requests.agents import NOTHING
from inspector.analysis.requests.recording import Known, Recording, recordings
from inspector.analysis.requests.sent import tool_name
from inspector.analysis.waste.kinds import KINDS, WasteKind
from inspector.analysis.waste.rules import Sent, sent_for_nothing, unused_tools
from inspector.analysis.waste.session import Session, recorded_sessions, saved_session
from inspector.assembly.case import Case
from inspector.assembly.columns import I64
from inspector.assembly.cost import prices_of_model
from inspector.assembly.lacking import make_all
from inspector.assembly.overhead import tool_texts
from inspector.assembly.scenario import Scenario
from inspector.assembly.sent_thoughts import sent_thoughts
from inspector.figures import counted
from inspector.model import Conversation, Message, Workspace
from inspector.model import sent_request as request_of
from inspector.steps import check_wanted
from inspector.tables import named
from inspector.tokens.chat.frames import FrameTokens, frames_of
from inspector.tokens.models.prices import Prices

LEAST_TOKENS = 1_000
"""Waste of fewer tokens over a whole session is not told."""
LEAST_SHARE = 0.005
"""Nor is a smaller share of all that the session sent."""
LEAST_REQUESTS = 3
"""A session of fewer requests says little about the rest."""
_PER_MILLION = 1_000_000
_DAYS = "mon|tue|wed|thu|fri|sat|sun"
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_TIMES = re.compile(rf"\d+|\b(?:{_DAYS}|{_MONTHS})[a-z]*\b|\b[ap]m\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Waste:
    """Tokens that an agent sends to no use.

    `tokens` counts the whole session, `once` a single request; `dollars` is None without a price. `share` is the
    fraction of all tokens sent by the session. `items` are the ids of the messages in `conversation`.
    """

    kind: WasteKind
    conversation: str
    title: str
    agent: str
    sentence: str
    tokens: int
    once: int
    estimated: bool
    dollars: float | None
    share: float
    items: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """The remedy, in a sentence."""
        return self.kind.advice


@dataclass(frozen=True)
class _Scale:
    """The means to count a session: its case, the prices and the rule of the cache."""

    case: Case
    prices: Prices | None
    scheme: Scheme | None

    @property
    def estimated(self) -> bool:
        return not self.case.model.tokenizer.exact

    def count(self, texts: Sequence[str]) -> I64:
        """Return the tokens of each text."""
        return self.case.model.tokenizer.tokenizer.count(list(texts)).astype(np.int64)

    def dollars(self, tokens: int, requests: int) -> float | None:
        """Return the US dollars for these tokens, carried by this many requests in a row."""
        if self.prices is None or (full := self.prices.rates(tokens).input) is None:
            return None
        rates = self.prices.rates(tokens)
        if self.scheme is None or requests < 1:
            return full * tokens * requests / _PER_MILLION
        written = full * self.scheme.write if rates.cache_write is None else rates.cache_write
        first = written if self.scheme.kind == "breakpoint" else full
        read = full if rates.cache_read is None else rates.cache_read
        return tokens * (first + read * (requests - 1)) / _PER_MILLION


def wastes(basis: Basis, everything: bool = True, known: Known | None = None) -> Iterator[Share | tuple[Waste, ...]]:
    """Yield the share of the work, and at the end all waste, the worst first.

    Covers recordings and the conversation of the scenario; with `everything`, all conversations in which tools are
    called. `known` holds the findings of earlier recordings of the same files. Raise ScenarioError and
    UnknownTokenizerError.
    """
    workspace = basis.pipeline.workspace
    found: list[Waste] = []
    recording: Recording | None = None
    for step in recordings(basis, None, known):
        if isinstance(step, Share):
            yield step
        else:
            recording = step
    sessions = [] if recording is None else list(recorded_sessions(workspace, recording.requests, recording.places))
    chats = _chats(workspace, basis.scenario, everything)
    for number, session in enumerate((*sessions, *(saved_session(workspace, chat) for chat in chats))):
        check_wanted()
        if session.has_tools and session.requests >= LEAST_REQUESTS:
            found += _of_session(basis, session, recording)
        yield Share(number + 1, len(sessions) + len(chats), "Looking for waste")
    yield tuple(sorted(found, key=lambda waste: (-(waste.dollars or 0.0), -waste.tokens)))


def _chats(workspace: Workspace, scenario: Scenario, everything: bool) -> list[Conversation]:
    chats = [chat for chat in workspace.conversations if chat.is_read and request_of(chat.messages) is None]
    wanted = scenario.conversation or (workspace.conversations[0].id if workspace.conversations else "")
    return chats if everything else [chat for chat in chats if chat.id == wanted]


def _of_session(basis: Basis, session: Session, recording: Recording | None) -> Iterator[Waste]:
    """Yield the waste of a session above the least tokens and share."""
    scenario = Scenario(
        conversation=session.conversation,
        policy="naive",
        model=basis.scenario.model,
        tokenizer=basis.scenario.tokenizer,
        thoughts=basis.scenario.thoughts,
        memory_sets=(),
    )
    case = make_all(basis.pipeline, scenario, basis.cache)
    prices = prices_of_model(case.model.row)
    scale = _Scale(case, prices, scheme_of(case.model.row, prices))
    sent = _sent_in_all(session, scale)
    made = [*_unused(session, scale), *_by_rules(session, scale), *_thoughts(basis, session, scale)]
    if session.recorded and recording is not None:
        made += _broken(session, recording, scale)
    for kind, sentence, tokens, once, dollars, items in made:
        share = tokens / sent if sent else 0.0
        if tokens >= LEAST_TOKENS and share >= LEAST_SHARE:
            told = KINDS[kind], session.conversation, session.title, session.agent, sentence
            yield Waste(*told, tokens, once, scale.estimated, dollars, share, items)


_Made = tuple[str, str, int, int, float | None, tuple[str, ...]]
"""A kind, the sentence, tokens over the session, tokens of a request, US dollars, and the ids of messages."""


def _sent_in_all(session: Session, scale: _Scale) -> int:
    """Return the tokens of all requests of a session, of texts and tools."""
    texts = scale.count([message.content for message in session.messages])
    carried = np.array([session.carried(at) for at in range(len(session.messages))], np.int64)
    tools = _frames(scale).tools(tool_texts(session.tools)) if session.tools else 0
    return int((texts * carried).sum()) + tools * session.requests


def _frames(scale: _Scale) -> FrameTokens:
    return frames_of(scale.case.model.chat_format, scale.case.model.tokenizer.tokenizer)


def _unused(session: Session, scale: _Scale) -> Iterator[_Made]:
    """Yield the definitions of the tools that the session never calls, together."""
    never = unused_tools(session)
    if not never:
        return
    texts = tool_texts(session.tools)
    frames, kept = _frames(scale), tuple(text for at, text in enumerate(texts) if at not in never)
    once = frames.tools(texts) - frames.tools(kept)
    names = named([tool_name(session.tools[at]) for at in never])
    sentence = (
        f"{len(never):,} of {counted(len(session.tools), 'tool')} {'is' if len(never) == 1 else 'are'} never called: "
        f"{names}."
    )
    yield "unused_tools", sentence, once * session.requests, once, scale.dollars(once, session.requests), ()


def _by_rules(session: Session, scale: _Scale) -> Iterator[_Made]:
    """Yield the findings of the rules, summed by kind."""
    found: dict[str, list[Sent]] = {}
    for one in sent_for_nothing(session):
        found.setdefault(one.kind, []).append(one)
    for kind, listed in found.items():
        tokens = scale.count([one.text for one in listed])
        times = np.array([session.carried(one.at, one.since) for one in listed], np.int64)
        prices = [scale.dollars(*pair) for pair in zip(tokens.tolist(), times.tolist(), strict=True)]
        dollars = None if None in prices else float(sum(price for price in prices if price is not None))
        items = tuple(dict.fromkeys(session.messages[one.at].id for one in listed))
        once = int(tokens[times > 0].sum())
        yield kind, _sentence(kind, listed), int((tokens * times).sum()), once, dollars, items


_SENTENCES = {
    "repeated_result": ("{many} repeat word for word what the request has already{tools}.", "result"),
    "stale_result": ("{many} are carried along after the same call returned something else{tools}.", "result"),
    "encoded_data": ("{many} hold encoded data, which the model cannot read.", "message"),
    "near_duplicate": ("{many} repeat most of the lines of an earlier one that is still there.", "message"),
    "lost_by_compaction": ("{many} were there before a compaction, and were asked for again{tools}.", "result"),
}
_OF_ONE = (" repeat ", " repeats "), (" are ", " is "), (" hold ", " holds "), (" were ", " was ")


def _sentence(kind: str, listed: Sequence[Sent]) -> str:
    words, noun = _SENTENCES[kind]
    tools = list(dict.fromkeys(one.what for one in listed if one.what))
    told = words.format(many=counted(len(listed), noun), tools=f" ({named(tools)})" if tools else "")
    if len(listed) == 1:
        for many, one in _OF_ONE:
            told = told.replace(many, one)
    return told


def _thoughts(basis: Basis, session: Session, scale: _Scale) -> Iterator[_Made]:
    """Yield the thoughts of earlier answers sent again under the model's rules."""
    assembly = basis.pipeline.assemble(scale.case)
    if assembly.error is not None:
        return
    sent = sent_thoughts(assembly, _frames(scale), bool(session.tools))
    items = assembly.candidates.items
    messages = items.things[items.first_message :]
    asked = [at for at, one in enumerate(messages) if isinstance(one, Message) and _is_question(one)]
    newest = items.first_message + (asked[-1] if asked else 0)
    rows = {int(row): int(tokens) for row, tokens in zip(sent.rows, sent.tokens, strict=True) if int(row) < newest}
    if not rows:
        return
    by_id = {message.id: at for at, message in enumerate(session.messages)}
    tokens, dollars = 0, 0.0
    for row, once in rows.items():
        at = by_id.get(assembly.candidates.ids[row])
        question = next((one for one in asked if items.first_message + one > row), len(messages))
        since = session.first[min(question, len(session.first) - 1)]
        times = 0 if at is None else session.carried(at, since)
        tokens += once * times
        dollars += scale.dollars(once, times) or 0.0
    sentence = f"{counted(len(rows), 'thought')} of earlier questions {'is' if len(rows) == 1 else 'are'} sent again."
    price = dollars if scale.prices is not None else None
    yield (
        "carried_thoughts",
        sentence,
        tokens,
        sum(rows.values()),
        price,
        tuple(assembly.candidates.ids[row] for row in rows),
    )


def _is_question(message: Message) -> bool:
    return message.role == "user" and not message.tool_call_id


def _broken(session: Session, recording: Recording, scale: _Scale) -> Iterator[_Made]:
    """Yield the prefixes broken by a time, a date or another figure in an early text."""
    sent = recording.sent
    if sent is None:
        return
    tokens, times, dollars = 0, 0, 0.0
    for at in session.recorded:
        before = recording.places[at].before
        if before == NOTHING or sent.prompts[at].trouble or sent.prompts[before].trouble:
            continue
        lost = min(sent.prompts[before].kept, sent.prompts[at].kept) - int(sent.shared[at])
        if lost > 0 and _differs_by_figures(recording, before, at):
            tokens, times = tokens + lost, times + 1
            dollars += scale.dollars(lost, 1) or 0.0
            dollars -= (scale.dollars(lost, 2) or 0.0) - (scale.dollars(lost, 1) or 0.0)
    if times:
        sentence = f"{counted(times, 'request')} begin otherwise than the one before by figures alone, such as a time."
        sentence = sentence.replace(" begin ", " begins ") if times == 1 else sentence
        yield "broken_prefix", sentence, tokens, tokens // times, dollars if scale.prices is not None else None, ()


def _differs_by_figures(recording: Recording, before: int, at: int) -> bool:
    """Return whether the first differing part differs only by figures and the names of days and months."""
    assert recording.sent is not None
    one, other = recording.sent.prompts[before], recording.sent.prompts[at]
    if one.terms != other.terms:
        return False
    pairs = zip(one.keys, other.keys, one.texts, other.texts, strict=False)
    texts = next(((text, now) for key, new, text, now in pairs if key != new), None)
    return texts is not None and without_times(texts[0]) == without_times(texts[1])


def without_times(text: str) -> str:
    """Return a text with every figure and every name of a day or a month replaced by a mark."""
    return _TIMES.sub("#", text)
