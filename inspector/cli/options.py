"""Options shared by several commands, declared without what they run."""

from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import click

from inspector import secrets
from inspector.cli import completion
from inspector.cli.option_types import ServerContext
from inspector.limits import MOST

_Command = Callable[..., Any]
_VERBOSE, _REPAIR, _SENDS, _SAVES, _PLAIN = (
    f"{__name__}.{name}" for name in ("verbose", "repair", "sends", "saves", "plain")
)


def _keep(name: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return a callback that stores a flag for the whole run, so that no command has to pass it on."""

    def keep(context: click.Context, _: click.Parameter, value: bool) -> None:
        context.find_root().meta[name] = value

    return keep


def _is_set(name: str) -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.find_root().meta.get(name))


def is_verbose() -> bool:
    """Return whether this run was asked to list unopened files."""
    return _is_set(_VERBOSE)


class _Every:
    """A container of everything."""

    def __contains__(self, _: object) -> bool:
        return True


def files_to_repair() -> Container[str]:
    """Return the files that this run may repair: all or none."""
    return _Every() if _is_set(_REPAIR) else ()


def _reveal(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        secrets.reveal(True)
        context.find_root().call_on_close(lambda: secrets.reveal(False))


reveal_option = click.option(
    "--reveal-secrets",
    is_flag=True,
    expose_value=False,
    callback=_reveal,
    help="Show keys and tokens found in the files, which are masked otherwise.",
)


def paths_argument(command: _Command) -> _Command:
    """Add the files opened by a command, and the options for opening them."""
    verbose = click.option(
        "--verbose",
        is_flag=True,
        expose_value=False,
        callback=_keep(_VERBOSE),
        help="List the files of folders and archives that were not opened.",
    )
    repair = click.option(
        "--repair",
        is_flag=True,
        expose_value=False,
        callback=_keep(_REPAIR),
        help="Read broken JSON anyway, guessing the missing parts; the files are not changed.",
    )
    return click.argument("paths", nargs=-1, shell_complete=completion.files)(verbose(repair(reveal_option(command))))


def _keep_summaries(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Return the value, and store whether texts may be sent."""
    context.find_root().meta[_SENDS] = value == "endpoint"
    return value


def _keep_place(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Store the name of the file for the scenario."""
    context.find_root().meta[_SAVES] = value


def scenario_to_save() -> str | None:
    """Return the file into which this run writes its scenario, None for no file."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.find_root().meta.get(_SAVES)


def may_send_texts() -> bool:
    """Return whether an option of this run, and not a file, asked for summaries from a server."""
    return _is_set(_SENDS)


def ignores_defaults() -> bool:
    """Return whether this run was asked to ignore the defaults in the settings file."""
    return _is_set(_PLAIN)


no_defaults_option = click.option(
    "--no-defaults",
    is_flag=True,
    expose_value=False,
    callback=_keep(_PLAIN),
    help="Ignore the model, policy and window under `defaults` in settings.yaml.",
)

_FILE_OPTION = click.option(
    "--scenario",
    "-s",
    "scenario_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Scenario file to start from.",
)
_SCENARIO_OPTIONS = (
    click.option(
        "--save-scenario",
        metavar="FILE",
        expose_value=False,
        callback=_keep_place,
        shell_complete=completion.files,
        help="Write the scenario that these options make, for --scenario.",
    ),
    click.option(
        "--policy",
        "-p",
        shell_complete=completion.policies,
        help="Policy to assemble with; own takes the rules of the file's program.",
    ),
    click.option("--preset", shell_complete=completion.presets, help="Named set of parameters."),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="A parameter of the policy; `policies NAME` describes them.",
    ),
    click.option(
        "--model",
        "-m",
        shell_complete=completion.models,
        help="Model: sets tokenizer and window unless they are given.",
    ),
    click.option("--tokenizer", help="Tokenizer, such as embedded:qwen3 or estimate:words."),
    click.option(
        "--window", "-w", "context_window", type=click.IntRange(1, MOST), metavar="N", help="Context window in tokens."
    ),
    no_defaults_option,
    click.option("--thoughts", metavar="WHICH", help="Thoughts sent back to the model: auto, loop, all or none."),
    click.option("--thinking", type=bool, metavar="BOOL", help="Switch thinking of the chat template on or off."),
    click.option("--server", metavar="NAME", help="Server that gets the prompt: ollama, llamacpp, lm_studio or vllm."),
    click.option(
        "--server-context",
        type=ServerContext(MOST),
        metavar="N",
        help="Context of the server in tokens; found, or HOST:PORT, asks the server that runs.",
    ),
    click.option("--at", type=click.IntRange(min=0), metavar="N", help="Only the first N messages exist."),
    click.option("--as-of", is_flag=True, default=None, help="With --at: no next message, and nothing made later."),
    click.option("--query", help="Text to rank memories by."),
    click.option("--similarity", metavar="WAY", help="Compare by auto, recorded, embedding, lexical, hybrid or fused."),
    click.option(
        "--relevance", multiple=True, metavar="KEY=VALUE", help="How similarities are fused, such as sitting=0."
    ),
    click.option("--embedding", metavar="NAME", help="Model of the vectors, such as wordllama, minilm or hf:FOLDER."),
    click.option(
        "--summaries",
        callback=_keep_summaries,
        help="How to summarize messages without a summary in the file: extractive or endpoint.",
    ),
    click.option("--summary-tokens", type=click.IntRange(min=1), metavar="N", help="How long such summaries may be."),
    click.option("--classify", metavar="RULES", help="How messages without a class in the file get one: rules."),
    click.option("--now", metavar="TIME", help="The time from which recency is counted."),
    click.option("--draft", metavar="TEXT", help="The next message of the user, not yet sent."),
    click.option("--conversation", metavar="ID", help="Conversation to assemble."),
    click.option("--character", metavar="ID", help="Character to assemble with."),
    click.option("--memories", "memory_sets", multiple=True, metavar="ID", help="Memory set; may be repeated."),
    click.option("--no-memories", is_flag=True, default=None, help="No memory set, whatever belongs to the chat."),
    click.option(
        "--scores",
        "score_scales",
        multiple=True,
        metavar="SET=SCALE",
        help="How recorded scores of a memory set are read: similarity, distance, raw.",
    ),
    click.option("--leaf", metavar="ID", help="Last message of the branch to take; an unknown ID lists them."),
    click.option("--assistant", metavar="NAME", help="Speaker who is the assistant."),
    click.option("--lore", multiple=True, metavar="KEY=VALUE", help="How lorebooks are scanned, such as depth=8."),
    click.option(
        "--override",
        "overrides",
        multiple=True,
        metavar="ITEM:FIELD=VALUE",
        help="A field of an item, as if the file had it; the value as JSON.",
    ),
    click.option(
        "--pin",
        "pinned",
        multiple=True,
        metavar="ITEM",
        shell_complete=completion.items,
        help="Item to keep first, by number or id; may be repeated.",
    ),
    click.option(
        "--exclude",
        "excluded",
        multiple=True,
        metavar="ITEM",
        shell_complete=completion.items,
        help="Item to leave out, by number or id; may be repeated.",
    ),
)

reply_option = click.option(
    "--reply",
    type=click.IntRange(min=0),
    metavar="TOKENS",
    help="Tokens of the window for the reply, as `recommend` keeps them; by default those of the policy.",
)


def scenario_options(command: _Command) -> _Command:
    """Add the options of a scenario; `scenario_from` takes their values."""
    return _FILE_OPTION(changing_options(command))


def changing_options(command: _Command) -> _Command:
    """Add the options that change a scenario, for a command that takes the scenario file as an argument."""
    for option in reversed(_SCENARIO_OPTIONS):
        command = option(command)
    return command


format_option = click.option(
    "--format",
    "-f",
    "answer_format",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    help="How to answer.",
)

probes_option = click.option(
    "--probes",
    "probes_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Questions and the items that their answers need.",
)

glob_option = click.option(
    "--glob", metavar="PATTERN", help="Every matching file of PATHS by itself, such as '**/*.json': for archives."
)

locked_option = click.option(
    "--locked", multiple=True, metavar="NAME", help="A share that stays when others move; may be repeated."
)


def worker_options(command: _Command) -> _Command:
    """Add the options for workers; `archive.workers_of` takes their values."""
    number = click.option(
        "--workers", type=click.IntRange(min=1), metavar="N", help="Worker processes; by default as many as cores."
    )
    address = click.option(
        "--cluster", "cluster_address", metavar="ADDRESS", help="Run on Dask: tcp://HOST:PORT, or local:N."
    )
    return number(address(command))


_ENDINGS = (".svg", ".png", ".csv")


def _known_ending(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and Path(name).suffix.lower() not in _ENDINGS:
        raise click.BadParameter(f"{name}: expected a name that ends with {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}")
    return name


plot_option = click.option(
    "--plot",
    metavar="FILE",
    shell_complete=completion.files,
    callback=_known_ending,
    help="Write the plot (.svg, .png) or its table (.csv) into FILE instead of answering.",
)
