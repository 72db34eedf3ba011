"""The parts of a content in order, in the layouts of all vendors.

By their makers' documents: OpenAI's Chat Completions and Responses (platform.openai.com/docs/api-reference),
Anthropic (docs.anthropic.com/en/api/messages), Gemini (ai.google.dev/api/caching#Content), Bedrock Converse
(docs.aws.amazon.com/bedrock/latest/APIReference), OpenTelemetry (open-telemetry/semantic-conventions, gen-ai), Vercel
(ai-sdk.dev/docs/reference/ai-sdk-core), LangChain (langchain_core/messages/content.py), Mistral (docs.mistral.ai/api),
and of applications Letta, LibreChat and Jan. A part of an unknown type is kept as unknown, with its size, and noted.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import KINDS, medium_of
from inspector.formats.content.thoughts import TEXTS, hidden_thought, thought_of
from inspector.formats.notes import Notes
from inspector.model import Call, DocumentPart, Part, Result, Text, Thought, Unknown
from inspector.model.parts import text_of
from inspector.reading.decode import kind_of
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, mapping

LONG_TEXT = 1_000_000  # characters
CODE = "code_execution"
"""The name of the tool that runs code written by the model."""

_DEEPEST = 4
"""The depth of contents inside of contents: a page in a result, its blocks, and theirs."""
_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "toolUseId", "call_id", "id")
_TOOLS = ("name", "tool_name", "toolName")
_ASKED = ("input", "arguments", "args", "parameters", "server_tool_call")
_ANSWERED = ("content", "output", "result", "response", "server_tool_call_response", "errorText", "error")
_PIECE_TEXTS = ("text", "content", "stdout", "error_code")
_ONLY_TEXT = frozenset(("text", "annotations"))
_SIGNATURES = ("thoughtSignature", "thought_signature")


def read_content(content: Any, notes: Notes, place: str) -> list[Part]:
    """Return the parts of a content: text, a list of parts, a single part, or nothing."""
    at = At(notes, place)
    if isinstance(content, str):
        if len(content) > LONG_TEXT:
            at.note(f"is {len(content):,} characters long, which is much for one message")
        return [Text(as_text(content))] if content else []
    if isinstance(content, list | tuple):
        return [one for n, part in enumerate(content) for one in read_part(part, at.below(f"[{n}]"))]
    if isinstance(content, Mapping):
        return read_part(content, at)
    if content is not None:
        at.note(f"expected text or a list of parts, found {kind_of(content)}; it was left out")
    return []


def read_part(part: Any, at: At, depth: int = _DEEPEST) -> list[Part]:
    """Return a part of a content as parts: mostly one; a call with its result, or a sound with its words, are two."""
    if isinstance(part, str):
        return [Text(as_text(part))]
    if not isinstance(part, Mapping):
        if part is not None:
            at.note("expected a part (an object with a type); it was skipped")
        return []
    kind = part.get("type")
    if not isinstance(kind, str) or not kind:
        found = _untyped(part, at, depth)
        return _unknown(part, at) if found is None else found
    if reader := _TYPED.get(kind):
        return reader(part, at)
    if kind in KINDS:
        return _medium(kind, part, at, depth)
    if kind.endswith(("_tool_result", "_call_output")):
        return [read_result(part, at)]
    return _unknown(part, at)


def _unknown(part: Mapping[str, Any], at: At) -> list[Part]:
    kind = part.get("type")
    names = "+".join(as_text(key)[:40] for key in list(part)[:3])
    name = as_text(kind)[:40] if isinstance(kind, str) and kind else names or "null"
    size = len(as_text(part).encode())
    at.note(f"is a part of the unknown type {name}; its {size:,} bytes are kept as unknown, without a cost")
    return [Unknown(name, size, at.source())]


def _text(part: Mapping[str, Any], at: At) -> list[Part]:
    """Read a text, which the Assistants API and Jan wrap as `{value, annotations}`; others name it content or value."""
    key = next((key for key in ("text", "content", "value") if key in part), "")
    text = part[key].get("value", part[key]) if isinstance(part.get(key), Mapping) else part.get(key)
    if text is None and not _signature(part, at):
        at.below(".text").note("expected text, found nothing; the part is empty")
    if text is None or isinstance(text, str):
        return [*_signature(part, at), Text(as_text(text))]
    at.below(".text").note(f"expected text, found {kind_of(text)}; it was skipped")
    return []


def _plain_document(part: Mapping[str, Any], at: At) -> list[Part]:
    """Read a text document of LangChain (`text-plain`)."""
    if not isinstance(part.get("text"), str):
        return _medium("file", part, at, 1)
    name = as_text(part.get("title")) if isinstance(part.get("title"), str) else ""
    return [
        DocumentPart(media_type=as_text(part.get("mime_type")) or "text/plain", text=as_text(part["text"]), name=name)
    ]


def _thought(part: Mapping[str, Any], at: At) -> list[Part]:
    thought = thought_of(part, at)
    if thought is None and not any(part.get(key) in ("", []) for key in TEXTS):
        return _unknown(part, at)
    return [thought] if thought else []


def _signature(part: Mapping[str, Any], at: At) -> list[Part]:
    """Return the encrypted thinking that Gemini sends along with a part."""
    key = next((key for key in _SIGNATURES if isinstance(part.get(key), str) and part[key]), "")
    return [Thought("", True, bytes=len(part[key]), place=at.source(f".{key}"))] if key else []


def read_call(part: Mapping[str, Any], at: At) -> list[Part]:
    """Return the call of a part, and its result if it is in the same part, as in LibreChat and Jan.

    LLaMA-Factory has the call as JSON text, under `value`.
    """
    if isinstance(told := unwrapped(part.get("value")), Mapping):
        part = {**part, **told}
    outer = next(
        (part[key] for key in ("tool_call", "toolInvocation", "function_call") if _is_object(part.get(key))), part
    )
    inner = next((outer[key] for key in ("function", "custom") if _is_object(outer.get(key))), outer)
    id_, name = _first(outer, _IDS), _first(inner, _TOOLS)
    call = Call(id_, name, as_text(next((inner[key] for key in _ASKED if key in inner), "")))
    answer = next(
        (held[key] for held in (inner, outer) for key in ("output", "result") if held.get(key) is not None), None
    )
    if answer is None:
        return [call]
    told = answer if isinstance(answer, str) or _is_all_parts(answer) else as_text(answer)
    return [call, _result_of(id_, name, told, at.below(".output"))]


def read_result(part: Mapping[str, Any], at: At) -> Result:
    """Return the result of a part: its texts, its media, or data, which the model reads as JSON."""
    key = next((key for key in _ANSWERED if part.get(key) is not None), "content")
    content, below = part.get(key), at.below(f".{key}")
    if isinstance(content, Mapping) and {"type", "value"} <= content.keys():  # as Vercel writes an output
        is_content = content["type"] == "content"
        content, below = content["value"], below.below(".value")
    else:
        is_content = key == "content" or _is_all_parts(content)
    return _result_of(_first(part, _IDS), _first(part, _TOOLS), content if is_content else as_text(content), below)


def _is_all_parts(content: Any) -> bool:
    """Return whether a value is a list of known parts; any other is data, which the model reads as JSON."""
    kinds = [mapping(one).get("type") for one in content] if isinstance(content, list) else []
    return bool(kinds) and all(isinstance(kind, str) and (kind in _TYPED or kind in KINDS) for kind in kinds)


def _result_of(id_: str, name: str, content: Any, at: At) -> Result:
    pieces = _pieces(content, at, _DEEPEST)
    return Result(id_, name, text_of(pieces), tuple(one for one in pieces if not isinstance(one, Text | Result)))


def _pieces(content: Any, at: At, depth: int) -> list[Any]:
    """Return the texts and media of a result, or of a page or document in it."""
    if content is None or isinstance(content, str):
        return [Text(as_text(content))] if content else []
    if isinstance(content, Mapping):
        return _piece(content, at, depth) if _says_kind(content) else [Text(as_text(content))]
    listed = content if isinstance(content, list) else [content]
    return [one for n, piece in enumerate(listed) for one in _piece(piece, at.below(f"[{n}]"), depth)]


def _says_kind(piece: Mapping[str, Any]) -> bool:
    return isinstance(piece.get("type"), str) or bool(piece.keys() & _UNTYPED.keys())


def _piece(piece: Any, at: At, depth: int) -> list[Any]:
    if not isinstance(piece, Mapping):
        return [] if piece is None else [Text(as_text(piece))]
    kind = piece.get("type")
    if not depth:
        return _unknown(piece, at)
    if not isinstance(kind, str):
        if piece.keys() <= _ONLY_TEXT and isinstance(piece.get("text"), str):
            return [Text(as_text(piece["text"]))]
        found = _untyped(piece, at, depth - 1) if len(piece) == 1 else None
        return [Text(as_text(piece))] if found is None else found
    if kind in KINDS:
        return _medium(kind, piece, at, depth - 1)
    found = _page(piece, at, depth - 1)
    return _unknown(piece, at) if found is None else found


def _page(piece: Mapping[str, Any], at: At, depth: int) -> list[Any] | None:
    """Return text, a found page with title and address, or printed output; None for anything else."""
    key = next((key for key in _PIECE_TEXTS if isinstance(piece.get(key), str)), "")
    head = [as_text(piece[name]) for name in ("title", "source", "url") if isinstance(piece.get(name), str)]
    inner = piece.get("content")
    inside = _pieces(inner, at.below(".content"), depth) if isinstance(inner, list | Mapping) and not key else []
    if not (key or head or inside):
        return None
    said = "\n".join(filter(None, (*head, as_text(piece[key]) if key else "")))
    return [*([Text(said)] if said or not inside else []), *inside, *_sealed(piece, at)]


def _sealed(piece: Mapping[str, Any], at: At) -> list[Part]:
    """Return the text of a found page that only its provider can read, and that it counts as input."""
    text = piece.get("encrypted_content")
    if not isinstance(text, str) or not text:
        return []
    return [Unknown("encrypted_content", len(text), at.source(".encrypted_content"))]


def _search_result(part: Mapping[str, Any], at: At) -> list[Part]:
    """Return a page given as a block of its own: its title and address, and its texts."""
    return _page(part, at, _DEEPEST) or []


def _medium(kind: str, part: Mapping[str, Any], at: At, depth: int) -> list[Part]:
    """Return a medium; a document given as text has its text, and a sound is followed by its words."""
    inner, path = (part[kind], f".{kind}") if _is_object(part.get(kind)) else (part, "")
    if kind == "document" and _is_data(inner):
        return [Text(as_text(inner["data"]))]
    source = mapping(inner.get("source"))
    medium = medium_of(kind, part, at)
    if (
        isinstance(medium, DocumentPart)
        and (text := _source_text(source, at.below(f"{path}.source"), depth)) is not None
    ):
        told, media = text
        return [DocumentPart(media_type=medium.media_type, text=told, name=medium.name), *media]
    words = next((held["transcript"] for held in (inner, part) if isinstance(held.get("transcript"), str)), "")
    return [medium, Text(as_text(words))] if words else [medium]


def _is_data(document: Mapping[str, Any]) -> bool:
    """Return whether a document is Cohere's: `{id, data}`, with text or an object that the model reads as JSON."""
    return isinstance(document.get("data"), str | Mapping) and document.keys() <= {"id", "data"}


def _source_text(source: Mapping[str, Any], at: At, depth: int) -> tuple[str, list[Part]] | None:
    """Return the text of a document given as text or as blocks, and the media among these."""
    if isinstance(source.get("text"), str):
        return as_text(source["text"]), []
    if source.get("type") == "text" and isinstance(source.get("data"), str):
        return as_text(source["data"]), []
    if not isinstance(source.get("content"), list | str) or not depth:
        return None
    pieces = _pieces(source["content"], at.below(".content"), depth - 1)
    return text_of(pieces), [one for one in pieces if not isinstance(one, Text)]


def _untyped(part: Mapping[str, Any], at: At, depth: int = 1) -> list[Part] | None:
    """Return a part that its key names, as in Gemini and Bedrock; None if no key is known."""
    for key, value in part.items():
        if isinstance(value, Mapping) and key in _UNTYPED:
            return [*_signature(part, at), *_UNTYPED[key](value, at.below(f".{key}"))]
        if isinstance(value, Mapping) and key in KINDS:
            return [*_signature(part, at), *_medium(key, part, at, depth)]
    if isinstance(part.get("text"), str | Mapping):
        return (_thought if part.get("thought") is True else _text)(part, at)
    if isinstance(part.get("thought"), str):
        return [Thought(as_text(part["thought"]))]
    if "json" in part:
        return [Text(as_text(part["json"]))]
    return _signature(part, at) or ([] if part.keys() & {"cachePoint"} else None)


def _function_call(call: Mapping[str, Any], _at: At) -> list[Part]:
    return [Call(as_text(call.get("id")), as_text(call.get("name")), as_text(call.get("args")))]


def _function_response(answer: Mapping[str, Any], at: At) -> list[Part]:
    """Read a response of Gemini: its output or error if that is text, else all of it as the model reads it."""
    response = answer.get("response")
    only = next(iter(response.values())) if isinstance(response, Mapping) and len(response) == 1 else None
    text = as_text(only) if isinstance(only, str) else as_text(response)
    pieces = _pieces(answer.get("parts"), at.below(".parts"), 1)
    media = tuple(one for one in pieces if not isinstance(one, Text))
    return [Result(as_text(answer.get("id")), as_text(answer.get("name")), text, media)]


def _tool_use(call: Mapping[str, Any], at: At) -> list[Part]:
    """Read a call of Bedrock, which always has an input."""
    if call.get("input") is None:
        at.below(".input").note("expected the input of a call, found nothing")
    return [Call(_first(call, _IDS), as_text(call.get("name")), as_text(call.get("input")))]


def _tool_result(held: Mapping[str, Any], at: At) -> list[Part]:
    """Read a result of Bedrock, which always has a list of contents."""
    if not isinstance(held.get("content"), list):
        at.below(".content").note("expected the contents of a result, found none")
    return [read_result(held, at)]


def _guarded(held: Mapping[str, Any], at: At) -> list[Part]:
    inner = held.get("text")
    text = inner.get("text") if isinstance(inner, Mapping) else inner
    return [Text(as_text(text))] if isinstance(text, str) else _medium("image", held, at, 1)


def _cited(held: Mapping[str, Any], at: At) -> list[Part]:
    return _pieces(held.get("content"), at.below(".content"), 1)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _first(held: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return as_text(next((held[name] for name in names if held.get(name)), ""))


_TYPED: Mapping[str, Callable[[Mapping[str, Any], At], list[Part]]] = {
    **dict.fromkeys(("text", "input_text", "output_text", "summary_text", "reasoning_text"), _text),
    "text-plain": _plain_document,
    "refusal": lambda part, _at: [Text(as_text(part.get("refusal")))],
    "voice_note": lambda part, _at: [Text(as_text(part[key])) for key in ("title", "text") if part.get(key)],
    **dict.fromkeys(("thinking", "reasoning", "think", "summarized_reasoning", "reasoning_content"), _thought),
    **dict.fromkeys(
        ("redacted_thinking", "redacted_reasoning", "redacted-reasoning", "omitted_reasoning"),
        lambda part, at: [hidden_thought(part, at)],
    ),
    **dict.fromkeys(
        (
            "tool_use",
            "server_tool_use",
            "mcp_tool_use",
            "tool_call",
            "toolCall",
            "server_tool_call",
            "invalid_tool_call",
            "tool-call",
        ),
        read_call,
    ),
    **dict.fromkeys(
        ("tool_result", "tool_return", "tool_call_response", "server_tool_call_response", "tool-result", "tool-error"),
        lambda part, at: [read_result(part, at)],
    ),
    "search_result": _search_result,
}
_UNTYPED: Mapping[str, Callable[[Mapping[str, Any], At], list[Part]]] = {
    **dict.fromkeys(("functionCall", "function_call"), _function_call),
    **dict.fromkeys(("functionResponse", "function_response"), _function_response),
    **dict.fromkeys(
        ("executableCode", "executable_code"), lambda held, _at: [Call("", CODE, as_text(held.get("code")))]
    ),
    **dict.fromkeys(
        ("codeExecutionResult", "code_execution_result"),
        lambda held, _at: [Result("", CODE, as_text(held.get("output")))],
    ),
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _thought,
    "guardContent": _guarded,
    "citationsContent": _cited,
    "searchResult": _search_result,
}
