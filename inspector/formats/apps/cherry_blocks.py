"""The messages of Cherry Studio as parts: from their blocks, or from the message itself in older versions.

Layout: CherryHQ/cherry-studio, `src/renderer/src/types/newMessage.ts` (`MessageBlock`), `types/index.ts`
(`LegacyMessage`, `MCPToolResponse`) and `databases/upgrades.ts`, which names the older fields of each block. By
`utils/messageUtils/find.ts`, translations and citations are not sent again.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import enumerated
from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.content.reader import read_content, read_part
from inspector.formats.content.turns import as_result
from inspector.formats.notes import Notes
from inspector.model import Call, Part, Text, Thought
from inspector.reading.decode import kind_of
from inspector.reading.values import as_text, items_of, mapping, objects

_Placed = tuple[str, Mapping[str, Any]]

_UNSENT = frozenset(("translation", "citation", "unknown"))


def blocks_of(listed: Any, place: str) -> dict[str, _Placed]:
    """Return the blocks of a backup by their ids, each with its place."""
    return {as_text(mapping(one).get("id")): (at, mapping(one)) for at, one in enumerated(place, items_of(listed))}


def parts_of(
    message: Mapping[str, Any], blocks: Mapping[str, _Placed], notes: Notes, place: str
) -> tuple[list[Part], str]:
    """Return the parts of a message, and what its errors say."""
    if "blocks" not in message:
        return list(_older(message, At(notes, place))), as_text(mapping(message.get("error")).get("message") or "")
    parts: list[Part] = []
    errors: list[str] = []
    found = 0
    for at, name in enumerated(f"{place}.blocks", items_of(message["blocks"])):
        where, block = (at, name) if isinstance(name, Mapping) else blocks.get(as_text(name), (at, {}))
        if not block:
            notes.add(at, f'names the block "{as_text(name)[:40]}", which is not here; it was left out')
        found += bool(block)
        parts += _block(block, At(notes, where)) if block else ()
        errors += filter(None, [as_text(mapping(block.get("error")).get("message") or "")])
    if not found and not isinstance(message.get("content"), str):
        notes.add(f"{place}.blocks", "expected the blocks of a message, found none; the message was left out")
    said = (
        read_content(message["content"], notes, f"{place}.content") if isinstance(message.get("content"), str) else []
    )
    return [*parts, *(() if found else said)], "; ".join(errors)


def _block(block: Mapping[str, Any], at: At) -> list[Part]:
    kind, content = as_text(block.get("type")), block.get("content")
    if kind in _UNSENT or kind == "error":
        return []
    if kind == "tool":
        return _tool(block, at)
    if kind in ("image", "file", "video"):
        return _media(kind, block, at)
    if kind not in ("main_text", "thinking", "code", "compact"):
        return read_part(block, at)
    if not isinstance(content, str):
        at.below(".content").note(f"expected text, found {kind_of(content)}; it was skipped")
        return []
    if kind == "code":
        return [Text(f"```{as_text(block.get('language') or '')}\n{as_text(content)}\n```")]
    return [Thought(as_text(content)) if kind == "thinking" else Text(as_text(content))] if content else []


def _tool(block: Mapping[str, Any], at: At) -> list[Part]:
    """Return the call of a block and its result; the answer of the server is in its metadata."""
    raw = mapping(mapping(block.get("metadata")).get("rawMcpToolResponse"))
    tool = mapping(raw.get("tool"))
    id_ = as_text(raw.get("toolCallId") or block.get("toolId") or raw.get("id") or block.get("id"))
    name = as_text(block.get("toolName") or tool.get("name") or "")
    asked = block.get("arguments", raw.get("arguments"))
    answer = block.get("content", raw.get("response"))
    if answer is None:
        at.below(".content").note("expected the result of a tool, found none")
        return [Call(id_, name, as_text({} if asked is None else asked))]
    return [Call(id_, name, as_text({} if asked is None else asked)), *_result(answer, id_, name, at)]


def _result(answer: Any, id_: str, name: str, at: At) -> list[Part]:
    listed = mapping(answer).get("content") if isinstance(answer, Mapping) else None
    told = listed if isinstance(listed, list) else as_text(answer)
    return as_result(read_content(told, at.notes, f"{at.place}.content"), id_, name)


def _media(kind: str, block: Mapping[str, Any], at: At) -> list[Part]:
    """Return the pictures or the file of a block: at an address, in the storage of the program, or generated."""
    file = mapping(block.get("file"))
    made = mapping(mapping(block.get("metadata")).get("generateImageResponse"))
    if images := items_of(made.get("images")):
        return [medium_of("image", {"url": one}, at) for one in images]
    name = as_text(file.get("origin_name") or file.get("name") or "")
    held = {"url": block.get("url") or block.get("filePath"), "name": name, "size": file.get("size")}
    return [medium_of(kind, {key: value for key, value in held.items() if value}, at)]


def _older(message: Mapping[str, Any], at: At) -> Iterator[Part]:
    """Yield the parts of a message that has its text itself, in the order in which the program made blocks of them."""
    metadata = mapping(message.get("metadata"))
    for number, one in enumerate(objects(metadata.get("mcpTools"))):
        yield from _tool({"metadata": {"rawMcpToolResponse": one}}, at.below(f".metadata.mcpTools[{number}]"))
    content = message.get("content")
    if content is None:
        at.below(".content").note("expected text or blocks, found nothing")
    yield from read_content(content, at.notes, f"{at.place}.content")
    for number, file in enumerate(objects(message.get("files"))):
        kind = "image" if file.get("type") == "image" else "file"
        yield from _media(kind, {"file": file}, at.below(f".files[{number}]"))
    for number, image in enumerate(items_of(message.get("images"))):
        yield medium_of("image", {"url": image}, at.below(f".images[{number}]"))
    if generated := metadata.get("generateImage"):
        yield from _media("image", {"metadata": {"generateImageResponse": generated}}, at)
