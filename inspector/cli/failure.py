"""How a command ends if it cannot answer."""

import click

from inspector.visible_text import on_one_line


class InputError(click.ClickException):
    """An input that is unreadable or missing: one line, exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split("\n")))

    def format_message(self) -> str:
        """Return the line, without control characters from files."""
        return on_one_line(self.message)
