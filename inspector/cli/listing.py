"""prompt-inspector policies, formats and tokenizers --list: everything available."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from inspector.cli.answering import Telling, answer, answer_all, no_lines
from inspector.cli.failure import InputError
from inspector.cli.output import print_json, warn
from inspector.model import Problem
from inspector.nearest import instead, not_one_of
from inspector.plugins import BUILT_IN, FORMAT_GROUP, POLICY_GROUP, TOKENIZER_GROUP, plug_ins

Value = Mapping[str, Any]


def policies(name: str | None, preset: str | None, answer_format: str) -> None:
    """Run `prompt-inspector policies` with the values of its options."""
    if preset is not None and name is None:
        raise click.UsageError("--preset: expected the name of a policy before it")
    known, problems = _known_policies()
    _report(problems)
    if name is not None and name not in known:
        raise InputError(f"policies: {not_one_of(name, list(known))}")
    values = [_described(one, kind, preset) for one, kind in known.items() if name in (None, one)]
    if answer_format == "json":
        print_json({"policies": values})
    else:
        from inspector.analysis.reference_tables import PARAMETERS

        above, below = (_policy_title, no_lines) if name is None else (_policy_lines, _word_lines)
        answer_all(values, Telling([PARAMETERS], above=above, below=below, most=None), answer_format)


def _policy_title(policy: Value) -> list[str]:
    whose = "" if policy["origin"] == BUILT_IN else f", from {policy['origin']}"
    return f"{policy['title']} ({policy['name']}{whose}): {policy['description']}".splitlines()


def _policy_lines(policy: Value) -> Iterator[str]:
    """Yield a policy with its presets, or with the preset of its values."""
    yield from _policy_title(policy)
    yield f"presets: {', '.join(policy['presets']) or '–'}"
    if "preset" in policy:
        yield from f"{policy['preset']}: {policy['preset_description']}".splitlines()


def _word_lines(policy: Value) -> Iterator[str]:
    """Yield the meaning of each word of each parameter, as `--set` takes them."""
    for parameter in policy["parameters"]:
        for word, meaning in parameter["choices"].items():
            yield f"{parameter['name']}={word}: {meaning}"


def formats(paths: tuple[str, ...], answer_format: str) -> None:
    """Run `prompt-inspector formats` with the values of its options."""
    from inspector.analysis.reference import format_values
    from inspector.plugins import formats as known_formats

    known, problems = known_formats()
    _report(problems)
    if paths:
        _print_looks(paths, known, answer_format)
        return
    _answer_named("formats", list(format_values(known, plug_ins(FORMAT_GROUP).origin)), answer_format)


def _print_looks(paths: Sequence[str], known: Sequence[Any], answer_format: str) -> None:
    """Print the candidate formats of files. End the command with 2 if no file has any."""
    from inspector.analysis.reference_tables import LOOKS, look_rows, look_value
    from inspector.cli.piped import PIPED, STANDARD_INPUT, piped_bytes
    from inspector.formats import look
    from inspector.formats.looking import look_unnamed
    from inspector.formats.settings import read_opening_bytes
    from inspector.settings import settings_file

    allowed, files = read_opening_bytes(settings_file())[0], [path for path in paths if path != STANDARD_INPUT]
    looks = list(look(files, known, allowed))
    if len(files) < len(paths):
        looks += look_unnamed(piped_bytes(), PIPED, known, allowed)
    telling = Telling([LOOKS], lambda _: {"files": list(map(look_value, looks))}, most=None)
    answer(list(look_rows(looks)), telling, answer_format)
    if not any(one.candidates for one in looks):
        first = PIPED if paths[0] == STANDARD_INPUT else paths[0]
        raise InputError(f"{first}: nothing here is of a format that this program knows")


def list_tokenizers(answer_format: str) -> None:
    """Print the tokenizers: how to ask for each, a description, and its package."""
    from inspector.analysis.reference import tokenizer_values

    others = plug_ins(TOKENIZER_GROUP)
    _report(others.problems)
    _answer_named("tokenizers", list(tokenizer_values(others.found, others.origin, BUILT_IN)), answer_format)


def _answer_named(noun: str, values: Sequence[Value], answer_format: str) -> None:
    from inspector.analysis.reference_tables import NAMED

    answer(values, Telling([NAMED], lambda values: {noun: values}, most=None), answer_format)


def _known_policies() -> tuple[Mapping[str, type], Sequence[Problem]]:
    from inspector.plugins import policies as known_policies

    return known_policies()


def _described(name: str, kind: type, preset: str | None) -> Value:
    """Return a policy with its parameters; under a preset the parameters of the deciding policy, with the preset's
    `value`.

    End the command if the policy has no such preset.
    """
    from inspector.analysis.reference import policy_value
    from inspector.assembly.policy import parameters_of
    from inspector.cli.known import known_presets

    presets = known_presets()
    described = {**policy_value(name, kind, presets), "origin": plug_ins(POLICY_GROUP).origin(name)}
    if preset is None:
        return described
    if preset not in described["presets"]:
        raise InputError(f"--preset: {preset} is not a preset of {name}; {instead(preset, described['presets'])}")
    chosen = presets[name, preset]
    parameters = [
        {**parameter.declaration, "value": chosen.parameters.get(parameter.name, parameter.default)}
        for parameter in parameters_of(chosen.kind(kind))
    ]
    return {**described, "preset": preset, "preset_description": chosen.description, "parameters": parameters}


def _report(problems: Iterable[Any]) -> None:
    """Warn of each plug-in that cannot be loaded."""
    for problem in problems:
        warn(problem)
