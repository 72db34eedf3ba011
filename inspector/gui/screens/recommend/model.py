"""The tables of a recommendation: a row for each window, and a row for each conversation. Columns only; no widgets."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.advice import BlockGain, WindowAdvice
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.analysis.recommend.sentences import advice_sentences, verdict
from inspector.assembly.columns import F64
from inspector.assembly.scenario import DEFAULT_POLICY
from inspector.figures import percentage, points
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone

_MINUS = "\N{MINUS SIGN}"
_SIGNS = 12
"""More conversations than this are counted, not shown sign by sign."""


def signs(advice: WindowAdvice) -> str:
    """Whether each conversation gains, one sign each."""
    gains = [points(each.gain) for each in advice.gains]
    marks = [mark if (mark := gain[0]) in ("+", _MINUS) else "0" for gain in gains]
    if len(marks) > _SIGNS:
        return f"{marks.count('+')} +  {marks.count(_MINUS)} {_MINUS}"
    return " ".join(marks) or "–"


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


def _of(read: Callable[[WindowAdvice], str]) -> Callable[[Searched, int], str]:
    return lambda found, row: read(found.windows[row])


def _values(read: Callable[[WindowAdvice], float | None]) -> Callable[[Searched], F64]:
    def values(found: Searched) -> F64:
        return np.array([np.nan if (value := read(advice)) is None else value for advice in found.windows], np.float64)

    return values


def _sentences(found: Searched, row: int) -> str:
    return "\n".join(advice_sentences(found, row))


COLUMNS: tuple[Column[Searched], ...] = (
    Column(
        "window",
        "Window",
        "The context window, in tokens",
        _of(lambda advice: f"{advice.context_window:,}"),
        _values(lambda advice: advice.context_window),
        digits=8,
        right=True,
    ),
    Column("verdict", "Verdict", "Whether to change", verdict, digits=13, tone=_verdict_color, tooltip=_sentences),
    Column(
        "setting",
        "Setting",
        "The best that was found: the policy, and how it differs from the current setting",
        lambda found, row: found.words(row),
        digits=22,
        stretches=True,
    ),
    Column(
        "now",
        "Now",
        "How much of what the questions need is in the prompts now, by itself or by a memory that names it",
        _of(lambda advice: percentage(advice.current.recall_with_memories)),
        _values(lambda advice: advice.current.recall_with_memories),
        digits=7,
        right=True,
    ),
    Column(
        "then",
        "Then",
        "The same under the best setting that was found",
        _of(lambda advice: percentage(advice.best.recall_with_memories)),
        _values(lambda advice: advice.best.recall_with_memories),
        digits=7,
        right=True,
        tone=_then_color,
    ),
    Column(
        "gain",
        "Gain",
        "The gain in points on conversations that the search did not see",
        _of(lambda advice: points(advice.gain)),
        _values(lambda advice: advice.gain),
        digits=7,
        right=True,
    ),
    Column(
        "interval",
        "Interval",
        "Where the gain lies with 95 % confidence, over conversations",
        _of(lambda advice: interval_text(advice.interval)),
        digits=14,
        right=True,
    ),
    Column(
        "signs",
        "Each",
        "Whether each conversation gains (+) or loses (−) where it is left out",
        _of(signs),
        digits=10,
        yields=2,
        tooltip=_signs_tip,
    ),
    Column(
        "fits",
        "Fits",
        "The share of the prompts that leave room for the reply",
        _of(lambda advice: percentage(advice.best.fits)),
        _values(lambda advice: advice.best.fits),
        digits=7,
        right=True,
        yields=1,
        tooltip=_fits_tip,
    ),
    Column(
        "binds",
        "What binds",
        "The changes that cost most recall when they are put back, the costliest first",
        _of(_knobs),
        digits=13,
        yields=3,
    ),
    Column(
        "covered",
        "Covered",
        "The share of the evidence that the setting can bring in at all",
        _of(lambda advice: percentage(advice.ceiling and advice.ceiling.coverage)),
        _values(lambda advice: advice.ceiling and advice.ceiling.coverage),
        digits=7,
        right=True,
        yields=4,
    ),
    Column(
        "oracle",
        "Oracle",
        "How much would fit in for someone who knows the evidence",
        _of(lambda advice: percentage(advice.ceiling and advice.ceiling.oracle)),
        _values(lambda advice: advice.ceiling and advice.ceiling.oracle),
        digits=7,
        right=True,
        yields=5,
    ),
)


class AdviceModel(ArrayTableModel[Searched]):
    """A row for each window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_found(self, found: Searched | None) -> None:
        """Show what was found; None for nothing."""
        ids = tuple(f"{advice.context_window}" for advice in found.windows) if found else ()
        self.show(found, np.arange(len(ids)), self.ids if ids == self.ids else ids)


def _each(read: Callable[[BlockGain], str]) -> Callable[[WindowAdvice, int], str]:
    return lambda advice, row: read(advice.gains[row])


def _chosen(advice: WindowAdvice, row: int) -> str:
    chosen = advice.gains[row].chosen
    return "the same" if chosen == advice.best.scenario else f"another, {chosen.policy or DEFAULT_POLICY}"


GAIN_COLUMNS: tuple[Column[WindowAdvice], ...] = (
    Column("name", "Left out", "What the search did not see", _each(lambda each: each.name), digits=10, stretches=True),
    Column(
        "questions",
        "Questions",
        "How many questions are about it",
        _each(lambda each: f"{each.probes:,}"),
        lambda advice: np.array([each.probes for each in advice.gains]),
        digits=9,
        right=True,
    ),
    Column(
        "gain",
        "Gain",
        "What the setting that the others choose gains on it, in points",
        _each(lambda each: points(each.gain)),
        lambda advice: np.array([each.gain for each in advice.gains]),
        digits=7,
        right=True,
    ),
    Column(
        "fits",
        "Fits",
        "The share of its prompts that leave room for the reply under that setting",
        _each(lambda each: percentage(each.fits)),
        lambda advice: np.array([each.fits for each in advice.gains]),
        digits=8,
        right=True,
        yields=1,
    ),
    Column("chosen", "Others choose", "Whether that is the setting that all choose", _chosen, digits=13, yields=2),
)


class GainsModel(ArrayTableModel[WindowAdvice]):
    """A row for each conversation that was left out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(GAIN_COLUMNS, parent)

    def show_advice(self, advice: WindowAdvice | None) -> None:
        """Show what each gains under the advice for a window."""
        ids = tuple(each.name for each in advice.gains) if advice else ()
        self.show(advice, np.arange(len(ids)), self.ids if ids == self.ids else ids)
