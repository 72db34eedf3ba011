"""The ways in which WhisperEngine shortens texts: both ends of one with something between them, or its beginning."""

DOTS = "..."
HEAD_SHARE = 0.6
"""What of a shortened message its beginning takes."""


def both_ends(text: str, head: int, notice: str, tail: int) -> str:
    """The first `head` and the last `tail` code points, which may overlap, with a notice between them."""
    return text[:head] + notice + (text[-tail:] if tail else "")


def shortened(text: str, limit: int, *, keeps_end: bool) -> str:
    """A text longer than `limit` code points, shortened; any other as it is.

    With `keeps_end` beginning and end stay and the whole is at most `limit` long; without, the first `limit` code
    points stay, and the dots come on top.
    """
    if len(text) <= limit:
        return text
    if not keeps_end:
        return text[:limit] + DOTS
    room = limit - len(DOTS)
    head = int(HEAD_SHARE * room)
    return text[:head].rstrip() + DOTS + text[-(room - head) :].lstrip()
