"""Troubles with a file: no format claims it, it is broken, it holds secrets, or it has many problems."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from inspector.figures import counted
from inspector.formats.programs import program_of
from inspector.model import Call, Message, Problem, Severity, Thought, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.text import decode
from inspector.reading.values import UnreadableError, as_text, items_of, mapping
from inspector.secrets import MASKED, kinds_words, may_hold_secrets, secrets_in

if TYPE_CHECKING:
    from inspector.reading.table import TextTable


_HEAD = 64_000  # bytes
_NO_CHAT = "in which there is neither chat nor character"

# The kinds of JSON or YAML files by the keys of their object, or of the first object in their list.
_OF_OPENCODE = "whose storage has a file for each; open its folder, the file of its session, or `opencode export ID`"
_BY_KEYS: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(keys.split()), words)
    for keys, words in (
        ("findRegex replaceString", f"is a regex script of SillyTavern, {_NO_CHAT}"),
        ("qrList", f"is a set of quick replies of SillyTavern, {_NO_CHAT}"),
        ("main_text_color blur_tint_color", f"is a theme of SillyTavern, {_NO_CHAT}"),
        ("temperature repetition_penalty max_length", f"is a preset of KoboldAI, {_NO_CHAT}"),
        ("messageID sessionID type", f"is a part of a message of opencode, {_OF_OPENCODE}"),
        ("id sessionID role time", f"is a message of opencode without its parts, {_OF_OPENCODE}"),
        (
            "id projectID directory title version",
            "describes a session of opencode, whose messages are not beside it in the folder `message`",
        ),
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
    (b"%PDF-", "is a PDF; this program reads saved chats, not printed ones"),
    (b"GGUF", "is a model (GGUF), no saved chat; it can be named as a tokenizer: gguf:FILE"),
    (b"7z\xbc\xaf\x27\x1c", "is an archive of 7-Zip; unpack it first"),
    (b"Rar!\x1a\x07", "is an archive of RAR; unpack it first"),
    (b"\x80\x04\x95", "is a pickle of Python, which can run code and is never read"),
    (b"\x80\x05\x95", "is a pickle of Python, which can run code and is never read"),
)
_TAR_AT, _TAR = 257, b"ustar"
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
# Snapchat's pages show a chat each (`subpage_NAME.html`); before 2023 they were tables of what was sent and saved.
_SNAPCHAT = "is a page of HTML from an export of Snapchat; open chat_history.json, or ask for My Data as JSON files"
_HTML_OF: tuple[tuple[bytes, str], ...] = (
    (b"ChatGPT Data Export", "is a page of HTML from an export of ChatGPT; the chats are in conversations.json"),
    (b"My Activity History", "is a page of HTML from Google Takeout; export My Activity as JSON"),
    (b"Exported Data", "is a page of HTML from an export of Telegram; export the chats as JSON (result.json)"),
    (b"chatlog__", "is a page of HTML by DiscordChatExporter; export the channel as JSON"),
    (b" UTC</h6>", _SNAPCHAT),
    (b"Saved Chat History", _SNAPCHAT),
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
    head = source.data[:_HEAD]
    if source.shape in ("json", "json_lines", "yaml"):
        return _of_value(source.sample) or program_of(source.utf8[:_HEAD])
    if source.shape == "sqlite":
        return program_of(head)
    if source.shape in ("text", "binary"):
        is_page = _HTML.match(head.lstrip(b"\xef\xbb\xbf"))
        return _of_page(head) if is_page else _of_bytes(head) or program_of(head)
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


_OUTLINED = 3  # lists in lists
_NAMED = 8
_BINARY_SHAPES = {"png": "a picture", "zip": "an archive", "packed": "a packed file", "sqlite": "a database"}


def description(source: FileSource) -> str:
    """Return a description of an unknown file, by its application if that is known.

    Raise UnreadableError if it is no valid JSON, YAML or Parquet.
    """
    if known := known_file(source):
        return known
    if source.shape == "empty":
        return "is empty; expected a saved chat, a character, a lorebook or a workspace"
    if source.shape == "parquet":
        row = source.first_records[0].value if source.first_records else {}
        return f"is a Parquet file of no chats that this program knows; its first row is {_outline(row)}"
    if source.shape in _BINARY_SHAPES:
        return f"is {_BINARY_SHAPES[source.shape]} in which nothing that this program knows was found"
    if source.shape == "binary" or (source.shape == "text" and "\u2400" in decode(source.data[:1_000]).text):
        return "is neither text nor anything else that this program knows"
    if table := unexplained_table(source):
        names = ", ".join(table.columns[:_NAMED]) + (", …" if len(table.columns) > _NAMED else "")
        return f"is a table with unknown columns: {names} (`columns` explains them)"
    if source.shape == "text":
        return "is text of no format that this program knows"
    if source.shape == "json_lines":
        value = source.first_records[0].value if source.first_records else None
    else:
        value = source.yaml if source.shape == "yaml" else source.json
    return f"is not a format that this program knows: {_outline(value)}"


def unexplained_table(source: FileSource) -> "TextTable | None":
    """Return the table in a file of no known format; None if it is something else."""
    from inspector.formats.tables.chats import head_of  # few files have no known format
    from inspector.reading.table import table_in

    head = head_of(source)
    return table_in(head) if head else None


def _outline(value: object, depth: int = 0) -> str:
    if isinstance(value, dict):
        keys = [str(key)[:40] for key in islice(value, 12)]
        more = ", …" if len(value) > len(keys) else ""
        return f"an object with the keys {', '.join(keys)}{more}" if keys else "an empty object"
    if isinstance(value, list):
        if not value:
            return "an empty list"
        first = f", the first one: {_outline(value[0], depth + 1)}" if depth < _OUTLINED else ""
        return f"a list of {len(value):,} items{first}"
    return f"a single value of type {type(value).__name__}"


_BETWEEN = "\0"  # occurs in no text: the readers of files replace it


_WRITTEN_AS_TEXT = ("json", "json_lines", "yaml", "text")


def secrets_problem(source: FileSource, workspace: Workspace) -> Problem | None:
    """Return the problem of a file whose texts hold secrets; None if they hold none.

    A text file is first searched as a whole: it may hold a million texts, and hardly any file has secrets. Packed
    content is searched as it was read.
    """
    if source.shape in _WRITTEN_AS_TEXT and not any(map(may_hold_secrets, source.utf8_texts())):
        return None
    if not all(chat.is_read for chat in workspace.conversations):
        return Problem(source.path, "", "seems to hold secrets; they are masked wherever shown or exported", "warning")
    places: list[str] = []
    texts: list[str] = []
    for place, text in _texts(workspace):
        places += place
        texts += text
    whole = _BETWEEN.join(texts)
    found = list(secrets_in(whole))
    if not found:
        return None
    place = places[whole.count(_BETWEEN, 0, found[0][0])]
    listed = kinds_words(kind for _, kind in found)
    what = counted(len(found), "secret")
    return Problem(source.path, place, f"holds {what}: {listed}; {MASKED}", "warning")


def _texts(workspace: Workspace) -> Iterator[tuple[list[str], list[str]]]:
    """Yield texts and the place of each, list by list."""
    for chat in workspace.conversations:
        messages = chat.tree.messages if chat.tree else chat.messages
        yield [f"message {message.id}" for message in messages], [message.content for message in messages]
        beside = [(message, text) for message in messages for text in _beside(message)]
        yield [f"message {message.id}" for message, _ in beside], [text for _, text in beside]
    others = [
        *(memory for kept in workspace.memory_sets for memory in kept.memories),
        *workspace.characters,
        *(entry for book in workspace.lorebooks for entry in book.entries),
        *workspace.passages,
        *workspace.summaries,
        *workspace.documents,
        *workspace.attachments,
        *workspace.tools,
    ]
    yield [str(getattr(one, "id", "") or getattr(one, "name", "")) for one in others], [as_text(one) for one in others]


def _beside(message: Message) -> Iterator[str]:
    """Yield the texts of a message besides its content."""
    for part in message.parts:
        if isinstance(part, Call):
            yield part.arguments
        elif isinstance(part, Thought) and part.text:
            yield part.text
    if message.summary:
        yield message.summary


MOST_LISTED = 200
"""The number of listed problems with a place for each file; nobody reads more."""


def listed(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """Return a file's problems without duplicates: all without a place, the first with a place, and a count of others.

    The count is as severe as the worst of the counted problems.
    """
    found = list(dict.fromkeys(problems))
    placed = [problem for problem in found if problem.place]
    more = placed[MOST_LISTED:]
    if not more:
        return tuple(found)
    beyond = {id(problem) for problem in more}
    severities = {problem.severity for problem in more}
    severity: Severity = "error" if "error" in severities else "warning" if "warning" in severities else "info"
    count = Problem(file, "", f"{len(more):,} more problems are in this file; these are the first", severity)
    return (*(problem for problem in found if id(problem) not in beyond), count)


MOST_BYTES = 5_000_000
"""Beyond this size, nobody can check the guesses."""


def broken_place(source: FileSource) -> Problem | None:
    """Return the place where the JSON of a file is broken, if it is JSON and may be repaired."""
    if len(source.data) > MOST_BYTES:
        return None
    try:
        if source.shape == "json":
            _ = source.json
    except UnreadableError as error:
        return error.problem if error.problem.place else None  # a document too deep or too large has no place
    return None


def offered(problem: Problem) -> Problem:
    """Return the problem of a broken file, with the offer to repair it."""
    message = f"{problem.message}; it can be repaired by guessing the missing parts (--repair, or Repair in the window)"
    return changed(problem, message=message, repairable=True)


def repaired(source: FileSource) -> FileSource | None:
    """Return the same file with its JSON completed; None if that is impossible."""
    from json_repair import repair_json

    try:
        value: Any = repair_json(source.utf8.decode(errors="replace"), return_objects=True, skip_json_loads=True)
        if not value or not isinstance(value, dict | list):
            return None
        return source.within(orjson.dumps(value))
    except (RecursionError, ValueError, TypeError):
        return None
