"""A row for the best setting of each policy, and the answer in sentences: its certainty, the setting, its price."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.assembly.columns import F64
from inspector.assembly.scenario import Scenario
from inspector.figures import dollars, percentage, points
from inspector.tables import Column, Face, Kind, Table, Value

Certainty = Literal["gain", "chance", "keep", "loss", "use"]
CERTAINTIES: dict[Certainty, str] = {
    "gain": "Clear gain",
    "chance": "May be chance",
    "keep": "Keep what you have",
    "loss": "Clear loss",
    "use": "In use",
}
_NAMED_VALUES = 3
"""The maximum of values in the sentence, which counts the others; the details list all."""
NOW = "now"


@dataclass(frozen=True)
class PolicyRow:
    """The best setting of a policy for a window: the places of the window, and of the policy in it."""

    found: Searched
    place: int
    number: int

    @property
    def window(self) -> WindowAdvice:
        """The recommendation for its window."""
        return self.found.windows[self.place]

    @property
    def advice(self) -> PolicyAdvice:
        """The setting of the policy with its figures."""
        return self.window.policies[self.number]

    @property
    def setting(self) -> Scenario:
        """The setting as a scenario, to be applied."""
        return self.advice.setting.scenario

    @property
    def now(self) -> float:
        """The recall with memories under the current setting, 0–1."""
        return self.window.current.recall_with_memories

    @property
    def recall(self) -> float:
        """The recall with memories under this setting, 0–1."""
        return self.advice.setting.recall_with_memories

    @property
    def title(self) -> str:
        """The title of the policy, marked if this is the current setting."""
        name = self.found.title(self.setting)
        return f"{name}, as set now" if self.advice.is_current else name

    @property
    def values(self) -> tuple[str, ...]:
        """The differences from the current setting in words, the costliest first."""
        return self.found.values(self.place, self.number)

    @property
    def words(self) -> str:
        """The differences as a line; other words where there are none."""
        return "as set now" if self.advice.is_current else ", ".join(self.values) or "as it comes"

    @property
    def options(self) -> str:
        """The options of a command that turn the current setting into this one."""
        front = len(self.window.front)
        return self.found.options[self.place][2 + front + self.number]

    @property
    def is_in_use(self) -> bool:
        """Whether this setting was applied: it is the current one, and not the one of the beginning of the search."""
        return self.is_now and not self.advice.is_current

    @property
    def is_now(self) -> bool:
        """Whether this is the current setting, with the current window."""
        return self.found.used_place == (self.place, self.number)

    @property
    def certainty(self) -> Certainty:
        """The certainty of the gain on conversations unseen by the search."""
        advice = self.advice
        if self.is_in_use:
            return "use"
        if advice.is_current:
            return "keep" if self.number == 0 else "chance" if not self.window.changes else "loss"
        if self.side > 0 or (self.number == 0 and self.window.changes):
            return "gain"
        return "loss" if self.side < 0 else "chance"

    @property
    def side(self) -> int:
        """The sign of the gain where its interval is on one side of 0, else 0."""
        interval = self.advice.interval
        return 0 if interval is None else int(interval[0] > 0) - int(interval[1] < 0)

    @property
    def chip(self) -> str:
        """The certainty in the words of a chip."""
        return CERTAINTIES[self.certainty]

    @property
    def held(self) -> str:
        """The number of conversations unseen by the search on which it gains; "" for the current setting."""
        gains = self.advice.gains
        if self.advice.is_current:
            return ""
        if not gains:
            return "nothing could be left out, so the gain elsewhere is not known"
        noun = "parts of the chat" if self.found.recommendation.is_of_one else "chats"
        of = f"all {len(gains)}" if self.advice.better == len(gains) else f"{self.advice.better} of {len(gains)}"
        return f"held on {of} {noun} that the search did not see"

    @property
    def headline(self) -> str:
        """The advice on this setting as a sentence."""
        title = self.found.title(self.setting)
        if self.advice.is_current:
            return f"Keep {title} as it is set now."
        start = f"{title} is in use" if self.is_in_use else f"Use {title}"
        values = self.values
        shown = ", ".join(values[:_NAMED_VALUES])
        more = f" and {len(values) - _NAMED_VALUES} more" if len(values) > _NAMED_VALUES else ""
        return f"{start}: {shown}{more}." if values else f"{start}."

    @property
    def price(self) -> str:
        """The recall and the price of the setting beside those of the current setting."""
        setting, window = self.advice.setting, self.window
        tokens, cost = _difference(setting.tokens, window.current.tokens), _cost(setting.paid, window.current.paid)
        against = "" if self.advice.is_current else f", against {percentage(self.now)} {self._then}"
        spent = f", for {tokens}{cost}" if tokens else ""
        kept = f"{percentage(self.recall)} of what the questions need{against}{self._shipped}"
        return f"The prompts keep {kept}{spent}.{self._fits}{self._nothing}"

    @property
    def _shipped(self) -> str:
        """The recall of the best shipped setting that fits; "" where it is this one or the current one."""
        shipped = self.window.baseline
        if shipped is None or shipped.scenario in (self.setting, self.window.current.scenario):
            return ""
        link = ", and " if self.advice.is_current else " and "
        return f"{link}{percentage(shipped.recall_with_memories)} with the best shipped setting that fits"

    @property
    def _nothing(self) -> str:
        """A sentence where the current setting retrieves nothing, so that any retrieval would gain; else ""."""
        prompts = self.window.rendered_now
        if self.advice.is_current or prompts is None or prompts.retrieved:
            return ""
        return " Before, nothing was retrieved." if self.found.is_used else " Now nothing is retrieved."

    @property
    def _then(self) -> str:
        """The word for the setting of the beginning of the search: it is now or, once another is applied, before."""
        return "before" if self.found.is_used else "now"

    @property
    def _fits(self) -> str:
        now, then = self.window.current.fits, self.advice.setting.fits
        if now == then == 1:
            return ""
        reply = self.found.recommendation.terms.reply
        against = "" if self.advice.is_current else f", against {percentage(now)} {self._then}"
        return f" {percentage(then)} of the prompts leave {reply:,} tokens for the reply{against}."


def policy_rows(found: Searched, place: int) -> tuple[PolicyRow, ...]:
    """Return the rows of a window, the best first."""
    return tuple(PolicyRow(found, place, number) for number in range(len(found.windows[place].policies)))


def all_policy_rows(found: Searched) -> tuple[PolicyRow, ...]:
    """Return the rows of every window."""
    return tuple(row for place in range(len(found.windows)) for row in policy_rows(found, place))


def _difference(tokens: float | None, now: float | None) -> str:
    """Return the tokens of a prompt beside those of the current setting; "" if unknown."""
    if tokens is None:
        return ""
    if now is None or abs(tokens - now) < 1:
        return f"the same {tokens:,.0f} tokens a prompt" if now is not None else f"{tokens:,.0f} tokens a prompt"
    return f"{tokens:,.0f} tokens a prompt instead of {now:,.0f}"


def _cost(cost: float | None, now: float | None) -> str:
    if cost is None or now is None:
        return ""
    written, before = dollars(cost), dollars(now)
    return f" ({written})" if written == before else f" ({written} instead of {before})"


_Rows = Sequence[PolicyRow]


def _of(read: Callable[[PolicyRow], Value]) -> Callable[[_Rows, int], Value]:
    return lambda rows, row: read(rows[row])


def _words(read: Callable[[PolicyRow], str]) -> Callable[[_Rows, int], str]:
    return lambda rows, row: read(rows[row])


def _numbers(read: Callable[[PolicyRow], float | None]) -> Callable[[_Rows], F64]:
    return lambda rows: np.array([np.nan if (value := read(each)) is None else value for each in rows], np.float64)


def _figure(
    key: str, title: str, help: str, read: Callable[[PolicyRow], float | None], kind: Kind, **more: Any
) -> Column[_Rows]:
    return Column(key, title, help, _of(read), _numbers(read), kind, **more)


def _end(interval: tuple[float, float] | None, end: int) -> float | None:
    return None if interval is None else interval[end]


def _gain_words(row: PolicyRow) -> str:
    return NOW if row.advice.is_current else points(row.advice.gain)


def _interval_words(row: PolicyRow) -> str:
    return "" if row.advice.is_current else interval_text(row.advice.interval)


def _recall_words(row: PolicyRow) -> str:
    ends = row.advice.recall
    return "–" if ends is None else f"{percentage(ends[0])} to {percentage(ends[1])}"


def _held_words(row: PolicyRow) -> str:
    return f"{row.advice.better} of {len(row.advice.gains)}" if row.advice.gains else ""


def _held_tip(rows: _Rows, row: int) -> str:
    return "\n".join(f"{each.name}: {points(each.gain)}" for each in rows[row].advice.gains)


POLICY_COLUMNS: tuple[Column[_Rows], ...] = (
    Column(
        "context_window",
        "Window",
        "The context window, in tokens",
        _of(lambda row: row.window.context_window),
        kind=Kind.COUNT,
        faces=Face.FILES | Face.TERMINAL,
    ),
    Column(
        "policy",
        "Policy",
        "The policy, under the best of its settings that were tried",
        _of(lambda row: row.advice.policy),
        words=_words(lambda row: row.title),
        tooltip=lambda rows, row: rows[row].advice.policy,
        digits=26,
    ),
    Column(
        "words",
        "Setting",
        "How the setting differs from the current one, the most important first",
        _of(lambda row: row.words),
        faces=Face.WINDOW,
        digits=30,
        stretches=True,
        tooltip=lambda rows, row: rows[row].words,
    ),
    _figure("low", "From", "The lower end of the interval of recall", lambda row: _end(row.advice.recall, 0),
            Kind.SHARE, faces=Face.FILES),
    _figure("high", "To", "The upper end of the interval of recall", lambda row: _end(row.advice.recall, 1),
            Kind.SHARE, faces=Face.FILES),
    Column(
        "whisker",
        "Recall, 95 % interval",
        "Recall as a dot, with its interval over conversations; the dashed line is recall now",
        _of(_recall_words),
        _numbers(lambda row: row.recall),
        faces=Face.WINDOW,
        digits=22,
        yields=3,
    ),
    _figure("recall", "Recall", "How much of what the questions need is in the prompts, by itself or by a memory",
            lambda row: row.recall, Kind.SHARE, digits=9),
    Column(
        "gain",
        "Against now",
        "The gain in points of recall on conversations that the search did not see",
        _of(lambda row: row.advice.gain),
        _numbers(lambda row: row.advice.gain),
        Kind.NUMBER,
        _words(_gain_words),
        digits=12,
    ),
    Column(
        "interval",
        "95 % interval",
        "The interval of that gain, over conversations",
        _of(lambda row: None if row.advice.interval is None else f"{row.advice.interval[0]:.3f} to "
            f"{row.advice.interval[1]:.3f}"),
        words=_words(_interval_words),
        digits=15,
        faces=Face.PEOPLE,
        yields=5,
    ),
    _figure("gain_low", "Gain from", "The lower end of that interval", lambda row: _end(row.advice.interval, 0),
            Kind.NUMBER, faces=Face.FILES),
    _figure("gain_high", "Gain to", "The upper end of that interval", lambda row: _end(row.advice.interval, 1),
            Kind.NUMBER, faces=Face.FILES),
    Column(
        "held_on",
        "Held on",
        "On how many conversations that the search did not see it gains",
        _of(lambda row: row.advice.better if row.advice.gains else None),
        _numbers(lambda row: row.advice.better if row.advice.gains else None),
        Kind.COUNT,
        _words(_held_words),
        digits=9,
        yields=4,
        tooltip=_held_tip,
    ),
    _figure("fits", "Fits", "The share of the prompts that leave room for the reply",
            lambda row: row.advice.setting.fits, Kind.SHARE, digits=9, yields=6),
    _figure("tokens", "Tokens", "The mean number of tokens of a prompt", lambda row: row.advice.setting.tokens,
            Kind.NUMBER, digits=8, yields=2,
            words=_words(lambda row: "–" if row.advice.setting.tokens is None
                         else f"{row.advice.setting.tokens:,.0f}")),
    _figure("cost", "Full price", "The mean cost of a prompt without a cache of prompts, in US dollars",
            lambda row: row.advice.setting.cost, Kind.MONEY, digits=10, yields=7, absent="–", at_first=False),
    _figure("cost_cached", "Cost", "The mean cost of a prompt with the provider's cache of prompts, in US dollars",
            lambda row: row.advice.setting.cost_cached, Kind.MONEY, digits=10, yields=1, absent="–"),
    Column(
        "setting",
        "Setting",
        "The options that make it of the current setting",
        _of(lambda row: row.options),
        faces=Face.FILES | Face.TERMINAL,
        stretches=True,
    ),
)  # fmt: skip
POLICIES: Table[_Rows] = Table(POLICY_COLUMNS, lambda rows: range(len(rows)))


def answer_sentences(row: PolicyRow) -> Iterator[str]:
    """Yield the answer: its certainty, the setting, and its price."""
    yield ", ".join(filter(None, (row.chip, row.held)))
    yield row.headline
    yield row.price
