"""Parts written back in the layouts of OpenAI, Anthropic, Gemini and Ollama.

The data of media are read from their places in the source. Where that is gone, or the data are too large, and where a
layout has no such part, a line of text stands in its place, and it is counted among the lost.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from inspector.formats.content.words import NOUNS, part_words
from inspector.model import (
    Call,
    DocumentPart,
    Image,
    Medium,
    Message,
    Part,
    Result,
    Sound,
    Text,
    Thought,
    Unknown,
    Video,
)
from inspector.model.parts import flat
from inspector.reading.media_data import DataGoneError, MediaSource

MOST_MEDIUM = 24 * 1024 * 1024
"""The size in bytes up to which a medium is written: about what providers take inside of a request."""
MOST_WRITTEN = 256 * 1024 * 1024
"""The size in bytes of all media of one file."""

_NO_PLACE, _ABSENT, _GONE, _LARGE = (
    "",
    "not in the source",
    "not in the source any more",
    f"larger than {MOST_MEDIUM // 1024**2} MB",
)
_SIGNATURES = (".thoughtSignature", ".thought_signature")
_SOUNDS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_TYPES: dict[type, str] = {Image: "image/png", DocumentPart: "application/pdf", Sound: "audio/wav", Video: "video/mp4"}

Block = dict[str, Any]


class Written:
    """Writes the parts of one file, and counts those that found no place in it."""

    def __init__(self) -> None:
        self._source = MediaSource()
        self._left = MOST_WRITTEN
        self._lost: Counter[tuple[type, str]] = Counter()

    def lost(self) -> list[tuple[int, str, str]]:
        """Return the number of each kind of lost parts, with the words for a single one and for several."""
        found: list[tuple[int, str, str]] = []
        for (kind, why), number in self._lost.items():
            one, several = (f"{noun} ({why})" if why else noun for noun in NOUNS[kind])
            found.append((number, one, several))
        return found

    def openai(self, message: Message, thoughts: bool) -> Block:
        """Return content, calls and the id of the answered call as Chat Completions has them.

        `thoughts`: their texts are written as `reasoning_content`, as other servers do; OpenAI takes none.
        """
        held = [block for part in message.whole for block in self._openai_blocks(part)]
        is_text = all(one["type"] == "text" for one in held)
        value: Block = {"content": "\n".join(one["text"] for one in held) if is_text else held}
        if thoughts and message.thinking:
            value["reasoning_content"] = message.thinking
        for part in message.parts:
            if isinstance(part, Thought) and (part.encrypted or not thoughts):
                self._lost[Thought, _NO_PLACE] += 1
        if message.tool_calls:
            value["tool_calls"] = [_openai_call(call) for call in message.tool_calls]
        if message.tool_call_id:
            value["tool_call_id"] = message.tool_call_id
        return value

    def _openai_blocks(self, part: Part) -> Iterator[Block]:
        if isinstance(part, Text):
            yield _text(part.text)
        elif isinstance(part, Result):
            yield _text(part.content)
            yield from (_text(self._instead(one, _NO_PLACE)) for one in part.parts if not _is_told(one))
        elif isinstance(part, DocumentPart) and part.text:
            yield _text(part.text)
        elif isinstance(part, Image):
            detail = {"detail": part.detail} if part.detail else {}
            yield self._with_url(part, lambda url: {"type": "image_url", "image_url": {"url": url, **detail}})
        elif isinstance(part, DocumentPart):
            name = part.name or "document.pdf"
            yield self._with_data(part, lambda kind, data: _openai_file(name, f"data:{kind};base64,{data}"))
        elif isinstance(part, Sound) and part.media_type in _SOUNDS:
            form = _SOUNDS[part.media_type]
            yield self._with_data(part, lambda _, data: _openai_sound(form, data))
        elif isinstance(part, Sound | Video | Unknown):
            yield _text(self._instead(part, _NO_PLACE))

    def anthropic(self, message: Message) -> list[Block]:
        """Return the blocks of a message; empty texts have no place there."""
        return [block for part in message.whole for block in self._anthropic_blocks(part, message.role == "assistant")]

    def _anthropic_blocks(self, part: Part, may_think: bool) -> Iterator[Block]:
        if isinstance(part, Text):
            yield from [_text(part.text)] if part.text.strip() else []
        elif isinstance(part, Call):
            yield {"type": "tool_use", "id": part.id, "name": part.name, "input": arguments_object(part)}
        elif isinstance(part, Thought):
            yield from self._anthropic_thought(part) if may_think else self._no_thought()
        elif isinstance(part, Result):
            inner = [block for one in part.parts for block in self._anthropic_blocks(one, False) if not _is_told(one)]
            said = [_text(part.content)] if part.content else []
            yield {
                "type": "tool_result",
                "tool_use_id": part.id,
                "content": [*said, *inner] if inner else part.content,
            }
        elif isinstance(part, DocumentPart) and part.text:
            title = {"title": part.name} if part.name else {}
            yield {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": part.text},
                **title,
            }
        elif isinstance(part, Image) and part.address.startswith("https:"):
            yield {"type": "image", "source": {"type": "url", "url": part.address}}
        elif isinstance(part, Image | DocumentPart):
            kind = "image" if isinstance(part, Image) else "document"
            yield self._with_data(part, lambda named, data: _anthropic_medium(kind, named, data))
        else:
            yield _text(self._instead(part, _NO_PLACE))

    def _anthropic_thought(self, part: Thought) -> Iterator[Block]:
        """Yield a thought with its signature, or as it is encrypted; without either the API refuses it."""
        sealed = self._sealed(part)
        if sealed and part.text and not part.encrypted:
            yield {"type": "thinking", "thinking": part.text, "signature": sealed}
        elif sealed and part.place is not None and part.place.path.endswith(".signature"):
            yield {"type": "thinking", "thinking": "", "signature": sealed}
        elif sealed and part.place is not None and part.place.path.endswith(".data"):
            yield {"type": "redacted_thinking", "data": sealed}
        else:
            yield from self._no_thought()

    def _no_thought(self) -> Iterator[Block]:
        self._lost[Thought, _NO_PLACE] += 1
        yield from ()

    def _sealed(self, part: Thought) -> str:
        if part.place is None:
            return ""
        try:
            return self._source.text_at(part.place)
        except DataGoneError:
            return ""

    def gemini(self, message: Message) -> list[Block]:
        """Return the parts of a message; a signature goes with the part after it, as the API wants it.

        The last one goes with an empty text, as the API itself streams it (ai.google.dev, "Thought signatures").
        """
        found: list[Block] = []
        signature = ""
        for part in message.whole:
            if isinstance(part, Thought) and _is_geminis(part) and (sealed := self._sealed(part)):
                signature = sealed
                continue
            for block in self._gemini_parts(part):
                found.append({**block, "thoughtSignature": signature} if signature else block)
                signature = ""
        return [*found, {"text": "", "thoughtSignature": signature}] if signature else found

    def _gemini_parts(self, part: Part) -> Iterator[Block]:
        if isinstance(part, Text):
            yield {"text": part.text}
        elif isinstance(part, Thought):
            yield from [{"text": part.text, "thought": True}] if part.text else self._no_thought()
        elif isinstance(part, Call):
            named = {"id": part.id} if part.id else {}
            yield {"functionCall": {**named, "name": part.name, "args": arguments_object(part)}}
        elif isinstance(part, Result):
            named = {"id": part.id} if part.id else {}
            yield {"functionResponse": {**named, "name": part.name, "response": {"output": part.content}}}
            yield from (block for one in part.parts for block in self._gemini_parts(one) if not _is_told(one))
        elif isinstance(part, DocumentPart) and part.text:
            yield {"text": part.text}
        elif isinstance(part, Unknown):
            yield {"text": self._instead(part, _NO_PLACE)}
        elif part.address and ":" in part.address:
            yield {"fileData": {"mimeType": part.media_type or _TYPES[type(part)], "fileUri": part.address}}
        else:
            block = self._with_data(part, lambda kind, data: {"inlineData": {"mimeType": kind, "data": data}})
            yield {"text": block["text"]} if "text" in block else block

    def ollama(self, message: Message) -> Block:
        """Return content and pictures as Ollama has them: base64 beside the text, thoughts under `thinking`."""
        pictures: list[str] = []
        texts = [message.content] if message.content else []
        for part in flat(message.parts):
            if isinstance(part, Image):
                block = self._with_data(part, lambda _, data: {"data": data})
                texts += [block["text"]] if "text" in block else []
                pictures += [block["data"]] if "data" in block else []
            elif isinstance(part, DocumentPart | Sound | Video | Unknown) and not _is_told(part):
                texts.append(self._instead(part, _NO_PLACE))
            elif isinstance(part, Thought) and part.encrypted:
                self._lost[Thought, _NO_PLACE] += 1
        thoughts = {"thinking": message.thinking} if message.thinking else {}
        return {"content": "\n".join(texts), **({"images": pictures} if pictures else {}), **thoughts}

    def _with_url(self, part: Medium, made: Callable[[str], Block]) -> Block:
        """Return the block of a medium at its address, or with its data."""
        if part.address.startswith(("http:", "https:")):
            return made(part.address)
        return self._with_data(part, lambda kind, data: made(f"data:{kind};base64,{data}"))

    def _with_data(self, part: Medium, made: Callable[[str, str], Block]) -> Block:
        """Return the block of a medium with its type and its data as base64; a text, if they are not to be had."""
        if part.place is None:
            return _text(self._instead(part, _ABSENT))
        size = part.bytes or 0
        if size > MOST_MEDIUM or size > self._left:
            return _text(self._instead(part, _LARGE))
        try:
            data = self._source.data_at(part.place, part.bytes, MOST_MEDIUM)
        except DataGoneError:
            return _text(self._instead(part, _GONE))
        self._left -= len(data)
        return made(part.media_type or _TYPES[type(part)], b64encode(data).decode())

    def _instead(self, part: Medium | Unknown, why: str) -> str:
        """Return the line in place of a part, and count it as lost."""
        self._lost[type(part), why] += 1
        return f"[{part_words(part)}{f': {why}' if why else ''}]"


def arguments_object(call: Call) -> dict[str, Any]:
    """Return the arguments of a call as the object that some layouts need; other text goes under a single key."""
    try:
        value = orjson.loads(call.arguments or "{}")
    except orjson.JSONDecodeError:
        value = None
    return value if isinstance(value, dict) else {"arguments": call.arguments}


def _is_told(part: Part) -> bool:
    """Return whether a part is a document whose text is its content."""
    return isinstance(part, DocumentPart) and bool(part.text)


def _is_geminis(part: Thought) -> bool:
    """Return whether a thought is a signature of Gemini, which goes with the part after it."""
    return not part.text and part.place is not None and part.place.path.endswith(_SIGNATURES)


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _openai_call(call: Call) -> Block:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _openai_file(name: str, url: str) -> Block:
    return {"type": "file", "file": {"filename": name, "file_data": url}}


def _openai_sound(form: str, data: str) -> Block:
    return {"type": "input_audio", "input_audio": {"data": data, "format": form}}


def _anthropic_medium(kind: str, media_type: str, data: str) -> Block:
    return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}}
