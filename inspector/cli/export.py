"""prompt-inspector export: a conversation in the layout of another program."""

from inspector.assembly.choices import ScenarioError
from inspector.assembly.references import conversation_named
from inspector.cli.failure import InputError
from inspector.cli.loading import open_workspace
from inspector.cli.output import say_written, warn
from inspector.figures import counted
from inspector.formats.chat_exports import write_chat
from inspector.model import Conversation, Workspace


def export(paths: tuple[str, ...], kind: str, out: str, conversation: str | None) -> None:
    """Run `prompt-inspector export` with the values of its options."""
    workspace = open_workspace(paths)
    talk = _chosen(workspace, conversation)
    try:
        lost = write_chat(workspace, talk, kind, out, paths)
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    for words in lost:
        warn(f"{out}: {words} could not be written as {kind}")
    say_written(f"{talk.title or talk.id} ({counted(len(talk.messages), 'message')})", out)


def _chosen(workspace: Workspace, name: str | None) -> Conversation:
    """Return the conversation with an id or a title. End the command if there is none."""
    if not workspace.conversations:
        raise InputError("export: no conversation is there")
    if name is None:
        return workspace.conversations[0]
    try:
        return conversation_named(workspace, name)
    except ScenarioError as problem:
        raise InputError(f"--conversation: {problem}") from None
