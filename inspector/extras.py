"""Extras of this distribution, and how to install one where the program was installed."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import PurePath, PureWindowsPath
from typing import Any
from urllib.parse import unquote, urlsplit

DISTRIBUTION = "prompt-budget-inspector"
"""The name of the distribution as it is released; another one may carry this package."""


_SIZES = dict.fromkeys(("minilm", "transformers"), "5.7 GB on Linux: it brings PyTorch with its CUDA libraries")
"""What large extras bring, as measured: the sum of the files of a fresh environment."""
_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a distribution came from: `{name}[{extra}]` stands for itself and the extra; `editable` is that of pip."""

    requirement: str = "{name}[{extra}]"
    editable: bool = False


def install_command(extra: str) -> str:
    """Return the command that installs an extra, for the installed distribution, from where it came, by its tool.

    The size of a large extra is behind it, in brackets. pipx and uv keep a tool in an environment of its own (their
    documentation, "pipx install" and "uv tool install"), in which pip may be missing. Source for the origin of a
    distribution: PEP 610.
    """
    size = f" ({_SIZES[extra]})" if extra in _SIZES else ""
    return _command(extra, _installed(), PurePath(sys.prefix)) + size


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
    origin = _Origin() if installed is None else _origin(installed.read_text("direct_url.json"))
    wanted = f'"{origin.requirement.format(name=name, extra=extra)}"'
    editable = ["--editable"] if origin.editable else []
    return " ".join([*_tool(prefix), *editable, wanted])


def _tool(prefix: PurePath) -> tuple[str, ...]:
    """Return the words that install into the environment in this folder."""
    if prefix.parent.parts[-2:] == ("uv", "tools"):
        return "uv", "tool", "install", "--force"
    if prefix.parent.parts[-2:] == ("pipx", "venvs"):
        return "pipx", "install", "--force"
    return "pip", "install"


def _origin(told: str | None) -> _Origin:
    """Return the origin that a `direct_url.json` tells, a package index without any."""
    try:
        found: Any = json.loads(told or "")
    except ValueError:
        return _Origin()
    if not isinstance(found, Mapping) or not isinstance(url := found.get("url"), str):
        return _Origin()
    held, version, inner = found.get("dir_info"), found.get("vcs_info"), found.get("subdirectory")
    if isinstance(held, Mapping):
        return _Origin(f"{_doubled(_folder(url))}[{{extra}}]", held.get("editable") is True)
    place = _at_revision(url, version) if isinstance(version, Mapping) else url
    below = f"#subdirectory={inner}" if isinstance(inner, str) and inner else ""
    return _Origin(f"{{name}}[{{extra}}] @ {_doubled(place + below)}")


def _at_revision(url: str, version: Mapping[str, Any]) -> str:
    """Return the address of a repository with the installed revision, so that an extra brings no other program."""
    commit = version.get("commit_id")
    return f"{version.get('vcs', 'git')}+{url}{f'@{commit}' if commit else ''}"


def _folder(url: str) -> str:
    """Return the folder of a file URL, as the system of the URL writes it: with a drive or a server, as Windows."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    if _DRIVE.match(path):
        return str(PureWindowsPath(path[1:]))
    return str(PureWindowsPath(f"//{parts.netloc}{path}")) if parts.netloc not in ("", "localhost") else path


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
