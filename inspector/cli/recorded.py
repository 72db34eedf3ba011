"""What a file records of what was sent and what that cost, beside this scenario, as the command line writes it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from inspector.analysis.recorded_usage import UsageError, usage_errors
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, word
from inspector.assembly.compare import stands_in_prompt
from inspector.assembly.recorded import Recorded, RecordedComparison, compare_recorded, recorded_note
from inspector.cli.output import print_json, say
from inspector.reading.values import as_text


def print_recorded(answer: Answer, answer_format: str) -> None:
    """Print what was recorded beside what is done here: rows, totals, and what the messages are said to cost."""
    comparison, errors = compare_recorded(answer.assembly), usage_errors(answer.assembly.candidates)
    rows = [_row(comparison, place) for place in range(len(comparison))]
    if answer_format == "json":
        print_json({"rows": rows, "totals": _totals(comparison), "usage": usage_value(errors)})
        return
    from inspector.cli.tables import MOST_ROWS, print_rows

    # What both did alike says little: of many rows those that differ are shown first.
    shown = sorted(range(len(rows)), key=lambda place: not comparison.differs[place])[:MOST_ROWS]
    if rows:
        print_rows([rows[place] for place in sorted(shown)], ("id", "recorded", "reason", "action", "tokens", "spent"))
    if len(rows) > MOST_ROWS:
        say(f"… and {len(rows) - MOST_ROWS:,} more (--format json lists all)")
    if shares := [asdict(share) for share in comparison.shares]:
        print_rows(shares, list(shares[0]))
    say(comparison.sentence)
    print_usage(errors)


def _row(comparison: RecordedComparison, place: int) -> dict[str, Any]:
    """A message: what was recorded, and by what and why; what is done here; what all of it and its part here costs."""
    assembly, row = comparison.assembly, int(comparison.rows[place])
    note, fate = recorded_note(assembly.candidates.things[row]), Fate(int(comparison.fates[place]))
    return {
        "id": assembly.candidates.ids[row],
        "recorded": word(Recorded(comparison.recorded[place])),
        "by": as_text(note.get("by") or ""),
        "reason": as_text(note.get("reason") or ""),
        "action": word(fate),
        "differs": bool(comparison.differs[place]),
        "tokens": int(assembly.candidates.tokens[row]),
        "spent": int(assembly.spent[row]) if stands_in_prompt(fate) else None,
    }


def _totals(comparison: RecordedComparison) -> dict[str, Any]:
    return {
        "messages": len(comparison),
        "differing": int(comparison.differs.sum()),
        "recorded_tokens": comparison.recorded_total,
        "tokens": comparison.total,
        "shares": [asdict(share) for share in comparison.shares],
    }


def usage_value(errors: Sequence[UsageError]) -> list[dict[str, Any]]:
    """The measured errors as JSON has them."""
    return [{**asdict(error), "bias": error.bias} for error in errors]


def print_usage(errors: Sequence[UsageError]) -> None:
    """Print the measured error of each model; nothing where the file records no usage."""
    from inspector.cli.tables import print_rows

    if errors:
        say("Tokens as recorded in the file, and as counted here:")
        print_rows(rows := [_usage_row(error) for error in errors], list(rows[0]))


def _usage_row(error: UsageError) -> dict[str, Any]:
    return {
        "model": error.model,
        "of": f"{error.side}s",
        "messages": error.messages,
        "recorded": error.recorded,
        "counted": error.counted,
        "bias %": None if error.bias is None else round(100 * error.bias, 1),
        "mean error": round(error.mean_error, 1),
        "worst item": error.worst,
    }
