"""Files of RisuAI that name their type: `risuChat`, `risuAllChats`, the lorebook `risu`, and `risuModule`.

Layout: github.com/kwaroran/RisuAI, `characters.ts`, `lorebook.svelte.ts` and `modules.ts`. Characters are exported as
cards, which are read as such. Backups (`.bin`) and packed modules (`.risum`) are in encodings of their own.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.risu.chats import RisuChat, read_chat
from inspector.formats.risu.lorebook import lorebook_of
from inspector.formats.saved_chats import workspace_of
from inspector.model import Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, stem

_CHAT, _CHATS, _LORE, _MODULE = "risuChat", "risuAllChats", "risu", "risuModule"
_KINDS = (_CHAT, _CHATS, _LORE, _MODULE)
_UNREAD = ("regex", "trigger", "cjs", "assets", "backgroundEmbedding")


def sniff(source: FileSource) -> float:
    """Return how likely this is a chat, a lorebook or a module of RisuAI, by its type."""
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.97 if _type(value) else 0.0


def _type(value: Any) -> str:
    fields = mapping(value)
    kind = fields.get("type")
    return kind if isinstance(kind, str) and kind in _KINDS and fields.keys() & {"data", "module"} else ""


def load(source: FileSource) -> Workspace:
    """Return the workspace of the file. Raise UnreadableError if it is none of these."""
    value = mapping(source.json)
    kind = _type(value)
    if kind == _LORE:
        problems: list[Problem] = []
        if not isinstance(value.get("data"), list):
            raise source.unreadable("$.data", "expected a list of lorebook entries")
        name = stem(source.path)
        book = lorebook_of(value["data"], "$.data", name, name, source, problems)
        return Workspace(lorebooks=(book,), problems=tuple(problems))
    if kind == _MODULE:
        return _module(mapping(value.get("module")), source)
    if not kind:
        raise source.unreadable("$.type", f"expected {', '.join(_KINDS)}")
    return _chats(value, source)


def _module(module: Mapping[str, Any], source: FileSource) -> Workspace:
    problems: list[Problem] = []
    unread = [key for key in _UNREAD if module.get(key)]
    if unread:
        problems.append(
            source.problem("$.module", f"{', '.join(unread)}: change texts while chatting; not read", "info")
        )
    if not items_of(module.get("lorebook")):
        raise source.unreadable("$.module.lorebook", "expected lorebook entries; the module has none")
    name = as_text(module.get("name")).strip() or stem(source.path)
    book = lorebook_of(module["lorebook"], "$.module.lorebook", name, name, source, problems)
    return Workspace(lorebooks=(book,), problems=tuple(problems))


def _chats(value: Mapping[str, Any], source: FileSource) -> Workspace:
    data = value.get("data")
    listed = [("$.data", data)]
    if isinstance(data, list):
        listed = [(f"$.data[{index}]", chat) for index, chat in enumerate(data)]
    notes = Notes(source.path)
    found: list[RisuChat] = []
    for place, chat in listed:
        if isinstance(mapping(chat).get("message"), list):
            found.append(read_chat(mapping(chat), source, notes, place, f"chat{len(found)}"))
        else:
            notes.add(f"{place}.message", "expected a chat of RisuAI with a list of messages; it was left out", "error")
    if not found:
        raise notes.unreadable("$.data", "expected chats of RisuAI with messages, found none")
    for one in found:
        one.chat.beside = {"characters": one.characters, "lorebooks": one.lorebooks, "summaries": one.summaries}
    return workspace_of([one.chat for one in found], source, notes)


FORMAT = Format(
    "risu", "RisuAI chat, lorebook or module", sniff, load, "`type: risu`, `risuChat`, `risuAllChats` or `risuModule`"
)
