"""Extras of this distribution, and how to install one where the program was installed."""

import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote, urlsplit

DISTRIBUTION = "prompt-budget-inspector"
"""The name of the distribution as it is released; another one may carry this package."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra: for the installed distribution, from where it came, by its tool.

    pipx and uv keep a tool in an environment of its own (their documentation, "pipx inject" and "uv tool"), in which
    pip may be missing. Sources: PEP 610 for the origin of a distribution.
    """
    return _command(extra, _installed(), PurePath(sys.prefix))


@cache
def _installed() -> Distribution | None:
    """Return the distribution that holds this package; None in an application without any."""
    names = packages_distributions().get(__name__.partition(".")[0], [DISTRIBUTION])
    try:
        return distribution(names[0])
    except PackageNotFoundError:
        return None


def _command(extra: str, installed: Distribution | None, prefix: PurePath) -> str:
    name = DISTRIBUTION if installed is None else installed.name
    wanted = f"{name}[{extra}]"
    if installed is not None and (origin := _origin(installed.read_text("direct_url.json"))):
        wanted = origin.format(name=name, extra=extra)
    if prefix.parent.parts[-2:] == ("uv", "tools"):
        return f'uv tool install --force "{wanted}"'
    if prefix.parent.parts[-2:] == ("pipx", "venvs"):
        return f'pipx install --force "{wanted}"'
    return f'pip install "{wanted}"'


def _origin(told: str | None) -> str:
    """Return the requirement of an origin with places for its name and extra, "" for a package index."""
    try:
        found: Any = json.loads(told or "")
    except ValueError:
        return ""
    if not isinstance(found, Mapping) or not isinstance(url := found.get("url"), str):
        return ""
    held, version = found.get("dir_info"), found.get("vcs_info")
    if isinstance(version, Mapping):
        return f"{{name}}[{{extra}}] @ {version.get('vcs', 'git')}+{_doubled(url)}"
    if not isinstance(held, Mapping):
        return f"{{name}}[{{extra}}] @ {_doubled(url)}"
    folder = _doubled(unquote(urlsplit(url).path))
    return f"{folder}[{{extra}}]"


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
