"""The figures of a chat in an archive, and of its prompt under a scenario: plain numbers, so that the chat can be
released.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer, complete_answer, ledger_terms
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import ROLES, Action, Kind, Rows, Section, word
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import planned_total
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import load_tokenizer

READ_CODE_POINTS = 2_000
OTHER = "other"
"""A script without a name here, and texts without letters, such as figures and pictures."""
SCRIPTS = {
    "Latin": r"\p{Latin}",
    "Cyrillic": r"\p{Cyrillic}",
    "Greek": r"\p{Greek}",
    "Han": r"\p{Han}",
    "Japanese": r"[\p{Hiragana}\p{Katakana}]",
    "Hangul": r"\p{Hangul}",
    "Arabic": r"\p{Arabic}",
    "Hebrew": r"\p{Hebrew}",
    "Devanagari": r"\p{Devanagari}",
    "Thai": r"\p{Thai}",
}
_KANA_SHARE = 0.1


@cache
def _patterns() -> dict[str, Any]:
    import regex

    return {name: regex.compile(f"{pattern}+") for name, pattern in SCRIPTS.items()}


def script_of(text: str) -> str:
    """Return the script of most letters at the beginning of a text; Han with a tenth of kana is Japanese."""
    begun = text[:READ_CODE_POINTS]
    if begun.isascii():
        return "Latin" if any(map(str.isalpha, begun)) else OTHER
    letters = {name: sum(map(len, pattern.findall(begun))) for name, pattern in _patterns().items()}
    if letters["Japanese"] > _KANA_SHARE * (letters["Han"] + letters["Japanese"]):
        letters["Japanese"] += letters.pop("Han")
    most = max(letters, key=letters.__getitem__)
    return most if letters[most] else OTHER


WALL_TOKENS = 500
"""The number of tokens from which a message is a wall of text."""
ESTIMATORS = ("estimate:chorus", "estimate:brain", "estimate:scribe", "estimate:ibex-claude")
"""Rules of other systems whose error is given by script."""
BINS = 20
"""Lengths are counted in bins that double: 0, 1, 2–3, 4–7, …"""
OVERHEAD = "overhead"
"""The name of the tokens of a prompt that are no item's: roles, separators, frames."""
WINDOWS = tuple(1 << power for power in range(11, 21))
"""The windows in tokens, 2,048 to 1,048,576, among which the smallest that holds a whole chat is searched."""
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class RoleFigures:
    """The messages of a role: their number, their tokens, and the number in each bin of lengths."""

    messages: int
    tokens: int
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScriptFigures:
    """The messages in a script: characters, tokens, and the tokens estimated by each of `ESTIMATORS`."""

    messages: int
    characters: int
    tokens: int
    estimated: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A section of the budget with its own limit, and the tokens spent in it."""

    limit: int
    used: int


@dataclass(frozen=True, slots=True)
class ChatFigures:
    """A conversation under a scenario. `exact` says whether `tokens` are counted, `total_exact` whether `total` is.

    `roles` and `scripts` describe its messages, `sections` are those with a limit, by name. `dropped` is the number of
    items left out, and their tokens, by (section, words of the reason). `exhausted_at` is the number of messages at
    which the first of them is no longer whole in the prompt, None if all are; `reach` is how many messages back the
    oldest whole message is, the newest being 1, `reach_days` its age relative to the newest, None if unknown. `status`
    is as in a row of a sweep, `kinds` are those of its findings, each once.

    `prompt` are the tokens of the prompt by section, and of its "overhead"; `reserve` those kept for the reply, `items`
    those of everything that could be in the prompt. `cost` is None if no price is known. `fits_from` is the smallest of
    `WINDOWS` with all messages whole in the prompt, None if there is none.
    """

    source: str
    conversation: str
    title: str
    messages: int
    tokens: int
    exact: bool
    roles: Mapping[str, RoleFigures]
    scripts: Mapping[str, ScriptFigures]
    walls: int
    wall_tokens: int
    sections: Mapping[str, Filled]
    dropped: Mapping[tuple[str, str], tuple[int, int]]
    kept: int
    left_out: int
    total: int
    total_exact: bool
    window: int
    status: str
    findings: int
    kinds: tuple[FindingKind, ...]
    exhausted_at: int | None
    reach: int
    reach_days: float | None
    prompt: Mapping[str, int]
    reserve: int
    items: int
    cost: float | None
    fits_from: int | None

    @property
    def script(self) -> str:
        """The script of most of its characters."""
        return max(self.scripts, key=lambda name: self.scripts[name].characters, default="")

    @property
    def is_whole(self) -> bool:
        """Whether every message stands whole in a prompt within the window."""
        return self.exhausted_at is None and self.status == "ok"

    @property
    def over(self) -> int:
        """By how many tokens prompt and reply exceed the window, 0 where they do not, or where there is no prompt."""
        return max(0, self.total + self.reserve - self.window) if self.status == "over_window" else 0

    @property
    def kept_share(self) -> float | None:
        """The share of the items that are in the prompt whole or in part; None without items."""
        items = self.kept + self.left_out
        return self.kept / items if items else None

    @property
    def dropped_tokens(self) -> int:
        """The tokens of the items left out."""
        return sum(tokens for _, tokens in self.dropped.values())


def chat_figures(pipeline: Pipeline, scenario: Scenario, cache: CountCache | None = None) -> ChatFigures:
    """Return the figures of the conversation named by a scenario. Raise ScenarioError and UnknownTokenizerError."""
    answer = complete_answer(pipeline, scenario, cache, finds_duplicates=True)
    assembly, conversation = answer.assembly, answer.case.chosen.conversation
    candidates, counts = assembly.candidates, assembly.action_counts
    messages = candidates.rows(Kind.MESSAGE)[: -1 if candidates.items.has_draft else None]  # a draft is not said yet
    tokens = candidates.tokens[messages]
    walls = tokens >= WALL_TOKENS
    exhausted_at, window = _exhausted_at(pipeline, scenario, len(messages)), assembly.budget.context_window
    return ChatFigures(
        source=conversation.origin if conversation else "",
        conversation=conversation.id if conversation else "",
        title=conversation.title if conversation else "",
        messages=len(messages),
        tokens=int(tokens.sum(dtype=np.int64)),
        exact=not candidates.estimated[messages].any(),
        roles=_roles(candidates, messages),
        scripts=_scripts(candidates, messages),
        walls=int(walls.sum()),
        wall_tokens=int(tokens[walls].sum(dtype=np.int64)),
        sections=_sections(assembly),
        dropped=_dropped(assembly),
        kept=int(counts[Action.KEPT]),
        left_out=int(counts[Action.DROPPED]),
        total=answer.ledger.total,
        total_exact=not answer.ledger.estimated,
        window=window,
        status=answer.status,
        findings=len(answer.findings),
        kinds=tuple(dict.fromkeys(finding.kind for finding in answer.findings)),
        exhausted_at=exhausted_at,
        reach=_reach(assembly, messages),
        reach_days=_reach_days(assembly, messages),
        prompt=_prompt(answer),
        reserve=assembly.budget.response_reserve,
        items=int(candidates.tokens.sum(dtype=np.int64)),
        cost=prompt_cost(answer.model.row, answer.ledger.total) if assembly.error is None else None,
        fits_from=_fits_from(pipeline, scenario, window, exhausted_at is None and answer.status == "ok"),
    )


def _roles(candidates: Candidates, messages: Rows) -> dict[str, RoleFigures]:
    found: dict[str, RoleFigures] = {}
    for number, role in enumerate(ROLES):
        tokens = candidates.tokens[messages[candidates.role[messages] == number]]
        if len(tokens):
            bins = np.minimum(np.ceil(np.log2(tokens.astype(np.int64) + 1)).astype(np.int64), BINS - 1)
            lengths = tuple(np.bincount(bins, minlength=BINS).tolist())
            found[role] = RoleFigures(len(tokens), int(tokens.sum(dtype=np.int64)), lengths)
    return found


def _scripts(candidates: Candidates, messages: Rows) -> dict[str, ScriptFigures]:
    """Return the figures by script, counting the texts themselves: recorded tokens are not counts."""
    places: dict[str, list[int]] = {}
    for row in messages.tolist():
        places.setdefault(script_of(candidates.texts[row]), []).append(row)
    return {script: _script(candidates, rows) for script, rows in places.items()}


def _script(candidates: Candidates, rows: Sequence[int]) -> ScriptFigures:
    texts = [candidates.texts[row] for row in rows]
    counted, known = candidates.counts.lookup(texts)
    if not known.all():
        counted = candidates.counts.tokenizer.count(texts)
    estimated = tuple(int(load_tokenizer(name).count(texts).sum(dtype=np.int64)) for name in ESTIMATORS)
    return ScriptFigures(len(texts), sum(map(len, texts)), int(counted.sum(dtype=np.int64)), estimated)


def _sections(assembly: Assembly) -> dict[str, Filled]:
    sections = assembly.budget.sections
    return {
        word(section): Filled(budget.limit, int(assembly.used[section]))
        for section, budget in sorted(sections.items())
        if budget.limit is not None
    }


def _dropped(assembly: Assembly) -> dict[tuple[str, str], tuple[int, int]]:
    items, tokens = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in np.flatnonzero(assembly.action == int(Action.DROPPED)).tolist():
        key = word(Section(assembly.section[row])), assembly.reason_of(row).label
        items[key] += 1
        tokens[key] += int(assembly.candidates.tokens[row])
    return {key: (items[key], tokens[key]) for key in items}


def _exhausted_at(pipeline: Pipeline, scenario: Scenario, messages: int) -> int | None:
    """Search by halving, on the assumption that a message without room at a turn has none at later turns."""

    def lacks(number: int) -> bool:
        return _lacks_messages(pipeline.assemble(make_all(pipeline, replace(scenario, at=number, as_of=True))))

    if not messages or not lacks(messages):
        return None
    return bisect_left(range(1, messages), True, key=lacks) + 1


def _prompt(answer: Answer) -> dict[str, int]:
    assembly = answer.assembly
    if assembly.error is not None:
        return {}
    sections = {word(section): int(assembly.used[section]) for section in Section}
    return {name: tokens for name, tokens in {**sections, OVERHEAD: answer.ledger.overhead}.items() if tokens}


def _fits_from(pipeline: Pipeline, scenario: Scenario, window: int, is_whole: bool) -> int | None:
    """Search by halving, on the assumption that a chat that fits in a window fits in larger ones.

    Only what is known already is used: for a window that is not the one in use, nothing is summarized or embedded.
    """
    first, last = (0, bisect_left(WINDOWS, window)) if is_whole else (bisect_right(WINDOWS, window), len(WINDOWS))
    fits = lambda size: _fits(pipeline, pipeline.case(replace(scenario, context_window=size)))  # noqa: E731 - of this chat
    place = bisect_left(WINDOWS, True, first, last, key=fits)
    return WINDOWS[place] if place < len(WINDOWS) else None


def _fits(pipeline: Pipeline, case: Case) -> bool:
    assembly = pipeline.assemble(case)
    chat_format, tools = ledger_terms(case)
    is_within = assembly.error is None and assembly.budget.free(planned_total(assembly, chat_format, tools)) >= 0
    return is_within and not _lacks_messages(assembly)


def _lacks_messages(assembly: Assembly) -> bool:
    """Return whether some message is not whole in the prompt, or there is no prompt."""
    existing = assembly.candidates.existing_messages
    return assembly.error is not None or bool((assembly.action[existing] != int(Action.KEPT)).any())


def _reach(assembly: Assembly, messages: Rows) -> int:
    kept = _whole(assembly, messages)
    return int(messages[-1] - kept[0]) + 1 if len(kept) else 0


def _reach_days(assembly: Assembly, messages: Rows) -> float | None:
    kept, times = _whole(assembly, messages), assembly.candidates.time
    if not len(kept) or np.isnan(times[kept[0]]):
        return None
    return max(0.0, float(np.nanmax(times[messages]) - times[kept[0]]) / _DAY)


def _whole(assembly: Assembly, messages: Rows) -> Rows:
    """Return the messages kept whole in the prompt, none if there is no prompt."""
    kept = messages[assembly.action[messages] == int(Action.KEPT)]
    return kept if assembly.error is None else kept[:0]
