"""A session of Codex, walked over sums made once: the messages of the user that stay, and the one that is cut.

Of the user's messages the newest stay, so at any check they are those from one number on, however the session came
there. Only the text of the oldest, cut anew at each compaction, depends on the cuts before; it is made when needed.
"""

from dataclasses import dataclass, field

import numpy as np

from inspector.assembly.columns import I32, I64
from inspector.assembly.compaction import END, Compactions, Event, MadeWhenAsked
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course, Form
from inspector.assembly.policies.agents.talk import USER, Talk
from inspector.assembly.reasons import CUT_MIDDLE

BYTES_PER_TOKEN = 4
WRITTEN_ANEW = ("# AGENTS.md instructions for ", "<environment_context>", "<user_instructions>")
"""The beginnings of messages of the program's own, which it writes anew after a compaction."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The tokens of the list at which it is compacted, what user messages may keep, what is counted beside the list,
    and the size of a summary.
    """

    least: int
    room: int
    base: int
    size: int


@dataclass(frozen=True, eq=False, slots=True)
class _Users:
    """The places of the user's own messages, and of the first n of them the charges and the costs."""

    places: I64
    charges: I64
    costs: I64


def _users(talk: Talk) -> _Users:
    def make() -> _Users:
        places = [place for place in np.flatnonzero(talk.roles == USER).tolist() if _is_own(talk.content(place))]
        charges = [-(-_size(talk.content(place)) // BYTES_PER_TOKEN) for place in places]
        costs = [talk.costs[place] for place in places]
        return _Users(
            np.array(places, np.int64),
            np.concatenate([[0], np.cumsum(charges, dtype=np.int64)]),
            np.concatenate([[0], np.cumsum(costs, dtype=np.int64)]),
        )

    return talk.derived("codex users", (), make)


def _is_own(text: str) -> bool:
    return not text.lstrip().startswith(WRITTEN_ANEW)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


@dataclass(frozen=True, eq=False, slots=True)
class _Stays:
    """By check the user's messages that would stay after a compaction: the numbers of the first that stays whole and of
    the end, the number of the one before them that is cut to `rooms` tokens, -1 for none, and the cost of the whole.
    """

    firsts: I64
    ends: I64
    cut: I64
    rooms: I64
    whole: I64


def _stays(talk: Talk, checks: Checks, room: int) -> _Stays:
    users = _users(talk)
    ends = np.searchsorted(users.places, checks.upto)
    left = users.charges[ends] - room
    # The walk ends when nothing is left, also before messages without a text, which would cost nothing.
    full = np.minimum(np.searchsorted(users.charges, left, side="right") - 1, ends)
    is_full = (full >= 0) & (users.charges[np.maximum(full, 0)] == left)
    firsts = np.where(is_full, full, np.searchsorted(users.charges, left))
    cut = np.where(is_full, -1, firsts - 1)
    whole = users.costs[ends] - users.costs[firsts]
    return _Stays(firsts, ends, cut, room - (users.charges[ends] - users.charges[firsts]), whole)


@dataclass(eq=False)
class _Cuts:
    """The compactions so far by the `numbers` of their checks, and the cut texts requested so far."""

    talk: Talk
    stays: _Stays
    numbers: list[int] = field(default_factory=list)
    _known: dict[int, Form] = field(default_factory=dict)

    def cost(self, place: int) -> int:
        """Return the tokens of the cut message after the compaction at a place; 0 where there is none."""
        form = self.form(place)
        return 0 if form is None else form.cost

    def form(self, place: int) -> Form | None:
        """Return the cut text after the compaction at a place; the next compaction cuts it again."""
        user, first = self._cut(place), place
        if user < 0:
            return None
        while first not in self._known and first and self._cut(first - 1) == user:
            first -= 1
        for each in range(first, place + 1):
            if each not in self._known:
                self._known[each] = self._cut_again(each, self._known[each - 1] if each > first else None)
        return self._known[place]

    def _cut(self, place: int) -> int:
        return int(self.stays.cut[self.numbers[place]])

    def _cut_again(self, place: int, earlier: Form | None) -> Form:
        number = self.numbers[place]
        message = int(_users(self.talk).places[self.stays.cut[number]])
        text = self.talk.content(message) if earlier is None else earlier.text
        found = cut_middle(text, int(self.stays.rooms[number]))
        if earlier is not None and found == earlier.text:
            return earlier
        return Form(found, self.talk.count(found), CUT_MIDDLE)


class _Events(MadeWhenAsked[Event]):
    """The compactions as events; cut texts are counted on request."""

    def __init__(self, cuts: _Cuts, checks: Checks, terms: Terms) -> None:
        super().__init__(len(cuts.numbers))
        self._cuts, self._checks, self._terms = cuts, checks, terms
        self._rows = np.append(cuts.talk.rows, END)

    def made(self, place: int) -> Event:
        """Return the event at a place from 0 on."""
        sums, checks, numbers = self._cuts.talk.sums, self._checks, self._cuts.numbers
        number, earlier = numbers[place], numbers[place - 1] if place else 0
        started = int(sums[checks.upto[earlier]]) if place else 0
        before = int(sums[checks.upto[number]]) - started + (self._after(place - 1) if place else 0)
        row = int(self._rows[checks.places[number]])
        return Event(row, "compacted", self._terms.base + before, self._terms.base + self._after(place))

    def _after(self, place: int) -> int:
        whole = int(self._cuts.stays.whole[self._cuts.numbers[place]])
        return whole + self._cuts.cost(place) + self._terms.size


def walk(course: Course, checks: Checks, terms: Terms) -> None:
    """Walk through a session and give the course its result."""
    talk = course.talk
    cuts = _walked(talk, checks, terms)
    if not cuts.numbers:
        course.state = list(range(len(talk)))
        return
    numbers, users = np.array(cuts.numbers, np.int64), _users(talk)
    last, form = cuts.numbers[-1], cuts.form(len(numbers) - 1)
    first = int(_lowest(cuts.stays)[last])
    kept = users.places[first : cuts.stays.ends[last]].tolist()
    if form is not None:
        course.forms[kept[0]] = form
    into = _into(talk, checks, cuts.stays, numbers)
    told = np.bincount(into, minlength=len(numbers) + 1)[1:] + (np.arange(len(numbers)) > 0)
    following = np.append(np.arange(2, len(numbers) + 1), 0).astype(np.int32)
    sizes = np.full(len(numbers), terms.size, np.int64)
    course.adopt(
        [*kept, -len(numbers), *range(int(checks.upto[last]), len(talk))],
        into,
        np.zeros(len(talk), np.bool_),
        Compactions(sizes, told, following, lambda _: ("user", None), {}),
        _Events(cuts, checks, terms),
    )


def _walked(talk: Talk, checks: Checks, terms: Terms) -> _Cuts:
    """Walk from compaction to compaction. A cut text is made only where its tokens decide the next check."""
    stays = _stays(talk, checks, terms.room)
    cuts, sums = _Cuts(talk, stays), talk.sums[checks.upto]
    count, least = len(sums), terms.least - terms.size
    following = np.searchsorted(sums, least - stays.whole + sums).tolist()
    is_cut = (stays.cut >= 0).tolist()
    number = max(int(np.searchsorted(sums, terms.least)), count - 1 if checks.is_last_only else 0)
    while number < count:
        cuts.numbers.append(number)
        after = following[number]
        if after > number + 1 and is_cut[number]:
            own = int(stays.whole[number]) + cuts.cost(len(cuts.numbers) - 1)
            after = int(np.searchsorted(sums, least - own + sums[number]))
        number = max(number + 1, after)
    return cuts


def _lowest(stays: _Stays) -> I64:
    """Return by check the first of the user's messages that stay."""
    return np.where(stays.cut >= 0, stays.cut, stays.firsts)


def _into(talk: Talk, checks: Checks, stays: _Stays, numbers: I64) -> I32:
    """Return by message the number of the compaction that folds it, counted from 1; 0 for none."""
    into = np.searchsorted(checks.upto[numbers], np.arange(len(talk)), side="right") + 1
    users = _users(talk).places
    gone = np.searchsorted(_lowest(stays)[numbers], np.arange(len(users)), side="right") + 1
    into[users] = np.maximum(into[users], gone)
    return np.where(into > len(numbers), 0, into).astype(np.int32)


def cut_middle(text: str, tokens: int) -> str:
    """Return a text cut in its middle to about `tokens` tokens of four bytes, with the number of those left out."""
    content, budget = text.encode("utf-8", "replace"), BYTES_PER_TOKEN * tokens
    left = budget // 2
    right = len(content) - (budget - left)
    while right < len(content) and content[right] & 0xC0 == 0x80:
        right += 1
    beginning = content[:left].decode("utf-8", "ignore")
    left_out = -(-(len(content) - budget) // BYTES_PER_TOKEN)
    return f"{beginning}…{left_out} tokens truncated…{content[right:].decode('utf-8', 'ignore')}"
