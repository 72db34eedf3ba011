"""Files that this program knows but does not read, and known formats by marks in a broken file.

The words for a file name the application that wrote it, and a file to open instead, if there is any.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from inspector.reading.source import FileSource
from inspector.reading.values import items_of, mapping

_HEAD = 64_000  # bytes
_NO_CHAT = "in which there is neither chat nor character"

# The kinds of JSON or YAML files by the keys of their object, or of the first object in their list.
_BY_KEYS: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(keys.split()), words)
    for keys, words in (
        ("prompts prompt_order", f"is a preset of SillyTavern for chat completion, {_NO_CHAT}"),
        ("input_sequence output_sequence", f"is an instruct template of SillyTavern, {_NO_CHAT}"),
        ("story_string", f"is a context template of SillyTavern, {_NO_CHAT}"),
        ("findRegex replaceString", f"is a regex script of SillyTavern, {_NO_CHAT}"),
        ("qrList", f"is a set of quick replies of SillyTavern, {_NO_CHAT}"),
        ("main_text_color blur_tint_color", f"is a theme of SillyTavern, {_NO_CHAT}"),
        ("temp rep_pen", f"is a preset of SillyTavern or KoboldAI for text completion, {_NO_CHAT}"),
        ("temperature repetition_penalty max_length", f"is a preset of KoboldAI, {_NO_CHAT}"),
        ("chatgpt_plus_user", "is the account in an export of ChatGPT; the chats are in conversations.json"),
        (
            "uuid full_name email_address",
            "is the account in an export of Claude.ai; the chats are in conversations.json",
        ),
        ("collections aliases", "lists the collections of a local store of qdrant-client; the points are beside it"),
        ("nbformat cells", "is a Jupyter notebook, no saved chat"),
        ("keyVaults languageModel", f"holds settings of LobeChat, {_NO_CHAT}"),
        ("apiProvider apiConfiguration", f"holds settings of Cline or Roo, {_NO_CHAT}"),
    )
)
_BY_BYTES: tuple[tuple[bytes, str], ...] = (
    (b"\0RISUSAVE\0", "is a save of RisuAI; export the chats or characters in it from RisuAI"),
    (b"%PDF-", "is a PDF; this program reads saved chats, not what was printed of them"),
    (b"GGUF", "is a model (GGUF), no saved chat; it can be named as a tokenizer: gguf:FILE"),
    (b"7z\xbc\xaf\x27\x1c", "is an archive of 7-Zip; unpack it first"),
    (b"Rar!\x1a\x07", "is an archive of RAR; unpack it first"),
    (b"\x80\x04\x95", "is a pickle of Python, which can run code and is never read"),
    (b"\x80\x05\x95", "is a pickle of Python, which can run code and is never read"),
)
_TAR_AT, _TAR = 257, b"ustar"
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_HTML_OF: tuple[tuple[bytes, str], ...] = (
    (b"ChatGPT Data Export", "is a page of HTML from an export of ChatGPT; the chats are in conversations.json"),
    (b"My Activity History", "is a page of HTML from Google Takeout; export My Activity as JSON"),
    (b"Exported Data", "is a page of HTML from an export of Telegram; export the chats as JSON (result.json)"),
    (b"chatlog__", "is a page of HTML by DiscordChatExporter; export the channel as JSON"),
)

# The application that writes all of these keys, for a file that cannot be read as JSON.
_BY_MARKS: tuple[tuple[tuple[bytes, ...], str], ...] = (
    ((b'"mapping"', b'"current_node"'), "a ChatGPT export"),
    ((b'"mapping"', b'"create_time"', b'"children"'), "a ChatGPT export"),
    ((b'"chat_messages"',), "a Claude.ai export"),
    ((b'"parentUuid"', b'"sessionId"'), "a Claude Code session"),
    ((b'"session_meta"',), "a Codex session"),
    ((b'"chunkedPrompt"',), "a Google AI Studio prompt"),
    ((b'"chat_metadata"',), "a SillyTavern chat"),
    ((b'"is_user"', b'"mes"'), "a SillyTavern chat"),
    ((b'"chara_card_v',), "a character card"),
    ((b'"history"', b'"currentId"'), "an Open WebUI export"),
    ((b'"versions"', b'"currentlySelected"'), "an LM Studio conversation"),
    ((b'"convId"',), "a llama.cpp conversation"),
    ((b'"internal"', b'"visible"'), "a text-generation-webui chat log"),
    ((b'"gamestarted"', b'"actions"'), "a KoboldAI or KoboldCpp story"),
    ((b'"responses"', b'"response_id"'), "a Grok export"),
    ((b'"messageId"', b'"isCreatedByUser"'), "a LibreChat export"),
    ((b'"speaker_a"', b'"speaker_b"'), "a LoCoMo data set"),
    ((b'"haystack_sessions"',), "LongMemEval questions"),
    ((b'"treeLeafId"',), "an Agnai chat"),
    ((b'"lorebookVersion"',), "a NovelAI lorebook"),
    ((b'"__exported_items"',), "a Chatbox export"),
    ((b'"_isGlazeBackup"',), "a Glaze backup"),
    ((b'"marinara_',), "a file of Marinara Engine"),
    ((b'"core_memory"',), "a Letta agent file"),
    ((b'"in_context_message_ids"',), "a Letta agent file"),
    ((b'"observations"', b'"trace"'), "a Langfuse trace"),
    ((b'"guild"', b'"channel"'), "a Discord channel (DiscordChatExporter)"),
)


def known_file(source: FileSource) -> str:
    """Return a description of an unsupported file for its problem; "" if unknown."""
    if source.shape in ("json", "json_lines", "yaml"):
        return _of_value(source.sample)
    head = source.data[:_HEAD]
    if source.shape in ("text", "binary"):
        return _of_page(head) if _HTML.match(head.lstrip(b"\xef\xbb\xbf")) else _of_bytes(head)
    return ""


def looks_like(source: FileSource) -> str:
    """Return the apparent format of an unreadable file, such as `a ChatGPT export`; "" if unknown."""
    head = source.data[:_HEAD]
    return next((words for marks, words in _BY_MARKS if all(mark in head for mark in marks)), "")


def _of_value(value: Any) -> str:
    fields = mapping(value)
    by_keys = next((words for keys, words in _BY_KEYS if keys <= fields.keys()), "")
    return by_keys or next((words for fits, words in _BY_LOOK if fits(fields)), "")


def _of_bytes(head: bytes) -> str:
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return (
            "is a tar archive; unpack it first (of a snapshot of Qdrant, export the points by its scroll API instead)"
        )
    return next((words for magic, words in _BY_BYTES if head.startswith(magic)), "")


def _of_page(head: bytes) -> str:
    expected = "is a page of HTML; this program reads saved chats, not pages that show them"
    return next((words for mark, words in _HTML_OF if mark in head), expected)


def _is_schema(fields: Mapping[str, Any]) -> bool:
    return ("$schema" in fields or "$defs" in fields) and bool(fields.keys() & {"properties", "items", "type", "$ref"})


def _is_expectation(fields: Mapping[str, Any]) -> bool:
    """Return whether every value lists the messages that Langfuse finds in a call."""
    values = [mapping(value) for value in list(fields.values())[:3]]
    return bool(values) and all("success" in mapping(one.get("input")) for one in values)


def _is_list_of_models(fields: Mapping[str, Any]) -> bool:
    listed = items_of(fields.get("data"))
    return bool(listed) and all(mapping(one).get("object") == "model" for one in listed[:3])


_BY_LOOK: tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...] = (
    (_is_expectation, "lists the messages that Langfuse finds in a trace; open the trace itself"),
    (_is_schema, "is a JSON schema, which describes files and holds no chat"),
    (_is_list_of_models, "is a list of models, as servers of the OpenAI API answer it, no saved chat"),
)
