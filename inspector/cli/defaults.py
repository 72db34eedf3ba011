"""The defaults of the command line: model, policy and window from the user's settings file, for options not given."""

from dataclasses import dataclass, field, fields
from pathlib import Path

from inspector.cli.failure import InputError
from inspector.cli.options import ignores_defaults
from inspector.limits import MOST
from inspector.nearest import instead, not_one_of
from inspector.settings import own_models_file, settings_file


@dataclass(frozen=True, slots=True)
class Defaults:
    """A model, a policy and a window in tokens; None for those that the settings file does not name."""

    model: str | None = None
    policy: str | None = None
    window: int | None = None


_NAMES = [each.name for each in fields(Defaults)]


@dataclass(frozen=True, slots=True)
class _Settings:
    """The part of the settings file read here; other keys are ignored."""

    defaults: Defaults = field(default_factory=Defaults)


def own_defaults() -> Defaults:
    """Return the defaults of the settings file, none with --no-defaults.

    End the command if the file cannot be read, or for a name or a number in them that cannot be meant.
    """
    path = settings_file()
    if ignores_defaults() or not path.exists():
        return Defaults()
    found = _read(path)
    trouble = _trouble(found)
    if trouble is not None:
        raise _error(f"{path}: $.defaults.{trouble}")
    return found


def _read(path: Path) -> Defaults:
    from inspector.reading.decode import decode, read_value
    from inspector.reading.values import UnreadableError

    try:
        settings, unknown = decode(read_value(path), _Settings, str(path))
    except UnreadableError as error:
        raise _error(str(error.problem)) from None
    for problem in unknown:
        if problem.place.startswith("$.defaults."):
            raise _error(f"{path}: $.defaults: {not_one_of(problem.place.removeprefix('$.defaults.'), _NAMES)}")
    return settings.defaults


def _trouble(found: Defaults) -> str | None:
    """Return the name of a wrong default with what is wrong about it, None if all can be used."""
    if found.window is not None and not 1 <= found.window <= MOST:
        return f"window: expected a whole number from 1 to {MOST:,}, not {found.window:,}"
    if found.policy is not None:
        from inspector.plugins import policies

        known = list(policies()[0])
        if found.policy not in known:
            return f"policy: {found.policy} is not a policy; {instead(found.policy, known, len(known))}"
    if found.model is not None and found.window is None:  # with a window a model need not be known
        from inspector.tokens.models.loading import load_models

        models = load_models(own_models_file())
        if models.find(found.model).row is None:
            near = models.nearest(found.model)
            named = instead(found.model, near) if near else "`prompt-inspector models` lists those that are"
            return f"model: {found.model} is not in the model table; {named}"
    return None


def _error(message: str) -> InputError:
    return InputError(f"{message} (--no-defaults does without)")
