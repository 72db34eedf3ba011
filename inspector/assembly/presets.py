"""Presets: named sets of parameters for policies, from the shipped resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from inspector.resources import resource


@dataclass(frozen=True)
class Preset:
    """A named set of parameters of one policy, and what it is for."""

    title: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@lru_cache(maxsize=1)
def load_presets() -> dict[tuple[str, str], Preset]:
    """The shipped presets by (policy, preset), from `presets/POLICY.yaml`."""
    import msgspec

    found = {}
    for path in sorted(resource("presets").glob("*.yaml")):
        for name, preset in msgspec.yaml.decode(path.read_bytes(), type=dict[str, Preset]).items():
            found[path.stem, name] = preset
    return found


def preset_parameters() -> dict[tuple[str, str], Mapping[str, Any]]:
    """The parameters of every shipped preset by (policy, preset), as a pipeline takes them."""
    return {key: preset.parameters for key, preset in load_presets().items()}
