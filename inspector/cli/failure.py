"""How a command ends when it cannot answer."""

import click


class InputError(click.ClickException):
    """What was asked for cannot be read or is not there: one line, exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split("\n")))
