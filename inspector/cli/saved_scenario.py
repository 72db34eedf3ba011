"""--save-scenario FILE: the scenario of a command as a file, to be given to --scenario."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import files_named, write_scenario
from inspector.cli.archive import files_of_archive
from inspector.cli.failure import InputError
from inspector.cli.options import scenario_to_save
from inspector.cli.output import say_written
from inspector.plugins import kinds_known
from inspector.settings import own_files
from inspector.sources import SourceProtectedError


def save_scenario(scenario: Scenario, opened: Callable[[], Iterable[str | Path]]) -> None:
    """Write the scenario of a command, as its file and options make it, if --save-scenario names a file for it.

    End the command if this is one of the `opened` files, or cannot be written.
    """
    file = scenario_to_save()
    if file is None:
        return
    try:
        write_scenario(scenario, file, opened(), kinds_known())
    except SourceProtectedError as problem:
        raise InputError(f"--save-scenario {problem}") from None
    except OSError as problem:
        raise InputError(f"--save-scenario {file}: cannot be written: {problem.strerror or problem}") from None
    say_written("the scenario", file)


def read_without_chats(scenario: Scenario, scenario_file: str | None) -> list[str | Path]:
    """Return the files that a command without a chat has read."""
    return [*files_named(scenario), *own_files(), *((scenario_file,) if scenario_file else ())]


def read_of_archive(scenario: Scenario, scenario_file: str | None, paths: Sequence[str], glob: str) -> list[str | Path]:
    """Return the files that a command about an archive reads."""
    return [*(file.path for file in files_of_archive(paths, glob)), *read_without_chats(scenario, scenario_file)]
