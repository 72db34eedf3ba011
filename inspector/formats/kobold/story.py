"""Saved stories of the Kobold family: one text, its memory, author's note and world info.

A story is a prompt and its additions; an addition is not a message. How the text is divided depends on the mode named
by the settings. Of the settings, only those used here are read: they may hold keys of services.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.content.turns import pictures
from inspector.formats.format import Format
from inspector.formats.kobold.turns import Mode, mode_of, turns_of, without_pictures
from inspector.formats.lore.world_info import read_book
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Character, Component, Lorebook, Message, Problem, Profile, Workspace, with_parts
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_truth, as_whole, items_of, mapping, objects, stem

_NOT_ANY = 2  # SillyTavern's logic of secondary keys: fires if none of them is present
_NOTE = "<|>"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a saved story."""
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.95 if _is_story(value) else 0.0


def _is_story(value: Any) -> bool:
    fields = mapping(value)
    return "gamestarted" in fields and isinstance(fields.get("actions"), list)


def load(source: FileSource) -> Workspace:
    """Return the story of a file as a conversation. Raise UnreadableError if there is none."""
    value = source.json
    if not _is_story(value):
        raise source.unreadable("$", "expected a saved story with gamestarted and actions")
    notes = Notes(source.path)
    settings = mapping(value.get("savedsettings"))
    mode = mode_of(settings)
    text, images = without_pictures("".join(_pieces(value, notes)))
    turns = turns_of(text, mode)
    system = turns.pop(0).content if turns and turns[0].role == "system" else ""
    messages = [("$", message) for message in turns]
    if images and messages:
        notes.add(
            "$.actions", f"{images:,} pictures stand inside the story; they are counted with its first turn", "info"
        )
        messages[0] = ("$", _with_images(messages[0][1], images))
    nodes = in_line(messages)
    chat = SavedChat(nodes, next(reversed(nodes), None), "$", title=as_text(value.get("title")))
    chat.context_window = as_whole(settings.get("max_context_length"))
    chat.parameters = _parameters(settings)
    problems: list[Problem] = []
    character = _character(value, mode, system)
    return workspace_of(
        [chat],
        source,
        notes,
        characters=(character,) if character else (),
        lorebooks=_lorebook(value, source, problems),
        problems=problems,
    )


def _parameters(settings: Mapping[str, Any]) -> dict[str, int]:
    """Return the sizes that the saved settings name, by the parameters of KoboldCpp's policy."""
    names = {"context_size": "max_context_length", "max_length": "max_length"}
    sizes = {name: as_whole(settings.get(key)) for name, key in names.items()}
    return {name: size for name, size in sizes.items() if size and size > 0}


def _with_images(message: Message, images: int) -> Message:
    return with_parts(message, [*message.whole, *pictures(images)])


def _pieces(value: Mapping[str, Any], notes: Notes) -> Iterator[str]:
    """Yield the prompt and its additions, as written."""
    for place, piece in (("$.prompt", value.get("prompt", "")), *_actions(value)):
        if isinstance(piece, str):
            yield as_text(piece)
        else:
            notes.add(place, f"expected text, found {kind_of(piece)}; it was left out")


def _actions(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((f"$.actions[{number}]", action) for number, action in enumerate(items_of(value["actions"])))


def _character(value: Mapping[str, Any], mode: Mode, system: str) -> Character | None:
    """Return a character with memory, then `system`, at the head of the prompt, and the author's note further down."""
    memory = as_text(value.get("memory")).strip() if isinstance(value.get("memory"), str) else ""
    note = _author_note(value)
    prompt = "\n".join(filter(None, (memory, system)))
    if not prompt and note is None:
        return None
    name = mode.others[0] if len(mode.others) == 1 else ""
    return Character(
        name or "character",
        name=name,
        system_prompt=prompt,
        components=(note,) if note else (),
        profile=Profile(name=mode.person) if mode.person else None,
    )


def _author_note(value: Mapping[str, Any]) -> Component | None:
    written, template = value.get("authorsnote"), value.get("anotetemplate")
    if not isinstance(written, str) or not written.strip():
        return None
    frame = template if isinstance(template, str) and _NOTE in template else _NOTE
    return component("authors_note", as_text(frame.replace(_NOTE, written)))


def _lorebook(value: Mapping[str, Any], source: FileSource, problems: list[Problem]) -> tuple[Lorebook, ...]:
    entries = [_entry(one, number) for number, one in enumerate(objects(value.get("worldinfo")))]
    kept = [entry for entry in entries if entry["key"] or entry["content"]]
    if not kept:
        return ()
    return (read_book({"entries": kept}, "$.worldinfo", stem(source.path), source, problems),)


def _entry(info: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return an entry of the world info under SillyTavern's names."""
    against = info.get("keyanti")
    secondary = info.get("keysecondary") if as_truth(info.get("selective")) else ""
    found = {
        **{key: info[key] for key in ("constant", "probability", "comment") if info.get(key) is not None},
        "uid": number,
        "key": info.get("key", ""),
        "content": info.get("content", ""),
        "keysecondary": secondary,
        "selective": bool(secondary),
    }
    if against and not secondary:
        found |= {"keysecondary": against, "selective": True, "selectiveLogic": _NOT_ANY}
    return found


FORMAT = Format("kobold", "KoboldAI or KoboldCpp story", sniff, load, "`gamestarted` and `actions`")
