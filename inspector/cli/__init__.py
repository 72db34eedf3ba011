"""The headless face: one module per command. PATH… without a subcommand opens the window."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import TracebackType
from typing import Any

import click

from inspector import __version__
from inspector.cli.failure import InputError
from inspector.cli.output import until_nobody_reads
from inspector.visible_text import on_one_line

_COMMANDS = {
    "assemble": ("assemble:assemble", "Assemble a prompt once."),
    "export": ("export:export", "Write a conversation in the layout of another program."),
    "explain": ("explain:explain", "Say why an item is kept or dropped, and what would change that."),
    "survival": ("survival:survival", "Say under which values of a slider each item is kept."),
    "timeline": ("timeline:timeline", "Say where in a conversation the tokens are."),
    "compare": ("compare:compare", "Say what changes between two scenarios."),
    "count": ("count:count", "Count tokens per item and in total."),
    "tokens": ("tokens:tokens", "List the tokens of one text with their ids."),
    "tokenizers": ("tokenizers:tokenizers", "Count the same items with several tokenizers."),
    "fidelity": ("fidelity:fidelity", "Say what summaries save, and which facts they lose."),
    "memories": ("memories:memories", "Say how memories are ranked, and why each is in or out."),
    "recall": ("recall:recall", "Measure how much of what questions need is in their prompts."),
    "conversations": ("conversations:conversations", "List conversations with what a setting makes of each."),
    "search": ("search:search", "Find conversations by title, messages, memories and lore by text."),
    "recommend": ("recommend:recommend", "Recommend the settings that keep most of what questions need."),
    "sweep": ("sweep:sweep", "Assemble a grid of scenarios."),
    "check": ("check:check", "For pipelines: fail where a scenario falls short."),
    "snippet": ("snippet:snippet", "Write settings as another system takes them."),
    "report": ("report:report", "Write a page about an archive of chats."),
    "replay": ("replay:replay", "Replay a conversation turn by turn."),
    "models": ("models:models", "List the models of the model table; import a public listing."),
    "policies": ("listing:policies", "List the policies, or say what the parameters of one do."),
    "import-memories": ("import_memories:import_memories", "Write the memories of a Qdrant server to a file."),
    "servers": ("servers:servers", "Find local model servers; compare their counts with ours."),
    "formats": ("listing:formats", "List the file formats that can be opened, or those that files may have."),
    "columns": ("columns:columns", "Say which column of a table of messages holds what."),
    "presets": ("presets:presets", "List the presets of the policies; save and remove your own."),
    "findings": ("findings:findings", "List what each finding means, and what one can do about it."),
    "cache": ("cache:cache", "Say where the cache and the log are; clear the cache."),
}
_WINDOW = ("window:window", "Open the window.")


@contextmanager
def _one_line() -> Iterator[None]:
    """Scripts read errors line by line, so the usage that click puts above its own is left out."""
    try:
        yield
    except click.UsageError as problem:
        raise InputError(problem.format_message()) from None


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run; anything that is no command opens the window."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which they are helpful."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        place = _COMMANDS.get(cmd_name) or (_WINDOW if cmd_name == "window" else None)
        if place is None:
            return None
        module, name = place[0].split(":")
        return getattr(import_module(f"inspector.cli.{module}"), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])

    def make_context(self, *args: Any, **keywords: Any) -> click.Context:
        """The context of a call; wrong usage is told in one line."""
        with until_nobody_reads(), _one_line():
            return super().make_context(*args, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; wrong usage of it is told in one line."""
        with until_nobody_reads(), _one_line():
            return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the window's command in front of arguments that name no other."""
        if not args or (args[0] not in _COMMANDS and args[0] not in ("--help", "-h", "--version")):
            args = ["window", *args]
        return super().parse_args(ctx, args)


def _report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An error of the program itself: with its traceback, in which nothing that a file says is a command."""
    for line in "".join(traceback.format_exception(kind, error, trace)).splitlines():
        click.echo(on_one_line(line), err=True)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100})
@click.version_option(__version__, prog_name="prompt-inspector")
def group() -> None:
    """See what context-window policies keep, summarize and drop from saved chats, to the token.

    prompt-inspector [PATH]… opens the window on files, folders or workspaces; the commands below work without one.
    """


def main() -> Any:
    """Run the command line. What goes wrong inside is written to the log, not into the lines that scripts read."""
    from inspector.settings import start_log

    start_log()
    sys.excepthook = _report_uncaught
    return group(prog_name="prompt-inspector")
