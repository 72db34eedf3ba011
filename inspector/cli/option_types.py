"""The types of options beyond those of click."""

from typing import Any

import click

INSTALLED = ""
"""The listing of an installed package, for `models --import` without a file."""
EVERYTHING = "**/*"
"""The pattern of all files of a folder."""
FOUND = "found"
"""The word for the usual address of the server on this machine, in place of an address."""


class Words(click.ParamType):
    """A list of words separated by commas, each of another parameter type."""

    def __init__(self, name: str, word: click.ParamType) -> None:
        self.name, self._word = name, word

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words as a tuple without duplicates."""
        if isinstance(value, tuple):
            return value
        words = (word.strip() for word in str(value).split(","))
        return tuple(dict.fromkeys(self._word.convert(word, param, ctx) for word in words if word))


class ServerContext(click.ParamType):
    """A number of tokens from 1 to `most`, `found`, or the address HOST:PORT of the server to be asked."""

    name = "server context"

    def __init__(self, most: int) -> None:
        self._tokens = click.IntRange(1, most)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Return the number, or the place to ask as it was written."""
        return value if value == FOUND or ":" in value else self._tokens(value, param, ctx)


class Size(click.ParamType):
    """A width and a height in pixels."""

    name = "WIDTHxHEIGHT"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return a width and a height in pixels."""
        width, times, height = value.partition("x")
        if not (times and width.isdigit() and height.isdigit() and int(width) and int(height)):
            self.fail(f"{value!r} is not a size such as 1600x1000", param, ctx)
        return int(width), int(height)
