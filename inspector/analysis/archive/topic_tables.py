"""The tables of the report of an archive: spreads, roles, scripts, sections, drops, chats and bad files."""

from collections.abc import Callable, Sequence
from typing import Any

from inspector.analysis.archive.chats import BadFile
from inspector.analysis.archive.figures import ESTIMATORS, ChatFigures
from inspector.analysis.archive.summary import DropSummary, RoleSummary, ScriptSummary, SectionSummary, Spread
from inspector.figures import figures
from inspector.tables import Column, Kind

Named = tuple[str, Spread]
"""A spread with its name."""


def _of(key: str, title: str, help: str, kind: Kind = Kind.TEXT) -> Column[Sequence[Any]]:
    """Return the column of a field of each row."""
    return Column(key, title, help, lambda rows, row: getattr(rows[row], key), kind=kind, absent="")


def _mean(
    key: str, title: str, help: str, value: Callable[[Sequence[Any], int], float | None]
) -> Column[Sequence[Any]]:
    """Return the column of a mean, with two decimals unless it is whole by nature."""

    def words(rows: Sequence[Any], row: int) -> str:
        mean = value(rows, row)
        if mean is None:
            return ""
        return figures(mean) if isinstance(mean, int) else f"{mean:,.2f}"

    return Column(key, title, help, value, kind=Kind.NUMBER, words=words)


def _spread(key: str, title: str, help: str) -> Column[Sequence[Named]]:
    def value(rows: Sequence[Named], row: int) -> float | None:
        spread = rows[row][1]
        number = getattr(spread, key)
        return None if not spread.count else int(number) if number == int(number) else number

    return _mean(key, title, help, value)


def _error(place: int, name: str) -> Column[Sequence[ScriptSummary]]:
    return Column(
        name,
        name.removeprefix("estimate:"),
        f"By which share {name} is off",
        lambda rows, row: rows[row].errors[place],
        kind=Kind.SHARE_DIFFERENCE,
        absent="",
    )


SPREADS: tuple[Column[Sequence[Named]], ...] = (
    Column("name", "What", "The spread figure", lambda rows, row: rows[row][0]),
    _spread("median", "Median", "The middle one"),
    _spread("most", "Nine of ten at most", "Nine of ten do not exceed this"),
    _spread("largest", "Largest", "The largest one"),
)
ROLES: tuple[Column[Sequence[RoleSummary]], ...] = (
    _of("role", "Role", "The role of the messages"),
    _of("messages", "Messages", "How many messages it has", Kind.COUNT),
    _of("tokens", "Tokens", "How many tokens they have", Kind.TOKENS),
    _mean("mean", "Tokens a message", "Their mean length", lambda rows, row: rows[row].tokens / rows[row].messages),
)
SCRIPTS: tuple[Column[Sequence[ScriptSummary]], ...] = (
    _of("script", "Script", "The script"),
    _of("chats", "Chats", "How many chats have it", Kind.COUNT),
    _of("messages", "Messages", "How many messages are in it", Kind.COUNT),
    _mean(
        "density",
        "Characters a token",
        "How many characters a token has",
        lambda rows, row: rows[row].characters / rows[row].tokens if rows[row].tokens else None,
    ),
    *(_error(place, name) for place, name in enumerate(ESTIMATORS)),
)
SECTIONS: tuple[Column[Sequence[SectionSummary]], ...] = (
    _of("section", "Section", "A section with a limit of its own"),
    _of("chats", "Chats", "How many chats have it", Kind.COUNT),
    _mean("limit", "Mean limit", "Its mean limit in tokens", lambda rows, row: rows[row].limit),
    _mean("used", "Mean use", "Its mean use in tokens", lambda rows, row: rows[row].used),
    Column(
        "share",
        "Share",
        "The use as a share of the limit",
        lambda rows, row: rows[row].used / rows[row].limit if rows[row].limit else None,
        kind=Kind.SHARE,
        absent="",
    ),
    _of("full", "Full in", "In how many chats it is full", Kind.COUNT),
    _of("unused", "Empty in", "In how many chats it is empty", Kind.COUNT),
)
DROPS: tuple[Column[Sequence[DropSummary]], ...] = (
    _of("section", "Section", "The section of the items"),
    _of("reason", "Reason", "Why they are left out"),
    _of("items", "Items", "How many items there are", Kind.COUNT),
    _of("tokens", "Tokens", "How many tokens they have", Kind.TOKENS),
    _of("chats", "Chats", "In how many chats", Kind.COUNT),
)
CHATS: tuple[Column[Sequence[ChatFigures]], ...] = (
    _of("source", "File", "The file that it is from"),
    Column("title", "Chat", "Its title", lambda rows, row: rows[row].title or rows[row].conversation),
    _of("messages", "Messages", "How many messages it has", Kind.COUNT),
    Column(
        "tokens",
        "Tokens",
        "How many tokens they have",
        lambda rows, row: rows[row].tokens,
        kind=Kind.TOKENS,
        estimated=lambda rows, row: not rows[row].exact,
    ),
    _of("script", "Script", "The script of most of its characters"),
    Column(
        "total",
        "Prompt",
        "How many tokens its prompt has",
        lambda rows, row: rows[row].total,
        kind=Kind.TOKENS,
        estimated=lambda rows, row: not rows[row].total_exact,
    ),
    _of("kept", "Kept", "How many items are kept", Kind.COUNT),
    _of("left_out", "Left out", "How many items are left out", Kind.COUNT),
    _of("exhausted_at", "Exhausted at", "The message from which the prompt no longer holds all", Kind.COUNT),
    _of("reach", "Reach", "How many messages back the prompt reaches", Kind.COUNT),
    _of("findings", "Findings", "How many findings there are", Kind.COUNT),
    _of("status", "Status", "Whether a prompt was made and fits"),
)
BAD_FILES: tuple[Column[Sequence[BadFile]], ...] = (
    _of("path", "File", "The file"),
    _of("place", "Place", "Where in it"),
    _of("reason", "Reason", "The finding"),
)
