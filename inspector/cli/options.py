"""Options shared by several commands, and the scenario that they make."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

import click

from inspector import secrets
from inspector.analysis.sweep.grid import parse_value
from inspector.assembly import edits, scenario_file
from inspector.assembly.inspection_file import inspection_part
from inspector.assembly.own_policy import OWN
from inspector.assembly.policy import MOST
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.cli import completion
from inspector.cli.failure import InputError
from inspector.cli.found_context import ServerContext, found_context
from inspector.cli.inspections import inspection_among, inspection_scenario
from inspector.cli.output import warn
from inspector.cli.usage import Asked, checked
from inspector.formats import UnreadableError
from inspector.model import SCORE_SCALES, ScoreScale
from inspector.nearest import nearest
from inspector.plugins import kinds_known
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings

_Command = Callable[..., Any]
_Settings = TypeVar("_Settings", LoreSettings, RelevanceSettings)
_VERBOSE, _REPAIR, _SENDS = (f"{__name__}.{name}" for name in ("verbose", "repair", "sends"))


class Words(click.ParamType):
    """A list of words separated by commas, each of another parameter type."""

    def __init__(self, name: str, word: click.ParamType) -> None:
        self.name, self._word = name, word

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words as a tuple without duplicates."""
        if isinstance(value, tuple):
            return value
        words = (word.strip() for word in str(value).split(","))
        return tuple(dict.fromkeys(self._word.convert(word, param, ctx) for word in words if word))


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


def may_send_texts() -> bool:
    """Return whether an option of this run, and not a file, asked for summaries from a server."""
    return _is_set(_SENDS)


_FILE_OPTION = click.option(
    "--scenario", "scenario_file", metavar="FILE", shell_complete=completion.files, help="Scenario file to start from."
)
_SCENARIO_OPTIONS = (
    click.option(
        "--policy",
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
        "--model", shell_complete=completion.models, help="Model: sets tokenizer and window unless they are given."
    ),
    click.option("--tokenizer", help="Tokenizer, such as embedded:qwen3 or estimate:words."),
    click.option(
        "--window", "context_window", type=click.IntRange(1, MOST), metavar="N", help="Context window in tokens."
    ),
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
        help=f"How recorded scores of a memory set are read: {', '.join(SCORE_SCALES)}.",
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


def read_scenario(path: str) -> Scenario:
    """Return the scenario of a file, of an inspection or of a snapshot in it.

    End the command for an unreadable file; report unknown keys.
    """
    if inspection_part(path) is not None:
        return inspection_scenario(path)
    try:
        scenario, problems = scenario_file.read_scenario(path, kinds_known())
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    for problem in problems:
        warn(problem)
    return scenario


def scenario_from(
    file: str | None,
    settings: Sequence[str],
    given: Mapping[str, Any],
    paths: Sequence[str] = (),
    *,
    guesses_model: bool = False,
) -> Scenario:
    """Return the scenario of the file, of the opened inspection, or the default scenario, as changed by the options.

    End the command for an impossible scenario; with `guesses_model`, a model without a row in the table is accepted.
    """
    file = file or inspection_among(paths)
    scenario = read_scenario(file) if file else Scenario()
    changes = {name: value for name, value in given.items() if value not in (None, ())}
    for name in ("pinned", "excluded"):
        if name in changes:
            changes[name] = (*getattr(scenario, name), *changes[name])
    if changes.pop("no_memories", False):
        if "memory_sets" in changes:
            raise click.UsageError("--no-memories: with --memories there are some")
        changes["memory_sets"] = ()
    policy = changes.pop("policy", scenario.policy or DEFAULT_POLICY)
    if policy == OWN:
        which = "is about files that are opened together, since parameters are those of one policy"
        raise click.UsageError(f"--policy {OWN} {which}: name a policy here (report takes each file by itself)")
    scenario = edits.use_policy(scenario, policy, changes.pop("preset", None)).scenario
    scenario = edits.override(scenario, map(_override, changes.pop("overrides", ()))).scenario
    if "score_scales" in changes:
        changes["score_scales"] = {**scenario.score_scales, **dict(map(_scale, changes["score_scales"]))}
    for name in ("lore", "relevance"):
        if name in changes:
            changes[name] = _changed_settings(name, getattr(scenario, name), changes[name])
    if isinstance(place := changes.get("server_context"), str):
        server, model = (changes.get(name, getattr(scenario, name)) for name in ("server", "model"))
        changes["server_context"] = found_context(server, model, place)
    told = dict(map(parse_setting, settings))
    if "context_window" in told:
        changes["context_window"] = _whole(told.pop("context_window"))
    scenario = replace(scenario, **changes, parameters={**scenario.parameters, **told})
    return checked(scenario, Asked(file or "", given, told), guesses_model=guesses_model)


def _whole(window: object) -> int:
    """Return a window given by --set. End the command if it is not a whole number in range."""
    if isinstance(window, bool) or not isinstance(window, int) or not 1 <= window <= MOST:
        raise click.UsageError(f"--set context_window: expected a whole number from 1 to {MOST:,}, not {window!r}")
    return window


def _scale(text: str) -> tuple[str, ScoreScale]:
    """Split SET=SCALE. End the command if this is not possible."""
    name, _, word = text.rpartition("=")
    scales: dict[str, ScoreScale] = {scale: scale for scale in SCORE_SCALES}
    scale = scales.get(word)
    if not name or scale is None:
        raise click.UsageError(f"--scores {text}: expected SET=SCALE with one of {', '.join(SCORE_SCALES)}")
    return name, scale


def _override(text: str) -> tuple[str, str, Any]:
    """Split ITEM:FIELD=VALUE into its three parts. End the command if this is not possible."""
    place, equals, value = text.partition("=")
    item, _, name = place.rpartition(":")
    if not equals or not item or not name:
        raise click.UsageError(f"--override {text}: expected ITEM:FIELD=VALUE")
    return item, name, _json_or_word(value)


def _changed_settings(option: str, known: _Settings, told: Sequence[str]) -> _Settings:
    """Return settings as changed by an option. End the command for an invalid change."""
    import msgspec

    names = [field.name for field in fields(known)]
    values = {name: _json_or_word(value) for name, value in (_split_known(option, text, names) for text in told)}
    try:
        return msgspec.convert({**asdict(known), **values}, type(known))
    except msgspec.ValidationError as problem:
        raise click.UsageError(f"--{option}: {problem}") from None


def _split_known(option: str, text: str, known: Sequence[str]) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in known:
        near = nearest(name, known, 1) if equals else []
        meant = f"; did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"--{option} {text}: expected KEY=VALUE with one of {', '.join(known)}{meant}")
    return name, value


def _json_or_word(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def parse_setting(text: str) -> tuple[str, Any]:
    """Split KEY=VALUE, with the value as a number, true, false or a word."""
    name, value = split_setting(text)
    return name, parse_value(value)


def split_setting(text: str) -> tuple[str, str]:
    """Split KEY=VALUE into two texts. End the command if this is not possible."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--set {text}: expected KEY=VALUE")
    return name.strip().replace("-", "_"), value.strip()
