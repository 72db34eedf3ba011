"""The popover of all open chats, found by typing."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice, lately_first
from inspector.gui.parts.chooser import Chooser
from inspector.gui.parts.texts import told_apart
from inspector.model import Workspace
from inspector.secrets import masked

POPOVER = QSize(480, 420)


class ChatChooser(Chooser):
    """Lists the open chats. `chat_chosen` carries an id."""

    chat_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        columns = (
            ChoiceColumn("Chat", least=20),
            ChoiceColumn("Messages", 8, at_right=True, least=8),
            ChoiceColumn("File", 16),
        )
        self._window = parent
        super().__init__("chat_chooser", "Find a chat by its title or file", columns, parent, headings=True)
        self.chosen.connect(lambda choice: self.chat_chosen.emit(str(choice.thing)))

    def open_at(self, place: QPoint, workspace: Workspace, current: str, used: Sequence[str]) -> None:
        """Open with the upper left corner at a place of the window, the current chat marked.

        `used` are the keys of choices used lately, newest first, which come first.
        """
        self.open_over(self._window, QRect(place, POPOVER), lately_first(chat_choices(workspace), used))
        self.found.mark(chat_key(current))


def chat_key(chat: str) -> str:
    """Return the key of the choice of a chat, by its id."""
    return f"chat:{chat}"


def chat_choices(workspace: Workspace) -> Iterator[Choice]:
    """Yield the choice of each open chat."""
    chats = workspace.conversations
    names = told_apart([masked(chat.title or chat.id) for chat in chats])
    for chat, name in zip(chats, names, strict=True):
        messages = f"{len(chat.messages):,}" if chat.is_read else ""
        tip = "\n".join(filter(None, (masked(chat.title or chat.id), chat.source, chat.origin)))
        yield Choice(chat_key(chat.id), (name, messages, PurePath(chat.origin).name), chat.id, masked(chat.title), tip)
