"""A preset: a named set of parameters of one policy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from inspector.model import Problem


@dataclass(frozen=True)
class Preset:
    """A named set of parameters of one policy, and what it is for.

    Where published code does more than parameters can say, `variant` names its own policy as "module:object".
    `tokenizer` stands in for `tokenizer: auto`; `tokenizers` says so for models whose names begin with a word.
    `base` is the shipped preset that a person's own one (`is_own`) has its variant from.
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
        """Every tokenizer that may count under this preset, by name."""
        return (self.tokenizer, *self.tokenizers.values())

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


class Presets(Mapping[tuple[str, str], Preset]):
    """Presets by (policy, preset), a policy's shipped ones first, and what is wrong with the person's own file."""

    def __init__(self, presets: Mapping[tuple[str, str], Preset], problems: tuple[Problem, ...] = ()) -> None:
        self._presets, self.problems = dict(presets), problems

    def __getitem__(self, key: tuple[str, str]) -> Preset:
        return self._presets[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._presets)

    def __len__(self) -> int:
        return len(self._presets)
