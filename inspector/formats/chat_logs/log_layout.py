"""A declared layout of logs of named speakers: the paths to the chats of a file, their turns, and what a turn holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import Paths, all_at, has_marks, step, word_at
from inspector.formats.saved_chats import first_values, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, items_of, parse_time

_SURE = 0.95
_LOOKED_AT = 8
_FILE_NAMES = ("name", "Name", "original_name", "export_name", "fileName", "filename", "uri", "url", "")
_Placed = tuple[str, Any]


class _Log(NamedTuple):
    """A chat of a file: its place, its turns (None: it has no list of them), its id and its title."""

    place: str
    turns: Sequence[_Placed] | None
    id: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class LogLayout:
    """Where the files of a messenger keep their chats; of several paths the first with a value counts.

    `chats` lead from the document to lists of chats, `turns` from a chat to its turns; values of the file that are no
    chats are turns, of one chat, or of those named at `group`. `replies` lead from a turn to those that answer it.
    `marks` are paths that turns have (`a|b` is either), and by which the format is recognized. Turns whose word at
    `kind` is among `notices`, or begins with one of them, or with a value at `notice`, are of the application itself;
    those whose word at `kind` is among `silent` are no turns, and those whose word at `machine` is among `machines` are
    of bots. `heading` is a text above the text, `files` are
    attachments, and `cards` makes text of what else a turn shows. `plain` makes plain text of the text, `moment` the
    time of a word that is no usual form of one.
    """

    name: str
    title: str
    sign: str
    expected: str
    marks: Paths
    sender: Paths
    text: Paths
    time: Paths
    turns: Paths = ()
    chats: Paths = ()
    chat_id: Paths = ()
    chat_title: Paths = ()
    group: Paths = ()
    replies: Paths = ()
    id: Paths = ()
    kind: Paths = ()
    notices: tuple[str, ...] = ()
    notice: Paths = ()
    silent: tuple[str, ...] = ()
    machine: Paths = ()
    machines: tuple[str, ...] = ()
    heading: Paths = ()
    files: Paths = ()
    cards: Callable[[Any], Iterator[str]] = lambda _: iter(())
    plain: Callable[[str], str] = str
    moment: Callable[[str], str] = str
    no_prompt: tuple[str, ...] = ()

    @property
    def format(self) -> Format:
        """The format of files with this layout."""
        beside, unsent = self.no_prompt, self.is_notice
        return Format(self.name, self.title, self.sniff, self.load, self.sign, beside=beside, unsent=unsent)

    def sniff(self, source: FileSource) -> float:
        """Return how likely the file holds such a log: sure by a turn with the marks and a sender or a text."""
        try:
            values = [("", value) for value in first_values(source)]
        except UnreadableError:
            return 0.0
        return _SURE if any(self._is_turn(turn) for turn in self._first_turns(values)) else 0.0

    def _first_turns(self, values: Sequence[_Placed]) -> Iterator[Any]:
        for log in self._logs(values):
            yield from (turn for _, turn in (log.turns or ())[:_LOOKED_AT])

    def _is_turn(self, record: Any) -> bool:
        has_text = any(isinstance(held, str) for _, held in all_at(record, self.text))
        return has_marks(record, self.marks) and (has_text or bool(word_at(record, self.sender)))

    def is_notice(self, record: Any) -> bool:
        """Return whether a record is a notice of the application, or no turn."""
        word = word_at(record, self.kind)
        return (
            word.startswith(self.notices) or word in self.silent or any(held for _, held in all_at(record, self.notice))
        )

    def load(self, source: FileSource) -> Workspace:
        """Return a conversation for each chat. Raise UnreadableError if no message is there."""
        notes = Notes(source.path)
        found = self._logs(list(values_of(source, notes)))
        logs = [log for one in found if (log := self._log(one, notes)).turns]
        if not logs:
            raise notes.unreadable("$", f"expected {self.expected}, found none")
        return workspace_of_logs(logs, source, notes)

    def _logs(self, values: Iterable[_Placed]) -> Iterator[_Log]:
        """Yield the chats, and those of the values that are turns."""
        loose: dict[str, list[_Placed]] = {}
        for value in values:
            chats = list(self._chats(value)) if self.turns else []
            if chats:
                yield from chats
            else:
                loose.setdefault(_name_at(value[1], self.group), []).extend(self._with_replies(value))
        yield from (_Log(turns[0][0], turns, name) for name, turns in loose.items())

    def _chats(self, value: _Placed) -> Iterator[_Log]:
        found = [(path, held) for path, held in all_at(value[1], self.chats) if isinstance(held, list)]
        listed = [(f"{value[0]}{step(path)}[{number}]", one) for path, held in found for number, one in enumerate(held)]
        for place, chat in listed or [value]:
            lists = ((path, held) for path, held in all_at(chat, self.turns) if isinstance(held, list))
            if (path_and_list := next(lists, None)) is not None:
                yield from self._of_chat(chat, place, *path_and_list)
            elif listed:
                yield _Log(place, None)

    def _of_chat(self, chat: Any, place: str, path: str, held: list[Any]) -> Iterator[_Log]:
        turns = [(f"{place}{step(path)}[{number}]", one) for number, one in enumerate(held)]
        groups: dict[str, list[_Placed]] = {} if held and self.group else {"": []}
        for turn in turns:
            groups.setdefault(_name_at(turn[1], self.group), []).extend(self._with_replies(turn))
        id_, title = word_at(chat, self.chat_id), word_at(chat, self.chat_title)
        yield from (_Log(place, of_one, id_ or name, title) for name, of_one in groups.items())

    def _with_replies(self, turn: _Placed) -> Iterator[_Placed]:
        yield turn
        for path, held in all_at(turn[1], self.replies):
            yield from ((f"{turn[0]}{step(path)}[{number}]", one) for number, one in enumerate(items_of(held)))

    def _log(self, found: _Log, notes: Notes) -> SpokenLog:
        log = SpokenLog([], found.id, found.title, place=found.place)
        if found.turns is None:
            notes.add(found.place, f"expected a list of messages at {self.turns[0]}; the chat was left out")
        for at, record in found.turns or ():
            if word_at(record, self.kind) in self.silent:
                continue
            if self.is_notice(record):
                log.notices += 1
            elif turn := self._turn(record, at, notes):
                log.turns.append(turn)
                if word_at(record, self.machine) in self.machines:
                    log.machines.add(turn[1].name)
        times = [turn[1].time for turn in log.turns]
        if None not in times:
            log.turns.sort(key=lambda turn: turn[1].time.timestamp() if turn[1].time else 0.0)
        return log

    def _turn(self, record: Any, place: str, notes: Notes) -> Turn | None:
        """Return the message of a record; None, with a note, if it has neither a text nor a file."""
        name = word_at(record, self.sender)
        if not name:
            notes.add(f"{place}{step(self.sender[0])}", "expected the name of the speaker, found nothing")
        said = self._said(record)
        files = [word_at(one, _FILE_NAMES) for _, held in all_at(record, self.files) for one in items_of(held)]
        if not said and not files:
            notes.add(f"{place}{step(self.text[0])}", "expected text, found nothing; the message was left out")
            return None
        word = word_at(record, self.time)
        time = parse_time(self.moment(word)) if word else None
        about: Mapping[str, Any] = {"files": files} if files else {}
        media = (made("", name=file) for file in files if file)
        return place, spoken(name, said, id=word_at(record, self.id), time=time, media=media, metadata=about)

    def _said(self, record: Any) -> str:
        text = next((held for _, held in all_at(record, self.text) if isinstance(held, str) and held), "")
        return "\n".join(filter(None, (word_at(record, self.heading), self.plain(text), *self.cards(record))))


def _name_at(value: Any, paths: Paths) -> str:
    """Return the first word at the paths, or the words of the first list, which is in any order; "" for none."""
    for _, held in all_at(value, paths):
        if word := ", ".join(sorted(map(as_text, held))) if isinstance(held, list) else word_at(held, ("",)):
            return word
    return ""
