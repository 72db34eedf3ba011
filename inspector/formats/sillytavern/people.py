"""Participants of SillyTavern's chats beside the cards: group definitions and the personas of the user.

Both become parts that `link` joins with chats of the same folder: a group is a conversation without messages per chat
file (`thread_id` is that file's name) and a character without text per member; a persona is a character with only a
profile, the default first.
"""

import json
from collections.abc import Mapping
from typing import Any

from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Profile, Workspace
from inspector.reading.names import stem
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, strings

GROUP = "sillytavern group"  # `source` of the stand-in conversations for the chats of a group
PERSONA = "persona:"  # prefix of the id of a character made from a persona
_NOT_SENT = 9  # persona_description_positions.NONE


def is_group(value: Any) -> bool:
    """Return whether an object is a group definition (`groups/<id>.json`)."""
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("members"), list)
        and bool(value.keys() & {"chat_id", "chats", "activation_strategy"})
    )


def is_settings(value: Any) -> bool:
    """Return whether an object is a `settings.json`, the server's response for it, or a backup of the personas."""
    return bool(_settings(value).keys() & {"personas", "persona_descriptions"})


def _settings(value: Any) -> Mapping[str, Any]:
    """Return the object with the personas: `power_user`, or the top level in a backup; servers wrap it as text."""
    wrapped = mapping(value).get("settings")
    if isinstance(wrapped, str) and "persona" in wrapped:
        try:
            value = json.loads(wrapped)
        except (ValueError, RecursionError):
            return {}
    top = mapping(value)
    inner = top.get("power_user")
    if isinstance(inner, Mapping):
        return {"user_avatar": top.get("user_avatar"), **inner}
    return top if isinstance(top.get("personas"), Mapping) and "persona_descriptions" in top else {}


def load_group(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the members of a group as characters and its chats as conversations with messages in separate files."""
    title = as_text(value.get("name")).strip() or stem(source.path)
    members = [stem(avatar) for avatar in strings(value.get("members"))]
    chats = dict.fromkeys((*strings(value.get("chats")), *strings(value.get("chat_id"))))
    note = f"is the definition of the group {title}; its messages are in " + (
        ", ".join(f"{chat}.jsonl" for chat in chats)
    )
    own_id = as_text(value.get("id")) or stem(source.path)
    return Workspace(
        conversations=tuple(
            Conversation(f"{own_id}/{chat}", (), title, thread_id=chat, source=GROUP) for chat in chats
        ),
        characters=tuple(
            Character(id=id_, name=name) for id_, name in zip(unique_texts(members), members, strict=True)
        ),
        problems=(source.problem("", note, "info"),) if chats else (),
    )


def load_personas(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the personas of the user. Nothing else of the settings is read: they may hold keys of services."""
    settings = _settings(value)
    names = mapping(settings.get("personas"))
    descriptions = mapping(settings.get("persona_descriptions"))
    current = [as_text(settings.get(field)) for field in ("default_persona", "user_avatar")]
    avatars = dict.fromkeys((*(avatar for avatar in current if avatar in names), *names, *descriptions))
    if not avatars:
        raise source.unreadable("power_user.personas", "expected at least one persona")
    return Workspace(
        characters=tuple(
            Character(id=f"{PERSONA}{avatar}", profile=_profile(avatar, names.get(avatar), descriptions.get(avatar)))
            for avatar in avatars
        )
    )


def _profile(avatar: str, name: Any, description: Any) -> Profile:
    """Return name and description, which very old settings have as text; position 9 keeps it out of prompts."""
    fields = description if isinstance(description, Mapping) else {"description": description}
    text = "" if as_whole(fields.get("position")) == _NOT_SENT else as_text(fields.get("description")).strip()
    return Profile(name=as_text(name).strip() or stem(avatar), facts=(text,) if text else ())
