"""The command line equivalent to the contents of a window."""

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from inspector.assembly.scenario import DEFAULT_SUMMARY_TOKENS, Scenario
from inspector.retrieval.lore.settings import AS_NATIVE
from inspector.retrieval.relevance.settings import AS_MEASURED

_OPTIONS = (
    ("conversation", "--conversation"),
    ("character", "--character"),
    ("leaf", "--leaf"),
    ("assistant", "--assistant"),
    ("model", "--model"),
    ("context_window", "--window"),
    ("policy", "--policy"),
    ("preset", "--preset"),
    ("query", "--query"),
    ("summaries", "--summaries"),
    ("classify", "--classify"),
    ("now", "--now"),
    ("at", "--at"),
    ("draft", "--draft"),
)
_LISTS = (("memory_sets", "--memories"), ("pinned", "--pin"), ("excluded", "--exclude"))


def assemble_command(paths: Sequence[str], scenario: Scenario, repairs: bool = False) -> list[str]:
    """Return the words of `prompt-inspector assemble` for these files and this scenario, with `--repair` for `repairs`.

    It gives the same figures whatever the defaults in the user's settings file: `--no-defaults` is among the words.
    Files are named by absolute paths, since the user may run the command in another folder.
    """
    files = map(os.path.abspath, paths)
    return [
        "prompt-inspector",
        "assemble",
        *files,
        *(["--repair"] if repairs else []),
        "--no-defaults",
        *_options(scenario),
    ]


def command_text(paths: Sequence[str], scenario: Scenario, repairs: bool = False) -> str:
    """Return the same as one line for a POSIX shell."""
    return shlex.join(assemble_command(paths, scenario, repairs))


def _options(scenario: Scenario) -> Iterator[str]:
    named = scenario if scenario.base is None else replace(scenario, preset=scenario.base)
    for field, option in _OPTIONS:
        if (value := getattr(named, field)) is not None:
            yield f"{option}={value}"
    if scenario.as_of:
        yield "--as-of"
    for field in ("tokenizer", "similarity", "embedding", "thoughts"):
        if (value := getattr(scenario, field)) != "auto":
            yield f"--{field}={_with_whole_path(value)}"
    if scenario.thinking is not None:
        yield f"--thinking={_word(scenario.thinking)}"
    if scenario.server != "none":
        yield f"--server={scenario.server}"
    if scenario.server_context is not None:
        yield f"--server-context={scenario.server_context}"
    if scenario.summary_tokens != DEFAULT_SUMMARY_TOKENS:
        yield f"--summary-tokens={scenario.summary_tokens}"
    if scenario.memory_sets == ():
        yield "--no-memories"
    for field, option in _LISTS:
        yield from (f"{option}={value}" for value in getattr(scenario, field) or ())
    yield from (f"--scores={name}={scale}" for name, scale in scenario.score_scales.items())
    for item, fields in scenario.overrides.items():
        yield from (
            f"--override={item}:{name}={json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()
        )
    for option, settings, usual in (("lore", scenario.lore, AS_NATIVE), ("relevance", scenario.relevance, AS_MEASURED)):
        for name, value in asdict(settings).items():
            if value != getattr(usual, name):
                yield f"--{option}={name}={json.dumps(value)}"
    for name, value in scenario.parameters.items():
        yield f"--set={name}={_word(value)}"


def _with_whole_path(name: str) -> str:
    """Return the name of a tokenizer or model, with the absolute path if it names a file (`gguf:FILE`)."""
    kind, mark, place = name.partition(":")
    return f"{kind}{mark}{os.path.abspath(place)}" if place and os.path.exists(place) else name


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
