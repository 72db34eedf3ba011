"""The recorded sending and cost of messages in a file, beside the decisions and counts here, as tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.analysis.recorded.usage import UsageError, usage_errors
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, outcome_tone, outcome_words, word
from inspector.assembly.compaction import END
from inspector.assembly.decisions import Assembly
from inspector.assembly.numbers import called, number_of
from inspector.assembly.recorded import (
    Recorded,
    RecordedComparison,
    Share,
    ShareTotal,
    compare_recorded,
    recorded_note,
    recorded_sentence,
    recorded_text,
)
from inspector.assembly.recorded_compactions import recorded_compactions, recorded_compactions_sentence
from inspector.reading.values import as_text
from inspector.tables import Column, Face, Kind, Table, Tone, field_column, first_line


@dataclass(frozen=True, eq=False)
class RecordedAnswer:
    """The records about the messages of an answer, and the differences of the file's counts from ours."""

    comparison: RecordedComparison
    errors: tuple[UsageError, ...]

    @property
    def sentences(self) -> list[str]:
        """The degree of agreement in words, and the compactions of both sides if the file records any."""
        return [self.comparison.sentence, *compaction_sentences(self.comparison.assembly)]


def compaction_sentences(assembly: Assembly) -> list[str]:
    """Name the compactions that the file records, and beside them those here; empty if the file records none."""
    candidates = assembly.candidates
    if not (recorded := recorded_compactions_sentence(candidates.items)):
        return []
    events = assembly.events
    if not events:
        return [recorded, "The policy here never shortens it."]
    last = events[-1].row
    at = "at the end" if last == END else f"at {called(candidates, last)}"
    times = f"once, {at}" if len(events) == 1 else f"{len(events):,} times, the last {at}"
    return [recorded, f"The policy here shortens it {times}."]


def recorded_answer(answer: Answer) -> RecordedAnswer:
    """Return the records of a file, beside an answer."""
    return RecordedAnswer(compare_recorded(answer.assembly), usage_errors(answer.assembly, answer.ledger.total))


def _row(comparison: RecordedComparison, place: int) -> int:
    return int(comparison.rows[place])


def _thing(comparison: RecordedComparison, place: int) -> object:
    return comparison.assembly.candidates.things[_row(comparison, place)]


def _text(comparison: RecordedComparison, place: int) -> str:
    return comparison.assembly.candidates.texts[_row(comparison, place)]


def _fate(comparison: RecordedComparison, place: int) -> Fate:
    return Fate(int(comparison.fates[place]))


def _noted(key: str, comparison: RecordedComparison, place: int) -> str:
    return as_text(recorded_note(_thing(comparison, place)).get(key) or "")


def _reason_text(comparison: RecordedComparison, place: int) -> str:
    by = _noted("by", comparison, place)
    return first_line(_noted("reason", comparison, place) or (f"by {by}" if by else ""))


def _is_estimated(comparison: RecordedComparison, place: int) -> bool:
    return bool(comparison.assembly.candidates.estimated[_row(comparison, place)])


def _recorded_tokens(comparison: RecordedComparison, place: int) -> int | None:
    return int(comparison.recorded_spent[place]) if comparison.recorded[place] == Recorded.KEPT else None


def _spent(comparison: RecordedComparison, place: int) -> int | None:
    return int(comparison.spent[place]) if comparison.fates[place] < Fate.DROPPED else None


def pair_words(recorded: int, fate: int) -> str:
    """Return the recorded outcome and the outcome here."""
    return f"{recorded_text(recorded)} → {outcome_words(Fate(fate))}"


def _muted(_: RecordedComparison, __: int) -> Tone:
    return "muted"


RECORDED_COLUMNS: tuple[Column[RecordedComparison], ...] = (
    Column(
        "id",
        "#",
        "The number of the message",
        lambda comparison, place: comparison.assembly.candidates.ids[_row(comparison, place)],
        words=lambda comparison, place: number_of(comparison.assembly.candidates, _row(comparison, place)),
        digits=10,
    ),
    Column(
        "text",
        "Text",
        "The first line of the message",
        _text,
        kind=Kind.EXCERPT,
        digits=22,
        stretches=True,
        tooltip=_text,
        faces=Face.WINDOW,
    ),
    Column(
        "transition",
        "Recorded → Here",
        "Its outcome in the program that wrote the file, and here",
        lambda comparison, place: pair_words(int(comparison.recorded[place]), int(comparison.fates[place])),
        digits=21,
        tone=lambda comparison, place: outcome_tone(_fate(comparison, place)),
        faces=Face.PEOPLE,
    ),
    Column(
        "recorded",
        "Recorded",
        "Its outcome in the program that wrote the file",
        lambda comparison, place: word(Recorded(comparison.recorded[place])),
        faces=Face.FILES,
    ),
    Column(
        "by",
        "By",
        "Who decided that, as the file says",
        lambda comparison, place: _noted("by", comparison, place),
        faces=Face.FILES,
    ),
    Column(
        "recorded_tokens",
        "Recorded",
        "Tokens of the whole message, counted here, if it was sent",
        _recorded_tokens,
        kind=Kind.TOKENS,
        estimated=_is_estimated,
        digits=8,
        tone=_muted,
        yields=1,
        faces=Face.PEOPLE,
    ),
    Column(
        "spent",
        "Here",
        "Its tokens in this prompt",
        _spent,
        kind=Kind.TOKENS,
        estimated=_is_estimated,
        digits=7,
    ),
    Column(
        "reason",
        "Recorded reason",
        "Why, as the file says",
        lambda comparison, place: _noted("reason", comparison, place),
        words=_reason_text,
        digits=17,
        tone=_muted,
        yields=3,
        tooltip=lambda comparison, place: recorded_sentence(_thing(comparison, place)),
    ),
    Column(
        "action",
        "Action",
        "Its outcome here",
        lambda comparison, place: word(_fate(comparison, place)),
        faces=Face.FILES,
    ),
    Column(
        "differs",
        "Differs",
        "Whether something else is done with it here",
        lambda comparison, place: bool(comparison.differs[place]),
        kind=Kind.FLAG,
        faces=Face.FILES,
    ),
    Column(
        "tokens",
        "Tokens",
        "Tokens of the whole message",
        lambda comparison, place: int(comparison.assembly.candidates.tokens[_row(comparison, place)]),
        kind=Kind.TOKENS,
        faces=Face.FILES,
    ),
    Column(
        "why",
        "Why here",
        "Why, in this prompt",
        lambda comparison, place: comparison.assembly.reason_of(_row(comparison, place)).label,
        digits=21,
        yields=2,
        faces=Face.PEOPLE,
    ),
)


def _differing_first(comparison: RecordedComparison) -> list[int]:
    """Return the places, differing first: a terminal shows only the first of many, and equal outcomes say little."""
    return sorted(range(len(comparison)), key=lambda place: not comparison.differs[place])


RECORDED: Table[RecordedComparison] = Table(RECORDED_COLUMNS, lambda comparison: range(len(comparison)))
DIFFERING_FIRST: Table[RecordedComparison] = Table(RECORDED_COLUMNS, _differing_first)

SHARE_WORDS: dict[Share, str] = {
    "only recorded": "Only recorded",
    "only here": "Only here",
    "both": "In both",
    "neither": "In neither",
    "not yet": "Not yet",
}
_Shares = Sequence[ShareTotal]
SHARES: Table[_Shares] = Table(
    (
        field_column(
            "share",
            "Share",
            "Which of the two prompts has the messages",
            words=lambda shares, row: SHARE_WORDS[shares[row].share],
        ),
        field_column("messages", "Messages", "How many they are", Kind.COUNT),
        field_column("recorded_tokens", "Recorded", "Tokens of the messages sent", Kind.TOKENS),
        field_column("tokens", "Here", "Tokens in this prompt", Kind.TOKENS),
    ),
    lambda shares: range(len(shares)),
)

_Errors = Sequence[UsageError]


def _part(key: str, title: str, help: str) -> Column[_Errors]:
    """Return the column of a part of the recorded tokens, for files and where the usage of any model tells it."""
    is_told = lambda errors: any(getattr(error, key) is not None for error in errors)  # noqa: E731
    return field_column(key, title, help, Kind.TOKENS, shown=is_told, absent="", yields=5)


USAGE: Table[_Errors] = Table(
    (
        field_column("model", "Model", "The model that answered"),
        field_column(
            "side",
            "Of",
            "Whether answers were counted, or the prompts before them",
            words=lambda errors, row: f"{errors[row].side}s",
        ),
        field_column("messages", "Messages", "How many have a figure in the file", Kind.COUNT),
        field_column(
            "recorded", "Recorded", "Their tokens, as the file says; of answers without thoughts", Kind.TOKENS
        ),
        field_column("counted", "Counted", "Their tokens, as they are counted here", Kind.TOKENS),
        field_column(
            "mean_error",
            "Mean error",
            "The mean distance of both, in tokens, without what is not in the file",
            Kind.NUMBER,
            yields=3,
            words=lambda errors, row: f"{errors[row].mean_error:,.1f}",
        ),
        field_column("worst", "Worst item", "The message with the largest distance", yields=6),
        field_column(
            "bias", "Bias", "The difference as a share of the recorded tokens in the file", Kind.SHARE_DIFFERENCE
        ),
        Column(
            "factor",
            "Factor",
            "Recorded tokens for one counted here, beside a constant part of each prompt that is not in the file",
            lambda errors, row: None if (found := errors[row].calibration) is None else found.factor,
            kind=Kind.NUMBER,
            words=lambda errors, row: "" if (found := errors[row].calibration) is None else found.factor_words,
        ),
        Column(
            "factor_spread",
            "Spread",
            "How far the factor of nine prompts in ten is from it",
            lambda errors, row: None if (found := errors[row].calibration) is None else found.spread,
            kind=Kind.NUMBER,
            faces=Face.FILES,
        ),
        field_column(
            "remainder",
            "Not in the file",
            "The tokens that each prompt had besides, such as the system prompt and tools of the application",
            Kind.TOKENS,
        ),
        _part("cached", "Cached", "Of the prompts, the tokens read from a cache"),
        _part("written", "Written", "Of the prompts, the tokens written to a cache"),
        _part("thoughts", "Thoughts", "The recorded tokens of thoughts beside the answers"),
    ),
    lambda errors: range(len(errors)),
)


def recorded_value(found: RecordedAnswer) -> dict[str, Any]:
    """Return the records beside the decisions here, as JSON."""
    comparison = found.comparison
    return {
        "rows": list(RECORDED.records(comparison)),
        "compactions": _compactions_value(comparison.assembly),
        "totals": {
            "messages": len(comparison),
            "differing": int(comparison.differs.sum()),
            "recorded_tokens": comparison.recorded_total,
            "tokens": comparison.total,
            "shares": list(SHARES.records(comparison.shares)),
        },
        "usage": list(USAGE.records(found.errors)),
    }


def _compactions_value(assembly: Assembly) -> list[dict[str, Any]]:
    """Return the recorded compactions as JSON: the message that stands for others, these, and both sizes in tokens."""
    ids = assembly.candidates.ids
    return [
        {
            "at": None if one.row is None else ids[one.row],
            "kind": one.kind,
            "before": one.before,
            "after": one.after,
            "told": [ids[row] for row in one.told.tolist()],
        }
        for one in recorded_compactions(assembly.candidates.items)
    ]
