"""prompt-inspector presets: the presets of the policies, and a way to save and remove the user's own."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.answering import Telling, answer
from inspector.cli.failure import InputError
from inspector.cli.output import print_json, say, say_written, warn
from inspector.cli.scenarios import scenario_from
from inspector.cli.usage import check_policies
from inspector.nearest import instead, not_one_of

if TYPE_CHECKING:
    from inspector.assembly.preset import Presets
    from inspector.assembly.scenario import Scenario

_YOURS = "your own"


def presets(
    saved: str | None,
    removed: str | None,
    policy: str | None,
    preset: str | None,
    settings: tuple[str, ...],
    scenario_file: str | None,
    answer_format: str,
) -> None:
    """Run `prompt-inspector presets` with the values of its options."""
    if saved is None and (preset or settings or scenario_file):
        raise click.UsageError("presets: --preset, --set and --scenario go with --save NAME")
    if saved is not None and removed is not None:
        raise click.UsageError("presets: either --save or --remove")
    if removed is not None and policy is None:
        raise click.UsageError("presets: --remove NAME goes with --policy")
    if answer_format == "csv" and (saved is not None or removed is not None):
        raise click.UsageError("presets: --save and --remove answer as table or json")
    if saved is not None:
        scenario = scenario_from(scenario_file, settings, {"policy": policy, "preset": preset})
        value = _save(saved.strip(), scenario, scenario_file, [name.partition("=")[0] for name in settings])
    elif removed is not None:
        check_policies("--policy", [str(policy)])
        value = _remove(removed, str(policy))
    else:
        _list(policy, answer_format)
        return
    if answer_format == "json":
        print_json(value)
    else:
        said = f"{'saved' if saved is not None else 'removed'} {value['policy']}/{value['preset']}"
        say(f"{said} in place of the one before" if value.get("replaced") else said)
    say_written("your presets", value["file"])


def _known() -> "Presets":
    from inspector.cli.known import known_presets

    found = known_presets()
    for problem in found.problems:
        warn(problem)
    return found


def _list(policy: str | None, answer_format: str) -> None:
    from inspector.analysis.reference_tables import PRESETS
    from inspector.plugins import BUILT_IN

    found = _known()
    if policy is not None and policy not in (known := list(dict.fromkeys(owner for owner, _ in found))):
        raise InputError(f"--policy: {not_one_of(policy, known)}")
    values = []
    for (owner, name), preset in found.items():
        origin = {"origin": _YOURS if preset.is_own else BUILT_IN}
        facts = {key: value for key, value in asdict(preset).items() if key != "is_own"}
        values += [{"policy": owner, "preset": name, **origin, **facts}] if policy in (None, owner) else []
    answer(values, Telling([PRESETS], lambda values: {"presets": values}, most=None), answer_format)


def _save(name: str, scenario: "Scenario", scenario_file: str | None, set_names: list[str]) -> dict[str, Any]:
    """Write the parameters of a scenario as a preset. End the command if its policy does not accept them."""
    from inspector.assembly import own_presets
    from inspector.assembly.choices import given_parameters
    from inspector.assembly.pipeline import Pipeline
    from inspector.assembly.policy import as_in_files
    from inspector.assembly.scenario import Scenario
    from inspector.cli.known import known_presets
    from inspector.cli.loading import named_failures
    from inspector.model import Workspace
    from inspector.plugins import policies
    from inspector.settings import own_presets_file

    if any(key.strip().replace("-", "_") == "context_window" for key in set_names):
        raise InputError("presets: context_window is not a parameter of a policy, and no preset can hold it")
    known, file = known_presets(), own_presets_file()
    asked = Scenario(
        policy=scenario.policy, preset=scenario.preset, parameters=scenario.parameters, model=scenario.model
    )
    with named_failures():
        pipeline = Pipeline(Workspace(), policies()[0], known)
        case = pipeline.case(asked)
    # Some values are refused only together, when there is something to decide.
    error = pipeline.assemble(case).error
    if error is not None and error.code in own_presets.REFUSED_VALUES:
        raise InputError(f"presets: {error.message}")
    if trouble := own_presets.name_trouble(name, case.policy_name, known):
        raise InputError(f"presets: --save {name}: {trouble}")
    kind = case.preset.kind(policies()[0][case.policy_name])
    given = as_in_files(kind, given_parameters(asked, case.chosen, case.preset, kind))
    entry = own_presets.entry_of(given, case.policy_name, case.preset_name, known)
    opened = [scenario_file] if scenario_file else []
    before = written(lambda: own_presets.save_preset(file, case.policy_name, name, entry, opened))
    return {"policy": case.policy_name, "preset": name, "file": str(file), "replaced": before is not None}


def _remove(name: str, policy: str) -> dict[str, Any]:
    """Remove a preset from the user's file. End the command if it is not there."""
    from inspector.assembly.own_presets import remove_preset
    from inspector.settings import own_presets_file

    file = own_presets_file()
    if written(lambda: remove_preset(file, policy, name, [])) is None:
        yours = [known for (owner, known), preset in _known().items() if owner == policy and preset.is_own]
        raise InputError(f"--remove: {name!r} is not among your presets of {policy}; {instead(name, yours)}")
    return {"policy": policy, "preset": name, "file": str(file)}


def written(write: Callable[[], Any]) -> Any:
    """Return the result of changing the file. End the command if it cannot be changed."""
    from inspector.reading.values import UnreadableError

    try:
        return write()
    except UnreadableError as error:
        raise InputError(f"{error.problem}; fix this first, because the whole file is rewritten") from None
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None
