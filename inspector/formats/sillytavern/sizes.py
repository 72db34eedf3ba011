"""The sizes in SillyTavern's settings and presets, by the parameters of its two policies.

Keys: SillyTavern 1.19 (npm `sillytavern`), `public/script.js` (`getSettings`), `public/scripts/openai.js`,
`public/scripts/power-user.js` and `public/scripts/world-info.js`.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.paths import at_path
from inspector.reading.values import as_text, as_whole, mapping

CHAT = "openai"
"""The kind of API that gets messages; all others get one text."""
_SIZES_OF_CHAT = {"context_size": "openai_max_context", "response_length": "openai_max_tokens"}
_SIZES_OF_TEXT = {
    "context_size": "max_context",
    "response_length": "amount_gen",
    "token_padding": "power_user.token_padding",
}
_SIZES_OF_TEXT_PRESET = {"context_size": "max_length", "response_length": "genamt"}
_SIZES = {
    "world_info_budget": "world_info_settings.world_info_budget",
    "world_info_budget_cap": "world_info_settings.world_info_budget_cap",
}
_SWITCHES = {"pin_examples": "power_user.pin_examples", "strip_examples": "power_user.strip_examples"}
_TEXTS = {
    name: name
    for name in (
        *("new_chat_prompt", "new_group_chat_prompt", "new_example_chat_prompt", "group_nudge_prompt"),
        "send_if_empty",
    )
}
_NAMES: Mapping[Any, str] = {-1: "none", 0: "default", 1: "completion", 2: "content"}
"""`character_names_behavior`."""


def named_sizes(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a `settings.json` names, and `main_api`, the kind of API in use; {} without it."""
    api = as_text(settings.get("main_api"))
    if not api:
        return {}
    found = _whole(settings, _SIZES) | _of_type(settings, _SWITCHES, bool)
    of_api = sizes_of_chat(mapping(settings.get("oai_settings"))) if api == CHAT else _whole(settings, _SIZES_OF_TEXT)
    return {"main_api": api, **found, **of_api}


def sizes_of_chat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in the settings for chat completion alone, or in a preset of them."""
    found = _whole(settings, _SIZES_OF_CHAT) | _of_type(settings, _TEXTS, str)
    found |= _of_type(settings, {"squash_system_messages": "squash_system_messages"}, bool)
    behavior = _NAMES.get(as_whole(settings.get("names_behavior")))
    return found | ({"names_behavior": behavior} if behavior else {})


def sizes_of_text(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in a preset for text completion."""
    return _whole(preset, _SIZES_OF_TEXT_PRESET)


def _whole(settings: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """Return the sizes at these places."""
    found = {name: as_whole(at_path(settings, place)) for name, place in places.items()}
    return {name: size for name, size in found.items() if size is not None and size >= 0}


def _of_type(settings: Mapping[str, Any], places: Mapping[str, str], kind: type) -> dict[str, Any]:
    """Return the values of this type at these places."""
    found = {name: at_path(settings, place) for name, place in places.items()}
    return {name: value for name, value in found.items() if isinstance(value, kind)}
