"""The messages in an archive of LinkedIn: `messages.csv`, a row for each, the newest first.

The columns are those of archives as programs that read them have them in their tests (`CONVERSATION ID`, `FROM`, `TO`,
`DATE`, `SUBJECT`, `CONTENT`, later also `ATTACHMENTS` and `IS MESSAGE DRAFT`), and those of
chirag-panjabi/open-chat-exporter (`src/adapters/linkedin`, `tests/fixtures/linkedin`).
"""

from collections.abc import Mapping

from inspector.formats.chat_logs.messengers import plain_text
from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.tables.chats import head_of
from inspector.model import Workspace
from inspector.reading.memory import table_memory
from inspector.reading.source import FileSource
from inspector.reading.table import TextTable, named, tables_in
from inspector.reading.values import parse_time

_NEEDED = frozenset(("from", "to", "date", "content"))
_OWN = frozenset(("conversation_id", "sender_profile_url", "media_type"))
"""Columns of which LinkedIn's table has at least one."""
_TRUE = ("yes", "true", "1")


def sniff(source: FileSource) -> float:
    """Return how likely the file is LinkedIn's table of messages."""
    table = _table(head_of(source))
    return 0.95 if table and any(_says(cells) for _, cells in table.rows(_unheard)) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a conversation for each that the rows name. Raise UnreadableError if no message is there."""
    notes = Notes(source.path)
    source.take(table_memory(source.text), "its rows would take about")
    table = _table(source.text)
    logs: dict[str, SpokenLog] = {}
    drafts = 0
    for line, cells in table.rows(notes.add) if table else ():
        id_ = named(cells, "conversation_id")
        log = logs.setdefault(id_, SpokenLog([], id_, named(cells, "conversation_title"), place=f"line {line}"))
        if named(cells, "is_message_draft").lower() in _TRUE:
            drafts += 1
        elif named(cells, "type").lower() in ("system", "event", "notification"):
            log.notices += 1
        elif turn := _turn(line, cells, notes):
            log.turns.append(turn)
    found = [log for log in logs.values() if log.turns]
    if not found:
        raise notes.unreadable("", "expected rows with FROM, DATE and CONTENT, found none")
    if drafts:
        notes.add("", f"{drafts:,} drafts were left out, since they were never sent", "info")
    for log in found:
        _put_in_order(log)
    return workspace_of_logs(found, source, notes)


def _table(text: str) -> TextTable | None:
    return next((one for one in tables_in(text) if {*one.plain} >= _NEEDED and _OWN & {*one.plain}), None)


def _says(cells: Mapping[str, str]) -> bool:
    return bool(named(cells, "from") and (named(cells, "content") or named(cells, "attachments")))


def _turn(line: int, cells: Mapping[str, str], notes: Notes) -> Turn | None:
    """Return the message of a row; None, with a note, if it has neither a text nor an attachment."""
    said = [named(cells, "subject"), plain_text(named(cells, "content"))]
    files = [name.strip() for name in named(cells, "attachments").split(",") if name.strip()]
    if not any(said) and not files:
        notes.add(f"line {line}", "expected a text in the column CONTENT; the row was left out")
        return None
    if not named(cells, "from"):
        notes.add(f"line {line}", "expected the name of the speaker in the column FROM, found nothing")
    time = parse_time(named(cells, "date"))
    text = "\n".join(filter(None, said))
    media = (made("", name=file) for file in files)
    about = {"files": files} if files else {}
    return f"line {line}", spoken(named(cells, "from"), text, time=time, media=media, metadata=about)


def _put_in_order(log: SpokenLog) -> None:
    """Put the oldest turn first; the file has the newest first."""
    log.turns.reverse()
    times = [turn[1].time for turn in log.turns]
    if None not in times:
        log.turns.sort(key=lambda turn: turn[1].time.timestamp() if turn[1].time else 0.0)


def _unheard(_: str, __: str) -> None:
    """Ignore problems of a row: they are reported when all rows are read."""


FORMAT = Format(
    "linkedin",
    "LinkedIn messages",
    sniff,
    load,
    "a table with the columns `CONVERSATION ID`, `FROM`, `TO`, `DATE` and `CONTENT`",
)
