"""Loading the presets: the shipped ones, `resources/presets/POLICY.yaml`, and those of the user's own file."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from inspector.assembly.preset import Preset, Presets
from inspector.model import Problem
from inspector.resources import resource

_NO_POLICIES: Mapping[str, type] = MappingProxyType({})


def load_presets(own: Path | None = None, policies: Mapping[str, type] = _NO_POLICIES) -> Presets:
    """Return the shipped presets and those of the user's own file, if it exists.

    Errors in the own file are in `problems`; its good presets are returned. `policies` are those for which it may have
    presets, by name.
    """
    shipped = _shipped()
    try:
        if own is None or not own.exists():
            return shipped
    except OSError as problem:
        return Presets(shipped, (Problem(str(own), "", f"cannot be read: {problem.strerror}"),))
    from inspector.assembly.own_presets import own_presets  # the shipped ones do not need the reader of users' files

    presets, problems = own_presets(own, policies, shipped)
    return Presets({**shipped, **presets}, problems)


@lru_cache(maxsize=1)
def _shipped() -> Presets:
    import msgspec

    found = {}
    for path in sorted(resource("presets").glob("*.yaml")):
        for name, preset in msgspec.yaml.decode(path.read_bytes(), type=dict[str, Preset]).items():
            found[path.stem, name] = preset
    return Presets(found)
