"""The command line: a command is declared in `commands`, and run by the module of its name beside it.

PATH… without a subcommand opens the window.
"""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import Any

import click
from click.shell_completion import CompletionItem

from inspector import __version__
from inspector.cli.failure import InputError
from inspector.cli.interruption import Interrupted
from inspector.cli.output import until_nobody_reads
from inspector.cli.streams import prepare_streams
from inspector.nearest import nearest
from inspector.visible_text import on_one_line

COMMAND_GROUPS = {
    "Look at one prompt": {
        "assemble": ("assemble:assemble", "Assemble a prompt once."),
        "explain": ("explain:explain", "Say why an item is kept or dropped, and how to change it."),
        "survival": ("survival:survival", "Say under which values of a slider each item is kept."),
        "timeline": ("timeline:timeline", "Say where in a conversation the tokens are."),
        "count": ("count:count", "Count tokens per item and in total."),
        "tokens": ("tokens:tokens", "List the tokens of one text with their ids."),
        "fidelity": ("fidelity:fidelity", "List the tokens saved by summaries, and the facts lost."),
        "memories": ("memories:memories", "Say how memories are ranked, and why each is in or out."),
        "replay": ("replay:replay", "Replay a conversation turn by turn."),
        "requests": ("requests:requests", "List recorded requests, and what other settings would have saved."),
        "waste": ("waste:waste", "Say what agents send for nothing, and what that costs."),
    },
    "Compare": {
        "compare": ("compare:compare", "Compare two scenarios."),
        "tokenizers": ("tokenizers:tokenizers", "Count the same items with several tokenizers."),
        "recall": ("recall:recall", "Measure how much of the evidence for questions is in their prompts."),
        "recommend": ("recommend:recommend", "Recommend the settings that keep most of the evidence."),
        "check": ("check:check", "For pipelines: fail where a scenario falls short."),
    },
    "Many chats": {
        "conversations": ("conversations:conversations", "List conversations with their results under a setting."),
        "search": ("search:search", "Find conversations by title, messages, memories and lore by text."),
        "sweep": ("sweep:sweep", "Assemble a grid of scenarios."),
        "report": ("report:report", "Write a page about an archive of chats."),
    },
    "Write": {
        "export": ("export:export", "Write a conversation in the layout of another program."),
        "snippet": ("snippet:snippet", "Write settings as another system takes them."),
        "record": ("record:record", "Record the requests that an application sends to a model server."),
        "import-memories": ("import_memories:import_memories", "Write the memories of a Qdrant server to a file."),
    },
    "About": {
        "policies": ("listing:policies", "List the policies, or describe the parameters of a policy."),
        "presets": ("presets:presets", "List the presets of the policies; save and remove your own."),
        "models": ("models:models", "List the models of the model table; import a public listing."),
        "formats": ("listing:formats", "List the supported file formats, or the possible formats of files."),
        "columns": ("columns:columns", "Name the columns of a table of messages."),
        "servers": ("servers:servers", "Find local model servers; compare their counts with ours."),
        "findings": ("findings:findings", "List the findings with their meaning and advice."),
        "cache": ("cache:cache", "Say where the cache and the log are; clear the cache."),
    },
}
"""The commands in the order of the help: where each is defined, and its summary."""
_COMMANDS = {name: command for commands in COMMAND_GROUPS.values() for name, command in commands.items()}
_OF_GROUP = ("--help", "-h", "--version")
_WINDOW = ("window:window", "Open the window.")
_NEW_OBJECTS = 100_000
"""A command makes so many objects before they are looked through for garbage: imported modules and read files stay."""


@contextmanager
def _one_line() -> Iterator[None]:
    """Report wrong usage in one line, without the usage text of click: scripts read errors line by line."""
    try:
        yield
    except click.UsageError as problem:
        raise InputError(problem.format_message()) from None
    except KeyboardInterrupt:
        raise Interrupted(signal.SIGINT) from None


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run; arguments without a command open the window."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = _COMMANDS.get(cmd_name) or (_WINDOW if cmd_name == "window" else None)
        if place is None:
            return None
        module, name = place[0].split(":")
        return getattr(import_module(f"inspector.cli.commands.{module}"), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by group, without importing them."""
        widest = max(map(len, _COMMANDS))
        for title, commands in COMMAND_GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), text) for name, (_, text) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands, without importing them, or else the files and options of the window."""
        opened = self.get_command(ctx, "window")
        assert opened is not None
        of_window = opened.make_context("window", [], ctx, resilient_parsing=True)
        options = [*click.Command.shell_complete(self, ctx, incomplete), *opened.shell_complete(of_window, incomplete)]
        if options:
            return options
        found = [(name, text) for name, (_, text) in _COMMANDS.items() if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *(CompletionItem(name, help=text) for name, text in found)]

    def make_context(self, *args: Any, **keywords: Any) -> click.Context:
        """Make the context of a call, reporting wrong usage in one line."""
        with until_nobody_reads(), _one_line():
            return super().make_context(*args, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, reporting wrong usage in one line."""
        with until_nobody_reads(), _one_line():
            return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the window's command in front of arguments without a command."""
        is_completed = ctx.resilient_parsing and not args  # a shell asks for the possible first arguments
        is_named = bool(args) and (args[0] in _COMMANDS or args[0] in _OF_GROUP or _is_window(args[0]))
        if not is_completed and not is_named:
            _check_command(args)
            args = ["window", *args]
        return super().parse_args(ctx, args)


def _is_window(name: str) -> bool:
    """Return whether a first argument names the command of the window, and no file of this name."""
    return name == "window" and not os.path.lexists(name)


def _check_command(args: Sequence[str]) -> None:
    """End the command if the first path does not exist but resembles the name of a command."""
    name = args[0] if args else ""
    near = nearest(name, (*_COMMANDS, "window")) if name.replace("-", "").isalpha() else []
    if name != "window" and near and not name.startswith("-") and not os.path.lexists(name):
        raise InputError(f"{name}: there is no such command or file; did you mean {near[0]}?")


def _report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report an error of the program itself with its traceback, without control characters from files."""
    for line in "".join(traceback.format_exception(kind, error, trace)).splitlines():
        click.echo(on_one_line(line), err=True)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100})
@click.version_option(__version__, prog_name="prompt-inspector")
@click.pass_context
def group(context: click.Context) -> None:
    """See what context-window policies keep, summarize and drop from saved chats, to the token.

    prompt-inspector [PATH]… opens the window on files, folders or workspaces; its options are listed by
    prompt-inspector window --help. The commands below work without a window.
    """
    if context.invoked_subcommand != "window":  # which collects while nothing moves
        context.call_on_close(partial(gc.set_threshold, *gc.get_threshold()))
        gc.set_threshold(_NEW_OBJECTS)


def main() -> Any:
    """Run the command line. Internal trouble is written to the log, not between the lines that scripts read."""
    from inspector.settings import start_log

    prepare_streams()
    start_log()
    sys.excepthook = _report_uncaught
    return group(prog_name="prompt-inspector")
