"""The items of a prompt as a table: each candidate with the policy's decision."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import (
    ROLES,
    U8,
    Action,
    Fate,
    Kind,
    Section,
    outcome_tone,
    outcome_words,
    section_title,
    word,
)
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.assembly.items import ItemTexts
from inspector.assembly.message_class import class_numbers, class_of, class_sentence, class_words, is_computed
from inspector.assembly.numbers import number_of
from inspector.assembly.part_costs import parts_of
from inspector.assembly.recorded import recorded_column, recorded_sentence, recorded_text
from inspector.assembly.summary_items import rows_with_summaries, with_summaries
from inspector.figures import figures
from inspector.formats.content.words import in_brief, part_words
from inspector.model import Character, Document, LoreEntry, Message, PastSummary, Profile
from inspector.tables import Column, Face, Subject, Table, Tone, Value, first_line, or_none, written_time
from inspector.tables import Kind as Meaning
from inspector.tokens.certainty import Certainty
from inspector.tokens.cost_words import figure_of


def name_of(thing: object) -> str:
    """Return the name of an item: its speaker, name or title; "" if it has none."""
    if isinstance(thing, Message | Character | Profile):
        return thing.name
    if isinstance(thing, LoreEntry | Document | PastSummary):
        return thing.title
    return ""


def has_names(items: ItemTexts) -> bool:
    """Return whether any of these items has a name."""
    return items.derived("has_names", None, lambda: any(map(name_of, items.things)))


def reason_text(assembly: Assembly, row: int) -> str:
    """Return the reason in a few words; if it did not fit, with the missing tokens."""
    reason, missing = assembly.reason_of(row), assembly.short_by(row)
    if not (reason.tells_missing and missing):
        return reason.label
    return f"budget short by {figures(missing, assembly.candidates.has_estimates)}"


def picked(keys: Sequence[str], columns: Iterable[Column[Subject]]) -> tuple[Column[Subject], ...]:
    """Return the columns of these keys, in their order."""
    by_key = {column.key: column for column in columns}
    return tuple(by_key[key] for key in keys)


def _field(name: str) -> Callable[[Assembly, int], Value]:
    """Return a function that reads a field of an item's source, None if it has no such field."""
    return lambda assembly, row: getattr(assembly.candidates.things[row], name, None)


def _time(assembly: Assembly, row: int) -> datetime | None:
    return getattr(assembly.candidates.things[row], "time", None)


def _iso_time(assembly: Assembly, row: int) -> str | None:
    time = _time(assembly, row)
    return time.isoformat() if time else None


def _time_text(assembly: Assembly, row: int) -> str:
    time = _time(assembly, row)
    return written_time(time) if time else ""


def _role_text(assembly: Assembly, row: int) -> str:
    number = int(assembly.candidates.role[row])
    return ROLES[number] if number < len(ROLES) else ""


def _is_estimated(assembly: Assembly, row: int) -> bool:
    return bool(assembly.candidates.estimated[row])


def _tokens_text(assembly: Assembly, row: int) -> str:
    candidates = assembly.candidates
    return figure_of(int(candidates.tokens[row]), Certainty(int(candidates.certainty[row])))


def _text_words(assembly: Assembly, row: int) -> str:
    """Return the first line of an item; for a message without text, its first part in words."""
    text = assembly.candidates.texts[row]
    return first_line(text) if text else _untold(assembly, row)


def _untold(assembly: Assembly, row: int) -> str:
    """Return the parts of a message without text in words: Picture 1,024 × 1,024, and 2 more."""
    parts = parts_of(assembly.candidates, row)
    if not parts:
        return ""
    more = f", and {len(parts) - 1:,} more" if len(parts) > 1 else ""
    return f"{in_brief(parts[0])}{more}"


def _text_tone(assembly: Assembly, row: int) -> Tone | None:
    return _muted_when_dropped(assembly, row) if assembly.candidates.texts[row] else "muted"


def _text_tooltip(assembly: Assembly, row: int) -> str:
    return assembly.candidates.texts[row] or "\n".join(map(part_words, parts_of(assembly.candidates, row)))


def _spent_text(assembly: Assembly, row: int) -> str:
    if _is_dropped(assembly, row):
        return figures(None)
    return figure_of(int(assembly.spent[row]), Certainty(int(assembly.candidates.certainty[row])))


def _rank(assembly: Assembly, row: int) -> int | None:
    rank = int(assembly.rank[row])
    return None if rank < 0 else rank


def _is_dropped(assembly: Assembly, row: int) -> bool:
    return int(assembly.action[row]) == Action.DROPPED


def _muted_when_dropped(assembly: Assembly, row: int) -> Tone | None:
    return "muted" if _is_dropped(assembly, row) else None


def _muted(assembly: Assembly, row: int) -> Tone:
    return "muted"


def _why_tone(assembly: Assembly, row: int) -> Tone | None:
    return "muted" if assembly.fate[row] in (Fate.KEPT, Fate.NOT_YET) else None


def _class(assembly: Assembly, row: int) -> str | None:
    kind = class_of(assembly, row)
    return word(kind) if kind else None


def _class_text(assembly: Assembly, row: int) -> str:
    words = class_words(class_of(assembly, row))
    return f"{words} *" if is_computed(assembly, row) else words


def _reason_places(assembly: Assembly) -> NDArray:
    labels = sorted({reason.label for reason in assembly.reasons})
    return np.array([labels.index(reason.label) for reason in assembly.reasons], np.uint8)[assembly.reason]


def _recorded(assembly: Assembly) -> U8:
    return recorded_column(assembly.candidates.items)


def _alphabetical(assembly: Assembly, of: Literal["name", "text"]) -> NDArray:
    """Return the place of each row in the alphabet by its text or name, found once for the same items."""
    items = assembly.candidates.items
    return items.derived(
        "alphabetical", of, lambda: _places(items.texts if of == "text" else map(name_of, items.things))
    )


def _places(words: Iterable[str]) -> NDArray:
    lines = [first_line(entry).casefold() for entry in words]
    places = {line: place for place, line in enumerate(sorted(set(lines)))}
    return np.fromiter((places[line] for line in lines), np.int32, len(lines))


ITEM_COLUMNS: tuple[Column[Assembly], ...] = (
    Column(
        "number",
        "#",
        "A message by its place in the chat; M 12 is the twelfth memory, L lore, P a passage, D a document",
        lambda assembly, row: row,
        lambda assembly: np.arange(len(assembly.candidates)),
        Meaning.COUNT,
        words=lambda assembly, row: number_of(assembly.candidates, row),
        digits=9,
        tone=_muted,
        tooltip=lambda assembly, row: assembly.candidates.ids[row],
        faces=Face.PEOPLE,
    ),
    Column(
        "kind",
        "Kind",
        "The kind of the item",
        lambda assembly, row: word(Kind(int(assembly.candidates.kind[row]))),
        faces=Face.FILES,
    ),
    Column(
        "section",
        "Section",
        "The part of the budget charged for it",
        lambda assembly, row: word(Section(int(assembly.section[row]))),
        lambda assembly: assembly.section,
        words=lambda assembly, row: section_title(Section(int(assembly.section[row]))),
        digits=10,
        yields=1,
        tone=_muted_when_dropped,
    ),
    Column(
        "role",
        "Role",
        "The speaker of a message: system, user, assistant or tool",
        _field("role"),
        lambda assembly: assembly.candidates.role,
        words=_role_text,
        digits=8,
        yields=2,
        tone=_muted_when_dropped,
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "name",
        "Name",
        "The name of the speaker, or the title of the item",
        _field("name"),
        lambda assembly: _alphabetical(assembly, "name"),
        words=lambda assembly, row: name_of(assembly.candidates.things[row]),
        digits=9,
        yields=4,
        tone=_muted_when_dropped,
        shown=lambda assembly: has_names(assembly.candidates.items),
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "time",
        "When",
        "The recorded time",
        _iso_time,
        lambda assembly: assembly.candidates.time,
        words=_time_text,
        digits=15,
        yields=3,
        tone=_muted_when_dropped,
        shown=lambda assembly: bool(np.isfinite(assembly.candidates.time).any()),
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda assembly, row: assembly.candidates.texts[row],
        lambda assembly: _alphabetical(assembly, "text"),
        Meaning.EXCERPT,
        digits=36,
        least=11,
        words=_text_words,
        stretches=True,
        tone=_text_tone,
        tooltip=_text_tooltip,
        faces=Face.WINDOW,
    ),
    Column(
        "tokens",
        "Tokens",
        "The tokens of the whole item; ≈ marks an estimate, ? an unknown cost",
        lambda assembly, row: int(assembly.candidates.tokens[row]),
        lambda assembly: assembly.candidates.tokens,
        Meaning.TOKENS,
        words=_tokens_text,
        estimated=_is_estimated,
        digits=7,
        goes_last=1,
        tone=_muted_when_dropped,
    ),
    Column(
        "exact",
        "Exact",
        "Whether its tokens are counted exactly",
        lambda assembly, row: "yes" if assembly.candidates.certainty[row] == Certainty.EXACT else "no",
        faces=Face.FILES,
    ),
    Column(
        "certainty",
        "Certainty",
        "How sure its tokens are: exact, rule, estimate or unknown",
        lambda assembly, row: Certainty(int(assembly.candidates.certainty[row])).word,
        faces=Face.FILES,
    ),
    Column(
        "spent",
        "In the prompt",
        "Its tokens in this prompt",
        lambda assembly, row: int(assembly.spent[row]),
        lambda assembly: assembly.spent,
        Meaning.TOKENS,
        words=_spent_text,
        digits=7,
        goes_last=3,
        tone=_muted_when_dropped,
        at_first=False,
    ),
    Column(
        "action",
        "Outcome",
        "Whether the policy keeps, summarizes, truncates or drops it",
        lambda assembly, row: word(Action(int(assembly.action[row]))),
        lambda assembly: assembly.fate,
        words=lambda assembly, row: outcome_words(Fate(int(assembly.fate[row]))),
        digits=11,
        tone=lambda assembly, row: outcome_tone(Fate(int(assembly.fate[row]))),
    ),
    Column(
        "recorded",
        "Recorded",
        "Its outcome in the program that wrote the file",
        lambda assembly, row: recorded_text(int(_recorded(assembly)[row])),
        _recorded,
        digits=11,
        yields=1,
        tone=_muted,
        tooltip=lambda assembly, row: recorded_sentence(assembly.candidates.things[row]),
        shown=lambda assembly: bool(_recorded(assembly).any()),
        faces=Face.WINDOW,
    ),
    Column(
        "reason",
        "Why",
        "The reason",
        lambda assembly, row: assembly.reason_of(row).code,
        _reason_places,
        words=reason_text,
        digits=20,
        least=14,
        goes_last=2,
        tone=_why_tone,
        tooltip=explain,
    ),
    Column(
        "class",
        "Class",
        "Its class, for strategies that summarize old messages; * marks a class computed from the text",
        _class,
        class_numbers,
        words=_class_text,
        digits=11,
        yields=3,
        tone=_muted_when_dropped,
        tooltip=class_sentence,
        shown=lambda assembly: assembly.classes is not None,
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "score",
        "Score",
        "Its score in the ranking",
        lambda assembly, row: or_none(assembly.score[row]),
        lambda assembly: assembly.score,
        Meaning.NUMBER,
        absent="",
        digits=6,
        yields=5,
        tone=_muted,
        shown=lambda assembly: bool(np.isfinite(assembly.score).any()),
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "rank",
        "Order",
        "Its place in the order of decision",
        _rank,
        lambda assembly: np.where(assembly.rank < 0, np.nan, assembly.rank),
        Meaning.COUNT,
        absent="",
        digits=6,
        yields=6,
        tone=_muted,
        faces=Face.FILES | Face.WINDOW,
    ),
    Column(
        "id",
        "Id",
        "The id of the item in its file",
        lambda assembly, row: assembly.candidates.ids[row],
        digits=10,
        yields=6,
        tone=_muted,
        faces=Face.FILES | Face.WINDOW,
        at_first=False,
    ),
    Column(
        "left",
        "Left",
        "Tokens left in its section at its turn",
        lambda assembly, row: assembly.left_of(row),
        kind=Meaning.TOKENS,
        faces=Face.FILES,
    ),
)
"""All columns of an item."""
FILE_KEYS = (
    *("id", "kind", "section", "role", "name", "time", "action", "reason"),
    *("tokens", "exact", "spent", "rank", "left", "score"),
)
_SHOWN = ("number", "section", "tokens", "spent", "action", "reason")
SHOWN_COLUMNS = with_summaries(picked(_SHOWN, ITEM_COLUMNS))
"""The columns of a terminal and of reports."""


def _in_files(column: Column[Assembly]) -> Column[Assembly]:
    """Return the column in the form of files: a score has six significant digits."""
    if column.key != "score":
        return column
    return replace(column, value=lambda assembly, row: _short(assembly.score[row]))


def _short(score: float) -> float | None:
    return None if np.isnan(score) else float(f"{score:.6g}")


ITEMS: Table[Assembly] = Table(SHOWN_COLUMNS, rows_with_summaries, has_both_ends=True)
"""The items in the order of the prompt, as a terminal shows them, the summaries of the program among them."""
ITEM_ROWS: Table[Assembly] = Table(with_summaries(map(_in_files, picked(FILE_KEYS, ITEM_COLUMNS))), rows_with_summaries)
"""The items as CSV and the like have them."""
