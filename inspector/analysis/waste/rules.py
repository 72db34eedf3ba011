"""The rules of waste, read from the messages of a session alone; tokens are counted elsewhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.analysis.requests.sent import tool_name
from inspector.analysis.waste.session import Session
from inspector.formats.compaction import SUMMARY_MARK
from inspector.model import Message, Result, Text

_LEAST_RESULT = 200
"""Code points of a result; shorter results cost less than the sentence about them."""
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{256,}={0,2}|(?:[A-Za-z0-9+/]{60,}\r?\n){4,}[A-Za-z0-9+/]+={0,2}")
_LEAST_KINDS = 24
"""The least number of different characters in encoded data; words and rules drawn in a text have fewer."""
_HEX = re.compile(r"[0-9a-fA-F]+")
_LEAST_HEX_KINDS = 12
_LEAST_LINE, _LEAST_BLOCK = 12, 600
_NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Sent:
    """A wasted text in the message `at`, carried in vain from the request `since` on.

    `kind` names the waste; `text` is counted; `other` is the message making it needless, -1 for none; `what` names
    the text in words.
    """

    kind: str
    at: int
    text: str
    since: int
    other: int = -1
    what: str = ""


@dataclass(frozen=True, slots=True)
class _Returned:
    """A result: its message, its text, the name of the tool, and the call as a text."""

    at: int
    text: str
    tool: str
    call: str


def sent_for_nothing(session: Session) -> Iterator[Sent]:
    """Yield the findings of every rule in a session; a message counted as a whole by a rule is counted by no other."""
    returned = list(_results(session.messages))
    whole: set[int] = set()
    for rule in (_asked_again, _repeated, _stale):
        for one in rule(session, returned):
            if one.at not in whole:
                whole.add(one.at)
                yield one
    for one in _near(session, whole):
        whole.add(one.at)
        yield one
    yield from _encoded(session, whole)


def unused_tools(session: Session) -> tuple[int, ...]:
    """Return the places of the tools never called; none in a session too short to tell."""
    called = {call.name for message in session.messages for call in message.tool_calls}
    return tuple(at for at, tool in enumerate(session.tools) if tool_name(tool) not in called)


def _results(messages: Sequence[Message]) -> Iterator[_Returned]:
    calls = {call.id: call for message in messages for call in message.tool_calls if call.id}
    for at, message in enumerate(messages):
        for part in message.parts:
            if not isinstance(part, Result) or len(part.content) < _LEAST_RESULT:
                continue
            call = calls.get(part.id)
            name = part.name or ("" if call is None else call.name)
            yield _Returned(at, part.content, name, "" if call is None else f"{call.name} {call.arguments}")


def _repeated(session: Session, returned: Sequence[_Returned]) -> Iterator[Sent]:
    """Yield results already in the request word for word: the later is needless."""
    seen: dict[str, _Returned] = {}
    for one in returned:
        before = seen.get(one.text)
        if before is not None and session.until[before.at] > session.first[one.at]:
            yield Sent("repeated_result", one.at, one.text, 0, before.at, one.tool)
        else:
            seen[one.text] = one


def _stale(session: Session, returned: Sequence[_Returned]) -> Iterator[Sent]:
    """Yield results of a call made again with another answer: the earlier result is stale."""
    latest: dict[str, _Returned] = {}
    for one in returned:
        before = latest.get(one.call) if one.call else None
        if before is not None and before.text != one.text and session.until[before.at] > session.first[one.at]:
            yield Sent("stale_result", before.at, before.text, session.first[one.at], one.at, one.tool)
        if one.call:
            latest[one.call] = one


def _asked_again(session: Session, returned: Sequence[_Returned]) -> Iterator[Sent]:
    """Yield results lost by a compaction and asked for again."""
    known: dict[str, _Returned] = {}
    for one in returned:
        before = known.get(one.call) if one.call else None
        if before is not None and _is_compacted_between(session, before.at, one.at) and before.text == one.text:
            yield Sent("lost_by_compaction", one.at, one.text, 0, before.at, one.tool)
        if one.call:
            known[one.call] = one


def _is_compacted_between(session: Session, before: int, after: int) -> bool:
    """Return whether a message left the requests before another came, by a summary or by other messages."""
    return session.until[before] <= session.first[after]


def _encoded(session: Session, whole: set[int]) -> Iterator[Sent]:
    """Yield encoded data in the texts of messages: base64, hexadecimal figures."""
    for at, message in enumerate(session.messages):
        if at in whole:
            continue
        found = [data for text in _texts(message) for data in encoded_data(text)]
        if found:
            yield Sent("encoded_data", at, "\n".join(found), 0)


def encoded_data(text: str) -> Iterator[str]:
    """Yield the encoded data in a text. Long words, lines and rules drawn of signs are none."""
    for found in _ENCODED.finditer(text):
        data = found[0]
        kinds = len(set(data))
        if _HEX.fullmatch(data):
            if kinds >= _LEAST_HEX_KINDS:
                yield data
            continue
        is_mixed = any(map(str.isdigit, data)) and any(map(str.islower, data)) and any(map(str.isupper, data))
        if kinds >= _LEAST_KINDS and is_mixed:
            yield data


def _texts(message: Message) -> Iterator[str]:
    if not message.parts:
        yield message.content
    for part in message.parts:
        if isinstance(part, Text):
            yield part.text
        elif isinstance(part, Result):
            yield part.content


def _near(session: Session, whole: set[int]) -> Iterator[Sent]:
    """Yield messages repeating most of their lines from an earlier message in the same requests."""
    of_lines: dict[str, int] = {}
    for at, message in enumerate(session.messages):
        if at in whole or message.role == "system" or message.metadata.get(SUMMARY_MARK):
            continue
        lines = [line.strip() for text in _texts(message) for line in text.splitlines()]
        lines = [line for line in lines if len(line) >= _LEAST_LINE]
        size = sum(map(len, lines))
        if size >= _LEAST_BLOCK and (twin := _twin(session, at, lines, of_lines, size)) is not None:
            there, again = twin
            yield Sent("near_duplicate", at, "\n".join(again), 0, there)
        for line in lines:
            of_lines.setdefault(line, at)


def _twin(
    session: Session, at: int, lines: Sequence[str], of_lines: dict[str, int], size: int
) -> tuple[int, list[str]] | None:
    """Return the earlier message with most of these lines, and the lines; None without such a message."""
    shared: dict[int, list[str]] = {}
    for line in lines:
        there = of_lines.get(line)
        if there is not None and session.until[there] > session.first[at]:
            shared.setdefault(there, []).append(line)
    there = max(shared, key=lambda one: sum(map(len, shared[one])), default=None)
    if there is None or sum(map(len, shared[there])) < _NEARLY * size:
        return None
    return there, shared[there]
