"""A declared layout of logs of named speakers: the paths to the chats of a file, their turns, and what a turn holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import Paths, all_at, has_marks, step, word_at
from inspector.formats.saved_chats import first_values, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import items_of, parse_time

_SURE = 0.95
_LOOKED_AT = 8
_FILE_NAMES = ("name", "original_name", "export_name", "fileName", "filename", "uri", "url", "")
_Placed = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class LogLayout:
    """Where the files of a messenger keep their chats; of several paths the first with a value counts.

    `chats` lead from the document to lists of chats, `turns` from a chat to its turns; without them the values of the
    file are the turns of a single chat. `marks` are paths that turns have (`a|b` is either), and by which the format is
    recognized. Turns whose word at `kind` is among `notices`, or begins with one of them, are of the application
    itself; those whose word at `machine` is among `machines` are of bots. `files` are attachments. `plain` makes plain
    text of the text, `moment` the time of a word that is no usual form of one.
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
    id: Paths = ()
    kind: Paths = ()
    notices: tuple[str, ...] = ()
    machine: Paths = ()
    machines: tuple[str, ...] = ()
    files: Paths = ()
    plain: Callable[[str], str] = str
    moment: Callable[[str], str] = str
    no_prompt: tuple[str, ...] = ()

    @property
    def format(self) -> Format:
        """The format of files with this layout."""
        return Format(self.name, self.title, self.sniff, self.load, self.sign, beside=self.no_prompt)

    def sniff(self, source: FileSource) -> float:
        """Return how likely the file holds such a log: sure by a turn with the marks and a sender or a text."""
        try:
            values = [("", value) for value in first_values(source)]
        except UnreadableError:
            return 0.0
        return _SURE if any(self._is_turn(turn) for turn in self._first_turns(values)) else 0.0

    def _first_turns(self, values: Sequence[_Placed]) -> Iterator[Any]:
        for _, turns, _ in self._logs(values):
            yield from (turn for _, turn in turns[:_LOOKED_AT])

    def _is_turn(self, record: Any) -> bool:
        has_text = any(isinstance(held, str) for _, held in all_at(record, self.text))
        return has_marks(record, self.marks) and (has_text or bool(word_at(record, self.sender)))

    def load(self, source: FileSource) -> Workspace:
        """Return a conversation for each chat. Raise UnreadableError if no message is there."""
        notes = Notes(source.path)
        found = self._logs(list(values_of(source, notes)))
        logs = [log for chat, turns, place in found if (log := self._log(chat, turns, place, notes)).turns]
        if not logs:
            raise notes.unreadable("$", f"expected {self.expected}, found none")
        return workspace_of_logs(logs, source, notes)

    def _logs(self, values: Sequence[_Placed]) -> Iterator[tuple[Any, Sequence[_Placed], str]]:
        """Yield the chats, each with its turns and its place."""
        if not self.turns:
            yield {}, values, "$"
            return
        for place, chat in (one for value in values for one in self._chats(value)):
            for path, held in all_at(chat, self.turns):
                if isinstance(held, list):
                    yield chat, [(f"{place}{step(path)}[{n}]", one) for n, one in enumerate(held)], place
                    break

    def _chats(self, value: _Placed) -> Iterator[_Placed]:
        found = [(path, held) for path, held in all_at(value[1], self.chats) if isinstance(held, list)]
        for path, held in found:
            yield from ((f"{value[0]}{step(path)}[{number}]", one) for number, one in enumerate(held))
        if not found:
            yield value

    def _log(self, chat: Any, turns: Sequence[_Placed], place: str, notes: Notes) -> SpokenLog:
        log = SpokenLog([], word_at(chat, self.chat_id), word_at(chat, self.chat_title), place=place)
        for at, record in turns:
            if word_at(record, self.kind).startswith(self.notices):
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
        said = next((held for _, held in all_at(record, self.text) if isinstance(held, str) and held), "")
        files = [word_at(one, _FILE_NAMES) for _, held in all_at(record, self.files) for one in items_of(held)]
        if not said and not files:
            notes.add(f"{place}{step(self.text[0])}", "expected text, found nothing; the message was left out")
            return None
        word = word_at(record, self.time)
        time = parse_time(self.moment(word)) if word else None
        about: Mapping[str, Any] = {"files": files} if files else {}
        media = (made("", name=file) for file in files if file)
        return place, spoken(
            name, self.plain(said), id=word_at(record, self.id), time=time, media=media, metadata=about
        )
