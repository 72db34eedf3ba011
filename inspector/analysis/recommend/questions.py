"""The open questions: those of files, those marked by the user, or both, and which of them can be asked."""

from dataclasses import dataclass
from enum import Enum

from inspector.analysis.recall.probes import Skipped, askable, reasons_of
from inspector.analysis.recommend.advice import FEW_CONVERSATIONS, FEW_PROBES
from inspector.assembly.marks import Marks, marked_probes
from inspector.derived import cached_property
from inspector.figures import counted, figures
from inspector.model import Conversation, Probe, Workspace


class Source(Enum):
    """The source of questions."""

    BOTH = "All"
    FILES = "Of files"
    MARKS = "Marked here"


@dataclass(frozen=True)
class Questions:
    """The askable probes of a workspace, and the skipped ones."""

    is_open: bool
    asked: tuple[Probe, ...]
    skipped: tuple[Skipped, ...]
    source: Source
    offered: tuple[Probe, ...] = ()
    """All probes of the source, including those that cannot be asked."""
    marked: int = 0
    """The number of these made from marks, at the end."""
    chats: tuple[Conversation, ...] = ()
    """The open conversations."""

    @classmethod
    def of(cls, workspace: Workspace, marks: Marks, source: Source) -> "Questions":
        """Return the open probes, from files, marks or both; from both if the wanted source has none."""
        files, marked = workspace.probes, marked_probes(marks, workspace)
        wanted = {Source.FILES: (files, ()), Source.MARKS: ((), marked)}.get(source, (files, marked))
        used = wanted if any(wanted) else (files, marked)
        offered = (*used[0], *used[1])
        asked, skipped = askable(workspace, offered)
        kind = source if any(wanted) else Source.BOTH
        chats = workspace.conversations
        return cls(bool(chats), tuple(asked), tuple(skipped), kind, offered, len(used[1]), chats)

    @cached_property
    def conversations(self) -> int:
        """The number of their conversations."""
        return len({probe.conversation for probe in self.asked})

    def title(self, probe: Probe) -> str:
        """Return the title of the conversation that a probe asks, or its id."""
        chat = self._chat(probe)
        return probe.conversation if chat is None else chat.title or chat.id

    def numbers(self, probe: Probe) -> tuple[str, ...]:
        """Return the needs of an answer: messages by their numbers, as everywhere else, other items by their ids."""
        chat = self._chat(probe)
        places = {} if chat is None else self._places(chat)
        return tuple(figures(places[name]) if name in places else name for name in probe.evidence)

    def _chat(self, probe: Probe) -> Conversation | None:
        """Return the conversation that a probe asks: the only one, if it names none."""
        only = self.chats[0] if len(self.chats) == 1 else None
        return self._by_id.get(probe.conversation) if probe.conversation else only

    @cached_property
    def _by_id(self) -> dict[str, Conversation]:
        return {chat.id: chat for chat in self.chats}

    @cached_property
    def _numbered(self) -> dict[str, dict[str, int]]:
        return {}

    def _places(self, chat: Conversation) -> dict[str, int]:
        """Return the places of the messages of a conversation by their ids, from 1, counted once."""
        if chat.id not in self._numbered:
            self._numbered[chat.id] = {message.id: place for place, message in enumerate(chat.messages, 1)}
        return self._numbered[chat.id]

    @property
    def words(self) -> str:
        """How many there are."""
        return f"{counted(len(self.asked), 'question')} about {counted(self.conversations, 'conversation')}"

    @property
    def warnings(self) -> str:
        """The limits of so few questions, and the number left aside; "" if none."""
        found = []
        if len(self.asked) < FEW_PROBES:
            found.append(f"{counted(len(self.asked), 'question')} are few: {FEW_PROBES} or more tell settings apart.")
        if self.conversations == 1:
            found.append("Only one conversation: how others would do cannot be known.")
        elif self.conversations < FEW_CONVERSATIONS:
            found.append(f"{self.conversations} conversations are few: the gain is known only roughly.")
        if self.skipped:
            found.append(f"{counted(len(self.skipped), 'question')} cannot be asked: {reasons_of(self.skipped)}.")
        return " ".join(found).replace("1 question are", "1 question is")
