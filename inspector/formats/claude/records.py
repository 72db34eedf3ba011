"""The records of Claude Code's session files, joined to chains: a session, or the work of one of its sub-agents.

A line of the file is a record. A single answer of the model is spread over several lines, and the results of parallel
tools all name the line of their own call; each of both becomes a single link, or half of them would seem a branch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from inspector.formats.branches import Link
from inspector.formats.claude.blocks import turns_of, usage_of
from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.turns import joined
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Message, changed, with_parts
from inspector.reading.values import as_text, mapping, parse_time


@dataclass(slots=True)
class Chain:
    """The records of a session or sub-agent in the order of the file.

    `is_side`: it is the work of a sub-agent; `aliases` are the ids of records merged into another link, `model` is the
    latest model to answer.
    """

    id: str
    is_side: bool = False
    links: dict[str, Link] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    model: str = ""
    _answers: dict[str, Link] = field(default_factory=dict)
    _results: dict[str, Link] = field(default_factory=dict)
    _boundary: Mapping[str, Any] = field(default_factory=dict)
    _last: str = ""

    def add(self, record: Mapping[str, Any], id_: str, notes: Notes, place: str) -> None:
        """Add a record with its messages, if it has any."""
        messages = messages_of(record, id_, notes, place)
        known = self.links.get(self.resolved(id_))
        if known is not None:
            self._add_again(known, messages, notes, place)
            return
        if record.get("subtype") == "compact_boundary":
            self._boundary = mapping(record.get("compactMetadata"))
        elif messages and messages[0].metadata.get(SUMMARY_MARK) and self._boundary:
            compaction = {key: value for key, value in self._boundary.items() if isinstance(value, str | int)}
            messages[0] = changed(messages[0], metadata={**messages[0].metadata, "compaction": compaction})
        link = Link(id_, self._parent(record), messages, place)
        joined = self._joined_answer(link, record) or self._joined_results(link)
        if joined is None:
            self.links[id_] = link
            self._last = id_
        else:
            self.aliases[id_] = joined.id
            self._last = joined.id
        self._note_model(messages)

    def resolved(self, id_: str) -> str:
        """Return the id of the link into which a record was merged."""
        return self.aliases.get(id_, id_)

    def finished(self, notes: Notes) -> list[Link]:
        """Return the links; if no record names its parent, each follows the link before it.

        So does a link whose parent is not in the file: an unreadable line takes nothing else with it.
        """
        links = list(self.links.values())
        for link in links:
            link.parent = self.resolved(link.parent)
        is_linear = not any(link.parent in self.links for link in links)
        for before, link in pairwise(links):
            if is_linear:
                link.parent = before.id
            elif link.parent and link.parent not in self.links:
                notes.add(link.place, f'names the parent "{link.parent}", which is not here; it follows the one before')
                link.parent = before.id
        if links and links[0].parent:
            if not self.is_side and links[0].parent not in self.links:
                notes.add(links[0].place, f'names the parent "{links[0].parent}", which is not in the file', "info")
            links[0].parent = links[0].parent if links[0].parent in self.links else ""
        return links

    def _add_again(self, known: Link, messages: list[Message], notes: Notes, place: str) -> None:
        """Add a second record of the same id: it replaces a record without messages, or else is left out."""
        if not known.messages:
            known.messages = messages
            self._note_model(messages)
        elif messages and [one.content for one in messages] != [one.content for one in known.messages]:
            notes.add(f"{place}.uuid", f'is "{known.id}", which an earlier record has; this one was left out')

    def _note_model(self, messages: list[Message]) -> None:
        named = (one.metadata.get("model") for one in reversed(messages))
        self.model = next((name for name in named if name and name != "<synthetic>"), self.model)

    def _parent(self, record: Mapping[str, Any]) -> str:
        """Return the parent of a record: the named record, or else, after a compaction or without a name, the last."""
        named = as_text(record.get("parentUuid")) or as_text(record.get("logicalParentUuid"))
        if named:
            return self.resolved(named)
        goes_on = "parentUuid" not in record or record.get("subtype") == "compact_boundary"
        return self._last if goes_on or record.get("isCompactSummary") else ""

    def _joined_answer(self, link: Link, record: Mapping[str, Any]) -> Link | None:
        """Return the link of the same answer, with these messages merged in; None if it is the first of an answer."""
        answer = as_text(mapping(record.get("message")).get("id"))
        if record.get("type") != "assistant" or not answer:
            return None
        before = self._answers.setdefault(answer, link)
        if before is link:
            return None
        if before.messages and link.messages:
            before.messages[-1:] = _merged(before.messages[-1], link.messages[0])
            before.messages += link.messages[1:]
        else:
            before.messages += link.messages
        return before

    def _joined_results(self, link: Link) -> Link | None:
        """Return the link of the same answer's results, with these merged in; None if there is none yet."""
        calls = {message.tool_call_id for message in link.messages if message.role == "tool"}
        if not calls or not link.parent or any(message.role != "tool" for message in link.messages):
            return None
        before = self._results.setdefault(link.parent, link)
        if before is link or calls & {message.tool_call_id for message in before.messages}:
            return None
        before.messages += link.messages
        return before


def _merged(first: Message, second: Message) -> list[Message]:
    """Return two pieces of an answer as a single message, if neither is the result of a tool."""
    if first.role != second.role or first.role == "tool":
        return [first, second]
    return [with_parts(first, joined(first, second), metadata={**first.metadata, **second.metadata})]


def messages_of(record: Mapping[str, Any], id_: str, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record; none if it only records an action of the program."""
    if record.get("type") == "attachment":
        return _attached(record, id_, notes, place)
    if "message" not in record:
        return []
    held = mapping(record["message"])
    word = held.get("role", record.get("type"))
    role = ROLES.get(word.strip().lower()) if isinstance(word, str) else None
    if not held:
        notes.add(f"{place}.message", "expected a message (an object with role and content); it was left out")
        return []
    if role is None:
        found = as_text(word)[:40] or "nothing"
        notes.add(f"{place}.message.role", f"expected user, assistant or system, found {found}; it was left out")
        return []
    if held.get("content") is None:
        notes.add(f"{place}.message.content", "expected text or a list of blocks, found nothing; it was left out")
        return []
    time = parse_time(record.get("timestamp"))
    messages = turns_of(id_, role, time, held["content"], notes, f"{place}.message.content")
    marks, excluded = _marks(record), bool(record.get("isApiErrorMessage"))
    own = {**marks, **usage_of(held)} if role == "assistant" else marks
    return [
        changed(one, metadata={**one.metadata, **(marks if one.role == "tool" else own)}, excluded=excluded)
        for one in messages
    ]


def _marks(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the program's marks on a message: written by itself, a summary, or not sent."""
    marks: dict[str, Any] = {}
    if record.get("isMeta"):
        marks["meta"] = True
    if record.get("isCompactSummary") or record.get("type") == "summary":
        marks[SUMMARY_MARK] = True
    if record.get("isApiErrorMessage"):
        marks["recorded"] = {"action": "dropped", "reason": "an error that the application showed"}
    return marks


def _attached(record: Mapping[str, Any], id_: str, notes: Notes, place: str) -> list[Message]:
    """Return content that the program itself put into the prompt: text typed meanwhile, and mentioned files."""
    held = mapping(record.get("attachment"))
    time = parse_time(record.get("timestamp"))
    if held.get("type") == "queued_command" and held.get("prompt"):
        return turns_of(id_, "user", time, held["prompt"], notes, f"{place}.attachment.prompt")
    file = mapping(mapping(held.get("content")).get("file"))
    if held.get("type") == "file" and isinstance(file.get("content"), str):
        name = as_text(held.get("displayPath") or held.get("filename") or file.get("filePath"))
        return [Message(id_, "user", f"[{name}]\n{as_text(file['content'])}", time=time, metadata={"meta": True})]
    return []
