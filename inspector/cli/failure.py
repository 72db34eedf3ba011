"""How a command ends when it cannot answer."""

import click

from inspector.visible_text import on_one_line


class InputError(click.ClickException):
    """What was asked for cannot be read or is not there: one line, exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split("\n")))

    def format_message(self) -> str:
        """The line: what a file says in it is text and no command to the terminal."""
        return on_one_line(self.message)
