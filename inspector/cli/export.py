"""prompt-inspector export: a conversation in the layout of another program."""

import click

from inspector.assembly.choices import ScenarioError
from inspector.assembly.references import conversation_named
from inspector.cli import completion
from inspector.cli.failure import InputError
from inspector.cli.loading import open_workspace
from inspector.cli.options import paths_argument
from inspector.cli.output import say_written, warn
from inspector.figures import counted
from inspector.formats.chat_exports import CHAT_EXPORTS, write_chat
from inspector.model import Conversation, Workspace


@click.command()
@paths_argument
@click.option("--as", "kind", type=click.Choice(list(CHAT_EXPORTS)), default="openai", help="Layout to write.")
@click.option("--out", metavar="FILE", shell_complete=completion.files, required=True, help="File to write.")
@click.option("--conversation", metavar="ID", help="Conversation to export; by default the first.")
def export(paths: tuple[str, ...], kind: str, out: str, conversation: str | None) -> None:
    """Write one conversation of PATHS into a file, and list its contents without a place in the layout."""
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
