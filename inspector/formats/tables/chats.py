"""Chats as tables (CSV, TSV), as spreadsheets, databases and scripts write them.

Other tables have texts and names, too. So a table with unexplained columns is a chat only if a column holds the roles
of a chat with a model, or if the same few speakers recur.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.format import Format
from inspector.formats.memories.table import sniff as sniff_memories
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.tables.layout import TableLayout, usual_layout
from inspector.model import Message, Source, Workspace, changed
from inspector.reading.files import read_head
from inspector.reading.memory import table_memory
from inspector.reading.source import FileSource
from inspector.reading.table import TextTable, named, table_in, tables_in
from inspector.reading.values import parse_time, stem

_NAME = "chat_table"
_HEAD = 64_000  # bytes
_LOOKED_AT = 200  # rows
_TURNS_OF_A_SPEAKER = 2.0  # mean turns of each speaker, if there are more than two
_EXPLAINED, _ROLES, _PEOPLE = 0.95, 0.85, 0.7

Explained = Sequence[TableLayout]
"""The layouts that the user explained."""


def format_with(explained: Explained = ()) -> Format:
    """Return the format of tables explained by the names of their columns, or by these layouts."""
    return Format(
        _NAME,
        "Table of messages (CSV, TSV)",
        partial(sniff, explained=explained),
        partial(load, explained=explained),
        "a column of texts, and one of roles or of speakers who come again",
    )


def sniff(source: FileSource, explained: Explained = ()) -> float:
    """Return how likely it is that each row is a message, or a question with its answer."""
    found = _found(head_of(source), explained)
    if found is None:
        return 0.0
    table, layout = found
    if layout in explained:
        return _EXPLAINED
    rows = [cells for _, cells in islice(table.rows(_unheard), _LOOKED_AT)]
    return _sureness(rows, layout) if sniff_memories(source) == 0.0 else 0.0


def head_of(source: FileSource) -> str:
    """Return the first whole lines of a text; "" for any other file."""
    if source.shape not in ("text", "yaml"):
        return ""
    head = source.utf8[:_HEAD].decode(errors="ignore")
    return head if len(source.utf8) <= _HEAD else head[: head.rfind("\n") + 1]


def table_of(path: str | Path) -> TextTable | None:
    """Return the table at the head of a file, without the rest of it; None if there is none. Raise UnreadableError."""
    start = read_head(path, 4 * _HEAD)
    whole = start if len(start) < 4 * _HEAD else start[: start.rfind(b"\n") + 1] or start
    return table_in(head_of(FileSource(str(path), whole)))


def layout_in(table: TextTable, explained: Explained = ()) -> TableLayout | None:
    """Return the layout of a table, as explained or by the names of its columns; None if unknown."""
    return next((layout for layout in explained if layout.fits(table.plain)), None) or usual_layout(table.plain)


def _found(text: str, explained: Explained) -> tuple[TextTable, TableLayout] | None:
    """Return the text as a table with a known layout."""
    tables = list(tables_in(text))
    known = ((table, layout) for table in tables for layout in explained if layout.fits(table.plain))
    usual = ((table, layout) for table in tables if (layout := usual_layout(table.plain)))
    return next(known, None) or next(usual, None)


def _sureness(rows: Sequence[dict[str, str]], layout: TableLayout) -> float:
    said = [cells for cells in rows if named(cells, layout.text)]
    if not said:
        return 0.0
    if layout.answer:
        return _PEOPLE if any(named(cells, layout.answer) for cells in said) else 0.0
    who = [named(cells, layout.role) or named(cells, layout.speaker) for cells in said]
    if all(name.lower() in ROLES for name in who):
        return _ROLES
    speakers = Counter(named(cells, layout.speaker) for cells in said)
    speak = len(speakers) == 2 or (len(speakers) > 2 and speakers.total() >= _TURNS_OF_A_SPEAKER * len(speakers))
    return _PEOPLE if speak and "" not in speakers else 0.0


def load(source: FileSource, explained: Explained = ()) -> Workspace:
    """Return a conversation for each named in the rows. Raise UnreadableError if all rows are empty."""
    notes = Notes(source.path)
    source.take(table_memory(source.text), "its rows would take about")
    found = _found(source.text, explained)
    logs: dict[str, SpokenLog] = {}
    for name, turn in _turns(*found, notes) if found else ():
        logs.setdefault(name, SpokenLog([], name, name)).turns.append(turn)
    if not logs:
        raise notes.unreadable("", "expected a row with a text, found none")
    if len(logs) == 1:
        for log in logs.values():
            log.id = log.id or stem(source.path)
    for log in logs.values():
        if _begins_with_newest(log):
            log.turns = _by_time(log.turns) if found and found[1].answer else log.turns[::-1]
            notes.add("", f"{log.id or 'the table'} begins with the newest message, and is read from its end", "info")
    workspace = workspace_of_logs(list(logs.values()), source, notes)
    if found is None or found[1] not in explained:
        return workspace
    return changed(workspace, sources=(Source(source.given, _NAME, columns=tuple(found[1].columns.items())),))


def _turns(table: TextTable, layout: TableLayout, notes: Notes) -> Iterator[tuple[str, Turn]]:
    """Yield the messages of the rows, each after its place and the name of its conversation."""
    for line, cells in table.rows(notes.add):
        place, text, answer = f"line {line}", named(cells, layout.text), named(cells, layout.answer)
        conversation = named(cells, layout.conversation)
        if layout.answer and not layout.conversation:
            conversation = place  # rows of questions and answers are independent
        if not text and not answer:
            notes.add(place, f"expected a text in the column {layout.text}; the row was left out")
            continue
        if text:
            yield conversation, (place, _message(cells, layout, text))
        if answer:
            time = parse_time(named(cells, layout.time))
            yield conversation, (place, Message("", "assistant", answer, time=time))


def _message(cells: dict[str, str], layout: TableLayout, text: str) -> Message:
    speaker, word = named(cells, layout.speaker), named(cells, layout.role)
    role = ROLES.get((word or speaker).lower())
    name = "" if speaker.lower() in ROLES else speaker
    message = spoken(name, text, time=parse_time(named(cells, layout.time)), id=named(cells, layout.id))
    return message if role is None else changed(message, role=role)


def _begins_with_newest(log: SpokenLog) -> bool:
    times = [message.time for _, message in log.turns]
    known = [time.timestamp() for time in times if time is not None]
    falls = all(one >= two for one, two in pairwise(known))
    return len(known) == len(times) and falls and known[0] > known[-1]


def _by_time(turns: Sequence[Turn]) -> list[Turn]:
    """Return the oldest first; a question stays before its answer, which has the same time."""
    return sorted(turns, key=lambda turn: turn[1].time.timestamp() if turn[1].time else 0.0)


def _unheard(_: str, __: str) -> None:
    """Ignore problems of a row: they are reported when all rows are read."""


FORMAT = format_with()
