"""Backups and single chats of big-AGI: messages as text until 2024, as fragments since.

Layout: github.com/enricoros/big-AGI, `src/common/stores/chat/chats.converters.ts` (`DataAtRestV1`) and
`chat.fragments.ts`. Placeholders were never sent. Pictures lie in a store of the browser, which is not in a backup.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.content.at import At
from inspector.formats.content.media import made
from inspector.formats.content.reader import CODE, read_part
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Call, DocumentPart, Part, Result, Text, Thought
from inspector.reading.media_sizes import MediaSize
from inspector.reading.values import as_text, as_whole, items_of, mapping

_SILENT = ("ph", "error", "annotations", "_pt_sentinel")


def _fragments(record: Mapping[str, Any], at: At, found: list[Part]) -> Iterable[Part]:
    """Return the parts with those of the fragments."""
    listed = enumerate(items_of(record.get("fragments")))
    return [*found, *(part for n, one in listed for part in _part(one, at.below(f".fragments[{n}]")))]


def _part(fragment: Any, at: At) -> Iterator[Part]:
    part = mapping(mapping(fragment).get("part"))
    kind = part.get("pt")
    if kind == "text" and isinstance(part.get("text"), str):
        yield Text(as_text(part["text"]))
    elif kind == "ma" and isinstance(part.get("aText"), str):
        yield Thought(as_text(part["aText"]))
    elif kind == "doc":
        text = as_text(mapping(part.get("data")).get("text"))
        yield DocumentPart(media_type="text/plain", text=text, name=as_text(part.get("l1Title") or part.get("ref")))
    elif kind == "image_ref" or (kind == "reference" and part.get("assetType") == "image"):
        yield _picture(mapping(part.get("_legacyImageRefPart")) or part)
    elif kind in ("tool_invocation", "tool_response"):
        yield _of_tool(part)
    elif kind not in _SILENT:
        yield from read_part(part or fragment, at.below(".part"))


def _picture(part: Mapping[str, Any]) -> Part:
    told = mapping(part.get("dataRef"))
    sides = (as_whole(part.get("width")), as_whole(part.get("height")))
    address = as_text(told.get("url") or told.get("dblobAssetId") or part.get("zUuid"))
    size = MediaSize("", as_whole(told.get("bytesSize")), *sides)
    return made("image", size, as_text(told.get("mimeType")), as_text(part.get("altText")), address)


def _of_tool(part: Mapping[str, Any]) -> Part:
    id_ = as_text(part.get("id"))
    if part["pt"] == "tool_invocation":
        asked = mapping(part.get("invocation"))
        return Call(id_, as_text(asked.get("name")) or CODE, as_text(asked.get("args") or asked.get("code")))
    answer = mapping(part.get("response"))
    return Result(id_, as_text(answer.get("name")) or CODE, as_text(answer.get("result")))


LAYOUT = ChatLayout(
    name="big_agi",
    title="big-AGI backup",
    sign="chats with `systemPurposeId` and `messages` of `fragments` or `text`",
    expected="a chat of big-AGI (an object with systemPurposeId and messages)",
    chats=("conversations",),
    marks=("systemPurposeId",),
    turns=("messages",),
    turn=TurnLayout(
        role=("role",),
        text=("text",),
        id=("id",),
        time=("created",),
        model=("generator.aix.mId", "generator.name", "originLLM"),
        usage=("generator.metrics",),
        parts=_fragments,
    ),
    id=("id",),
    title_at=("userTitle", "autoTitle"),
    no_prompt=("models", "folders", "pText", "caption", "error"),
)
FORMAT = LAYOUT.format
