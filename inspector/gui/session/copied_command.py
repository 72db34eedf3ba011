"""A scenario on the clipboard, as the command line for the same assembly of the open files."""

from PySide6.QtGui import QGuiApplication

from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session
from inspector.pages.command import command_text


def copy_command(session: Session, scenario: Scenario) -> str:
    """Copy the command for a scenario to the clipboard. Returns a message, with anything the command cannot express."""
    now = session.now
    QGuiApplication.clipboard().setText(command_text(session.paths, scenario, repairs=bool(now.repairs)))
    more = " It opens removed files, too." if now.tidying.removed else ""
    return f"The command is on the clipboard.{more}"
