"""The content of a node of a ChatGPT export: a turn, a tool call or result, reasoning, instructions, memories.

The content types are those of the export of chatgpt.com; the links between nodes are in `node_tree`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from inspector.formats.content.media import made
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Call, Held, Medium, Message, Part, Profile, Role, Text, Thought, Unknown
from inspector.model.parts import text_of
from inspector.reading.media_sizes import MediaSize
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

Kind = Literal["turn", "blank", "profile", "memory", "reasoning", "unknown"]

_MEDIA = {
    "image_asset_pointer": "image",
    "audio_asset_pointer": "audio",
    "real_time_user_audio_video_asset_pointer": "video",
}
_POINTER = "asset_pointer"
_INSTRUCTIONS = (("user_profile", "about_user_message"), ("user_instructions", "about_model_message"))
_REASONING = ("thoughts", "reasoning_recap")
_TO_PEOPLE = frozenset(("", "all", "user", "assistant"))
_WEB_KEYS = ("title", "url", "domain")
_TEXT_KEYS = ("text", "result", "output_str", "snippet", "content", "summary")


class Reading(Struct, frozen=True):
    """A node as understood. `message` is its form as a message, whatever else it may become.

    `blank` is a system message whose text the export leaves out; the text of `reasoning` is in the metadata; an
    `unknown` node has an unknown role, and was noted.
    """

    kind: Kind
    message: Message
    profile: Profile | None = None


class _Content(Struct, frozen=True):
    text: str = ""
    parts: tuple[Part, ...] = ()  # () for plain text
    unknown: tuple[int, ...] = ()  # places of parts that are neither text nor media

    @property
    def has_media(self) -> bool:
        return any(isinstance(part, Held) for part in self.parts)


def read_node(node: str, message: Mapping[str, Any], notes: Notes, place: str) -> Reading:
    """Return the reading of the node with the id `node`, whose `message` is an object."""
    content = message.get("content")
    held = mapping(content) if not isinstance(content, str) else {"content_type": "text", "parts": [content]}
    kind = as_text(held.get("content_type")) or "text"
    if kind == "user_editable_context" or _is_told_beside(message):
        profile = _read_profile(node, held, message)
        if profile.kind == "profile":
            return profile
    if kind == "model_editable_context":
        return Reading("memory", Message(node, "system", as_text(held.get("model_set_context"))))
    if (role := _role(message, notes, place)) is None:
        recorded = {} if kind in _REASONING else _metadata(message)
        return Reading("unknown", Message(node, "assistant", "", time=_time(message), metadata=recorded))
    if kind in _REASONING:
        thoughts = (Thought(_thoughts(held)),)
        return Reading("reasoning", Message(node, role, time=_time(message), parts=thoughts))
    read = _READERS.get(kind, _read_any)(held)
    for place_of_part in read.unknown:
        notes.add(f"{place}.content.parts[{place_of_part}]", "is neither text nor a picture; it is kept as unknown")
    if not (read.text or read.has_media) and kind not in _READERS:
        notes.add(f"{place}.content", f"has the unknown content type {kind[:40]} and no text", "info")
    turn = _turn(node, role, message, read)
    blank = (role == "system" or kind == "user_editable_context") and not turn.content.strip() and not turn.parts
    return Reading("blank" if blank else "turn", turn)


def _is_told_beside(message: Mapping[str, Any]) -> bool:
    """Return whether the metadata of a message holds custom instructions, and its text is empty or stands for them."""
    metadata, content = mapping(message.get("metadata")), message.get("content")
    if "user_context_message_data" not in metadata:
        return False
    texts = (content,) if isinstance(content, str) else items_of(mapping(content).get("parts"))
    says_nothing = not any(texts) and not as_text(mapping(content).get("text"))
    return says_nothing or metadata.get("is_user_system_message") is True


def _role(message: Mapping[str, Any], notes: Notes, place: str) -> Role | None:
    word = mapping(message.get("author")).get("role")
    role = ROLES.get(word) if isinstance(word, str) else None
    if role is None:
        found = as_text(word)[:40] or "nothing"
        what = f"expected system, user, assistant or tool, found {found}; the message was left out"
        notes.add(f"{place}.author.role", what, "error")
    return role


def _time(message: Mapping[str, Any]) -> Any:
    return parse_time(message.get("create_time"))


def _turn(node: str, role: Role, message: Mapping[str, Any], read: _Content) -> Message:
    recipient = as_text(message.get("recipient"))
    calls = role == "assistant" and recipient not in _TO_PEOPLE
    seen = tuple(part for part in read.parts if isinstance(part, Held))
    return Message(
        node,
        role,
        "" if calls or read.parts else read.text,
        name=as_text(mapping(message.get("author")).get("name")),
        time=_time(message),
        parts=(Call(node, recipient, read.text), *seen) if calls else read.parts,
        metadata=_metadata(message),
    )


def _metadata(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return marks of the export: `hidden` on the screen (yet in the prompt), weight 0, channel, files, model."""
    recorded = mapping(message.get("metadata"))
    files = [as_text(file.get("name")) for file in objects(recorded.get("attachments")) if file.get("name")]
    found: dict[str, Any] = {}
    if recorded.get("is_visually_hidden_from_conversation"):
        found["hidden"] = True
    if message.get("weight") == 0:
        found["weight"] = 0
    named = (("channel", message.get("channel")), ("model", recorded.get("model_slug")))
    found |= {key: value for key, value in named if value or (value == 0 and value is not False)}
    if files:
        found["files"] = files
    return found


def _read_profile(node: str, held: Mapping[str, Any], message: Mapping[str, Any]) -> Reading:
    """Return the instructions in a content, or else those in the metadata."""
    told = mapping(mapping(message.get("metadata")).get("user_context_message_data"))
    about, wishes = (_first_text(held, keys) or _first_text(told, keys) for keys in _INSTRUCTIONS)
    text = "\n\n".join(filter(None, (about, wishes)))
    profile = Profile(preferences=(wishes,) if wishes.strip() else (), facts=(about,) if about.strip() else ())
    plain = Message(node, "system", text, time=_time(message), metadata=_metadata(message))
    return Reading("profile" if text.strip() else "blank", plain, profile)


def _first_text(held: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((as_text(held[key]) for key in keys if isinstance(held.get(key), str)), "")


def _thoughts(held: Mapping[str, Any]) -> str:
    """Return the thoughts, each with its heading, or the recap (`Thought for 3s`); other savers put both in `parts`."""
    pieces = [
        "\n".join(filter(None, (as_text(thought.get("summary")), as_text(thought.get("content")))))
        for thought in objects(held.get("thoughts"))
    ]
    return "\n".join(filter(None, (*pieces, reasoning_text(held.get("content")), reasoning_text(held.get("parts")))))


def _read_parts(held: Mapping[str, Any]) -> _Content:
    parts = items_of(held.get("parts"))
    if len(parts) == 1 and parts[0] and isinstance(parts[0], str):
        return _Content(as_text(parts[0]))  # the usual case
    found: list[Part] = []
    unknown: list[int] = []
    for place, part in enumerate(parts):
        kind = part.get("content_type", part.get("type")) if isinstance(part, Mapping) else None
        if isinstance(kind, str) and kind.endswith(_POINTER):
            found.append(_pointed(kind, part))
        elif (text := _text_of(part)) is not None:
            found += [Text(text)] if text else []
        elif part is not None:
            found.append(Unknown(as_text(kind)[:40] or type(part).__name__, len(as_text(part).encode())))
            unknown.append(place)
    if not any(isinstance(one, Text) for one in found) and (text := _text_of(held)):
        found.insert(0, Text(text))
    return _Content(text_of(found), tuple(found), tuple(unknown))


def _pointed(kind: str, part: Mapping[str, Any]) -> Medium:
    """Return a medium of which an export has only the name of its file and its size."""
    size = MediaSize("", *(as_whole(part.get(key)) for key in ("size_bytes", "width", "height")))
    inner = next((part[key] for key in part if key.endswith(_POINTER) and isinstance(part[key], str)), "")
    form = as_text(part.get("format")) if isinstance(part.get("format"), str) else ""
    return made(_MEDIA.get(kind, "document"), size, f"audio/{form}" if form else "", address=as_text(inner))


def _text_of(part: Any) -> str | None:
    """Return the text of a part that is text or has some under a usual key; None if there is none."""
    if isinstance(part, str):
        return as_text(part)
    fields = mapping(part)
    found = [fields[key] for key in _TEXT_KEYS if isinstance(fields.get(key), str)]
    return as_text(next((text for text in found if text), found[0])) if found else None


def _read_text(held: Mapping[str, Any]) -> _Content:
    text = _text_of(held)
    return _Content(text) if text else _read_parts(held)


def _read_web(held: Mapping[str, Any]) -> _Content:
    """Return a quoted page: title and address above the text."""
    head = [as_text(held[key]) for key in _WEB_KEYS[:2] if held.get(key)]
    return _Content("\n".join(filter(None, (*head, _read_text(held).text))))


def _read_screen(held: Mapping[str, Any]) -> _Content:
    text = as_text(held.get("text"))
    return _Content(text, (*((Text(text),) if text else ()), made("image", name="screenshot")))


def _read_any(held: Mapping[str, Any]) -> _Content:
    """Return the parts of an unknown type, or else any text of it."""
    return _read_parts(held) if items_of(held.get("parts")) else _read_text(held)


_READERS: dict[str, Callable[[Mapping[str, Any]], _Content]] = {
    "text": _read_parts,
    "multimodal_text": _read_parts,
    "code": _read_text,
    "execution_output": _read_text,
    "system_error": _read_text,
    "citable_code_output": _read_text,
    "computer_output": _read_screen,
    **dict.fromkeys(("tether_quote", "tether_browsing_display", "tether_browsing_code", "sonic_webpage"), _read_web),
}
