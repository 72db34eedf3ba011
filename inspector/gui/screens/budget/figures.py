"""The figures of the prompt as runs of text: the prompt, what is free, and the difference from the baseline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from inspector.figures import figures, signed
from inspector.gui.parts.bar_picture import BarPicture

Ink = Literal["text", "second", "good", "error"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one font and ink; `strong` for figures, `large` for the figure of the prompt."""

    text: str
    ink: Ink = "second"
    strong: bool = False
    large: bool = False


Group = tuple[Run, ...]
"""Runs that belong together; groups stand apart."""
Line = tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """How many items came into the prompt since the baseline, and how many left it."""

    came_in: int
    left: int


def text_of(line: Line) -> str:
    """Return a line in words, for tooltips and screen readers."""
    return ", ".join("".join(run.text for run in group) for group in line)


def figure_lines(picture: BarPicture, baseline: BarPicture | None) -> Sequence[Line]:
    """Return the line of figures, from the longest to the shortest: the baseline leaves first, the prompt last."""
    noun = "token" if picture.total == 1 else "tokens"
    total, short, least = (_total(picture, words) for words in (f" {noun} in the prompt", f" {noun}", ""))
    rest, reply, besides = _rest(picture), _reply(picture), _besides(picture)
    lines = [*([(total, *besides, *reply, rest, _baseline(picture, baseline))] if baseline else [])]
    lines += [(total, *besides, *reply, rest), *([(total, *besides, rest)] if besides else []), (total, rest)]
    return (*lines, (short, rest), (least, _rest(picture, brief=True)), (least,))


def compared_lines(picture: BarPicture, baseline: BarPicture, moves: Moves) -> Sequence[Line]:
    """Return the line of a comparison, from the longest to the shortest: the difference as a sum leaves first."""
    now, was = _total(picture, " now"), (Run("Baseline "), _figure(_tokens(baseline)))
    parts = ", ".join(f"{title} {signed(tokens)}" for title, tokens in _differences(picture, baseline))
    difference = _difference(picture, baseline)
    whole = (difference, Run(f" = {parts}")) if parts else (Run("the same tokens"),)
    moved = _moved(moves)
    return (
        (now, was, whole, *moved),
        (now, was, (difference,), *moved),
        (now, (difference,), *moved),
        (now, (difference,)),
        (now,),
    )


def _total(picture: BarPicture, words: str) -> Group:
    figure = Run(_tokens(picture), "text", strong=True, large=True)
    return (figure, Run(words)) if words else (figure,)


def _reply(picture: BarPicture) -> Line:
    return ((_figure(figures(picture.reserve)), Run(" kept free for the reply")),) if picture.reserve else ()


def _besides(picture: BarPicture) -> Line:
    """Return what the recorded request had besides, if anything."""
    remainder = figures(picture.remainder, picture.estimated)
    return ((_figure(remainder), Run(" not in the file")),) if picture.remainder else ()


def _rest(picture: BarPicture, brief: bool = False) -> Group:
    """Return what is free of the window, or how much is over it."""
    window = "" if brief else f" of {picture.window:,}"
    if picture.over:
        over = figures(picture.over, picture.estimated)
        return (Run(over, "error", strong=True), Run(" over" if brief else f" over {picture.window:,}", "error"))
    return (_figure(figures(picture.free, picture.estimated)), Run(f" free{window}"))


def _baseline(picture: BarPicture, baseline: BarPicture) -> Group:
    return (Run("Baseline "), _figure(f"{_tokens(baseline)}, "), _difference(picture, baseline))


def _difference(picture: BarPicture, baseline: BarPicture) -> Run:
    estimated = picture.estimated or baseline.estimated
    return Run(signed(picture.total - baseline.total, estimated), strong=True)


def _differences(picture: BarPicture, baseline: BarPicture) -> Iterator[tuple[str, int]]:
    """Yield the parts of the prompt that differ, the largest difference first; they sum to the difference of both."""
    changes: dict[str, int] = {}
    for one, sign in ((picture, 1), (baseline, -1)):
        for segment in one.segments:
            if segment.section is not None or segment.word == "overhead":
                title = segment.title.lower()
                changes[title] = changes.get(title, 0) + sign * segment.tokens
    yield from sorted(((title, tokens) for title, tokens in changes.items() if tokens), key=lambda part: -abs(part[1]))


def _moved(moves: Moves) -> Line:
    """Return how many items came in and left, in their colours; nothing for none."""
    came = (Run(figures(moves.came_in), "good", strong=True), Run(" came in"))
    left = (Run(figures(moves.left), "error", strong=True), Run(" left"))
    if moves.came_in and moves.left:
        return ((*came, Run(", "), *left),)
    return (came,) if moves.came_in else (left,) if moves.left else ()


def _figure(text: str) -> Run:
    return Run(text, strong=True)


def _tokens(picture: BarPicture) -> str:
    return figures(picture.total, picture.estimated)
