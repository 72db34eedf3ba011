"""What can be set beside now: every policy under its presets, the snapshots, tokenizers and models, to be searched."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from inspect import getdoc

from inspector.analysis.tokenizers.errors import short_name
from inspector.assembly.contenders import available_contenders
from inspector.assembly.policy import policy_title
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.side_choice import SideChoice, policy_choice
from inspector.assembly.snapshots import Snapshots
from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models.table import ModelRow

COLUMNS = (ChoiceColumn("What"), ChoiceColumn("Kind", 9, least=9), ChoiceColumn("About", 38, least=12))
THERE = "It is there already."


def addable(
    policies: Mapping[str, type],
    presets: Mapping[tuple[str, str], Preset],
    snapshots: Snapshots,
    models: Iterable[ModelRow],
    there: Collection[SideChoice],
) -> list[Choice]:
    """Return the choices to search; those already `there` cannot be chosen."""
    told = (
        *_policies(policies, presets),
        *((SideChoice("snapshot", one.name), one.name, "Snapshot", one.note) for one in snapshots),
        *_tokenizers(),
        *_models(models),
    )
    return [
        Choice(choice.key, tuple(cells), choice, choice.name, THERE if choice in there else "", choice not in there)
        for choice, *cells in told
    ]


_Told = Iterator[tuple[SideChoice, str, str, str]]


def _policies(policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> _Told:
    for contender in available_contenders(policies, presets):
        kind = policies[contender.policy]
        preset = presets.get((contender.policy, contender.preset), Preset())
        title = policy_title(contender.policy, kind)
        if contender.preset == DEFAULT_PRESET:
            yield policy_choice(contender), title, "Policy", (getdoc(kind) or "").partition("\n")[0]
        else:
            yield policy_choice(contender), f"{title}, {preset.title or contender.preset}", "Preset", preset.description


def _tokenizers() -> _Told:
    for name in (*(f"embedded:{name}" for name in EMBEDDED_NAMES), *ESTIMATORS):
        exact = "Counts exactly" if name.startswith("embedded:") else "Estimates"
        yield SideChoice("tokenizer", name), short_name(name), "Tokenizer", f"{exact}; {name}"


def _models(models: Iterable[ModelRow]) -> _Told:
    for row in models:
        yield SideChoice("model", row.name), row.name, "Model", f"{row.maker}, {row.context_window:,} tokens"
