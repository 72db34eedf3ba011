"""The tables of a recommendation: a row for each window, for each conversation left out, and for each question."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.measured import BlockGain
from inspector.analysis.recommend.questions import Questions
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.analysis.recommend.sentences import advice_sentences, verdict
from inspector.assembly.columns import F64
from inspector.assembly.marks import MARKED
from inspector.assembly.scenario import DEFAULT_POLICY
from inspector.figures import percentage, points
from inspector.model import Probe
from inspector.tables import Column, Face, Kind, Table, Tone, Value


def held_on(advice: WindowAdvice) -> str:
    """Return on how many of the conversations left out the setting gains."""
    better = sum(each.gain > 0 for each in advice.gains)
    return f"{better} of {len(advice.gains)}" if advice.gains else "–"


def _knobs(advice: WindowAdvice) -> str:
    return ", ".join(name.replace("_", " ") for name in advice.binds)


def _fits_tip(found: Searched, row: int) -> str:
    advice = found.windows[row]
    lines = [
        f"now {percentage(advice.current.fits)} of the prompts leave room for the reply",
        f"then {percentage(advice.best.fits)}",
        f"of conversations that the search did not see {percentage(advice.held_out_fits)}",
    ]
    return "\n".join(lines)


def _signs_tip(found: Searched, row: int) -> str:
    return "\n".join(f"{each.name}: {points(each.gain)}" for each in found.windows[row].gains)


def _verdict_color(found: Searched, row: int) -> Tone:
    is_news = found.windows[row].changes and found.in_use != row
    return "accent" if is_news else "muted"


def _then_color(found: Searched, row: int) -> Tone | None:
    return None if found.windows[row].changes else "muted"


def _of(read: Callable[[WindowAdvice], Value]) -> Callable[[Searched, int], Value]:
    return lambda found, row: read(found.windows[row])


def _values(read: Callable[[WindowAdvice], float | None]) -> Callable[[Searched], F64]:
    def values(found: Searched) -> F64:
        return np.array([np.nan if (value := read(advice)) is None else value for advice in found.windows], np.float64)

    return values


def _advice(read: Callable[[WindowAdvice], str]) -> Callable[[Searched, int], str]:
    return lambda found, row: read(found.windows[row])


def _share(
    key: str, title: str, help: str, read: Callable[[WindowAdvice], float | None], yields: int = 0
) -> Column[Searched]:
    return Column(key, title, help, _of(read), _values(read), Kind.SHARE, digits=7, yields=yields)


def _sentences(found: Searched, row: int) -> str:
    return "\n".join(advice_sentences(found, row))


WINDOW_COLUMNS: tuple[Column[Searched], ...] = (
    Column(
        "context_window",
        "Window",
        "The context window, in tokens",
        _of(lambda advice: advice.context_window),
        _values(lambda advice: advice.context_window),
        Kind.COUNT,
        digits=8,
    ),
    Column(
        "verdict",
        "Verdict",
        "Whether to change",
        _of(lambda advice: "change" if advice.changes else "keep"),
        words=verdict,
        digits=13,
        tone=_verdict_color,
        tooltip=_sentences,
    ),
    Column(
        "setting",
        "Setting",
        "The best setting found: the policy, and its differences from the current setting",
        Searched.words,
        faces=Face.FILES | Face.WINDOW,
        digits=22,
        stretches=True,
    ),
    _share(
        "now",
        "Now",
        "The share of the needed items in the prompts now, by themselves or by a memory that names them",
        lambda advice: advice.current.recall_with_memories,
    ),
    Column(
        "then",
        "Then",
        "The same under the best setting found",
        _of(lambda advice: advice.best.recall_with_memories),
        _values(lambda advice: advice.best.recall_with_memories),
        Kind.SHARE,
        digits=7,
        tone=_then_color,
    ),
    Column(
        "gain",
        "Gain",
        "The gain in points on conversations unseen by the search",
        _of(lambda advice: advice.gain),
        _values(lambda advice: advice.gain),
        Kind.NUMBER,
        _advice(lambda advice: points(advice.gain)),
        digits=7,
    ),
    Column(
        "low",
        "Interval",
        "The 95 % interval of the gain, over conversations",
        _of(lambda advice: advice.interval and advice.interval[0]),
        kind=Kind.NUMBER,
        words=_advice(lambda advice: interval_text(advice.interval)),
        digits=14,
    ),
    Column(
        "high",
        "Upper end",
        "The upper end of that interval",
        _of(lambda advice: advice.interval and advice.interval[1]),
        kind=Kind.NUMBER,
        faces=Face.FILES,
    ),
    Column(
        "better",
        "Held on",
        "On how many conversations that the search did not see it gains",
        _of(lambda advice: sum(each.gain > 0 for each in advice.gains)),
        words=_advice(held_on),
        digits=9,
        yields=2,
        tooltip=_signs_tip,
    ),
    Column(
        "fits",
        "Fits",
        "The share of the prompts that leave room for the reply",
        _of(lambda advice: advice.best.fits),
        _values(lambda advice: advice.best.fits),
        Kind.SHARE,
        digits=7,
        yields=1,
        tooltip=_fits_tip,
    ),
    Column(
        "held_out_fits",
        "Not seen fit",
        "The share of the prompts that leave that room, in conversations unseen by the search",
        _of(lambda advice: advice.held_out_fits),
        kind=Kind.SHARE,
        faces=Face.FILES | Face.TERMINAL,
        yields=1,
    ),
    Column(
        "binds",
        "Holds it back",
        "The settings whose return to the old value costs most recall, the costliest first",
        _of(lambda advice: advice.binds),
        kind=Kind.IDS,
        words=_advice(_knobs),
        faces=Face.FILES | Face.WINDOW,
        digits=13,
        yields=3,
    ),
    _share(
        "baseline",
        "Best shipped",
        "The share that the best policy and preset hold, as shipped, whose prompts all fit",
        lambda advice: advice.baseline and advice.baseline.recall_with_memories,
        4,
    ),
    _share(
        "ceiling",
        "By comparing",
        "The share of the needed items that the best way of comparing brings into the window, the most similar first",
        lambda advice: advice.ceiling and advice.ceiling.found,
        5,
    ),
    _share(
        "newest",
        "Newest alone",
        "The share of the needed items that the newest messages hold if they alone fill the window",
        lambda advice: advice.ceiling and advice.ceiling.newest,
        6,
    ),
)
WINDOWS: Table[Searched] = Table(WINDOW_COLUMNS, lambda found: range(len(found.windows)))


def _each(read: Callable[[BlockGain], Value]) -> Callable[[PolicyAdvice, int], Value]:
    return lambda advice, row: read(advice.gains[row])


def _chosen(advice: PolicyAdvice, row: int) -> str:
    chosen = advice.gains[row].chosen
    return "the same" if chosen == advice.setting.scenario else f"another, {chosen.policy or DEFAULT_POLICY}"


GAIN_COLUMNS: tuple[Column[PolicyAdvice], ...] = (
    Column(
        "conversation",
        "Left out",
        "The part unseen by the search",
        _each(lambda each: each.name),
        digits=10,
        stretches=True,
    ),
    Column(
        "probes",
        "Questions",
        "The number of questions about it",
        _each(lambda each: each.probes),
        lambda advice: np.array([each.probes for each in advice.gains]),
        Kind.COUNT,
        digits=9,
    ),
    Column(
        "gain",
        "Gain",
        "The gain on it in points, with the setting chosen by the others",
        _each(lambda each: each.gain),
        lambda advice: np.array([each.gain for each in advice.gains]),
        Kind.NUMBER,
        lambda advice, row: points(advice.gains[row].gain),
        digits=7,
    ),
    Column(
        "fits",
        "Fits",
        "The share of its prompts that leave room for the reply under that setting",
        _each(lambda each: each.fits),
        lambda advice: np.array([each.fits for each in advice.gains]),
        Kind.SHARE,
        digits=8,
        yields=1,
    ),
    Column("chosen", "Others choose", "Whether that is the setting that all choose", _chosen, digits=13, yields=2),
)


def is_marked(questions: Questions, row: int) -> bool:
    """Return whether the user marked the evidence of this question."""
    is_of_marks = row >= len(questions.offered) - questions.marked
    return is_of_marks and questions.offered[row].category == MARKED


def _asked(probe: Probe) -> str:
    if probe.query is not None:
        return probe.query
    return "the newest message" if probe.at is None else f"message {probe.at:,}"


def _needs(questions: Questions, row: int) -> str:
    return ", ".join(questions.numbers(questions.offered[row]))


def _from(questions: Questions, row: int) -> str:
    is_of_marks = row >= len(questions.offered) - questions.marked
    return "marks" if is_of_marks else Path(questions.offered[row].origin).name or "file"


def _trouble(questions: Questions, row: int) -> str:
    reasons = {one.id: one.reason for one in questions.skipped}
    return reasons.get(questions.offered[row].id, "")


QUESTION_COLUMNS: tuple[Column[Questions], ...] = (
    Column("id", "Id", "The name of the question", lambda all_, row: all_.offered[row].id, digits=14, yields=1),
    Column(
        "question",
        "Question",
        "The text of the question",
        lambda all_, row: _asked(all_.offered[row]),
        digits=30,
        stretches=True,
        tooltip=lambda all_, row: _asked(all_.offered[row]),
    ),
    Column(
        "conversation",
        "Conversation",
        "The chat that is asked",
        lambda all_, row: all_.offered[row].conversation,
        words=lambda all_, row: all_.title(all_.offered[row]),
        digits=14,
        yields=2,
    ),
    Column(
        "category",
        "Kind",
        "What is asked about",
        lambda all_, row: all_.offered[row].category,
        digits=14,
        yields=3,
    ),
    Column(
        "evidence",
        "Needs",
        "The items needed for an answer",
        lambda all_, row: all_.offered[row].evidence,
        kind=Kind.IDS,
        words=_needs,
        digits=22,
        tooltip=lambda all_, row: ", ".join(all_.offered[row].evidence),
    ),
    Column("from", "From", "The file, or the marks, that it comes from", _from, digits=18),
    Column(
        "trouble",
        "Not asked",
        "Why it cannot be asked",
        _trouble,
        digits=20,
        tone=lambda all_, row: "warning",
        tooltip=_trouble,
        shown=lambda all_: bool(all_.skipped),
    ),
)
QUESTIONS: Table[Questions] = Table(QUESTION_COLUMNS, lambda questions: range(len(questions.offered)))
