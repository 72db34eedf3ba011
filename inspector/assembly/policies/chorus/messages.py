"""Messages as Chorus Engine shows them to the model: without scenes and error messages, with names on shared platforms.

The result for a message depends only on itself and the platform of its conversation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, U8, Action, Rows, Section
from inspector.assembly.items import ItemTexts
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.chorus.memories import DEFAULT_PLATFORM, platform_of
from inspector.assembly.policies.chorus.reasons import BLANK, CUT_AT_ERROR, ERROR_TEXT, SCENE
from inspector.model import Message

ERROR_TEXTS = (
    "Sorry, I encountered an error communicating with my brain:",
    "Sorry, I encountered an error rebuilding my memory.",
    "Sorry, something went wrong",
    "Connection error: HTTPConnectionPool",
)
OBJECTIONS = (SCENE, ERROR_TEXT, BLANK)
_SCENE, _ERROR, _BLANK, _NONE = range(4)


@dataclass(frozen=True, eq=False, slots=True)
class _Prepared:
    """For each message its objection (an index into OBJECTIONS, beyond it for none), and the changed texts.

    `texts` are by row, of messages cut or carrying a name; `cut` and `named` are those rows.
    """

    objections: U8
    texts: Mapping[int, str]
    cut: Rows
    named: Rows


def prepare_messages(ledger: Ledger, rows: Rows, cleaned: bool) -> Rows:
    """Drop messages not shown to the model and give the others their shown text; return the remaining rows.

    If messages are not `cleaned`, only captured scenes go. Pinned messages stay.
    """
    items = ledger.candidates.items
    prepared = items.derived("chorus: prepared", cleaned, lambda: _prepared(items, cleaned))
    costs = ledger.candidates.derived("chorus: shown", cleaned, lambda: _changed_costs(ledger.candidates, prepared))
    objections = np.where(ledger.candidates.pinned[rows], _NONE, prepared.objections[rows - items.first_message])
    for number, reason in enumerate(OBJECTIONS):
        ledger.drop(rows[objections == number][::-1], reason, Section.HISTORY)
    left = rows[objections == _NONE]
    for changed, action, reason in (
        (prepared.cut, Action.TRUNCATED, CUT_AT_ERROR),
        (prepared.named, Action.KEPT, None),
    ):
        shown = np.intersect1d(left, changed, assume_unique=True)
        ledger.reshape(shown, action, reason, costs[shown], prepared.texts.__getitem__)
    return left


def _prepared(items: ItemTexts, cleaned: bool) -> _Prepared:
    objections = np.full(len(items.things) - items.first_message, _NONE, np.uint8)
    texts: dict[int, str] = {}
    platform = platform_of(items)
    for row in range(items.first_message, len(items.things)):
        message, text = items.things[row], items.texts[row]
        assert isinstance(message, Message)
        objection, shown = _shown(message, text, platform) if cleaned else (_NONE, text)
        if message.metadata.get("chorus_role") == "scene_capture":
            objection = _SCENE
        objections[row - items.first_message] = objection
        if objection == _NONE and shown != text:
            texts[row] = shown
    by_assistant = np.array([items.things[row].role == "assistant" for row in texts], np.bool_)  # type: ignore[union-attr]
    changed = np.array(list(texts), np.intp)
    return _Prepared(objections, texts, changed[by_assistant], changed[~by_assistant])


def _shown(message: Message, text: str, platform: str) -> tuple[int, str]:
    """Return the objection to a message, and its text as shown to the model."""
    if message.role == "assistant":
        stripped = text.strip()
        if stripped.startswith(ERROR_TEXTS) or stripped.endswith(ERROR_TEXTS):
            return _ERROR, text
        starts = [start for error in ERROR_TEXTS if (start := text.find(error)) >= 0]
        text = text[: min(starts)].strip() if starts else text
    elif message.role == "user" and platform != DEFAULT_PLATFORM:
        name = message.metadata.get("username") or message.metadata.get("user_name")
        text = f"{name} ({platform.capitalize()}): {text}" if name else text
    return (_NONE if text.strip() else _BLANK), text


def _changed_costs(candidates: Candidates, prepared: _Prepared) -> I32:
    """Return the tokens of each candidate as shown."""
    costs = candidates.tokens.copy()
    for rows in (prepared.cut, prepared.named):
        costs[rows] = candidates.form_tokens(rows, "chorus: as it is shown", prepared.texts.__getitem__)
    return costs
