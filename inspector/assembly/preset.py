"""Presets: named sets of parameters of a policy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from inspector.model import Problem


@dataclass(frozen=True)
class Preset:
    """A named set of parameters of a policy, with its purpose.

    If published code does more than parameters can express, `variant` names its own policy as "module:object".
    `tokenizer` replaces `tokenizer: auto`; `tokenizers` do so for models whose names begin with a key. `base` is the
    shipped preset from which a preset of the user (`is_own`) has its variant.
    """

    title: str = ""
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""
    tokenizer: str = ""
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    base: str = ""
    is_own: bool = False

    @property
    def tokenizer_names(self) -> tuple[str, ...]:
        """Every possible tokenizer under this preset, by name."""
        return (self.tokenizer, *self.tokenizers.values())

    def kind(self, policy: type) -> type:
        """Return the deciding class under this preset: its variant, or the policy itself."""
        if not self.variant:
            return policy
        module, name = self.variant.split(":")
        return getattr(import_module(module), name)

    def tokenizer_for(self, model: str) -> str:
        """Return the meaning of `tokenizer: auto` for a model under this preset; "auto" by default."""
        named = (tokenizer for start, tokenizer in self.tokenizers.items() if model.strip().lower().startswith(start))
        return next(named, self.tokenizer) or "auto"


class Presets(Mapping[tuple[str, str], Preset]):
    """Presets by (policy, preset), a policy's shipped ones first, and the problems of the user's own file."""

    def __init__(self, presets: Mapping[tuple[str, str], Preset], problems: tuple[Problem, ...] = ()) -> None:
        self._presets, self.problems = dict(presets), problems

    def __getitem__(self, key: tuple[str, str]) -> Preset:
        return self._presets[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._presets)

    def __len__(self) -> int:
        return len(self._presets)
