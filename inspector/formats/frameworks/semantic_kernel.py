"""Chat histories of Microsoft's frameworks: Semantic Kernel in .NET and Python, and Microsoft.Extensions.AI.

microsoft/semantic-kernel: `dotnet/src/SemanticKernel.Abstractions/Contents` (a list of `Role{Label}` and `Items` with
`$type`; names in Pascal or camel case), `python/semantic_kernel/contents/chat_history.py` (`messages` with `items` and
`content_type`). dotnet/extensions, `Microsoft.Extensions.AI.Abstractions/ChatCompletion/ChatMessage.cs` (`role` and
`contents` with `$type`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_FUNCTIONS = ("functionName", "function_name")
_ANSWERS = ("result", "exception")
_LISTS = ("items", "contents")
_KINDS = ("$type", "content_type")
_TEXTS = frozenset(("text", "textcontent", "streamingtext"))
_THOUGHTS = frozenset(("reasoning", "reasoningcontent", "textreasoning", "textreasoningcontent"))
_CALLS = frozenset(("functioncall", "functioncallcontent", "function_call"))
_RESULTS = frozenset(("functionresult", "functionresultcontent", "function_result"))
_MEDIA = {
    **dict.fromkeys(("image", "imagecontent"), "image"),
    **dict.fromkeys(("audio", "audiocontent"), "audio"),
    **dict.fromkeys(("binary", "binarycontent", "data", "uri", "file", "filecontent", "file_reference"), "file"),
    **dict.fromkeys(("filereferencecontent", "datacontent", "uricontent", "hostedfile"), "file"),
}
_SILENT = frozenset(("usage", "annotation", "annotationcontent", "usagecontent"))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a chat history of Semantic Kernel or Microsoft.Extensions.AI."""
    return surest(source, lambda value: max(0.95 if _is_message(one) else 0.0 for one in (value, *_inside(value)[:5])))


def _folded(value: Any) -> dict[str, Any]:
    """Return an object with keys that begin with a small letter."""
    return {key[:1].lower() + key[1:]: held for key, held in mapping(value).items() if isinstance(key, str)}


def _inside(value: Any) -> tuple[Any, ...]:
    return items_of(_folded(value).get("messages"))


def _is_message(value: Any) -> bool:
    fields = _folded(value)
    if not _role(fields):
        return False
    items = [one for key in _LISTS for one in objects(fields.get(key))]
    if any(isinstance(one.get(kind), str) for one in items for kind in _KINDS):
        return True
    return isinstance(fields.get("role"), Mapping)


def _role(fields: Mapping[str, Any]) -> str:
    word = fields.get("role")
    word = _folded(word).get("label") if isinstance(word, Mapping) else word
    return as_text(word).strip().lower() if isinstance(word, str) else ""


def load(source: FileSource) -> Workspace:
    """Return the chats of a file, and a chat of any messages on their own. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        if inside := _inside(value):
            placed = ((f"{place}.messages[{number}]", one) for number, one in enumerate(inside))
            chats.append(_saved([(at, message) for at, one in placed for message in _read(one, notes, at)], place))
        else:
            loose += ((place, message) for message in _read(value, notes, place))
    if loose:
        chats.insert(0, _saved(loose, "$"))
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", "expected messages of Semantic Kernel, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    models = (message.metadata.get("model") for _, message in messages)
    model = as_text(next(filter(None, models), ""))
    title = title_of(message for _, message in messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title, model=model)


def _read(record: Any, notes: Notes, place: str) -> list[Message]:
    fields = _folded(record)
    about = _folded(fields.get("metadata"))
    items = [(f"{place}.{key}[{n}]", one) for key in _LISTS for n, one in enumerate(items_of(fields.get(key)))]
    content = list(_parts(items, notes)) or fields.get("content", "")
    time = next((one for one in (fields.get("createdAt"), about.get("createdAt")) if one), None)
    made = {"role": _role(fields) or None, "content": content, "timestamp": time}
    names = ("authorName", "name")
    made["name"] = next((fields[key] for key in names if isinstance(fields.get(key), str)), None)
    found = read_message({key: value for key, value in made.items() if value is not None}, notes, place)
    return _described(found, fields, about)


def _described(found: list[Message], fields: Mapping[str, Any], about: Mapping[str, Any]) -> list[Message]:
    """Return the messages; the last has the model and the usage, which .NET names in Pascal case."""
    model = next((fields[key] for key in ("modelId", "ai_model_id") if isinstance(fields.get(key), str)), "")
    usage = about.get("usage")
    counts = _folded(usage)
    told = {key.replace("TokenCount", "_tokens"): value for key, value in counts.items()} if counts else {}
    kept = {**read_usage(told or usage).metadata, **({"model": model} if model else {})}
    if found and kept:
        found[-1] = changed(found[-1], metadata={**found[-1].metadata, **kept})
    return found


def _parts(items: list[tuple[str, Any]], notes: Notes) -> Iterator[Mapping[str, Any]]:
    """Yield items as parts under the usual names; items that say nothing to a model are skipped."""
    for place, item in items:
        if not isinstance(item, Mapping):
            notes.add(place, "expected an item of a message (an object); it was left out")
            continue
        one = _folded(item)
        word = next((as_text(item[key]) for key in _KINDS if isinstance(item.get(key), str)), "")
        kind = word.rpartition(".")[2].partition(",")[0].lower()
        if kind in _TEXTS:
            yield {"type": "text", "text": one.get("text")}
        elif kind in _THOUGHTS:
            yield {"type": "reasoning", "text": one.get("text"), "encrypted_content": one.get("protectedData")}
        elif kind in _CALLS:
            _note_missing(one, {"function name": (*_FUNCTIONS, "name"), "arguments": ("arguments",)}, notes, place)
            yield {"type": "tool_call", "id": _call_id(one), "name": _function(one), "arguments": one.get("arguments")}
        elif kind in _RESULTS:
            _note_missing(one, {"result": _ANSWERS}, notes, place)
            yield {"type": "tool_result", "id": _call_id(one), "name": _function(one), "content": _result(one)}
        elif kind in _MEDIA:
            yield {"type": _MEDIA[kind], **_medium(one)}
        elif kind not in _SILENT:
            yield {**item, "type": word or "null"}


def _note_missing(one: Mapping[str, Any], wanted: Mapping[str, tuple[str, ...]], notes: Notes, place: str) -> None:
    """Note each wanted value that an item has under none of its names."""
    for words, keys in wanted.items():
        if all(one.get(key) is None for key in keys):
            notes.add(place, f"expected the {words} of a call, found nothing")


def _call_id(one: Mapping[str, Any]) -> str:
    return next((as_text(one[key]) for key in ("callId", "id") if isinstance(one.get(key), str)), "")


def _function(one: Mapping[str, Any]) -> str:
    """Return the name of a function: that of its plug-in, a hyphen and its own, as the model sees it."""
    plug_in = one.get("pluginName", one.get("plugin_name"))
    name = next((one[key] for key in _FUNCTIONS if one.get(key)), one.get("name"))
    return f"{plug_in}-{name}" if plug_in and not as_text(name).startswith(f"{plug_in}-") else as_text(name)


def _result(one: Mapping[str, Any]) -> str:
    found = next((one[key] for key in _ANSWERS if one.get(key) is not None), "")
    return found if isinstance(found, str) else as_text(found)


def _medium(one: Mapping[str, Any]) -> Mapping[str, Any]:
    addresses = (one.get(key) for key in ("dataUri", "data_uri", "uri", "fileId", "file_id"))
    told = {
        "data": one.get("data"),
        "url": next((address for address in addresses if isinstance(address, str) and address), None),
        "media_type": one.get("mimeType", one.get("mime_type", one.get("mediaType"))),
        "name": one.get("name"),
    }
    return {key: value for key, value in told.items() if isinstance(value, str) and value}


FORMAT = Format(
    "semantic_kernel",
    "Semantic Kernel chats",
    sniff,
    load,
    "messages with `Role` and `Items`, or `contents` with `$type`",
)
