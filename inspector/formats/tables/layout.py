"""The role of each column in a table of messages: by usual column names, or as the user explained."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from inspector.reading.table import plain_name
from inspector.reading.yaml_loader import WrittenNumber

_TEXTS = ("content", "text", "message", "body", "mes", "msg", "utterance", "message_text", "message_content", "value")
_SPEAKERS = (
    *("speaker", "sender", "author", "from", "user", "username", "user_name", "nick", "nickname", "display_name"),
    *("author_name", "sender_name", "participant", "interlocutor", "who"),
)
_ROLES = ("role", "message_role", "author_role", "sender_role", "sender_type", "speaker_role")
_TIMES = (
    *("time", "timestamp", "date", "datetime", "when", "ts", "created_at", "created", "sent_at", "send_date"),
    *("create_time", "date_time", "message_date"),
)
_CONVERSATIONS = (
    *("conversation_id", "conversation", "chat_id", "chat", "thread_id", "thread", "session_id", "session"),
    *("dialogue_id", "dialog_id", "channel", "channel_id", "room"),
)
_IDS = ("id", "message_id", "msg_id", "uuid")
_PAIRS = (
    *(("prompt", "response"), ("prompt", "completion"), ("user", "assistant"), ("human", "assistant")),
    *(("user_message", "assistant_message"), ("user_message", "bot_response"), ("query", "response")),
    *(("question", "answer"), ("input", "output"), ("human", "ai"), ("user", "bot"), ("query", "answer")),
    *(("query", "reply"), ("user_input", "bot_response"), ("human_message", "ai_message"), ("request", "response")),
)
_OTHER_TABLES = frozenset(("subject", "cc", "bcc", "rating", "stars", "likes", "retweets"))  # mail, reviews, posts


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The plain names of the columns ("": there is none).

    `text` is the text of a `speaker` (a name, or user, assistant, …) or of a `role`. If a row also has an `answer`, it
    is the assistant's reply to the text.
    """

    text: str
    speaker: str = ""
    role: str = ""
    answer: str = ""
    time: str = ""
    conversation: str = ""
    id: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """The existing columns, by their role."""
        return {one.name: name for one in fields(self) if (name := getattr(self, one.name))}

    def fits(self, columns: Iterable[str]) -> bool:
        """Return whether a table has all of them."""
        return set(self.columns.values()) <= set(columns)


def parts() -> tuple[str, ...]:
    """Return the possible roles of a column, in order of importance."""
    return tuple(one.name for one in fields(TableLayout))


def layout_from(value: Mapping[str, Any]) -> TableLayout:
    """Return the layout of these column names. Raise ValueError, in words, if they are no valid layout."""
    for part, name in value.items():
        if part not in parts():
            raise ValueError(f"expected one of {', '.join(parts())}, found {part}")
        if not isinstance(name, str) or isinstance(name, WrittenNumber) or not name.strip():
            raise ValueError(f"expected the name of a column for {part}, in quotes where it looks like a number")
    found = {part: plain_name(name) for part, name in value.items()}
    if "text" not in found:
        raise ValueError("expected the column of the text (text=NAME)")
    if not found.keys() & {"speaker", "role", "answer"}:
        raise ValueError("expected the column of who speaks (speaker=NAME or role=NAME) or of the answer (answer=NAME)")
    if len(set(found.values())) < len(found):
        raise ValueError("expected another column for each")
    return TableLayout(**found)


def usual_layout(columns: Iterable[str]) -> TableLayout | None:
    """Return the layout implied by the column names; None if there is none."""
    known = set(columns)
    if known & _OTHER_TABLES:
        return None

    def first(names: Iterable[str]) -> str:
        return next((name for name in names if name in known), "")

    beside = {"time": first(_TIMES), "conversation": first(_CONVERSATIONS), "id": first(_IDS)}
    pair = next((pair for pair in _PAIRS if known.issuperset(pair)), None)
    if pair:
        return TableLayout(pair[0], answer=pair[1], **beside)
    text, speaker, role = first(_TEXTS), first(_SPEAKERS), first(_ROLES)
    return TableLayout(text, speaker, role, **beside) if text and (speaker or role) else None
