"""Presets: named sets of parameters for policies, from the shipped resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from inspector.resources import resource


@dataclass(frozen=True)
class Preset:
    """A named set of parameters of one policy, and what it is for.

    Where published code does more than parameters can say, `variant` names its own policy as "module:object".
    `tokenizer` stands in for `tokenizer: auto`; `tokenizers` says so for models whose names begin with a word.
    """

    title: str = ""
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""
    tokenizer: str = ""
    tokenizers: Mapping[str, str] = field(default_factory=dict)

    def kind(self, policy: type) -> type:
        """The class that decides under this preset: its variant, or the policy itself."""
        if not self.variant:
            return policy
        module, name = self.variant.split(":")
        return getattr(import_module(module), name)

    def tokenizer_for(self, model: str) -> str:
        """What `tokenizer: auto` means for a model under this preset; "auto" where the preset does not say."""
        named = (tokenizer for start, tokenizer in self.tokenizers.items() if model.strip().lower().startswith(start))
        return next(named, self.tokenizer) or "auto"


@lru_cache(maxsize=1)
def load_presets() -> dict[tuple[str, str], Preset]:
    """The shipped presets by (policy, preset), from `presets/POLICY.yaml`."""
    import msgspec

    found = {}
    for path in sorted(resource("presets").glob("*.yaml")):
        for name, preset in msgspec.yaml.decode(path.read_bytes(), type=dict[str, Preset]).items():
            found[path.stem, name] = preset
    return found
