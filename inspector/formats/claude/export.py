"""The export of Claude.ai: chats, projects and memories, as files, as lines, or together in the zip that it sends."""

import re
from collections.abc import Iterator
from typing import Any

from inspector.formats.claude.chat import ClaudeChat, is_chat, read_chat
from inspector.formats.claude.projects import characters_of, documents_of, is_memory, is_project, memory_sets_of
from inspector.formats.format import Format
from inspector.formats.openai.message import Notes
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Attachment, Conversation, Problem, Workspace, changed
from inspector.reading.names import stem
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError

_MEMBER = re.compile(r"(?:^|/)(?:(?:conversations|projects|memories)(?:-\d+)?|(?:projects|design_chats)/[^/]+)\.json$")
_CHATS_MEMBER = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_LOOKED_AT = 5
_PEEK = 200_000  # bytes


def _sniff(source: FileSource) -> float:
    try:
        if source.shape == "zip":
            return 0.95 if _holds_export(source) else 0.0
        return 0.95 if any(_is_known(value) for value in _first_values(source)) else 0.0
    except UnreadableError:
        return 0.0


def _holds_export(source: FileSource) -> bool:
    archive = source.archive
    return any(b'"chat_messages"' in archive.peek(name, _PEEK) for name in archive.names if _CHATS_MEMBER.search(name))


def _first_values(source: FileSource) -> list[Any]:
    if source.shape == "json_lines":
        return [record.value for record in source.first_records[:_LOOKED_AT]]
    if source.shape != "json":
        return []
    return list(source.first_items) if source.raw_items is not None else [source.sample]


def _is_known(value: Any) -> bool:
    return is_chat(value) or is_project(value) or is_memory(value)


def _load(source: FileSource) -> Workspace:
    problems: list[Problem] = []
    if source.shape == "zip":
        names = [name for name in source.archive.names if _MEMBER.search(name)]
        found = [item for name in names for item in _member_values(source, name, problems)]
        problems += source.archive.problems
    else:
        found = list(_values(source, problems))
    workspace = _workspace(found, source, problems)
    if not (workspace.conversations or workspace.characters or workspace.memory_sets):
        expected = "expected chats with chat_messages, projects or memories of Claude.ai, found none"
        raise source.unreadable("$", expected, workspace.problems)
    return workspace


def _member_values(source: FileSource, name: str, problems: list[Problem]) -> list[tuple[str, str, Any]]:
    try:
        member = source.member(name)
        found = list(_values(member, problems))
    except UnreadableError as error:
        problems.append(error.problem)
        return []
    problems += member.problems
    return found


def _values(source: FileSource, problems: list[Problem]) -> Iterator[tuple[str, str, Any]]:
    """File, place and value of everything that a file lists."""
    if source.shape == "json_lines":
        yield from ((source.path, f"line {record.line}: $", record.value) for record in source.records(problems))
    elif isinstance(source.json, list):
        yield from ((source.path, f"$[{number}]", value) for number, value in enumerate(source.json))
    else:
        yield source.path, "$", source.json


def _workspace(found: list[tuple[str, str, Any]], source: FileSource, problems: list[Problem]) -> Workspace:
    for file, place, value in found:
        if not _is_known(value):
            problems.append(Problem(file, place, "expected a chat, a project or memories; it was left out", "warning"))
    chats = _read_chats([item for item in found if is_chat(item[2])], stem(source.path), problems)
    projects = [value for _, _, value in found if is_project(value)]
    notes = Notes(source.path)
    by_project: dict[str, list[str]] = {}
    for chat in chats:
        by_project.setdefault(chat.project, []).append(chat.conversation.id)
    sets = memory_sets_of([value for _, _, value in found if is_memory(value)], by_project, notes)
    problems += notes.problems
    documents = documents_of(projects[0]) if len(projects) == 1 and not chats else []
    characters = characters_of(projects, not documents, bool(chats))
    return Workspace(
        conversations=tuple(chat.conversation for chat in chats),
        characters=_unique(characters, source, problems),
        memory_sets=_unique(sets, source, problems),
        documents=tuple(documents),
        attachments=_with_unique_paths([file for chat in chats for file in chat.attachments]),
        problems=(*problems, *_branched([chat.conversation for chat in chats], source)),
    )


def _read_chats(found: list[tuple[str, str, Any]], file_stem: str, problems: list[Problem]) -> list[ClaudeChat]:
    """The chats, each with an id of its own."""
    chats: list[ClaudeChat] = []
    for file, place, value in found:
        notes = Notes(file)
        chats.append(read_chat(value, len(found) > 1, notes, place))
        problems += notes.problems
    wanted = [chat.conversation.id or f"{file_stem}-{number}" for number, chat in enumerate(chats, 1)]
    return [
        ClaudeChat(
            changed(chat.conversation, id=id_, title=chat.conversation.title or id_), chat.attachments, chat.project
        )
        for chat, id_ in zip(chats, unique_texts(wanted), strict=True)
    ]


def _unique(things: list[Any], source: FileSource, problems: list[Problem]) -> tuple[Any, ...]:
    unique, renamed = with_unique_ids(things, lambda _index: (source.path, "$"))
    problems += renamed
    return unique


def _with_unique_paths(files: list[Attachment]) -> tuple[Attachment, ...]:
    paths = unique_texts(file.path for file in files)
    return tuple(changed(file, path=path) for file, path in zip(files, paths, strict=True))


def _branched(conversations: list[Conversation], source: FileSource) -> Iterator[Problem]:
    branched = [one for one in conversations if one.tree]
    if branched:
        others = sum(len(one.tree.messages) - len(one.messages) for one in branched if one.tree)
        words = f"{len(branched)} chats have other branches, {others} messages beside the active ones"
        yield source.problem("", words, "info")


FORMAT = Format(
    "claude",
    "Claude.ai export",
    _sniff,
    _load,
    "chats with `chat_messages`, or projects, memories or design chats of Claude.ai",
)
