"""Own presets in the window: saving the current values under a name, and removing a preset.

Each is a single step. Undoing a removal brings the preset back, and undoing a replacement restores the previous
version. A preset saved under a new name stays in its file.
"""

from collections.abc import Callable
from typing import Any

from inspector.assembly import edits, own_presets
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError, file_parameters, given_parameters
from inspector.assembly.policy import as_in_files, parameter_values
from inspector.assembly.preset import Preset
from inspector.assembly.presets import load_presets
from inspector.gui.session.session import Session
from inspector.model import Problem
from inspector.plugins import policies
from inspector.reading.values import UnreadableError
from inspector.settings import own_presets_file
from inspector.tokens.choice import UnknownTokenizerError


def suggested_name(session: Session) -> str:
    """Return an unused preset name for the current values."""
    case = session.pipeline.case(session.scenario)
    before = session.presets.get((case.policy_name, case.preset_name), Preset())
    wanted = case.preset_name if before.is_own else f"my {case.preset_name}"
    return own_presets.free_preset_name(wanted, case.policy_name, session.presets)


def save_values(session: Session, name: str) -> str:
    """Save the current values as a preset of the current policy and use it, as one step.

    Returns the reason if this is impossible, else "". The previous version of the file is kept beside it.
    """
    name = name.strip()
    try:
        case = session.pipeline.case(session.scenario)
    except (ScenarioError, UnknownTokenizerError) as problem:
        return str(problem)
    error = session.pipeline.assemble(case).error
    if case.policy is None or (error is not None and error.code in own_presets.REFUSED_VALUES):
        return f"Nothing is saved, because the values are refused: {error.message if error else case.refusal}"
    if trouble := own_presets.name_trouble(name, case.policy_name, session.presets):
        return trouble
    kind = type(case.policy)
    given = as_in_files(kind, given_parameters(case.scenario, case.chosen, case.preset, kind))
    entry = own_presets.entry_of(given, case.policy_name, case.preset_name, session.presets)
    file, known = own_presets_file(), session.presets.get((case.policy_name, name))
    written: list[Any] = [entry]

    def write() -> None:
        """Replace the present entry with the last written entry, and keep the replaced entry."""
        written.append(own_presets.save_preset(file, case.policy_name, name, written.pop(), _opened(session)))

    if trouble := _trouble_of(write):
        return trouble
    session.take_presets(load_presets(file, policies()[0]))
    # Values also given by the opened file override any preset, so they stay in the scenario.
    by_file = file_parameters(case.chosen, type(case.policy))
    kept = {key: value for key, value in case.scenario.parameters.items() if key in by_file}
    edit = edits.use_saved_preset(session.scenario, name, kept)
    if known in (None, session.presets.get((case.policy_name, name))):
        session.edit(lambda _: edit)
        return ""
    was_done = True

    def beside(is_done: bool) -> None:
        nonlocal was_done
        if is_done != was_done:
            was_done = is_done
            _change_beside(session, write)

    session.carry_out(edit, beside)
    return ""


def remove_preset(session: Session) -> str:
    """Remove the current own preset. Its values stay, as parameters over its base. Returns the reason if impossible.

    Undoing the step brings the preset back, redoing it removes it again.
    """
    try:
        case = session.pipeline.case(session.scenario)
    except (ScenarioError, UnknownTokenizerError) as problem:
        return str(problem)
    if not case.preset.is_own:
        return f"{case.preset_name} is a preset that comes with the program."
    policy, name, file = case.policy_name, case.preset_name, own_presets_file()
    removed: list[Any] = []
    remove: Callable[[], Any] = lambda: removed.append(  # noqa: E731 - done now and again
        own_presets.remove_preset(file, policy, name, _opened(session))
    )
    restore: Callable[[], Any] = lambda: own_presets.restore_preset(  # noqa: E731 - the way back
        file, policy, name, removed[0], _opened(session)
    )
    if trouble := _trouble_of(remove):
        return trouble

    def beside(is_removed: bool) -> None:
        _change_beside(session, remove if is_removed else restore)

    below = session.presets.get((policy, case.preset.base or edits.DEFAULT_PRESET), Preset())
    values, tokenizer = _values_without(case, below), _tokenizer_without(case, below)
    session.carry_out(edits.leave_preset(case.scenario, case.preset.base, values, tokenizer), beside)
    return ""


def _values_without(case: Case, below: Preset) -> dict[str, Any]:
    """Return the parameters that give the same values over the removed preset's base."""
    if case.policy is None:
        return {**case.preset.parameters, **case.scenario.parameters}
    values = parameter_values(case.policy)
    replaced = {key: values[key] for key in below.parameters if key in values}
    return {**replaced, **given_parameters(case.scenario, case.chosen, case.preset, type(case.policy))}


def _tokenizer_without(case: Case, below: Preset) -> str:
    """Return the tokenizer to use without the preset, if that defined `auto`."""
    said = case.preset.tokenizer if case.preset.tokenizer_names != below.tokenizer_names else ""
    return said if said and case.scenario.tokenizer == "auto" else case.scenario.tokenizer


def _change_beside(session: Session, change: Callable[[], Any]) -> None:
    """Change the file as part of a step, and use its new presets."""
    if trouble := _trouble_of(change):
        session.problem_reported.emit(Problem("", "", trouble))
    session.take_presets(load_presets(own_presets_file(), policies()[0]))


def _opened(session: Session) -> list[str]:
    return [file for file in session.opened_files if file != str(own_presets_file())]


def _trouble_of(write: Callable[[], Any]) -> str:
    """Write, and return the reason if that fails, else ""."""
    try:
        write()
    except UnreadableError as error:
        return f"{error}. Fix this first, because the whole file is rewritten."
    except OSError as error:
        return f"{own_presets_file()} cannot be written: {error.strerror or error}"
    return ""
