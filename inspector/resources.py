"""The locations of shipped resources and samples; no other module knows them."""

from os import PathLike
from pathlib import Path, PurePath

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    """Return a folder inside the installed package, or beside it in a source checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def resource(name: str) -> Path:
    """Return the path of a shipped resource, such as `models.yaml` or `presets/ratio.yaml`."""
    return _shipped("resources") / name


def samples_folder() -> Path:
    """Return the folder of sample workspaces."""
    return _shipped("samples")


def first_sample() -> Path:
    """Return the sample chat with which a new user begins; its scenario lies beside it."""
    return samples_folder() / "companion.workspace.yaml"


def samples_elsewhere(path: str | PathLike[str]) -> str:
    """Return the end of a message about a path that is not there: where the samples lie, if it names them, else ""."""
    is_meant = PurePath(path).parts[:1] == ("samples",)
    return f"; the samples of this program are in {samples_folder()}" if is_meant else ""
