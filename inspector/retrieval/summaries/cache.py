"""Computed summaries on disk, in the file of the counts: key = fingerprint of the method and hash of its input.

Unlike counts and vectors, summaries are readable texts made from a conversation: `clear` forgets them.
"""

from collections.abc import Sequence

from inspector.tokens.cache_file import CacheFile
from inspector.tokens.cache_tables import CacheTable, Integers, clear_tables, read_values, value_rows

_ENCODING = "utf-8", "surrogatepass"  # a text may hold half a surrogate pair


class SummaryCache:
    """Summaries kept between runs. `trouble` has any problem with the file."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> list[str | None]:
        """Return the summary of each text by its hash (see `text_hashes`), None if it is not stored."""
        nothing: list[bytes | None] = [None] * len(hashes)
        table = CacheTable("summaries", fingerprint)
        stored = self.file.attempt(lambda connection: read_values(connection, table, hashes), otherwise=nothing)
        return [None if summary is None else summary.decode(*_ENCODING) for summary in stored]

    def write(self, fingerprint: str, hashes: Integers, summaries: Sequence[str]) -> None:
        """Store the summary of each text in a single transaction."""
        if len(hashes):
            table = CacheTable("summaries", fingerprint)
            rows = value_rows(table, hashes, [summary.encode(*_ENCODING) for summary in summaries])
            self.file.attempt(lambda connection: table.write(connection, rows), otherwise=None)

    def clear(self) -> int:
        """Forget every summary, and return their number."""
        return self.file.attempt(lambda connection: clear_tables(connection, "summaries"), otherwise=0)
