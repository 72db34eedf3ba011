"""Times of turns of which only the day or the session is known: seconds keep their order."""

from datetime import datetime, timedelta


def later(time: datetime | None, seconds: int) -> datetime | None:
    """So many seconds after a time; None where there is none, or the calendar ends before."""
    try:
        return time + timedelta(seconds=seconds) if time else None
    except OverflowError:
        return None
