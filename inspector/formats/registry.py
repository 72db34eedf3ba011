"""The built-in formats, and the detection of a file's format. Their modules are imported on demand.

Formats of plug-ins are not looked up here: the callers that open files pass them.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, overload

from inspector.contained import contained
from inspector.formats.evidence import reads_a_record
from inspector.formats.format import Format
from inspector.model import Problem
from inspector.reading.source import FileSource, UnreadableError

if TYPE_CHECKING:
    from inspector.formats.tables.layout import TableLayout

_log = logging.getLogger(__name__)

SURE = 0.8
"""From this sureness on, a format is sure of a file, unless another format is as sure."""
_LIKELY = 0.6
"""From this sureness on, a document inside of another is read."""
_UNPROVEN = 0.79
"""By this an answer is multiplied if no record proves it: it stays a candidate, in its order, and is not sure."""

_TABLES = "inspector.formats.tables.chats:FORMAT"
BUILT_IN = (
    "inspector.formats.native.workspace:FORMAT",
    "inspector.formats.native.probes:FORMAT",
    "inspector.formats.openai.chats:FORMAT",
    "inspector.formats.openai.marked_text:FORMAT",
    "inspector.formats.openai.prompty:FORMAT",
    "inspector.formats.chatgpt.export:FORMAT",
    "inspector.formats.claude.export:FORMAT",
    "inspector.formats.claude.api:FORMAT",
    "inspector.formats.claude.sessions:FORMAT",
    "inspector.formats.codex.sessions:FORMAT",
    "inspector.formats.codex.exec_events:FORMAT",
    "inspector.formats.gemini.bodies:FORMAT",
    "inspector.formats.gemini.studio:FORMAT",
    "inspector.formats.gemini.command_line:FORMAT",
    "inspector.formats.agents.copilot_cli:FORMAT",
    "inspector.formats.agents.qwen_code:FORMAT",
    "inspector.formats.agents.pi:FORMAT",
    "inspector.formats.agents.antigravity:FORMAT",
    "inspector.formats.agents.antigravity_artefact:FORMAT",
    "inspector.formats.agents.vscode_chat:FORMAT",
    "inspector.formats.agents.chat_replay:FORMAT",
    "inspector.formats.agents.cursor_cli:FORMAT",
    "inspector.formats.agents.cursor_text:FORMAT",
    "inspector.formats.agents.kimi:FORMAT",
    "inspector.formats.agents.droid:FORMAT",
    "inspector.formats.agents.event_stream:FORMAT",
    "inspector.formats.agents.amp:FORMAT",
    "inspector.formats.agents.opencode:FORMAT",
    "inspector.formats.agents.openhands:FORMAT",
    "inspector.formats.agents.swe_agent:FORMAT",
    "inspector.formats.agents.grok_cli:FORMAT",
    "inspector.formats.agents.grok_history:FORMAT",
    "inspector.formats.agents.hermes:FORMAT",
    "inspector.formats.agents.goose:FORMAT",
    "inspector.formats.agents.crush:FORMAT",
    "inspector.formats.agents.kiro:FORMAT",
    "inspector.formats.agents.continue_dev:FORMAT",
    "inspector.formats.gemini.activity:FORMAT",
    "inspector.formats.sillytavern.chats:FORMAT",
    "inspector.formats.sillytavern.presets:FORMAT",
    "inspector.formats.lore.world_info:FORMAT",
    "inspector.formats.cards.card:FORMAT",
    "inspector.formats.chorus.character:FORMAT",
    "inspector.formats.chorus.database:FORMAT",
    "inspector.formats.chorus.backup:FORMAT",
    "inspector.formats.chorus.reading_export:FORMAT",
    "inspector.formats.datasets.locomo:FORMAT",
    "inspector.formats.memories.chroma:FORMAT",
    "inspector.formats.memories.qdrant:FORMAT",
    "inspector.formats.memories.mem0:FORMAT",
    "inspector.formats.memories.zep:FORMAT",
    "inspector.formats.memories.memory_bank:FORMAT",
    "inspector.formats.open_webui.chats:FORMAT",
    "inspector.formats.apps.deepseek:FORMAT",
    "inspector.formats.apps.perplexity:FORMAT",
    "inspector.formats.apps.nextchat:FORMAT",
    "inspector.formats.apps.typingmind:FORMAT",
    "inspector.formats.apps.chatbot_ui:FORMAT",
    "inspector.formats.apps.chatbot_ui:DATABASE",
    "inspector.formats.apps.big_agi:FORMAT",
    "inspector.formats.apps.le_chat:FORMAT",
    "inspector.formats.apps.cherry_studio:FORMAT",
    "inspector.formats.grok.export:FORMAT",
    "inspector.formats.risu.files:FORMAT",
    "inspector.formats.novelai.files:FORMAT",
    "inspector.formats.agnai.files:FORMAT",
    "inspector.formats.librechat.export:FORMAT",
    "inspector.formats.jan.threads:FORMAT",
    "inspector.formats.character_ai.cai_tools:FORMAT",
    "inspector.formats.chatbox.export:FORMAT",
    "inspector.formats.lobechat.export:FORMAT",
    "inspector.formats.chatwise.chats:FORMAT",
    "inspector.formats.backyard.archive:FORMAT",
    "inspector.formats.marinara.files:FORMAT",
    "inspector.formats.glaze.backup:FORMAT",
    "inspector.formats.agents.aider:FORMAT",
    "inspector.formats.agents.specstory:FORMAT",
    "inspector.formats.whisperengine.prompt_log:FORMAT",
    "inspector.formats.whisperengine.runs:FORMAT",
    "inspector.formats.whisperengine.cdl:FORMAT",
    "inspector.formats.whisperengine.characters:FORMAT",
    "inspector.formats.llamacpp.chats:FORMAT",
    "inspector.formats.lmstudio.chats:FORMAT",
    "inspector.formats.text_generation_webui.files:FORMAT",
    "inspector.formats.kobold.story:FORMAT",
    "inspector.formats.datasets.alpaca:FORMAT",
    "inspector.formats.datasets.preferences:FORMAT",
    "inspector.formats.datasets.fastchat:FORMAT",
    "inspector.formats.datasets.oasst:FORMAT",
    "inspector.formats.datasets.rows:FORMAT",
    "inspector.formats.agents.cline:FORMAT",
    "inspector.formats.agents.cline_session:FORMAT",
    "inspector.formats.agents.cline_shown:FORMAT",
    "inspector.formats.agents.cursor:FORMAT",
    "inspector.formats.agents.llm_log:FORMAT",
    "inspector.formats.vercel.messages:FORMAT",
    "inspector.formats.traces.langchain:FORMAT",
    "inspector.formats.traces.langgraph:FORMAT",
    "inspector.formats.traces.langfuse:FORMAT",
    "inspector.formats.traces.spans:FORMAT",
    "inspector.formats.traces.requests:FORMAT",
    "inspector.formats.traces.saved_streams:FORMAT",
    "inspector.formats.frameworks.lhar:FORMAT",
    "inspector.formats.frameworks.inspect_ai:FORMAT",
    "inspector.formats.frameworks.atif:FORMAT",
    "inspector.formats.frameworks.llama_index:FORMAT",
    "inspector.formats.frameworks.semantic_kernel:FORMAT",
    "inspector.formats.frameworks.cohere:FORMAT",
    "inspector.formats.frameworks.dspy:FORMAT",
    "inspector.formats.frameworks.smolagents:FORMAT",
    "inspector.formats.frameworks.pydantic_ai:FORMAT",
    "inspector.formats.frameworks.adk:FORMAT",
    "inspector.formats.frameworks.haystack:FORMAT",
    "inspector.formats.frameworks.autogen:FORMAT",
    "inspector.formats.openai.lists:FORMAT",
    "inspector.formats.openai.realtime:FORMAT",
    "inspector.formats.agents.brain:FORMAT",
    "inspector.formats.agents.letta:FORMAT",
    "inspector.formats.slack.export:FORMAT",
    "inspector.formats.chat_logs.discord:FORMAT",
    "inspector.formats.chat_logs.messenger:FORMAT",
    "inspector.formats.chat_logs.messengers:SKYPE",
    "inspector.formats.chat_logs.messengers:TEAMS",
    "inspector.formats.chat_logs.messengers:GOOGLE_CHAT",
    "inspector.formats.chat_logs.messengers:META",
    "inspector.formats.chat_logs.messengers:ELEMENT",
    "inspector.formats.chat_logs.messengers:SIGNAL",
    "inspector.formats.chat_logs.x_archive:FORMAT",
    "inspector.formats.chat_logs.snapchat:FORMAT",
    "inspector.formats.chat_logs.linkedin:FORMAT",
    "inspector.formats.chat_logs.mattermost:FORMAT",
    "inspector.formats.chat_logs.telegram:FORMAT",
    "inspector.formats.chat_logs.whatsapp:FORMAT",
    "inspector.formats.chat_logs.irc:FORMAT",
    "inspector.formats.datasets.kdconv:FORMAT",
    "inspector.formats.datasets.msc:FORMAT",
    "inspector.formats.datasets.crosswoz:FORMAT",
    "inspector.formats.datasets.real_persona_chat:FORMAT",
    "inspector.formats.datasets.mt_bench:FORMAT",
    "inspector.formats.datasets.longmemeval:FORMAT",
    "inspector.formats.datasets.realtalk:FORMAT",
    "inspector.formats.datasets.beam:FORMAT",
    _TABLES,
    "inspector.formats.memories.table:FORMAT",
    "inspector.formats.openai.role_text:FORMAT",
    "inspector.formats.searched.found:FORMAT",
    "inspector.formats.chat_logs.headed:FORMAT",
    "inspector.formats.chat_logs.plain:FORMAT",
)
_LAST = 3
"""Guesses are among the last so many."""
_OF_TEXT = frozenset(
    f"inspector.formats.{name}:FORMAT"
    for name in (
        *("openai.marked_text", "openai.prompty", "agents.cursor_text", "agents.aider", "agents.specstory"),
        *("chorus.reading_export", "memories.qdrant", "memories.table", "whisperengine.characters"),
        *("traces.langfuse", "traces.saved_streams", "frameworks.dspy", "tables.chats"),
        *("chat_logs.x_archive", "chat_logs.linkedin", "chat_logs.whatsapp", "chat_logs.irc"),
        *("chat_logs.headed", "chat_logs.plain"),
    )
)
"""The formats that look into a text that is neither JSON nor YAML: of such a text only these are imported and asked."""


@cache
def _load_object(name: str) -> Format:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


class _BuiltIn(Sequence[Format]):
    """The built-in formats; the module of each is imported when its turn comes.

    The format for tables of messages knows the layouts that the user explained.
    """

    def __init__(self, explained: "Sequence[TableLayout]" = ()) -> None:
        self._explained = explained

    def __len__(self) -> int:
        return len(BUILT_IN)

    @overload
    def __getitem__(self, index: int) -> Format: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Format, ...]: ...
    def __getitem__(self, index: int | slice) -> Format | tuple[Format, ...]:
        if isinstance(index, slice):
            return tuple(map(self._load, BUILT_IN[index]))
        return self._load(BUILT_IN[index])

    def reading(self, source: FileSource) -> Iterator[Format]:
        """Yield the formats to ask about a file, in their order."""
        return (self._load(name) for name in BUILT_IN if source.shape != "text" or name in _OF_TEXT)

    def guessing(self) -> Iterator[Format]:
        """Yield the guessing formats, which are asked last."""
        return (kind for name in BUILT_IN[-_LAST:] if (kind := self._load(name)).is_guess)

    def _load(self, name: str) -> Format:
        if self._explained and name == _TABLES:
            from inspector.formats.tables.chats import format_with

            return format_with(self._explained)
        return _load_object(name)


_BUILT_IN = _BuiltIn()


def built_in_formats(explained: "Sequence[TableLayout]" = ()) -> Sequence[Format]:
    """Return the built-in formats, in the order in which they are asked when two are equally sure.

    `explained` are the layouts of tables of messages that the user explained.
    """
    return _BuiltIn(explained) if explained else _BUILT_IN


def sureness(kind: Format, source: FileSource) -> float:
    """Return how sure a format is of a file: from `SURE` on only if it reads any of the file's first records.

    Raise any error of its `sniff`, and ValueError if that returns anything but a number from 0 to 1.
    """
    with contained():
        answer = kind.sniff(source)
    if not isinstance(answer, int | float) or not 0 <= answer <= 1:
        raise ValueError(f"sniff answered {answer!r}, expected a number from 0 to 1")
    if answer < SURE:
        return float(answer)
    with contained():
        is_proven = reads_a_record(kind, source)
    return float(answer) if is_proven else answer * _UNPROVEN


def rank_formats(source: FileSource, among: Iterable[Format]) -> tuple[list[Format], list[Problem]]:
    """Return the candidate formats of a file without guesses, the surest first, and a problem for each failure.

    Equally sure formats keep their order in `among`. Once a built-in format is certain, no more of those are imported,
    unless there are plug-ins, each of which is asked.
    """
    problems: list[Problem] = []
    ranked: list[tuple[float, Format]] = []
    for sure, kind in _answers(source, among, problems):
        ranked.append((sure, kind))
        if sure == 1 and isinstance(among, _BuiltIn):
            break
    return [kind for _, kind in sorted(ranked, key=lambda pair: -pair[0])], problems


def likely(source: FileSource, among: Iterable[Format]) -> list[Format]:
    """Return the likely formats of a document, the surest first; failures are only logged."""
    found = sorted(_answers(source, among, []), key=lambda pair: -pair[0])
    return [kind for sure, kind in found if sure >= _LIKELY]


def guesses(source: FileSource, among: Iterable[Format], problems: list[Problem]) -> list[Format]:
    """Return the guessing formats that claim a file; add a problem for each failure."""
    return [kind for _, kind in _answers(source, among, problems, guesses=True)]


def certain_format(head: FileSource, among: Iterable[Format]) -> Format | None:
    """Return the format that is certain of the head of a file; None also if a format failed. Nothing is kept of it."""
    try:
        ranked, problems = rank_formats(head, among)
        return ranked[0] if ranked and not problems and sureness(ranked[0], head) == 1 else None
    finally:
        head.give_back()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate format of a file: its `sureness` (0–1), and whether it alone is sure."""

    format: Format
    sureness: float
    is_sure: bool

    @property
    def reason(self) -> str:
        """The mark by which files of this format are recognized, in a few words."""
        return self.format.sign or f"looks like {self.format.title}"


def candidates(source: FileSource, among: Iterable[Format]) -> tuple[list[Candidate], list[Problem]]:
    """Return every candidate format of a file, the surest first, and a problem for each that failed at it.

    Guesses are among them only where there is no other. A format is sure if its answer is at least `SURE` and every
    other is lower; of two equally sure formats, neither is.
    """
    problems: list[Problem] = []
    answers = list(_answers(source, among, problems)) or list(_answers(source, among, problems, guesses=True))
    ranked = sorted(answers, key=lambda pair: -pair[0])
    others = [sure for sure, _ in ranked[1:2]]
    first_is_sure = bool(ranked) and ranked[0][0] >= SURE and ranked[0][0] > max(others, default=0.0)
    found = [Candidate(kind, sure, first_is_sure and place == 0) for place, (sure, kind) in enumerate(ranked)]
    return found, problems


def asked_of(among: Iterable[Format], source: FileSource) -> Iterable[Format]:
    """Return the formats to ask about a file: all of these, or those of the built-in ones that may read its shape."""
    return among.reading(source) if isinstance(among, _BuiltIn) else among


def _answers(
    source: FileSource, among: Iterable[Format], problems: list[Problem], guesses: bool = False
) -> Iterator[tuple[float, Format]]:
    """Yield the formats with an answer above 0, or only the guesses; add a problem for each failure."""
    asked = among.guessing() if guesses and isinstance(among, _BuiltIn) else asked_of(among, source)
    for kind in (one for one in asked if one.is_guess == guesses):
        try:
            sure = sureness(kind, source)
        except UnreadableError:
            continue  # an unreadable file has no format, and its reader says why
        except Exception as defect:  # noqa: BLE001 - said below, logged with its traceback
            problems.append(broken(kind, source, "could not be looked at", defect))
            continue
        if sure > 0:
            yield sure, kind


def broken(kind: Format, source: FileSource, what: str, defect: Exception) -> Problem:
    """Return the problem of a file for an unexpected failure of a format, with a traceback in the log.

    A format may be foreign code, which may raise anything; the others have to get their turn regardless.
    """
    _log.error("the format %s failed at %s", kind.name, source.path, exc_info=defect)
    message = f"{what} as {kind.title}: the format {kind.name} failed: {type(defect).__name__}: {defect}"
    return source.problem("", message, "warning")
