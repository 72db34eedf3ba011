"""Counts on disk: key = fingerprint of the tokenizer and hash of the text. Texts are not kept."""

import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.cache_file import CacheFile, CacheTable, DamagedCacheError, Integers, Row, clear_tables

UNKNOWN = -1

_ROWS_PER_KEY = 4  # a table with at most this many rows per wanted key is read faster as a whole
_COLUMNS = 3
# The steps of splitmix64, in which each of 64 bits affects all of them.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SHIFTS = tuple(map(np.uint64, (30, 27)))
_FACTORS = tuple(map(np.uint64, (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)))
_LAST_SHIFT = np.uint64(31)


def text_hash(text: str) -> bytes:
    """Return the 16-byte BLAKE2b hash of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def text_hashes(texts: Iterable[str]) -> Integers:
    """Return the hash of each text (`text_hash`), as two 64-bit integers: an array of n × 2."""
    digests = bytearray()  # joining would need a million of them in memory first
    for text in texts:
        digests += text_hash(text)
    return np.frombuffer(digests, "<i8").astype(np.int64, copy=False).reshape(-1, 2)


class CountCache(CacheFile):
    """Token counts kept between runs."""

    def read(self, fingerprint: str, hashes: Integers) -> NDArray[np.int32]:
        """Return the token count of each text by its hash (see `text_hashes`), UNKNOWN if it is not stored."""
        nothing = np.full(len(hashes), UNKNOWN, np.int32)
        if not len(hashes):
            return nothing
        table = CacheTable("counts", fingerprint)
        return self.attempt(lambda connection: _read(connection, table, hashes), otherwise=nothing)

    def write(self, fingerprint: str, hashes: Integers, counts: NDArray[np.int32]) -> None:
        """Store the count of each text in a single transaction."""
        if len(hashes):
            table = CacheTable("counts", fingerprint)
            rows = _rows(table, hashes, counts.astype(np.int64))
            self.attempt(lambda connection: table.write(connection, rows), otherwise=None)

    def clear(self) -> int:
        """Forget every count, and return their number."""
        return self.attempt(lambda connection: clear_tables(connection, "counts"), otherwise=0)


def _read(connection: sqlite3.Connection, table: CacheTable, hashes: Integers) -> NDArray[np.int32]:
    stored = _stored_rows(connection, table, hashes) if table.exists(connection) else np.empty((0, _COLUMNS), np.int64)
    if not len(stored):
        return np.full(len(hashes), UNKNOWN, np.int32)
    places = np.minimum(np.searchsorted(stored[:, 0], hashes[:, 0]), len(stored) - 1)
    keys, checksums, counts = stored[places].T
    known = keys == hashes[:, 0]
    if (_checksums(table, hashes, counts) != checksums)[known].any():
        raise DamagedCacheError
    return np.where(known, counts, UNKNOWN).astype(np.int32)


def _stored_rows(connection: sqlite3.Connection, table: CacheTable, hashes: Integers) -> Integers:
    """Return the rows with a wanted key, by rising keys, possibly among other rows of the table.

    Raises TypeError, ValueError or OverflowError if a column is not an integer.
    """
    is_large = table.has_more_rows(connection, _ROWS_PER_KEY * len(hashes))
    rows = table.rows_of(connection, hashes) if is_large else table.rows(connection)
    return np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, _COLUMNS)


def _rows(table: CacheTable, hashes: Integers, counts: Integers) -> list[Row]:
    order = np.argsort(hashes[:, 0])  # neighbours in the table are written together
    hashes, counts = hashes[order], counts[order]
    columns = hashes[:, 0], _checksums(table, hashes, counts), counts
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _checksums(table: CacheTable, hashes: Integers, counts: Integers) -> Integers:
    """Return a 64-bit checksum of each row over its count, text and tokenizer; a different count always changes it."""
    mixed = np.full(len(hashes), int.from_bytes(table.seed[:8], "little"), np.uint64)
    for column in (hashes[:, 0], hashes[:, 1], counts):
        mixed = (mixed ^ column.astype(np.uint64)) + _STEP
        for shift, factor in zip(_SHIFTS, _FACTORS, strict=True):
            mixed = (mixed ^ (mixed >> shift)) * factor
        mixed ^= mixed >> _LAST_SHIFT
    return mixed.view(np.int64)
