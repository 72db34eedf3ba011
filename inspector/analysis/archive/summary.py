"""The totals of all chats in an archive, from the figures of each, as shown on a page or a screen."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.archive.chats import BadFile, Opening, refusals
from inspector.analysis.archive.figures import BINS, ESTIMATORS, ChatFigures, chat_figures
from inspector.analysis.archive.files import Chunk
from inspector.assembly.own_policy import use_own_rules
from inspector.assembly.scenario import Scenario, of_conversation
from inspector.model import Workspace

_FULL = 0.95
"""The share from which a section is full: the next item rarely fits."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of numbers: count, total, median, ninth decile (`most`), and maximum."""

    count: int
    total: float
    median: float
    most: float
    largest: float


@dataclass(frozen=True, slots=True)
class RoleSummary:
    """The messages of a role, their tokens, and how many are in each bin of lengths (see `figures.BINS`)."""

    role: str
    messages: int
    tokens: int
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScriptSummary:
    """The texts in a script; `errors` are by which share each of `ESTIMATORS` is off, None where nothing is counted."""

    script: str
    chats: int
    messages: int
    characters: int
    tokens: int
    errors: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """A section with a limit: in how many chats it is there, full and empty, and the mean limit and use in tokens."""

    section: str
    chats: int
    full: int
    unused: int
    limit: float
    used: float


@dataclass(frozen=True, slots=True)
class DropSummary:
    """Items of a section left out for the same reason: their number, their tokens, and the number of chats."""

    section: str
    reason: str
    items: int
    tokens: int
    chats: int


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    """All chats of an archive under the same scenario.

    `exhausted` and `exhausted_bins` are about the number of messages at which the prompt no longer holds all of them,
    for the chats where this happens; `reach` and `reach_bins` are how many messages back the oldest whole message is in
    these chats, `reach_days` its age if times are known.
    """

    chats: tuple[ChatFigures, ...]
    bad: tuple[BadFile, ...]
    messages: Spread
    tokens: Spread
    exact: bool
    roles: tuple[RoleSummary, ...]
    scripts: tuple[ScriptSummary, ...]
    walls: int
    wall_chats: int
    wall_tokens: int
    sections: tuple[SectionSummary, ...]
    dropped: tuple[DropSummary, ...]
    over_window: int
    failed: int
    exhausted: Spread
    exhausted_bins: tuple[int, ...]
    reach: Spread
    reach_bins: tuple[int, ...]
    reach_days: Spread


@dataclass(frozen=True)
class FiguresOfFiles:
    """The work on a chunk: the figures of each conversation, and the problems of the files.

    With `by_own_rules` each conversation is decided by the policy of the program that wrote it.
    """

    opening: Opening
    scenario: Scenario
    by_own_rules: bool = False

    def __call__(self, chunk: Chunk) -> tuple[list[ChatFigures], list[BadFile]]:
        """Return the figures, in the order of the files."""
        found: list[ChatFigures] = []
        bad: list[BadFile] = []
        for file in chunk:
            with refusals(file.path, bad):
                workspace, wrong = self.opening.read(file.path)
                bad += wrong
                found += self._figures(workspace)
        return found, bad

    def _figures(self, workspace: Workspace) -> Iterator[ChatFigures]:
        pipeline = self.opening.pipeline(workspace)
        for conversation in workspace.conversations:
            scenario = of_conversation(self.scenario, conversation.id)
            if self.by_own_rules:
                scenario = use_own_rules(scenario, workspace, conversation)
            yield chat_figures(pipeline, scenario)


def summary_of(chats: Sequence[ChatFigures], bad: Iterable[BadFile] = ()) -> ArchiveSummary:
    """Return the totals of these chats."""
    exhausted = [chat for chat in chats if chat.exhausted_at is not None]
    turns = [chat.exhausted_at or 0 for chat in exhausted]
    reaches = [chat.reach for chat in exhausted]
    return ArchiveSummary(
        chats=tuple(chats),
        bad=tuple(bad),
        messages=spread([chat.messages for chat in chats]),
        tokens=spread([chat.tokens for chat in chats]),
        exact=all(chat.exact for chat in chats),
        roles=tuple(_roles(chats)),
        scripts=tuple(_scripts(chats)),
        walls=sum(chat.walls for chat in chats),
        wall_chats=sum(chat.walls > 0 for chat in chats),
        wall_tokens=sum(chat.wall_tokens for chat in chats),
        sections=tuple(_sections(chats)),
        dropped=tuple(_dropped(chats)),
        over_window=sum(chat.status == "over_window" for chat in chats),
        failed=sum(chat.status == "error" for chat in chats),
        exhausted=spread(turns),
        exhausted_bins=_binned(turns),
        reach=spread(reaches),
        reach_bins=_binned(reaches),
        reach_days=spread([chat.reach_days for chat in exhausted if chat.reach_days is not None]),
    )


def spread(values: Sequence[float]) -> Spread:
    """Return the distribution of these numbers; all 0 if there are none."""
    if not values:
        return Spread(0, 0, 0, 0, 0)
    found = np.asarray(values, np.float64)
    median, most = np.quantile(found, (0.5, 0.9), method="inverted_cdf").tolist()
    return Spread(len(values), float(found.sum()), median, most, float(found.max()))


def bin_name(number: int) -> str:
    """Return the range of a bin of lengths: 0, 1, 2–3, 4–7, …"""
    first, last = 1 << (number - 1) if number else 0, (1 << number) - 1
    if number == BINS - 1:
        return f"≥ {first:,}"
    return f"{first:,}" if first == last or not number else f"{first:,}–{last:,}"


def _binned(values: Iterable[int]) -> tuple[int, ...]:
    found = Counter(min(value.bit_length(), BINS - 1) for value in values)
    return tuple(found[number] for number in range(BINS))


def _roles(chats: Sequence[ChatFigures]) -> Iterator[RoleSummary]:
    for role in dict.fromkeys(role for chat in chats for role in chat.roles):
        found = [chat.roles[role] for chat in chats if role in chat.roles]
        lengths = np.sum([one.lengths for one in found], axis=0).tolist()
        yield RoleSummary(role, sum(one.messages for one in found), sum(one.tokens for one in found), tuple(lengths))


def _scripts(chats: Sequence[ChatFigures]) -> list[ScriptSummary]:
    made: list[ScriptSummary] = []
    for script in {script for chat in chats for script in chat.scripts}:
        found = [chat.scripts[script] for chat in chats if script in chat.scripts]
        tokens = sum(one.tokens for one in found)
        estimates = (sum(one.estimated[place] for one in found) for place in range(len(ESTIMATORS)))
        errors = tuple((estimate - tokens) / tokens if tokens else None for estimate in estimates)
        messages, characters = sum(one.messages for one in found), sum(one.characters for one in found)
        made.append(ScriptSummary(script, len(found), messages, characters, tokens, errors))
    return sorted(made, key=lambda one: (-one.characters, one.script))


def _sections(chats: Sequence[ChatFigures]) -> Iterator[SectionSummary]:
    for section in dict.fromkeys(section for chat in chats for section in chat.sections):
        found = [chat.sections[section] for chat in chats if section in chat.sections]
        full = sum(one.used >= _FULL * one.limit for one in found if one.limit)
        unused = sum(one.used == 0 for one in found)
        limit, used = (float(np.mean([getattr(one, name) for one in found])) for name in ("limit", "used"))
        yield SectionSummary(section, len(found), full, unused, limit, used)


def _dropped(chats: Sequence[ChatFigures]) -> list[DropSummary]:
    made: list[DropSummary] = []
    for key in {key for chat in chats for key in chat.dropped}:
        found = [chat.dropped[key] for chat in chats if key in chat.dropped]
        items, tokens = (sum(one[place] for one in found) for place in range(2))
        made.append(DropSummary(*key, items, tokens, len(found)))
    return sorted(made, key=lambda one: (-one.tokens, one.section, one.reason))
