"""The topics of the report of an archive: sentences, charts and tables, shared by the page and the window."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.analysis.archive.figures import BINS, WALL_TOKENS
from inspector.analysis.archive.summary import ArchiveSummary, DropSummary, bin_name
from inspector.analysis.archive.topic_tables import BAD_FILES, CHATS, DROPS, ROLES, SCRIPTS, SECTIONS, SPREADS
from inspector.drawings.named_bars import NamedBar
from inspector.figures import counted, percentage
from inspector.tables import Column

MOST_CHATS = 2_000
"""The maximum number of chats with a row; the page of a large archive would not open otherwise."""
_MOST_BAD, _MOST_DROPS = 500, 20
_BIN_NAMES = tuple(bin_name(number) for number in range(BINS))


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars below each other, each with its name and figure."""

    title: str
    bars: tuple[NamedBar, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """A histogram: how many there are in each bin, also in the empty ones at both ends."""

    title: str
    names: tuple[str, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Rows of a declared table."""

    columns: Sequence[Column[Sequence[Any]]]
    rows: Sequence[Any]


TopicPart = str | Bars | Columns | TopicTable
"""A part of a topic; a text is a sentence."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the report: a `name` of a word or two, a `title`, and its parts."""

    name: str
    title: str
    parts: tuple[TopicPart, ...]


def topics(summary: ArchiveSummary) -> tuple[Topic, ...]:
    """Return all topics about the chats together, the most general first."""
    return tuple(Topic(name, title, tuple(parts(summary))) for name, title, parts in _TOPICS)


def rows_of_files(summary: ArchiveSummary) -> tuple[Topic, ...]:
    """Return the topics about each chat, and about each unusable file, if any."""
    made = (Topic(name, title, tuple(parts(summary))) for name, title, parts in _OF_EACH)
    return tuple(topic for topic in made if topic.parts)


def _overview(summary: ArchiveSummary) -> Iterator[TopicPart]:
    number = len(summary.chats)
    tokens = counted(int(summary.tokens.total), "token", estimated=not summary.exact)
    cut = f"{_share(summary.exhausted.count, number)} of {counted(number, 'chat')}"
    yield (
        f"{counted(int(summary.messages.total), 'message')}, {tokens}. Not all messages whole in the prompt: {cut}; "
        f"over the window: {_share(summary.over_window, number)}; without a prompt: {_share(summary.failed, number)}."
    )
    yield TopicTable(SPREADS, (("messages a chat", summary.messages), ("tokens a chat", summary.tokens)))


def _lengths(summary: ArchiveSummary) -> Iterator[TopicPart]:
    total = sum(role.tokens for role in summary.roles) or 1
    shown = (
        NamedBar(one.role, one.tokens, f"{one.tokens:,} ({percentage(one.tokens / total)})") for one in summary.roles
    )
    yield Bars("Tokens by role", tuple(shown))
    yield TopicTable(ROLES, summary.roles)
    for one in summary.roles:
        yield Columns(f"Messages of the role {one.role} by their tokens", _BIN_NAMES, one.lengths)


def _exhaustion(summary: ArchiveSummary) -> Iterator[TopicPart]:
    if not summary.exhausted.count:
        yield "Every message of every chat stands whole in its prompt."
        return
    yield (
        f"In {_share(summary.exhausted.count, len(summary.chats))} of the chats some message no longer stands whole in "
        f"the prompt: in the median one from message {summary.exhausted.median:,.0f} on. At the end of those chats the "
        f"prompt reaches {counted(int(summary.reach.median), 'message')} back in the middle one."
    )
    yield Columns("Chats by the message at which the budget is exhausted", _BIN_NAMES, summary.exhausted_bins)
    yield Columns("Chats by how many messages back the prompt reaches", _BIN_NAMES, summary.reach_bins)
    rows = [("exhausted at message", summary.exhausted), ("reaches messages back", summary.reach)]
    if summary.reach_days.count:
        rows.append(("reaches days back", summary.reach_days))
    yield TopicTable(SPREADS, rows)


def _walls(summary: ArchiveSummary) -> Iterator[TopicPart]:
    yield (
        f"{counted(summary.walls, 'message')} of {WALL_TOKENS:,} tokens and more, in "
        f"{counted(summary.wall_chats, 'chat')}, with {_share(summary.wall_tokens, int(summary.tokens.total))} "
        "of all tokens of messages."
    )


def _scripts(summary: ArchiveSummary) -> Iterator[TopicPart]:
    if not summary.exact:
        yield "Not all counts are exact here, so the figures compared with an estimate may be off themselves."
    total = sum(one.characters for one in summary.scripts) or 1
    shown = (NamedBar(one.script, one.characters, percentage(one.characters / total)) for one in summary.scripts)
    yield Bars("Characters by script", tuple(shown))
    yield TopicTable(SCRIPTS, summary.scripts)


def _shares(summary: ArchiveSummary) -> Iterator[TopicPart]:
    if not summary.sections:
        yield "The policy gives no section a limit of its own."
        return
    shown = (
        NamedBar(one.section, one.limit, f"{one.used:,.0f} of {one.limit:,.0f}", one.used) for one in summary.sections
    )
    yield Bars("Mean tokens used of the limit of each section", tuple(shown))
    never = [one.section for one in summary.sections if one.unused == one.chats]
    if never:
        yield f"Never used: {', '.join(never)}."
    yield TopicTable(SECTIONS, summary.sections)


def _drops(summary: ArchiveSummary) -> Iterator[TopicPart]:
    if not summary.dropped:
        yield "Nothing is left out."
        return
    shown = summary.dropped[:_MOST_DROPS]
    yield Bars("Tokens left out", tuple(NamedBar(_named(one), one.tokens, f"{one.tokens:,}") for one in shown))
    yield TopicTable(DROPS, shown)


def _named(one: DropSummary) -> str:
    return f"{one.section}: {one.reason}"


def _chats(summary: ArchiveSummary) -> Iterator[TopicPart]:
    shown = sorted(summary.chats, key=lambda chat: -chat.tokens)[:MOST_CHATS]
    if len(shown) < len(summary.chats):
        yield f"The {len(shown):,} longest of {len(summary.chats):,}."
    yield TopicTable(CHATS, shown)


def _bad(summary: ArchiveSummary) -> Iterator[TopicPart]:
    if not summary.bad:
        return
    if len(summary.bad) > _MOST_BAD:
        yield f"The first {_MOST_BAD:,} of {len(summary.bad):,}."
    yield TopicTable(BAD_FILES, summary.bad[:_MOST_BAD])


def _share(number: int, of: int) -> str:
    return f"{number:,} ({percentage(number / of)})" if of else f"{number:,}"


_Tell = Callable[[ArchiveSummary], Iterator[TopicPart]]
_TOPICS: tuple[tuple[str, str, _Tell], ...] = (
    ("Overview", "All chats together", _overview),
    ("Lengths", "Lengths by role", _lengths),
    ("Budgets", "When the budget is exhausted, and how far memory reaches then", _exhaustion),
    ("Walls", "Walls of text", _walls),
    ("Scripts", "Scripts, and how far estimates are off", _scripts),
    ("Shares", "Which share is used", _shares),
    ("Left out", "Most often left out, and why", _drops),
)
_OF_EACH: tuple[tuple[str, str, _Tell], ...] = (
    ("Chats", "Each chat", _chats),
    ("Files", "Files that could not be used, or not all of them", _bad),
)
TOPIC_NAMES = tuple(name for name, _, _ in _TOPICS)
"""The names of the `topics`, in order."""
