"""Times of turns with only a known day or session: seconds keep their order."""

from datetime import datetime, timedelta


def later(time: datetime | None, seconds: int) -> datetime | None:
    """Return a time plus this many seconds; None if there is none, or the calendar ends before."""
    try:
        return time + timedelta(seconds=seconds) if time else None
    except OverflowError:
        return None
