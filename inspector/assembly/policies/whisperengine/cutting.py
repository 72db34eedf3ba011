"""How WhisperEngine shortens texts: to both ends with a notice or dots between them, or to the beginning."""

DOTS = "..."
HEAD_SHARE = 0.6
"""The share of the beginning in a shortened message."""


def both_ends(text: str, head: int, notice: str, tail: int) -> str:
    """Return the first `head` and the last `tail` code points, which may overlap, with a notice between them."""
    return text[:head] + notice + (text[-tail:] if tail else "")


def shortened(text: str, limit: int, *, keeps_end: bool) -> str:
    """Shorten a text longer than `limit` code points; return any other text unchanged.

    With `keeps_end` beginning and end stay and the whole is at most `limit` long; without it, the first `limit` code
    points stay, followed by the dots.
    """
    if len(text) <= limit:
        return text
    if not keeps_end:
        return text[:limit] + DOTS
    room = limit - len(DOTS)
    head = int(HEAD_SHARE * room)
    return text[:head].rstrip() + DOTS + text[-(room - head) :].lstrip()
