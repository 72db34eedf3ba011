"""The summaries of a program as items: their rows in tables, after those of the candidates, and their words.

A table numbers the rows of the candidates from 0; the `number`-th summary is row `len(candidates) + number - 1`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import (
    U8,
    Action,
    Kind,
    Section,
    outcome_tone,
    outcome_words,
    phrase,
    section_title,
    word,
)
from inspector.assembly.compaction import COMPACTED, COMPACTION, Compaction, summary_id
from inspector.assembly.decisions import Assembly
from inspector.assembly.reasons import Reason
from inspector.figures import counted, figures
from inspector.tables import OUTCOME_GLYPHS, Column, Tone, Value, first_line
from inspector.tokens.certainty import Certainty

SUMMARIES_TITLE = "Summaries of the program"
_Found = TypeVar("_Found")


def action_of(compaction: Compaction) -> Action:
    """Return the decision about a summary: a later one may tell it in turn."""
    return Action.SUMMARIZED if compaction.into else Action.KEPT if compaction.stands else Action.DROPPED


def compaction_value(compaction: Compaction) -> dict[str, Any]:
    """Return a summary that tells many messages as JSON, an item like the others."""
    return {
        "id": compaction.id,
        "section": word(Section.HISTORY),
        "action": word(action_of(compaction)),
        "reason": summary_reason(compaction).code,
        "tokens": compaction.size,
        "spent": compaction.spent,
        "counted": None,
        "rank": None,
        "left": None,
        "score": None,
        "certainty": Certainty.ESTIMATE.word,
        **({"into": summary_id(compaction.into)} if compaction.into else {}),
    }


def summary_reason(compaction: Compaction) -> Reason:
    """Return the reason for the decision about a summary."""
    return compaction.lost or (COMPACTED if compaction.into else COMPACTION)


def summary_at(assembly: Assembly, row: int) -> Compaction | None:
    """Return the summary at a row of a table, None for the row of a candidate."""
    place = row - len(assembly.candidates)
    return assembly.compactions[place] if place >= 0 else None


def rows_with_summaries(assembly: Assembly) -> list[int]:
    """Return every row once, in the order of the prompt, the summaries among the candidates."""
    return assembly.listed.tolist()


def row_of_summary(assembly: Assembly, number: int) -> int:
    """Return the row of the `number`-th summary in a table."""
    return len(assembly.candidates) + number - 1


def ids_with_summaries(assembly: Assembly) -> Sequence[str]:
    """Return the id of every row, the same sequence for the same items and as many summaries."""
    candidates, number = assembly.candidates, len(assembly.compactions)
    if not number:
        return candidates.ids
    made = lambda: (*candidates.ids, *map(summary_id, range(1, number + 1)))  # noqa: E731 - of these items
    return candidates.items.derived("ids with summaries", number, made)


def fates_with_summaries(assembly: Assembly) -> U8:
    """Return the `Fate` of every row."""
    if not assembly.compactions:
        return assembly.fate
    return np.append(assembly.fate, assembly.compactions.actions)


def sections_with_summaries(assembly: Assembly) -> U8:
    """Return the section of every row."""
    number = len(assembly.compactions)
    return np.append(assembly.section, np.full(number, Section.HISTORY, np.uint8)) if number else assembly.section


def with_summaries(columns: Iterable[Column[Assembly]]) -> tuple[Column[Assembly], ...]:
    """Return columns of candidates that have values and words for the rows of summaries, too."""
    return tuple(map(_for_both, columns))


def _for_both(column: Column[Assembly]) -> Column[Assembly]:
    key = column.key
    return replace(
        column,
        value=_either(column.value, lambda compaction: _value(compaction, key)),
        words=_either(column.text, lambda compaction: _words(compaction, key)),
        estimated=None if column.estimated is None else _either(column.estimated, lambda _: True),
        tone=None if column.tone is None else _either(column.tone, lambda compaction: _tone(compaction, key)),
        tooltip=None if column.tooltip is None else _either(column.tooltip, lambda compaction: _tip(compaction, key)),
        runs=None if column.runs is None else _either(column.runs, lambda compaction: _runs(compaction, key)),
        brief=None if column.brief is None else _either(column.brief, lambda compaction: _brief(compaction, key)),
        values=None if column.values is None else _values_for_both(column.values, key),
    )


def _values_for_both(of_candidates: Callable[[Assembly], NDArray[Any]], key: str) -> Callable[[Assembly], NDArray[Any]]:
    """Return a function that reads the values to sort by; a summary without a value is sorted as the last."""

    def read(assembly: Assembly) -> NDArray[Any]:
        own = of_candidates(assembly)
        if not assembly.compactions:
            return own
        last = np.nan if own.dtype.kind == "f" else int(own.max(initial=0)) + 1
        return np.append(own, _places(assembly, key, last))

    return read


def _places(assembly: Assembly, key: str, last: float) -> NDArray[Any]:
    told = assembly.compactions
    if key == "number":
        return np.arange(len(told)) + len(assembly.candidates)
    if key in ("action", "outcome"):
        return told.actions
    if key in ("tokens", "spent"):
        return told.sizes if key == "tokens" else np.where(told.stands, told.sizes, 0)
    return np.full(len(told), int(Section.HISTORY) if key == "section" else last)


def _runs(compaction: Compaction, key: str) -> tuple[str, str]:
    """Return the words of a cell in two parts, the second in a quieter ink."""
    if key != "outcome":
        return _words(compaction, key), ""
    if compaction.stands:
        return f"Kept, {COMPACTION.label}", ""
    return _brief(compaction, key)[0], f", {summary_reason(compaction).label}"


def _brief(compaction: Compaction, key: str) -> tuple[str, str]:
    if key != "outcome":
        return _words(compaction, key), ""
    action = action_of(compaction)
    return f"{OUTCOME_GLYPHS.get(word(action), '')} {phrase(action).capitalize()}".lstrip(), ""


def _tip(compaction: Compaction, key: str) -> str:
    return compaction.text if key == "text" else summary_sentence(compaction)


def _either(
    of_candidate: Callable[[Assembly, int], _Found], of_summary: Callable[[Compaction], _Found]
) -> Callable[[Assembly, int], _Found]:
    def read(assembly: Assembly, row: int) -> _Found:
        compaction = summary_at(assembly, row)
        return of_candidate(assembly, row) if compaction is None else of_summary(compaction)

    return read


def _value(compaction: Compaction, key: str) -> Value:
    """Return the value of a column for files, None where a summary has none."""
    beside = {
        "kind": word(Kind.SUMMARY),
        "role": compaction.role,
        "exact": "no",
        "text": compaction.text,
        "who": "Summary",
        "outcome": word(action_of(compaction)),
    }
    return (beside | compaction_value(compaction)).get(key)


def _words(compaction: Compaction, key: str) -> str:
    """Return the words of a column as a reader sees them."""
    action = action_of(compaction)
    known = {
        "number": compaction.id,
        "section": section_title(Section.HISTORY),
        "tokens": figures(compaction.size, estimated=True),
        "spent": figures(compaction.spent if compaction.stands else None, estimated=True),
        "action": outcome_words(action),
        "outcome": "".join(_runs(compaction, "outcome")) if key == "outcome" else "",
        "reason": summary_reason(compaction).label,
        "text": first_line(compaction.text),
    }
    value = known.get(key, _value(compaction, key))
    return "" if value is None else str(value)


def _tone(compaction: Compaction, key: str) -> Tone | None:
    if key in ("action", "outcome"):
        return outcome_tone(action_of(compaction)) or "muted"
    return None if compaction.stands else "muted"


def summary_sentence(compaction: Compaction) -> str:
    """Return what became of a summary in a sentence, with its tokens."""
    size = figures(compaction.size, estimated=True)
    said = f"{phrase(action_of(compaction)).capitalize()}. "
    if compaction.lost is not None:
        return f"{said}{size} tokens: {compaction.lost.label}."
    if compaction.into:
        told = COMPACTED.sentence.format(thing="this summary", tokens=size)
        return f"{said}{told} It is told by {summary_id(compaction.into)}."
    return f"{said}{COMPACTION.sentence} {size} tokens for {counted(compaction.told, 'message')}."


def summary_called(assembly: Assembly, name: str) -> Compaction | None:
    """Return the summary with this id; None if there is none, or a candidate is called so."""
    number = name.removeprefix(summary_id(0)[:-1])
    place = int(number) - 1 if number.isdecimal() and number.isascii() else -1
    if not 0 <= place < len(assembly.compactions) or summary_id(place + 1) != name:
        return None
    return None if name in assembly.candidates.ids else assembly.compactions[place]


def summary_explained(compaction: Compaction) -> dict[str, Any]:
    """Return the decision about a summary as JSON, with its sentence and its text."""
    value = compaction_value(compaction)
    kept = ("section", "action", "reason", "tokens", "spent", "into")
    beside = {"role": compaction.role, "sentence": summary_sentence(compaction), "text": compaction.text}
    return {"item": compaction.id, **{key: value[key] for key in kept if key in value}, **beside}


def summaries_figure(assembly: Assembly) -> str:
    """Return the tokens of the summaries in the prompt, which are never counted exactly; "" without any."""
    return figures(assembly.summaries_total, estimated=True) if assembly.summaries_total else ""


def summaries_told(assembly: Assembly) -> str:
    """Return the summaries in the prompt, a line for each: its id, its role, what it stands for, and its first line."""
    standing = assembly.compactions.standing
    told = [f"{one.id}, {one.role}. {summary_sentence(one)} {first_line(one.text)}" for one in standing]
    earlier = len(assembly.compactions) - len(standing)
    return "\n".join((*told, *([f"{counted(earlier, 'earlier one')} not in the prompt any more."] if earlier else [])))
