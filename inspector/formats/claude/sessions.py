"""Session files of Claude Code: JSON lines in `~/.claude/projects`, and those of its sub-agents.

The messages are those that the program sent: a summary after `/compact` is among them, and the messages before it are
marked as summarized. Side chains (sub-agents in the same file) are conversations of their own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.figures import counted
from inspector.formats.branches import branches_of, marked
from inspector.formats.claude.records import Chain
from inspector.formats.compaction import recorded_actions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import first_line, title_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Conversation, Workspace
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, items_of, mapping, stem

_KNOWN = frozenset(
    (
        *("user", "assistant", "system", "summary", "attachment", "progress", "file-history-snapshot", "agent-name"),
        *("queue-operation", "custom-title", "ai-title", "last-prompt", "permission-mode", "pr-link", "tag", "mode"),
        *("agent-color", "agent-setting", "content-replacement", "worktree-state", "bridge-session"),
    )
)
_MARKS = frozenset(("uuid", "parentUuid", "sessionId", "isSidechain"))
_TITLES = ("customTitle", "aiTitle")
_WRAP = "loglines"  # of a session of Claude Code on the web, as simonw/claude-code-transcripts fetches it
_LOOKED_AT = 10


def _sniff(source: FileSource) -> float:
    if source.shape not in ("json_lines", "json"):
        return 0.0
    try:
        if source.shape == "json":
            if source.raw_items is not None:
                return max((_sureness(value) for value in source.first_items), default=0.0)
            lines = items_of(mapping(source.sample).get(_WRAP)) or (source.sample,)
            return max(map(_sureness, lines[:_LOOKED_AT]))
        return max((_sureness(record.value) for record in source.first_records), default=0.0)
    except UnreadableError:
        return 0.0


def _sureness(record: Any) -> float:
    held = mapping(record)
    kind = held.get("type")
    if not isinstance(kind, str) or kind not in _KNOWN:
        return 0.0
    if isinstance(held.get("message"), Mapping) and _MARKS & held.keys():
        return 0.97
    if kind == "summary" and {"summary", "leafUuid"} <= held.keys():
        return 0.9
    if kind == "file-history-snapshot" and {"messageId", "snapshot"} <= held.keys():
        return 0.9
    return 0.9 if {"sessionId", "timestamp"} <= held.keys() and ("uuid" in held or "operation" in held) else 0.0


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    session = _Session(notes)
    for line, value in _lines(source, notes):
        session.read(value, line)
    chains = [chain for chain in session.chains.values() if any(link.messages for link in chain.links.values())]
    if not chains:
        raise notes.unreadable("$", "expected records with messages of Claude Code, found none")
    ids = unique_texts(chain.id or stem(source.path) for chain in chains)
    conversations = tuple(session.conversation(chain, id_) for chain, id_ in zip(chains, ids, strict=True))
    session.note_what_was_left_out()
    return Workspace(conversations=conversations, problems=tuple(notes.problems))


def _lines(source: FileSource, notes: Notes) -> Iterator[tuple[int, Any]]:
    """Yield the numbered records of a file: lines, those that claude.ai wraps as `loglines`, or those of an array."""
    if source.shape == "json_lines":
        yield from ((record.line, record.value) for record in source.records(notes.problems))
        return
    value = source.json
    wrapped = mapping(value).get(_WRAP) if isinstance(value, Mapping) else value
    yield from enumerate(wrapped if isinstance(wrapped, list) else [value], 1)


class _Session:
    """The chains of a file while it is read, and its records that are no messages."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.chains: dict[str, Chain] = {}
        self._homes: dict[str, Chain] = {}  # of side chains, by the id of a record
        self._summaries: list[tuple[str, str]] = []
        self._titles: dict[str, str] = {}
        self._silent: Counter[str] = Counter()
        self._unknown: dict[str, list[int]] = {}
        self._session = ""

    def read(self, record: Any, line: int) -> None:
        """Read a line."""
        place = f"line {line}: $"
        if not isinstance(record, Mapping):
            self.notes.add(place, f"expected a record (an object), found {kind_of(record)}; it was left out")
            return
        kind = as_text(record.get("type"))
        self._session = as_text(record.get("sessionId")) or self._session
        if kind == "summary" and "message" not in record:
            self._summaries.append((as_text(record.get("leafUuid")), as_text(record.get("summary"))))
            return
        for key in _TITLES:
            if isinstance(record.get(key), str):
                self._titles[self._session] = as_text(record[key])
        if "message" not in record and "uuid" not in record:
            self._leave_out(kind, line)
            return
        id_ = as_text(record.get("uuid")) or f"line{line}"
        chain = self._chain(record, id_)
        chain.add(record, id_, self.notes, place)
        link = chain.links.get(chain.resolved(id_))
        if "message" not in record and not (link and link.messages):
            self._leave_out(kind, line)

    def conversation(self, chain: Chain, id_: str) -> Conversation:
        """Return the conversation of a chain."""
        branches = branches_of(chain.finished(self.notes), "", self.notes.add)
        branches = marked(branches, recorded_actions(branches.path))
        named = [text for leaf, text in self._summaries if chain.resolved(leaf) in chain.links]
        title = self._titles.get(chain.id) or first_line(named[-1] if named else "") or title_of(branches.path)
        return Conversation(id_, branches.path, title or id_, tree=branches.tree, model=chain.model)

    def note_what_was_left_out(self) -> None:
        """Note one problem for the records of each unknown type, and one for all that are no messages."""
        for kind, lines in self._unknown.items():
            were = "was" if len(lines) == 1 else "were"
            words = f"{counted(len(lines), 'record')} of the unknown type {kind[:40] or '(none)'} {were} left out"
            self.notes.add(f"line {lines[0]}: $.type", words)
        if self._silent:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self._silent.items()))
            self.notes.add("", f"records that are not messages were left out: {kinds}", "info")

    def _leave_out(self, kind: str, line: int) -> None:
        if kind in _KNOWN:
            self._silent[kind] += 1
        else:
            self._unknown.setdefault(kind, []).append(line)

    def _chain(self, record: Mapping[str, Any], id_: str) -> Chain:
        """Return the chain of a record: its session, or the side chain of its parent or sub-agent."""
        if not record.get("isSidechain"):
            return self._named(self._session, False)
        agent = as_text(record.get("agentId"))
        if agent:
            return self._named(f"{self._session}/{agent}", True)
        home = self._homes.get(as_text(record.get("parentUuid")))
        chain = home or self._named(f"{self._session}/{id_}", True)
        self._homes[id_] = chain
        return chain

    def _named(self, name: str, is_side: bool) -> Chain:
        return self.chains.setdefault(name, Chain(name, is_side))


FORMAT = Format(
    "claude_code",
    "Claude Code session",
    _sniff,
    _load,
    "lines with `parentUuid` and `sessionId`",
    beside=("summary", "toolUseResult", "hookInfos", "apiRefusalExplanation"),
)
