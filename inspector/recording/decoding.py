"""Bodies as text again: gzip, deflate and Brotli undone on a copy, however early they end (RFC 9110, section 8.4)."""

import zlib
from collections.abc import Callable, Mapping

from inspector.recording.exchange import MOST_BYTES, Kept


class UndecodedError(ValueError):
    """A body that cannot be decoded; the message says why, in words that follow its name."""


def decoded(kept: Kept) -> bytes:
    """Return the body without its encodings; of a body that ends early, the part that came. Raise UndecodedError."""
    if not kept.is_whole:
        raise UndecodedError(f"has {kept.size:,} bytes, more than the {MOST_BYTES:,} that are kept")
    body = b"".join(kept.chunks)
    for name in reversed([name.strip().lower() for name in kept.encoding.split(",") if name.strip()]):
        if name not in _DECODERS:
            raise UndecodedError(f"is encoded by {name}, which is not known here")
        body = _DECODERS[name](body)
    return body


def _inflated(body: bytes, window: int) -> bytes:
    found: list[bytes] = []
    left = MOST_BYTES
    while body and left > 0:
        inflater = zlib.decompressobj(window)
        found.append(inflater.decompress(body, left))
        left -= len(found[-1])
        body = inflater.unused_data
    if left <= 0:
        raise UndecodedError(f"has more than the {MOST_BYTES:,} bytes that are kept")
    return b"".join(found)


def _gzip(body: bytes) -> bytes:
    try:
        return _inflated(body, 16 + zlib.MAX_WBITS)
    except zlib.error as error:
        raise UndecodedError(f"is no gzip: {error}") from None


def _deflate(body: bytes) -> bytes:
    """Undo deflate, with or without the frame of zlib: servers send both."""
    try:
        return _inflated(body, zlib.MAX_WBITS)
    except zlib.error:
        pass
    try:
        return _inflated(body, -zlib.MAX_WBITS)
    except zlib.error as error:
        raise UndecodedError(f"is no deflate: {error}") from None


def _brotli(body: bytes) -> bytes:
    import brotli  # of the extra `record`

    decoder = brotli.Decompressor()
    try:
        found = decoder.process(body)
    except brotli.error as error:
        raise UndecodedError(f"is no Brotli: {error}") from None
    if len(found) > MOST_BYTES:
        raise UndecodedError(f"has more than the {MOST_BYTES:,} bytes that are kept")
    return found


_DECODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "identity": bytes,
    **dict.fromkeys(("gzip", "x-gzip"), _gzip),
    "deflate": _deflate,
    "br": _brotli,
}
