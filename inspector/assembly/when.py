"""Days and times as users read them, in English whatever the language of the system."""

from datetime import datetime

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_text(time: datetime) -> str:
    """Return the day of a time without its year, such as `25 Mar`."""
    return f"{time.day} {_MONTHS[time.month - 1]}"


def weekday_text(time: datetime) -> str:
    """Return the name of the day of the week."""
    return _DAYS[time.weekday()]


def moment_text(time: datetime) -> str:
    """Return day and time of the day, such as `25 Mar 23:14`, as the file has them: in its own time zone."""
    return f"{day_text(time)} {time:%H:%M}"
