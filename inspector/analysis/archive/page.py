"""The report of an archive as one HTML page: it loads nothing, needs no script, and opens from a file."""

from collections.abc import Iterator

from inspector.analysis.archive.figures import BINS, ESTIMATORS, WALL_TOKENS, ChatFigures
from inspector.analysis.archive.summary import ArchiveSummary, DropSummary, Spread, bin_name
from inspector.figures import counted
from inspector.pages.parts import Cell, heading, page, sentence, table
from inspector.pages.plots import Bar, bars, columns

MOST_CHATS = 2_000
"""So many chats have a row; the page of a large archive would not open otherwise."""
_MOST_BAD, _MOST_DROPS = 500, 20
_BIN_NAMES = [bin_name(number) for number in range(BINS)]


def archive_page(summary: ArchiveSummary, setting: str) -> str:
    """The page; `setting` says in words what the prompts were made with."""
    title = f"Report of {counted(len(summary.chats), 'chat')}"
    parts = (_overview, _lengths, _exhaustion, _walls, _scripts, _shares, _drops, _chats, _bad)
    body = [
        heading(title, 1),
        sentence(f"Under {setting}."),
        *(text for part in parts for text in part(summary)),
    ]
    return page(title, body)


def _overview(summary: ArchiveSummary) -> Iterator[str]:
    number = len(summary.chats)
    about = "" if summary.exact else "≈ "
    yield sentence(
        f"{counted(int(summary.messages.total), 'message')}, {about}{counted(int(summary.tokens.total), 'token')}. "
        f"No longer whole in the prompt: {_share(summary.exhausted.count, number)} of {counted(number, 'chat')}; "
        f"over the window: {_share(summary.over_window, number)}; without a prompt: {_share(summary.failed, number)}."
    )
    rows = [("messages a chat", *_spread(summary.messages)), ("tokens a chat", *_spread(summary.tokens))]
    yield table(("", "median", "nine of ten at most", "largest"), rows)


def _lengths(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("Lengths by role")
    total = sum(role.tokens for role in summary.roles) or 1
    yield bars(
        "Tokens by role",
        [Bar(one.role, one.tokens, f"{one.tokens:,} ({one.tokens / total:.0%})") for one in summary.roles],
    )
    rows = [(one.role, one.messages, one.tokens, one.tokens / one.messages) for one in summary.roles]
    yield table(("role", "messages", "tokens", "tokens a message"), rows)
    for one in summary.roles:
        yield heading(f"Tokens a message: {one.role}", 3)
        yield columns(f"Messages of the role {one.role} by their tokens", _BIN_NAMES, one.lengths)


def _exhaustion(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("When the budget is exhausted, and how far memory reaches then")
    if not summary.exhausted.count:
        yield sentence("Every message of every chat stands whole in its prompt.")
        return
    yield sentence(
        f"In {_share(summary.exhausted.count, len(summary.chats))} of the chats some message no longer stands whole in "
        f"the prompt: in the middle one from message {summary.exhausted.median:,.0f} on. At the end of those chats the "
        f"prompt reaches {counted(int(summary.reach.median), 'message')} back in the middle one."
    )
    yield heading("Messages at which the first one is left out or shortened", 3)
    yield columns("Chats by the message at which the budget is exhausted", _BIN_NAMES, summary.exhausted_bins)
    yield heading("Messages back that the oldest whole one is", 3)
    yield columns("Chats by how many messages back the prompt reaches", _BIN_NAMES, summary.reach_bins)
    rows = [("exhausted at message", *_spread(summary.exhausted)), ("reaches messages back", *_spread(summary.reach))]
    if summary.reach_days.count:
        rows.append(("reaches days back", *_spread(summary.reach_days)))
    yield table(("", "median", "nine of ten at most", "largest"), rows)


def _walls(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("Walls of text")
    yield sentence(
        f"{counted(summary.walls, 'message')} of {WALL_TOKENS:,} tokens and more, in "
        f"{counted(summary.wall_chats, 'chat')}, with {_share(summary.wall_tokens, int(summary.tokens.total))} "
        "of all tokens of messages."
    )


def _scripts(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("Scripts, and how far estimates are off")
    if not summary.exact:
        yield sentence("Not all counts are exact here, so that what an estimate is compared with may be off itself.")
    total = sum(one.characters for one in summary.scripts) or 1
    yield bars(
        "Characters by script",
        [Bar(one.script, one.characters, f"{one.characters / total:.1%}") for one in summary.scripts],
    )
    titles = (
        "script",
        "chats",
        "messages",
        "characters a token",
        *(name.removeprefix("estimate:") for name in ESTIMATORS),
    )
    rows = [
        (
            one.script,
            one.chats,
            one.messages,
            one.characters / one.tokens if one.tokens else None,
            *map(_signed, one.errors),
        )
        for one in summary.scripts
    ]
    yield table(titles, rows)


def _shares(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("Which share is used")
    if not summary.sections:
        yield sentence("The policy gives no section a limit of its own.")
        return
    yield bars(
        "Mean tokens used of the limit of each section",
        [Bar(one.section, one.limit, f"{one.used:,.0f} of {one.limit:,.0f}", one.used) for one in summary.sections],
    )
    never = [one.section for one in summary.sections if one.unused == one.chats]
    if never:
        yield sentence(f"Never used: {', '.join(never)}.")
    rows = [
        (one.section, one.chats, one.limit, one.used, one.used / one.limit if one.limit else None, one.full, one.unused)
        for one in summary.sections
    ]
    yield table(("section", "chats", "mean limit", "mean use", "share", "full in", "empty in"), rows)


def _drops(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("What is left out most, and why")
    if not summary.dropped:
        yield sentence("Nothing is left out.")
        return
    shown = summary.dropped[:_MOST_DROPS]
    yield bars("Tokens left out", [Bar(_named(one), one.tokens, f"{one.tokens:,}") for one in shown])
    rows = [(one.section, one.reason, one.items, one.tokens, one.chats) for one in shown]
    yield table(("section", "reason", "items", "tokens", "chats"), rows)


def _named(one: DropSummary) -> str:
    return f"{one.section}: {one.reason}"


def _chats(summary: ArchiveSummary) -> Iterator[str]:
    yield heading("Each chat")
    shown = sorted(summary.chats, key=lambda chat: -chat.tokens)[:MOST_CHATS]
    if len(shown) < len(summary.chats):
        yield sentence(f"The {len(shown):,} longest of {len(summary.chats):,}.")
    titles = ("file", "chat", "messages", "tokens", "script", "prompt", "kept", "left out", "exhausted at", "reach")
    rows = list(map(_chat, shown))
    yield table((*titles, "findings", "status"), rows)


def _chat(chat: ChatFigures) -> tuple[Cell, ...]:
    ends = chat.findings, chat.status
    named = chat.source, chat.title or chat.conversation
    sizes = chat.messages, chat.tokens, chat.script, chat.total, chat.kept, chat.left_out
    return (*named, *sizes, chat.exhausted_at, chat.reach, *ends)


def _bad(summary: ArchiveSummary) -> Iterator[str]:
    if not summary.bad:
        return
    yield heading("Files that could not be used, or not all of them")
    if len(summary.bad) > _MOST_BAD:
        yield sentence(f"The first {_MOST_BAD:,} of {len(summary.bad):,}.")
    yield table(("file", "place", "reason"), [(one.path, one.place, one.reason) for one in summary.bad[:_MOST_BAD]])


def _spread(spread: Spread) -> tuple[Cell, ...]:
    if not spread.count:
        return None, None, None
    return tuple(int(value) if value == int(value) else value for value in (spread.median, spread.most, spread.largest))


def _share(number: int, of: int) -> str:
    return f"{number:,} ({number / of:.1%})" if of else f"{number:,}"


def _signed(share: float | None) -> str:
    return "" if share is None else f"{share:+.1%}"
