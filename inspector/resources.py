"""The only place that knows where shipped resources and samples are."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    """A folder inside the installed package, or beside it in a source checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def resource(name: str) -> Path:
    """Path of a shipped resource, such as `models.yaml` or `presets/ratio.yaml`."""
    return _shipped("resources") / name


def samples_folder() -> Path:
    """The folder of sample workspaces."""
    return _shipped("samples")
