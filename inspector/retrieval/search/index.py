"""The word index: finds texts by beginnings of words. SQLite's FTS5, in a private file."""

import sqlite3
from collections.abc import Iterable, Sequence
from threading import Lock
from weakref import finalize

from inspector.steps import AbandonedError, check_wanted

_STEPS_BETWEEN_QUESTIONS = 100_000
_TABLE = "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2')"


class WordIndex:
    """Numbers of texts by their words. The texts themselves are not kept.

    It may be filled on one thread and queried on another. The file lies in the system's temporary folder without a
    name, and disappears with the process, however it ends.
    """

    def __init__(self) -> None:
        """Raises sqlite3.Error if this SQLite has no FTS5, or there is no room for the file."""
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
        """Index texts numbered from `first` on. Raises sqlite3.Error, as on a full disk."""
        with self._lock:
            self._connection.execute("BEGIN")
            self._insert((number, _storable(text)) for number, text in enumerate(texts, first))
            self._connection.execute("COMMIT")

    def _insert(self, rows: Iterable[tuple[int, str]]) -> None:
        self._connection.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", rows)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the texts with all of these words, or longer words beginning with them, the best first.

        Words are taken literally: nothing in them is a command of FTS5. Words without letters or digits are ignored.
        Raises AbandonedError once the answer is no longer wanted, sqlite3.Error once the index is closed.
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
        """Close the file; a running search ends with an error."""
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
    """Return the text without characters SQLite or FTS5 queries cannot take: lone surrogates, zeros and quotes."""
    if not text.isascii():
        text = text.encode(errors="replace").decode()
    return text.replace("\0", " ").replace('"', " ")
