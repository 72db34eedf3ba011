"""SillyTavern's `settings.json`: the personas of the user, the sizes, and the prompts in use."""

import json
from collections.abc import Mapping
from typing import Any

from inspector.formats.sillytavern.presets import (
    PRESET,
    ignored_words,
    not_followed_of_chat,
    not_followed_of_text,
    prompts_of_chat,
    prompts_of_text,
)
from inspector.formats.sillytavern.sizes import CHAT, named_sizes
from inspector.model import Character, Problem, Profile, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, stem

PERSONA = "persona:"  # prefix of the id of a character made from a persona
_USER, _AVATAR = "User", "user-default.png"  # those of a fresh `settings.json`
_PARTS_OF_SETTINGS = frozenset(("power_user", "oai_settings", "textgenerationwebui_settings", "world_info_settings"))
_NOT_SENT = 9  # persona_description_positions.NONE


def is_settings(value: Any) -> bool:
    """Return whether an object is a `settings.json`, the server's response for it, or a backup of the personas."""
    top = _top(value)
    has_personas = bool(_settings(value).keys() & {"personas", "persona_descriptions"})
    return has_personas or ("main_api" in top and bool(top.keys() & _PARTS_OF_SETTINGS))


def _top(value: Any) -> Mapping[str, Any]:
    """Return the top level of the settings, which servers wrap as text."""
    wrapped = mapping(value).get("settings")
    if isinstance(wrapped, str) and ("persona" in wrapped or "main_api" in wrapped):
        try:
            value = json.loads(wrapped)
        except (ValueError, RecursionError):
            return {}
    return mapping(value)


def _settings(value: Any) -> Mapping[str, Any]:
    """Return the object with the personas: `power_user`, or the top level in a backup."""
    top = _top(value)
    inner = top.get("power_user")
    if isinstance(inner, Mapping):
        return {"user_avatar": top.get("user_avatar"), **inner}
    return top if isinstance(top.get("personas"), Mapping) and "persona_descriptions" in top else {}


def load_personas(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the personas of the user, each with the sizes that the settings name.

    Settings without personas, as at first (`default/content/settings.json` of SillyTavern/SillyTavern), have the user's
    name and avatar alone: `username` and `user_avatar`. Nothing else of the settings is read: they may hold keys of
    services.
    """
    settings = _settings(value)
    names = mapping(settings.get("personas"))
    descriptions = mapping(settings.get("persona_descriptions"))
    current = [as_text(settings.get(field)) for field in ("default_persona", "user_avatar")]
    avatars = dict.fromkeys((*(avatar for avatar in current if avatar in names), *names, *descriptions))
    top = _top(value)
    sizes = named_sizes(top)
    if not avatars and sizes:
        avatar = as_text(top.get("user_avatar")) or _AVATAR
        avatars, names = {avatar: None}, {avatar: as_text(top.get("username")).strip() or _USER}
    if not avatars:
        raise source.unreadable("power_user.personas", "expected at least one persona, or sizes with main_api")
    return Workspace(
        characters=tuple(
            Character(
                id=f"{PERSONA}{avatar}",
                profile=_persona(avatar, names.get(avatar), descriptions.get(avatar)),
                preferred_llm={"parameters": sizes} if sizes else {},
            )
            for avatar in avatars
        )
        + _prompts(top, as_text(sizes.get("main_api"))),
        problems=_ignored(top, as_text(sizes.get("main_api")), source),
    )


def _prompts(settings: Mapping[str, Any], api: str) -> tuple[Character, ...]:
    """Return the prompts in settings as a character without a name, if there are any for the kind of API in use."""
    if not api:
        return ()
    found = prompts_of_chat(mapping(settings.get("oai_settings"))) if api == CHAT else prompts_of_text(_parts(settings))
    made = changed(found, id=f"{PRESET}settings", preferred_llm={})
    return (made,) if found.system_prompt.strip() or found.components else ()


def _ignored(settings: Mapping[str, Any], api: str, source: FileSource) -> tuple[Problem, ...]:
    """Return a remark on the parts of settings that no policy here follows, if there are any."""
    if not api:
        return ()
    chat, parts = mapping(settings.get("oai_settings")), _parts(settings)
    ignored = [*(not_followed_of_chat(chat) if api == CHAT else not_followed_of_text(parts))]
    return (source.problem("", ignored_words(ignored), "info"),) if ignored else ()


def _parts(settings: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the templates for text completion that are on in settings."""
    power = mapping(settings.get("power_user"))
    on = {name: mapping(power.get(name)) for name in ("instruct", "context", "sysprompt")}
    off = {name for name in ("instruct", "sysprompt") if on[name].get("enabled") is False}
    return {name: {} if name in off else part for name, part in on.items()} | {"preset": {}}


def _persona(avatar: str, name: Any, description: Any) -> Profile:
    """Return name and description, which very old settings have as text; position 9 keeps it out of prompts."""
    fields = description if isinstance(description, Mapping) else {"description": description}
    text = "" if as_whole(fields.get("position")) == _NOT_SENT else as_text(fields.get("description")).strip()
    return Profile(name=as_text(name).strip() or stem(avatar), facts=(text,) if text else ())
