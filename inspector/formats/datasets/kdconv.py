"""KdConv: Chinese dialogues of two speakers, whose turns name the knowledge behind them.

Layout: github.com/thu-coai/KdConv, `data/<domain>/*.json`: `[{name, messages[{message, attrs[{name, attrname,
attrvalue}]}]}]`. Speakers take turns and have no names. The knowledge of a turn stays in its metadata.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout
from inspector.reading.values import as_text, objects

_FACT = ("name", "attrname", "attrvalue")


def _knowledge(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    facts = [{key: as_text(fact.get(key)) for key in _FACT} for fact in objects(turn.get("attrs"))]
    return {"knowledge": facts} if facts else {}


FORMAT = ChatLayout(
    name="kdconv",
    title="KdConv dialogues",
    sign="dialogues of `messages` with `message` and `attrs`",
    expected="a dialogue whose messages have a message each",
    turns=("messages",),
    turn=TurnLayout(
        text=("message",),
        marks=("message",),
        role=("role", "sender", "from", "speaker"),  # turns with any of these are of another layout
        roles={},
        speakers=("user", "assistant"),
        about=_knowledge,
    ),
    title_at=("name",),
).format
