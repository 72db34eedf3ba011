"""Computed summaries on disk, in the file of the counts: key = fingerprint of the method and hash of what it read.

Unlike counts and vectors, summaries are readable texts made from a conversation: `clear` forgets them.
"""

from collections.abc import Sequence

from inspector.tokens.cache_file import CacheFile
from inspector.tokens.cache_tables import CacheTable, Integers, clear_tables, read_values, value_rows

_ENCODING = "utf-8", "surrogatepass"  # a text may hold half a surrogate pair


class SummaryCache:
    """Summaries that outlive the program. What is wrong with the file its `trouble` says."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> list[str | None]:
        """The summary of each text by its hash (see `text_hashes`), None where it is not here."""
        nothing: list[bytes | None] = [None] * len(hashes)
        table = CacheTable("summaries", fingerprint)
        stored = self.file.attempt(lambda connection: read_values(connection, table, hashes), otherwise=nothing)
        return [None if summary is None else summary.decode(*_ENCODING) for summary in stored]

    def write(self, fingerprint: str, hashes: Integers, summaries: Sequence[str]) -> None:
        """Keep the summary of each text, in one transaction: all of them or none."""
        if len(hashes):
            table = CacheTable("summaries", fingerprint)
            rows = value_rows(table, hashes, [summary.encode(*_ENCODING) for summary in summaries])
            self.file.attempt(lambda connection: table.write(connection, rows), otherwise=None)

    def clear(self) -> int:
        """Forget every summary; answers how many there were."""
        return self.file.attempt(lambda connection: clear_tables(connection, "summaries"), otherwise=0)
