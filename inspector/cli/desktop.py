"""prompt-inspector --install-desktop and --uninstall-desktop: the program's entry in a Linux desktop."""

import sys
from pathlib import Path

from inspector.cli.failure import InputError
from inspector.cli.output import say, warn
from inspector.desktop import (
    Step,
    data_home,
    install,
    own_command,
    remove_empty_folders,
    uninstall,
    update_databases,
)

_DONE = {"written": "Wrote", "removed": "Removed", "unchanged": "Already there:"}


def install_desktop() -> None:
    """Install menu entry, icons, description and file types, and report each step."""
    home = _home()
    try:
        steps = install(home, own_command())
    except OSError as problem:
        raise _failure(home, problem) from None
    _report(steps)
    _update(home)
    if all(step.done != "left" for step in steps):
        say("Prompt Inspector is in the menu and opens its files. --uninstall-desktop takes it away again.")


def uninstall_desktop() -> None:
    """Remove everything installed by `install_desktop`, and report each step."""
    home = _home()
    try:
        steps = uninstall(home, own_command())
    except OSError as problem:
        raise _failure(home, problem) from None
    _report(steps)
    _update(home)
    remove_empty_folders(home)
    if not steps:
        say(f"There is nothing of Prompt Inspector's desktop entry in {home}.")


def _home() -> Path:
    if not sys.platform.startswith("linux"):
        raise InputError("--install-desktop and --uninstall-desktop are for Linux desktops; nothing was changed")
    return data_home()


def _failure(home: Path, problem: OSError) -> InputError:
    return InputError(f"{problem.filename or home}: {problem.strerror or problem}")


def _report(steps: list[Step]) -> None:
    for step in steps:
        if step.done == "left":
            warn(f"{step.path}: someone else made or changed it, so it stays as it is")
        else:
            say(f"{_DONE[step.done]} {step.path}")


def _update(home: Path) -> None:
    for command in update_databases(home):
        warn(f"for the desktop to notice now, run: {command}")
