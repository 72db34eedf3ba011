"""Chats copied from a window: `Name: text`, or a line with the name alone and the text below it.

Many other texts have words before colons. So a file counts as a chat only if the names are those of the two sides of a
chat with a model, or if a few names recur, say sentences, and are no words of records and logs.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from inspector.formats.chat_logs.lines import LEVELS, first_lines, numbered_lines
from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import mapping

_LONGEST_NAME = 30
_TURN = re.compile(
    rf"(?P<name>[^\W\d_](?:[^\W_]|[ .'’\-]){{0,{_LONGEST_NAME - 1}}})[:：]"
    r"(?:[ \t]*(?=$)|(?<=：)|[ \t]+)(?P<text>.*)"
)
_OTHER_TEXT = ("---", "===", "#", "%YAML", "```", "<", "@", "diff ", "commit ", "BEGIN:")
_WORDS_OF_RECORDS = frozenset(
    word
    for line in (
        "name age sex city country address street phone fax email mail url link website date time day month year",
        "from to cc bcc subject re reply-to sent received message-id content-type author authors editor title summary",
        "abstract description keywords tags category type kind id key value status state version license source target",
        "path file files folder size length width height color colour price cost total count number code note notes",
        "todo fixme example examples input output expected actual step steps result results question answer q a",
        "pros cons added fixed changed removed deprecated security feat feature fix fixes bug docs chore refactor test",
        "tests style perf build ci revert release usage args arguments returns return raises param params yields see",
        "warning warn error info debug hint tip important caution host server client user-agent accept cookie default",
        "else try finally except case public private protected signals slots http https ftp mailto package depends",
        "maintainer homepage ingredients directions method serves word meaning definition translation front back",
    )
    for word in line.split()
)
_FEW_NAMES, _MOST_NAMES = 2, 40
_MOST_TURNS_OF_A_NAME = 2  # turns that each of two names needs
_SENTENCE_WORDS = 2


def sniff(source: FileSource) -> float:
    """Return how likely this is a chat with names: never more than for any other kind of text."""
    lines = first_lines(source)
    if not lines or any(line.startswith(("---", "%YAML")) for line in lines[:5]):
        return 0.0
    first = next((line for line in lines if line.strip()), "")
    if first.startswith(_OTHER_TEXT) or not _TURN.match(first) or _is_structured(source):
        return 0.0
    turns = [match for line in lines if (match := _TURN.match(line))]
    names = Counter(match["name"].strip() for match in turns)
    roles = {ROLES.get(name.lower()) for name in names}
    if {"user", "assistant"} <= roles and _are_roles(names, first):
        return 0.8
    return 0.55 if _are_people(turns, names, lines) else 0.0


def _is_structured(source: FileSource) -> bool:
    """Return whether this is YAML with more in it than texts under keys."""
    values = mapping(source.sample).values() if source.shape == "yaml" else ()
    return any(isinstance(value, Mapping | list) for value in values)


def _are_roles(names: Counter[str], first: str) -> bool:
    """Return whether the first turn and most others are by a user, a model or a system prompt."""
    known = sum(count for name, count in names.items() if name.lower() in ROLES)
    beginning = _TURN.match(first)
    return beginning is not None and beginning["name"].lower() in ROLES and known >= 0.5 * names.total()


def _are_people(turns: Sequence[re.Match[str]], names: Counter[str], lines: Sequence[str]) -> bool:
    if not _FEW_NAMES <= len(names) <= _MOST_NAMES or names.total() < 2 * len(names):
        return False
    if any(name.lower() in _WORDS_OF_RECORDS or name.upper() in LEVELS for name in names):
        return False
    if not all(_is_name(name) for name in names) or names.most_common(2)[1][1] < _MOST_TURNS_OF_A_NAME:
        return False
    said = [match["text"] or _line_after(match, lines) for match in turns]
    sentences = sum(1 for text in said if len(text.split()) >= _SENTENCE_WORDS or not text.isascii())
    return 2 * sentences >= len(said) and _is_covered(lines)


def _is_name(name: str) -> bool:
    """Return whether every word begins as in a name: not with a small letter, if the script has those."""
    return all(not word[0].islower() for word in name.split() if word[0].isalpha()) and len(name.split()) <= 4


def _line_after(match: re.Match[str], lines: Sequence[str]) -> str:
    place = lines.index(match.string)
    return lines[place + 1] if place + 1 < len(lines) else ""


def _is_covered(lines: Sequence[str]) -> bool:
    """Return whether most lines are turns, or nearly every paragraph begins with a turn."""
    spoken_lines = [line for line in lines if line.strip()]
    turns = sum(1 for line in spoken_lines if _TURN.match(line))
    if 10 * turns >= 6 * len(spoken_lines):
        return True
    beginnings = [
        line for before, line in zip(["", *lines], lines, strict=False) if line.strip() and not before.strip()
    ]
    return len(beginnings) > 1 and 10 * sum(1 for line in beginnings if _TURN.match(line)) >= 8 * len(beginnings)


def load(source: FileSource) -> Workspace:
    """Return the log as a conversation. Raise UnreadableError if there are no turns."""
    notes = Notes(source.path)
    lines = list(numbered_lines(source))
    names = _names(line for _, line in lines)
    turns = list(_turns(lines, names, notes))
    if not turns:
        raise notes.unreadable("", "expected lines such as Name: text, found none")
    return workspace_of_logs([SpokenLog(turns)], source, notes)


def _names(lines: Iterable[str]) -> set[str]:
    """Return the speakers: words before a colon that recur or are roles; other such words belong to the text."""
    found = Counter(match["name"].strip() for line in lines if (match := _TURN.match(line)))
    roles = {name for name in found if name.lower() in ROLES}
    sides = {ROLES[name.lower()] for name in roles}
    return roles if {"user", "assistant"} <= sides else {name for name, count in found.items() if count > 1}


def _turns(lines: Sequence[tuple[int, str]], names: set[str], notes: Notes) -> Iterator[Turn]:
    start, name = 0, ""
    said: list[str] = []
    for number, line in lines:
        match = _TURN.match(line)
        if match and match["name"].strip() in names:
            yield from _turn(start, name, said)
            start, name, said = number, match["name"].strip(), [match["text"]]
        elif name:
            said.append(line)
        elif line.strip():
            notes.add(f"line {number}", "expected a name before the text; it was left out")
    yield from _turn(start, name, said)


def _turn(line: int, name: str, said: Sequence[str]) -> Iterator[Turn]:
    text = "\n".join(said).strip()
    if name and text:
        message = spoken(name, text)
        role = ROLES.get(name.lower(), "user")
        yield f"line {line}", message if role == "user" else changed(message, role=role)


FORMAT = Format("plain_log", "Plain chat log", sniff, load, "lines of the kind `Name: text`, by few names")
