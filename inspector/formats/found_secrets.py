"""Secrets in the texts of a file: a single problem with the place of the first secret and every kind."""

from collections.abc import Iterator

from inspector.figures import counted
from inspector.model import Message, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text
from inspector.secrets import MASKED, kinds_words, may_hold_secrets, secrets_in

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
    if message.tool_calls:
        yield from (call.arguments for call in message.tool_calls)
    if message.metadata and "reasoning" in message.metadata:
        yield str(message.metadata["reasoning"])
    if message.summary:
        yield message.summary
