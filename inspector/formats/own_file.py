"""A YAML file of the program's own, which users may edit too: the only way to read it, and to change it whole.

Changes are made to the written content, so that bad or unknown parts stay as they are.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from inspector.model import Problem
from inspector.reading.decode import kind_of
from inspector.reading.files import read_file, read_text
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import dump, parse, repeated_keys
from inspector.writing import LONGEST_WAIT, only_writer, write_file

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class OwnFile:
    """The place of such a file, which need not exist, and its expected content, in words.

    `empty` replaces a missing file, and determines the type of the value. `head` is written before everything else.
    Duplicate keys of a mapping are searched `levels` deep. A file of more than `most_bytes` is refused: it is read at
    every start. A file that `only_program` writes is started anew if it cannot be read.
    """

    path: Path
    head: str
    expected: str
    empty: Any
    levels: int
    most_bytes: int
    only_program: bool = False

    def read(self) -> tuple[Any, tuple[tuple[str, str], ...]]:
        """Return the value of the file, and its duplicate names as (place, message). Raise UnreadableError."""
        if not os.path.lexists(self.path):
            return self._copy(self.empty), ()
        text = read_text(self.path, self.most_bytes).removeprefix("\ufeff")
        value = parse(text, str(self.path))
        if value is None:
            return self._copy(self.empty), ()
        if not isinstance(value, type(self.empty)):
            raise self._unreadable("", f"expected {self.expected}, found {kind_of(value)}")
        twice = "stands here a second time; only this one counts"
        repeated = repeated_keys(text, self.levels)
        return self._copy(value), tuple((f"line {line}", f"{key} {twice}") for key, line in repeated)

    def change(self, change: Callable[[Any], _Answer], opened: Iterable[str | Path]) -> _Answer:
        """Read the file, change its value and write it, alone among all programs; keep the previous version beside it.

        Raise UnreadableError if it cannot be read whole and would lose content, and OSError: TimeoutError if another
        program keeps changing files of this folder.
        """
        opened = list(opened)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with only_writer(self.path.parent, LONGEST_WAIT):
            document = self._to_change()
            before = dump(document)
            answer = change(document)
            after = dump(document)
            if after != before:
                self._check_length(after)
                if not self.only_program:
                    self._keep_before(opened)
                write_file(self.path, self.head + after, opened)
        return answer

    def _to_change(self) -> Any:
        """Return the value of the file.

        Raise UnreadableError for a file that users edit and that cannot be read whole.
        """
        try:
            document, repeated = self.read()
        except UnreadableError:
            if not self.only_program:
                raise
            self._keep_before([])
            return self._copy(self.empty)
        if repeated and not self.only_program:
            raise self._unreadable(*repeated[0])
        return document

    def _keep_before(self, opened: Iterable[str | Path]) -> None:
        if os.path.lexists(self.path):
            kept = self.path.with_name(f"{self.path.name}.before")
            write_file(kept, read_file(self.path), [self.path, *opened])

    def _check_length(self, text: str) -> None:
        """Raise UnreadableError if this text could not be read again."""
        length = len((self.head + text).encode())
        if length > self.most_bytes:
            raise self._unreadable(
                "", f"would have {length:,} bytes, more than the {self.most_bytes:,} that it may have"
            )

    def _unreadable(self, place: str, message: str) -> UnreadableError:
        return UnreadableError(Problem(str(self.path), place, message))

    def _copy(self, value: Any) -> Any:
        return type(self.empty)(value)
