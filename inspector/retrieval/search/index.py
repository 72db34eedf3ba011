"""The index of words: which of many texts hold words that begin so. SQLite's FTS5, in a file that only we see."""

import sqlite3
from collections.abc import Iterable, Sequence
from threading import Lock
from weakref import finalize

from inspector.wanted import AbandonedError, check_wanted

_STEPS_BETWEEN_QUESTIONS = 100_000
_TABLE = "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2')"


class WordIndex:
    """Numbers of texts by their words. The texts themselves are not kept.

    It may be filled on one thread and asked on another. The file lies in the system's folder for such files, has no
    name there, and is gone with the process, however that ends.
    """

    def __init__(self) -> None:
        """Raises sqlite3.Error where this SQLite has no FTS5, or there is no place for the file."""
        self._lock = Lock()
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        try:
            self._connection.execute("PRAGMA journal_mode = OFF")
            self._connection.execute(_TABLE)
        except sqlite3.Error:
            self._connection.close()
            raise
        self._last_resort = finalize(self, self._connection.close)
        self._last_resort.atexit = False  # a thread may still be filling it, which SQLite does not survive

    def add(self, first: int, texts: Sequence[str]) -> None:
        """Take in texts of the numbers from `first` on. Raises sqlite3.Error, as on a full disk."""
        with self._lock:
            self._connection.execute("BEGIN")
            self._insert((number, _storable(text)) for number, text in enumerate(texts, first))
            self._connection.execute("COMMIT")

    def _insert(self, rows: Iterable[tuple[int, str]]) -> None:
        self._connection.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", rows)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The numbers of the texts that hold all of these words, or longer ones that begin so, the best first.

        Words are taken as they are: nothing in them is a command of FTS5. One of signs only is not looked for. Raises
        AbandonedError where nobody wants the answer any longer, sqlite3.Error once it is closed.
        """
        asked = " ".join(f'"{_storable(word)}"*' for word in words if any(map(str.isalnum, word)))
        if not asked:
            return []
        with self._lock:
            self._connection.set_progress_handler(_is_abandoned, _STEPS_BETWEEN_QUESTIONS)
            try:
                rows = self._connection.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank", (asked,))
                return [number for (number,) in rows]
            except sqlite3.OperationalError:
                check_wanted()
                raise

    def close(self) -> None:
        """Give the file back; a search that runs ends with an error."""
        self._connection.interrupt()
        with self._lock:
            self._connection.close()


def _is_abandoned() -> bool:
    try:
        check_wanted()
    except AbandonedError:
        return True
    return False


def _storable(text: str) -> str:
    """The text without what SQLite or FTS5's query language cannot take: half characters, zeros and quotes."""
    if not text.isascii():
        text = text.encode(errors="replace").decode()
    return text.replace("\0", " ").replace('"', " ")
