"""A conversation in the layouts of other programs: OpenAI, Anthropic, ShareGPT, SillyTavern, and our own.

Each export lists the content that its layout cannot hold. Secrets are masked, as wherever texts leave the program.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from inspector.figures import counted
from inspector.formats.content.words import NOUNS
from inspector.formats.content.written import Written
from inspector.formats.native.write import workspace_value
from inspector.json_text import json_document, json_line
from inspector.model import Call, Character, Conversation, Message, Result, Text, Workspace
from inspector.model.parts import flat
from inspector.sources import files_of
from inspector.writing import write_file

_Lost = tuple[int, str, str]
"""The number of items without a place in the layout, and the words for a single item and for several."""

_CALLS = ("call of a tool", "calls of tools")
_SHAREGPT = {"user": "human", "assistant": "gpt", "system": "system", "tool": "tool"}


class NothingSaidError(OSError):
    """Raised when every message to write is empty, and the layout has no place for empty messages."""


@dataclass(frozen=True, slots=True)
class ChatExport:
    """The written conversation, and remarks on the content that its layout cannot hold."""

    content: bytes
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Chat:
    """A conversation to export, and its character, if it has any."""

    talk: Conversation
    character: Character | None

    @property
    def system(self) -> str:
        return self.character.system_prompt if self.character else ""

    @property
    def messages(self) -> tuple[Message, ...]:
        return self.talk.messages


def export_chat(workspace: Workspace, talk: Conversation, kind: str) -> ChatExport:
    """Return a conversation in a layout of `CHAT_EXPORTS`.

    Raise KeyError for any other layout, and NothingSaidError.
    """
    own = [one for one in workspace.characters if one.system_prompt and one.origin == talk.origin]
    chat = _Chat(talk, own[0] if own else None)
    content, lost = CHAT_EXPORTS[kind](chat)
    branches = len(talk.tree.messages) - len(talk.messages) if talk.tree and kind != "native" else 0
    lost = [(branches, "message of other branches", "messages of other branches"), *lost]
    return ChatExport(content, lost_words(lost))


def lost_words(lost: Iterable[tuple[int, str, str]]) -> tuple[str, ...]:
    """Return the numbers of lost things in words, without those of which there are none."""
    return tuple(counted(number, noun, plural=plural) for number, noun, plural in lost if number)


def write_chat(
    workspace: Workspace, talk: Conversation, kind: str, path: str | Path, opened: Iterable[str | Path] = ()
) -> tuple[str, ...]:
    """Write a conversation to a file, whole or not at all; return remarks on content without a place in the layout.

    `opened` are further files that must not be overwritten, beside those of the workspace. Raise the errors of
    `export_chat`, SourceProtectedError for a file that was opened, OSError if writing fails.
    """
    export = export_chat(workspace, talk, kind)
    write_file(path, export.content, [*files_of(workspace), *opened])
    return export.lost


def _openai(chat: _Chat) -> tuple[bytes, Sequence[_Lost]]:
    written = Written()
    messages: list[dict[str, Any]] = [{"role": "system", "content": chat.system}] if chat.system else []
    messages += [_openai_message(message, written, thoughts=True) for message in chat.messages]
    return json_document({"messages": messages}), written.lost()


def openai_messages(messages: Iterable[Message]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return messages as in OpenAI's requests, and remarks on content without a place."""
    written = Written()
    value = [_openai_message(message, written, thoughts=False) for message in messages]
    return value, lost_words(written.lost())


def _openai_message(message: Message, written: Written, thoughts: bool) -> dict[str, Any]:
    name = {"name": message.name} if message.name else {}
    return {"role": message.role, **name, **written.openai(message, thoughts)}


def _anthropic(chat: _Chat) -> tuple[bytes, Sequence[_Lost]]:
    value, lost = _anthropic_said(f"the chat {chat.talk.title or chat.talk.id}", chat.system, chat.messages)
    return json_document(value), lost


def anthropic_value(messages: Sequence[Message]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return messages as the `system` and `messages` of Anthropic's requests, and remarks on content without a place.

    Raise NothingSaidError.
    """
    value, lost = _anthropic_said("the prompt", "", messages)
    return value, lost_words(lost)


def _anthropic_said(what: str, first: str, said: Sequence[Message]) -> tuple[dict[str, Any], Sequence[_Lost]]:
    """Return an Anthropic request; later system messages have no place there and join the system prompt, in order.

    Raise NothingSaidError, with `what` in its message, if all is empty: the API takes no such request, and the file
    would not be recognized.
    """
    later = [message.content for message in said if message.role == "system"]
    system = "\n\n".join(text for text in (first, *later) if text)
    spoken, written = list(filter(_is_spoken, said)), Written()
    filled = [(message, blocks) for message in spoken if (blocks := _blocks(message, written))]
    if not filled:
        found = "only empty messages" if spoken else "no messages"
        raise NothingSaidError(f"{what} has {found}, and Anthropic's requests need one that says something")
    messages = [
        {"role": "assistant" if message.role == "assistant" else "user", "content": blocks}
        for message, blocks in filled
    ]
    empty = (len(spoken) - len(filled), "empty message", "empty messages")
    names = (sum(bool(message.name) for message in said), "name of a speaker", "names of speakers")
    leading = sum(1 for _ in takewhile(lambda one: not _is_spoken(one), said))
    placed = (len(later) - leading, "place of a system message", "places of system messages")
    return {**({"system": system} if system else {}), "messages": messages}, [empty, names, placed, *written.lost()]


def _is_spoken(message: Message) -> bool:
    return message.role != "system"


def _blocks(message: Message, written: Written) -> list[dict[str, Any]]:
    blocks = written.anthropic(message)
    if message.role == "tool" and not message.tool_call_id:
        return [{"type": "tool_result", "tool_use_id": "", "content": blocks if message.parts else message.content}]
    return blocks


def _sharegpt(chat: _Chat) -> tuple[bytes, Sequence[_Lost]]:
    turns = [{"from": _SHAREGPT[message.role], "value": message.content} for message in chat.messages]
    value = {"id": chat.talk.id, **({"system": chat.system} if chat.system else {}), "conversations": turns}
    names = (sum(bool(message.name) for message in chat.messages), "name of a speaker", "names of speakers")
    return json_document([value]), [names, *_unsaid(chat)]


def _sillytavern(chat: _Chat) -> tuple[bytes, Sequence[_Lost]]:
    user = next((one.name for one in chat.messages if one.role == "user" and one.name), "User")
    character = next((one.name for one in chat.messages if one.role == "assistant" and one.name), "Assistant")
    header = {"user_name": user, "character_name": character, "chat_metadata": {}}
    names = {"user": user, "assistant": character, "system": "System", "tool": "Tool"}
    lines = [header, *(_line(message, names[message.role]) for message in chat.messages)]
    system = (int(bool(chat.system)), "system prompt", "system prompts")
    results = (sum(one.role == "tool" for one in chat.messages), "role of a tool's result", "roles of tools' results")
    return b"".join(map(json_line, lines)), [system, results, *_unsaid(chat)]


def _line(message: Message, name: str) -> dict[str, Any]:
    extra = {"type": "narrator"} if message.role in ("system", "tool") else {}
    return {
        "name": message.name or name,
        "is_user": message.role == "user",
        "is_system": message.excluded,
        "send_date": message.time.isoformat() if message.time else "",
        "mes": message.content,
        "extra": extra,
    }


def _native(chat: _Chat) -> tuple[bytes, Sequence[_Lost]]:
    characters = (chat.character,) if chat.character else ()
    value = workspace_value(Workspace(conversations=(chat.talk,), characters=characters))
    return json_document(msgspec.to_builtins(value)), []


def _unsaid(chat: _Chat) -> Iterable[_Lost]:
    """Yield the numbers of parts that are no text, for layouts without any."""
    found = Counter(type(part) for message in chat.messages for part in flat(message.parts))
    silent = (kind for kind in found if kind not in (Text, Result))
    yield from (
        (found[kind], *(("call of a tool", "calls of tools") if kind is Call else NOUNS[kind])) for kind in silent
    )


CHAT_EXPORTS: dict[str, Callable[[_Chat], tuple[bytes, Sequence[_Lost]]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "sharegpt": _sharegpt,
    "sillytavern": _sillytavern,
    "native": _native,
}
"""The writer of each layout, by name."""

CHAT_ENDINGS = {
    "openai": "openai.json",
    "anthropic": "anthropic.json",
    "sharegpt": "sharegpt.json",
    "sillytavern": "jsonl",
    "native": "workspace.json",
}
"""The ending of file names in each layout."""

CHAT_TITLES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "sharegpt": "ShareGPT",
    "sillytavern": "SillyTavern",
    "native": "Workspace",
}
"""The display name of each layout."""


def kind_of_name(name: str) -> str:
    """Return the layout for the ending of a file name; OpenAI's for any other."""
    return next((kind for kind, ending in CHAT_ENDINGS.items() if name.endswith(f".{ending}")), "openai")
