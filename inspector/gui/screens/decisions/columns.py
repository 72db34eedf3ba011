"""The columns of the table of decisions: what the policy made of a candidate. No widgets here."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import (
    F64,
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
from inspector.assembly.recorded import recorded_column, recorded_sentence, recorded_text
from inspector.figures import figures
from inspector.gui.screens.decisions.versions import has_versions, version_counts, version_text, version_tip
from inspector.gui.table.text_search import has_names, name_of
from inspector.gui.theme import NOTE_GLYPH, PINNED_GLYPH, SURVIVOR_GLYPH
from inspector.model import Memory, Message, Passage
from inspector.tables import Column, Tone, first_line


def reason_text(assembly: Assembly, row: int) -> str:
    """Why, in a few words; what did not fit says by how much."""
    reason, missing = assembly.reason_of(row), assembly.short_by(row)
    if not (reason.tells_missing and missing):
        return reason.label
    return f"budget short by {figures(missing, assembly.candidates.has_estimates)}"


def _role(assembly: Assembly, row: int) -> str:
    number = int(assembly.candidates.role[row])
    return ROLES[number] if number < len(ROLES) else ""


def _when(assembly: Assembly, row: int) -> str:
    thing = assembly.candidates.things[row]
    time = thing.time if isinstance(thing, Message | Memory | Passage) else None
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _tokens(assembly: Assembly, row: int) -> str:
    return figures(int(assembly.candidates.tokens[row]), bool(assembly.candidates.estimated[row]))


def _spent(assembly: Assembly, row: int) -> str:
    if _is(assembly, row, Action.DROPPED):
        return figures(None)
    return figures(int(assembly.spent[row]), bool(assembly.candidates.estimated[row]))


def _score(assembly: Assembly, row: int) -> str:
    score = float(assembly.score[row])
    return "" if np.isnan(score) else f"{score:.3f}"


def _rank(assembly: Assembly, row: int) -> str:
    rank = int(assembly.rank[row])
    return "" if rank < 0 else f"{rank:,}"


def _is(assembly: Assembly, row: int, action: Action) -> bool:
    return int(assembly.action[row]) == action


def _muted_when_dropped(assembly: Assembly, row: int) -> Tone | None:
    return "muted" if _is(assembly, row, Action.DROPPED) else None


def _muted(assembly: Assembly, row: int) -> Tone:
    return "muted"


def _action_color(assembly: Assembly, row: int) -> Tone | None:
    fate = Fate(int(assembly.fate[row]))
    return None if fate is Fate.KEPT else outcome_tone(fate)


def _why_color(assembly: Assembly, row: int) -> Tone | None:
    return "muted" if assembly.fate[row] in (Fate.KEPT, Fate.NOT_YET) else None


def _number_digits(assembly: Assembly) -> int:
    """Of the highest number, and for a pin, a mark and a note beside it; without the spare for one of them."""
    return len(f"{len(assembly.candidates):,}") + 4


def number_tooltip(assembly: Assembly, row: int) -> str:
    """Which item it is, and that it is pinned."""
    candidates = assembly.candidates
    pinned = ", pinned" if candidates.pinned[row] else ""
    kind = word(Kind(int(candidates.kind[row])))
    return f"{candidates.ids[row]}: {kind}{pinned}, number {row + 1:,} of {len(candidates):,}"


def _class(assembly: Assembly, row: int) -> str:
    words = class_words(class_of(assembly, row))
    return f"{words} *" if is_computed(assembly, row) else words


def _known_ranks(assembly: Assembly) -> F64:
    return np.where(assembly.rank < 0, np.nan, assembly.rank)


def _reason_places(assembly: Assembly) -> NDArray:
    labels = sorted({reason.label for reason in assembly.reasons})
    return np.array([labels.index(reason.label) for reason in assembly.reasons], np.uint8)[assembly.reason]


def _recorded(assembly: Assembly) -> U8:
    return recorded_column(assembly.candidates.items)


_ALPHABETICAL: WeakKeyDictionary[ItemTexts, dict[str, NDArray]] = WeakKeyDictionary()


def _alphabetical(assembly: Assembly, of: str) -> NDArray:
    """Each row's place in the alphabet by its text or name, found once for the same items."""
    items = assembly.candidates.items
    known = _ALPHABETICAL.setdefault(items, {})
    if of not in known:
        words = items.texts if of == "text" else [name_of(thing) for thing in items.things]
        lines = [first_line(entry).casefold() for entry in words]
        places = {line: place for place, line in enumerate(sorted(set(lines)))}
        known[of] = np.fromiter((places[line] for line in lines), np.int32, len(lines))
    return known[of]


DECISION_COLUMNS: tuple[Column[Assembly], ...] = (
    Column(
        "number",
        "#",
        f"The number of the item, as it was loaded. {PINNED_GLYPH} marks what is always kept, {SURVIVOR_GLYPH} what "
        f"must survive, a bell what must and is dropped, {NOTE_GLYPH} a note.",
        lambda _, row: f"{row + 1:,}",
        lambda assembly: np.arange(len(assembly.candidates)),
        digits=9,
        needs=_number_digits,
        spare=2,
        right=True,
        tone=_muted,
        tooltip=number_tooltip,
    ),
    Column(
        "section",
        "Section",
        "The part of the budget that pays for it",
        lambda assembly, row: section_title(Section(int(assembly.section[row]))),
        lambda assembly: assembly.section,
        digits=10,
        yields=1,
        tone=_muted_when_dropped,
    ),
    Column(
        "role",
        "Role",
        "Who a message is from",
        _role,
        lambda assembly: assembly.candidates.role,
        digits=8,
        yields=2,
        tone=_muted_when_dropped,
    ),
    Column(
        "name",
        "Name",
        "The speaker's name, or the title of an item",
        lambda assembly, row: name_of(assembly.candidates.things[row]),
        lambda assembly: _alphabetical(assembly, "name"),
        digits=9,
        yields=4,
        tone=_muted_when_dropped,
        shown=lambda assembly: has_names(assembly.candidates.items),
    ),
    Column(
        "when",
        "When",
        "The recorded time",
        _when,
        lambda assembly: assembly.candidates.time,
        digits=15,
        yields=3,
        tone=_muted_when_dropped,
        shown=lambda assembly: bool(np.isfinite(assembly.candidates.time).any()),
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda assembly, row: first_line(assembly.candidates.texts[row]),
        lambda assembly: _alphabetical(assembly, "text"),
        digits=36,
        least=11,
        stretches=True,
        tone=_muted_when_dropped,
        tooltip=lambda assembly, row: assembly.candidates.texts[row],
    ),
    Column(
        "versions",
        "Versions",
        "Which version of a message is shown, where the file has several, such as swipes and branches",
        version_text,
        version_counts,
        digits=7,
        goes_last=4,
        tone=_muted,
        tooltip=version_tip,
        shown=has_versions,
    ),
    Column(
        "tokens",
        "Tokens",
        "What the whole item costs; ≈ marks an estimate",
        _tokens,
        lambda assembly: assembly.candidates.tokens,
        digits=7,
        goes_last=1,
        right=True,
        tone=_muted_when_dropped,
    ),
    Column(
        "spent",
        "Spent",
        "What it costs in this prompt",
        _spent,
        lambda assembly: assembly.spent,
        digits=7,
        goes_last=3,
        right=True,
        tone=_muted_when_dropped,
    ),
    Column(
        "action",
        "Action",
        "What the policy made of it",
        lambda assembly, row: outcome_words(Fate(int(assembly.fate[row]))),
        lambda assembly: assembly.fate,
        digits=11,
        tone=_action_color,
    ),
    Column(
        "recorded",
        "Recorded",
        "What the program that wrote the file did with it",
        lambda assembly, row: recorded_text(int(_recorded(assembly)[row])),
        _recorded,
        digits=11,
        yields=1,
        tone=_muted,
        tooltip=lambda assembly, row: recorded_sentence(assembly.candidates.things[row]),
        shown=lambda assembly: bool(_recorded(assembly).any()),
    ),
    Column(
        "why",
        "Why",
        "The reason",
        reason_text,
        _reason_places,
        digits=20,
        least=14,
        goes_last=2,
        tone=_why_color,
        tooltip=explain,
    ),
    Column(
        "class",
        "Class",
        "Its class, for strategies that summarize old messages; * marks what rules computed from the text",
        _class,
        class_numbers,
        digits=11,
        yields=3,
        tone=_muted_when_dropped,
        tooltip=class_sentence,
        shown=lambda assembly: assembly.classes is not None,
    ),
    Column(
        "score",
        "Score",
        "What it was ranked by",
        _score,
        lambda assembly: assembly.score,
        digits=6,
        yields=5,
        right=True,
        tone=_muted,
        shown=lambda assembly: bool(np.isfinite(assembly.score).any()),
    ),
    Column(
        "rank",
        "Rank",
        "Its place in the order of decision",
        _rank,
        _known_ranks,
        digits=6,
        yields=6,
        right=True,
        tone=_muted,
    ),
)
