"""The texts of a file that its reader left out. They are reported, so that nothing is lost in silence.

The check is the same for all formats. It takes every text of a JSON, JSON Lines or YAML file, under any key, and looks
for it in the workspace.
"""

import ast
import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from inspector.figures import counted
from inspector.model import Message, Problem, Workspace
from inspector.reading import json
from inspector.reading.source import FIRST_ITEMS, FileSource
from inspector.reading.values import UnreadableError, as_text, mapping, parse_time

MOST_BYTES = 5_000_000
"""Only the first items or records of larger files are checked."""
_MOST_MISSED = 300
"""The number of texts without an exact match that are searched for inside longer texts."""
_MOST_SAID = 5
_PROBE = 24  # characters
_MOST_LINES = 4
_LISTED = 200  # characters
_MARKS = re.compile(r"[<>&|#*_`\[\](){}\"\\]|\b[A-Z]{4,9}: ?")
_SHORTEST_RUN = 6  # characters
_PACKED = ("{", "[", '"')
_SHOWN = 40  # characters
_LONGEST_PRINTED = 20_000  # characters
_DEEPEST = 100
_FEW = 10
"""Among this many messages, a single empty message gives no warning: applications save stopped answers."""
_SPOKEN = frozenset(
    (
        *("arguments", "block", "blocks", "body", "chunk", "content", "contents", "dialog", "dialogue"),
        *("fragment", "fragments", "input", "inputs", "instruction", "instructions", "mes", "message"),
        *("messages", "output", "outputs", "paragraph", "part", "parts", "persona", "plan", "prompt", "prompts"),
        *("reasoning", "reply", "request", "response", "responses", "result", "results", "scenario", "system"),
        *("text", "texts", "thinking", "thought", "thoughts", "turn", "turns", "utterance", "value", "values"),
    )
)
"""Words in the keys under which applications store the texts of prompts."""
_HOLDERS = (
    *("content", "contents", "messages", "parts", "choices", "mapping", "conversations", "conversation", "steps"),
    *("chat_messages", "toolCalls", "tool_calls", "toolInvocations", "tool_invocations", "previous_dialogs", "threads"),
    *("message", "tool_call", "tool_sequence", "preferred_output", "non_preferred_output", "extra"),
)
"""Keys of texts, turns and parts of turns in the layouts of all applications; no application uses them for counts."""
_NAMES = frozenset(
    (
        *("address", "agent", "author", "avatar", "category", "class", "color", "comment", "created"),
        *("createdat", "currency", "date", "datetime", "debug", "digest", "email", "encoding", "family"),
        *("file", "filename", "finish", "font", "format", "hash", "href", "icon", "id", "ids", "image"),
        *("images", "key", "keys", "kind", "label", "lang", "language", "level", "license", "locale", "mime"),
        *("mode", "model", "modelname", "name", "names", "path", "provider", "role", "sender", "session"),
        *("signature", "slug", "source", "src", "status", "tag", "tags", "theme", "time", "timestamp"),
        *("timezone", "title", "token", "tool", "type", "types", "updated", "url", "user", "username", "uuid"),
        *("version",),
    )
)
"""Words in keys whose values are names, dates or categories."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_END = (".", "!", "?", "…", "。", "！", "？")

Path = tuple[str | int, ...]
Unsent = Callable[[Mapping[str, Any]], bool]
"""Whether an object in a file was never part of a prompt."""


@dataclass(frozen=True, slots=True)
class Left:
    """An unread text: its place and the nearest key above it."""

    place: str
    key: str
    text: str

    @property
    def is_spoken(self) -> bool:
        """Whether applications store the texts of prompts under such a key."""
        return bool(_words(self.key) & _SPOKEN)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of texts read from a file, and the texts that were left out."""

    kept: int = 0
    left: tuple[Left, ...] = field(default=())

    @property
    def lost_more(self) -> bool:
        """Whether the prompt texts left out outnumber the texts that were read."""
        return sum(one.is_spoken for one in self.left) > self.kept

    def problems(self, source: FileSource, known: Iterable[Problem]) -> Iterator[Problem]:
        """Yield a problem for each key with texts left out, with the place of the first of them.

        Places with a `known` problem are skipped.
        """
        said = {place for problem in known if "left out" in problem.message for place in _places(problem.place)}
        by_key: dict[str, list[Left]] = {}
        for one in self.left:
            if not one.place.startswith(tuple(said)):
                by_key.setdefault(one.key, []).append(one)
        for left in list(by_key.values())[:_MOST_SAID]:
            yield _problem(source, left)
        if rest := sum(len(left) for left in list(by_key.values())[_MOST_SAID:]):
            yield source.problem("", f"{counted(rest, 'more text')} under other keys was not read", "info")


def wrong_values(source: FileSource, known: Iterable[Problem]) -> Iterator[Problem]:
    """Yield a problem if numbers are found where texts, turns or parts of turns are expected."""
    said = tuple(place for problem in known for place in _places(problem.place))
    with suppress(UnreadableError):
        for place, value in checked_values(source):
            for at, found in _numbers_for_texts(value, place):
                if not at.startswith(said):
                    expected = "expected text, a list or an object"
                    yield source.problem(at, f"{expected}, found {as_text(found)[:_SHOWN]}; it was left out", "warning")
                    return


def _numbers_for_texts(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    waiting: list[tuple[Any, str, int]] = [(value, place, _DEEPEST)]
    while waiting:
        inner, at, depth = waiting.pop()
        if depth and isinstance(inner, Mapping):
            waiting += [(held, f"{at}.{key}", depth - 1) for key, held in reversed(list(inner.items()))]
            yield from ((f"{at}.{key}", inner[key]) for key in _HOLDERS if _is_number(inner.get(key)))
        elif depth and isinstance(inner, list | tuple):
            waiting += [(held, f"{at}[{n}]", depth - 1) for n, held in reversed(list(enumerate(inner)))]


def _is_number(value: Any) -> bool:
    """Return whether a value is a number other than 0, which some applications write for an empty value."""
    return isinstance(value, int | float) and bool(value) and value is not True


def _problem(source: FileSource, left: list[Left]) -> Problem:
    first = left[0]
    more = f", and {counted(len(left) - 1, 'more text')} under `{first.key}`" if len(left) > 1 else ""
    shown = first.text if len(first.text) <= _SHOWN else f"{first.text[:_SHOWN]}…"
    message = f"holds text that this program did not read: {shown!r}{more}"
    return source.problem(first.place, message, "warning" if first.is_spoken else "info")


def _places(place: str) -> Iterator[str]:
    """Yield a place and the place of the object that contains it, without the whole document.

    For the role of an author, this object is the message.
    """
    around = place.removesuffix(".author.role") if place.endswith(".author.role") else place.rpartition(".")[0]
    yield from (one for one in (place, around) if one not in ("", "$"))


def coverage_of(
    source: FileSource, found: Workspace, beside: Collection[str] = (), unsent: Unsent | None = None
) -> Coverage:
    """Return how much of a file's text is in a workspace, but for the keys `beside` and for `unsent` objects.

    The result is empty for files other than JSON and YAML, and for chats that were not read.
    """
    if not all(chat.is_read for chat in found.conversations):
        return Coverage()
    wanted: dict[str, list[Left]] = {}
    total = 0
    with suppress(UnreadableError):
        for place, value in checked_values(source):
            for left in _texts(value, place, beside, unsent):
                wanted.setdefault(left.text, []).append(left)
                total += 1
    if not wanted:
        return Coverage()
    for text in strings_of(found):
        wanted.pop(text.strip(), None)
        if not wanted:
            return Coverage(total)
    missed = [one for alike in wanted.values() for one in alike]
    left = list(_without_parts(missed[:_MOST_MISSED], found))
    return Coverage(total - len(left), tuple(left))


def strings_of(found: Workspace) -> Iterator[str]:
    """Yield every text of a workspace."""
    for name in found.__struct_fields__:
        if name not in ("problems", "sources"):
            yield from _strings(getattr(found, name))


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in a value in its order, however deep it is nested."""
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, str):
            yield held
        elif isinstance(held, Mapping):
            waiting += (part for key, inner in reversed(list(held.items())) for part in (inner, str(key)))
        elif isinstance(held, tuple | list):
            waiting += reversed(held)
        elif isinstance(held, frozenset | set):
            waiting += held
        elif isinstance(held, msgspec.Struct):  # most fields of a message are empty
            waiting += [inner for name in reversed(held.__struct_fields__) if (inner := getattr(held, name))]


def checked_values(source: FileSource) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file, each with its place; only the first values of a large file."""
    is_large = source.size > MOST_BYTES
    if source.pieces:
        yield "$", json.parse(source.pieces.first(FIRST_ITEMS), source.path, look_for_duplicates=False).value
    elif source.shape == "json_lines":
        records = source.first_records if is_large else source.records_again()
        yield from ((source.place_of(record), record.value) for record in records)
    elif source.shape == "json" and source.raw_items is not None:
        raw = source.raw_items[: len(source.first_items)] if is_large else source.raw_items
        for index, item in enumerate(raw):
            yield f"$[{index}]", json.parse(bytes(item), source.path, look_for_duplicates=False).value
    elif source.shape == "json" and not is_large:
        yield "$", source.json
    elif source.shape == "yaml" and not is_large and _is_nested(source.yaml):
        yield "$", source.yaml


def _is_nested(value: Any) -> bool:
    """Return whether a YAML document has structure beyond lines such as `user: Hello`, as plain chat logs have."""
    return any(isinstance(inner, list | Mapping) for inner in mapping(value).values())


def _texts(value: Any, place: str, beside: Collection[str] = (), unsent: Unsent | None = None) -> Iterator[Left]:
    """Yield the written texts in a value, without names, times and similar fields."""
    waiting: list[tuple[Any, str, str, int]] = [(value, place, "", _DEEPEST)]
    while waiting:
        inner, at, key, depth = waiting.pop()
        if isinstance(inner, str):
            if _is_text(inner, key):
                yield Left(at, key, as_text(inner).strip())
        elif depth and isinstance(inner, Mapping):
            if unsent and unsent(inner):
                continue
            named = [(held, f"{at}.{name}", str(name), depth - 1) for name, held in inner.items() if name not in beside]
            waiting += reversed(named)
        elif depth and isinstance(inner, list | tuple):
            waiting += [(held, f"{at}[{n}]", key, depth - 1) for n, held in reversed(list(enumerate(inner)))]


def _is_text(text: str, key: str) -> bool:
    text = text.strip()
    if len(text) < 2 or text.startswith("data:"):
        return False
    words = _words(key)
    if words & _NAMES and not words & _SPOKEN:
        return False
    if not text.isascii():
        return any(letter.isalpha() for letter in text)
    has_gap = any(letter.isspace() for letter in text)
    return (
        (has_gap or text.endswith(_END))
        and text[0].isprintable()
        and any(map(str.isalpha, text))
        and (parse_time(text) is None)
    )


def _words(key: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORDS.findall(key))


def _without_parts(missed: Iterable[Left], found: Workspace) -> Iterator[Left]:
    """Yield the texts not found inside longer texts either, since readers cut, join and unwrap texts."""
    joined = " ".join("\n".join(strings_of(found)).split())
    for one in missed:
        if not _is_in(one.text, joined.__contains__):
            yield one


def _is_in(text: str, contains: Callable[[str], bool], depth: int = 3) -> bool:
    """Return whether a text is present, in pieces or changed; a text of JSON needs half of its own texts."""
    if depth and text[0] in _PACKED and (inner := _unpacked(text)) is not None:
        texts = [inner] if isinstance(inner, str) else [one.text for one in _texts(inner, "$")]
        read = [_is_in(one.strip(), contains, depth - 1) for one in texts if one.strip()]
        return 2 * sum(read) >= len(read)
    if any(contains(probe) for form in _forms(text) for probe in _probes(form)):
        return True
    pieces = [piece.strip() for piece in text.split(",")]
    return len(pieces) > 1 and len(text) <= _LISTED and all(map(contains, pieces))


def _unpacked(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return _printed(text)


def _printed(text: str) -> Any:
    """Return the object or list of a text as Python prints it; None for any other text."""
    if len(text) > _LONGEST_PRINTED or text[0] not in "{[":
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _forms(text: str) -> Iterator[str]:
    """Yield a text as written, as HTML displays it, and as JSON escapes it."""
    yield text
    if "&" in text:
        yield html.unescape(text)
    if '"' in text or "\\" in text or "\n" in text:
        yield as_text([text])[2:-2]


def _probes(text: str) -> Iterator[str]:
    """Yield pieces of a text, at least one of which any reader keeps.

    They are the ends of its longest lines, its middle, and its longest run without markup.
    """
    lines = sorted((" ".join(line.split()) for line in text.split("\n")), key=len)
    yield from (line[-_PROBE:] for line in lines[-_MOST_LINES:] if line)
    if len(lines[-1]) > 2 * _PROBE:
        middle = len(lines[-1]) // 2
        yield lines[-1][middle : middle + _PROBE]
    plain = max((run.strip() for run in _MARKS.split(lines[-1])), key=len)
    if len(plain) >= _SHORTEST_RUN:
        yield plain[-_PROBE:]


def empty_messages(source: FileSource, found: Workspace) -> Iterator[Problem]:
    """Yield a problem for empty messages: a warning, unless they are rare in every chat."""
    empty: list[Message] = []
    chats: list[str] = []
    is_few = True
    for chat in found.conversations:
        messages = (chat.tree.messages if chat.tree else chat.messages) if chat.is_read else ()
        of_chat = [message for message in messages if not (message.content or message.parts)]
        if of_chat:
            empty += of_chat
            chats.append(chat.id)
            is_few = is_few and _FEW * len(of_chat) < len(messages)
    if empty:
        of_all = f"{counted(len(empty), 'message')} in {counted(len(chats), 'chat')}"
        said = f"the first of {of_all} without any content, in {chats[0]}: expected text or parts, found nothing"
        yield source.problem(f"message {empty[0].id}", said, "info" if is_few else "warning")
