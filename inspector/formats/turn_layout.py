"""A declared layout of turns: the paths in a record to the role, text, time and the rest of a message.

Contents are read by the one reader of content; a layout adds its own parts, if it has any, by a function.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.reader import read_content
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import as_result
from inspector.formats.content.usage import read_usage
from inspector.formats.openai.message import ROLES, read_call
from inspector.formats.paths import Paths, all_at, first_at, has_marks, step, word_at
from inspector.formats.vercel.parts import Steps
from inspector.model import Message, Part, Role, Thought, changed
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_FILE_NAMES = ("file_name", "fileName", "filename", "name", "id", "url")


@dataclass(frozen=True, slots=True)
class TurnLayout:
    """The paths in a record to what a message holds; of several paths the first with a value counts.

    `roles` gives the role of each word at `role`, in lower case (`true` and `false` of truth values); turns without a
    word are by `speakers` in turn. `marks` are paths that every turn has (`a|b` is either). `text` is text or a list of
    parts, `thoughts` text or pieces, `calls` are those of OpenAI, `answers` the id of the call that a tool's turn
    answers, `pictures` and `files` lists. `parts` makes the parts from those found so far, and `about` further metadata
    of a record, for what only this layout has. Records whose word at `kind` is among `silent` are no messages.
    """

    text: Paths
    role: Paths = ()
    roles: Mapping[str, Role] = field(default_factory=lambda: ROLES)
    speakers: tuple[Role, ...] = ()
    marks: Paths = ()
    id: Paths = ()
    parent: Paths = ()
    time: Paths = ()
    name: Paths = ()
    model: Paths = ()
    thoughts: Paths = ()
    calls: Paths = ()
    answers: Paths = ()
    pictures: Paths = ()
    files: Paths = ()
    usage: Paths = ()
    error: Paths = ()
    kind: Paths = ()
    silent: frozenset[str] = frozenset()
    parts: Callable[[Mapping[str, Any], At, list[Part]], Iterable[Part]] | None = None
    about: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None

    def is_turn(self, record: Any) -> bool:
        """Return whether a record is surely a turn of this layout: its marks, a known role, and a content."""
        if not has_marks(record, self.marks) or self.is_silent(record):
            return False
        word = self.word_of(record)
        if word.lower() not in self.roles and (word or not self.speakers):
            return False
        _, content = self._content(record)
        return isinstance(content, str | list) or (self.parts is not None and content is None)

    def is_silent(self, record: Any) -> bool:
        """Return whether a record is surely no message."""
        return bool(self.silent) and word_at(record, self.kind) in self.silent

    def read(self, record: Any, at: At, depth: int = 0) -> tuple[Message, ...]:
        """Return the messages of a record: its own and the results of tools, none if it is bad.

        `depth` is the number of turns before it.
        """
        if self.is_silent(record):
            return ()
        role = self._role(record, at, depth)
        if role is None:
            return ()
        parts = self._parts(mapping(record), at)
        if role == "tool" and (call := word_at(record, self.answers)):
            parts = as_result(parts, call, word_at(record, self.name))
        steps = Steps(role, at.notes)
        steps.add(parts)
        steps.flush()
        return self._marked(steps.messages or [Message("", role)], record)

    def _marked(self, messages: list[Message], record: Any) -> tuple[Message, ...]:
        """Return the messages with the time of the record; the last spoken one has its name and metadata."""
        time, name = self.time_of(record), word_at(record, self.name)
        found = [changed(one, time=time, name=one.name or name) for one in messages]
        last = max((n for n, one in enumerate(found) if one.role != "tool"), default=len(found) - 1)
        found[last] = changed(found[last], metadata=self._metadata(record))
        return tuple(found)

    def model_of(self, record: Any) -> str:
        """Return the model of a record, "" if it names none."""
        return word_at(record, self.model)

    def word_of(self, record: Any) -> str:
        """Return the word for the role of a record: the first known word, else the first word, "" for none."""
        words = (as_text(one).strip() for _, one in all_at(record, self.role) if isinstance(one, str | int | float))
        return next((word for word in words if word.lower() in self.roles), "") or word_at(record, self.role)

    def role_of(self, record: Any) -> Role | None:
        """Return the role that a record names, None without a known one."""
        return self.roles.get(self.word_of(record).lower())

    def time_of(self, record: Any) -> datetime | None:
        """Return the time of a record."""
        return next((time for _, found in all_at(record, self.time) if (time := parse_time(found))), None)

    def _role(self, record: Any, at: At, depth: int) -> Role | None:
        word = self.word_of(record)
        if self.speakers and not word and isinstance(record, Mapping):
            return self.speakers[depth % len(self.speakers)]
        role = self.roles.get(word.lower())
        if role is None:
            expected = " or ".join(dict.fromkeys(self.roles)) if len(self.roles) <= 3 else "the role of a message"
            path = self.role[0] if self.role else ""
            message = f"expected {expected}, found {word[:40] or 'nothing'}; the message was left out"
            at.below(step(path)).note(message, "error")
        return role

    def _content(self, record: Any) -> tuple[str, Any]:
        """Return the first path with a text or a list that is not empty, or the first with anything, and the value."""
        read = (pair for pair in all_at(record, self.text) if pair[1] and isinstance(pair[1], str | list))
        return next(read, None) or first_at(record, self.text)

    def _parts(self, record: Mapping[str, Any], at: At) -> list[Part]:
        path, content = self._content(record)
        is_content = isinstance(content, str | list)
        found = read_content(content, at.notes, at.place + step(path)) if is_content else []
        own = [*self._thoughts(record, found), *found, *self._beside(record, at)]
        if self.parts:
            own = list(self.parts(record, at, own))
        if not is_content and (content is not None or not own):
            at.below(step(path or self.text[0])).note("expected text or a list of parts; the message has no text")
        return own

    def _thoughts(self, record: Mapping[str, Any], found: list[Part]) -> Iterator[Part]:
        """Yield the thinking beside a content, unless it is also in it."""
        if any(isinstance(one, Thought) and one.text for one in found):
            return
        thought = next((text for _, held in all_at(record, self.thoughts) if (text := reasoning_text(held))), "")
        if thought:
            yield Thought(thought)

    def _beside(self, record: Mapping[str, Any], at: At) -> Iterator[Part]:
        """Yield the pictures and calls beside a content."""
        for path, held in all_at(record, self.pictures):
            for number, picture in enumerate(items_of(held)):
                yield picture_of(picture, at.below(f"{step(path)}[{number}]"))
        for path, held in all_at(record, self.calls):
            for number, call in enumerate(objects(held)):
                yield read_call(call, at.notes, f"{at.place}{step(path)}[{number}]")

    def _metadata(self, record: Any) -> dict[str, Any]:
        files = [_file_name(one) for _, held in all_at(record, self.files) for one in items_of(held)]
        found = {
            "model": self.model_of(record),
            "files": [name for name in files if name],
            "time": "" if self.time_of(record) else word_at(record, self.time),  # in a form that is not known
            "error": next((as_text(held) for _, held in all_at(record, self.error) if held), ""),
            **read_usage(*(held for _, held in all_at(record, self.usage))).metadata,
            **(self.about(mapping(record)) if self.about else {}),
        }
        return {key: value for key, value in found.items() if value not in ("", [])}


def _file_name(file: Any) -> str:
    return as_text(file) if isinstance(file, str) else word_at(file, _FILE_NAMES)
