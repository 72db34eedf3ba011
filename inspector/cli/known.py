"""The choices of commands: policies, presets, models and tokenizers, including the user's own."""

from inspector.assembly.case import Choices
from inspector.assembly.preset import Presets
from inspector.assembly.presets import load_presets
from inspector.model import Workspace
from inspector.plugins import policies, tokenizers
from inspector.settings import own_models_file, own_presets_file
from inspector.tokens.models.loading import load_models


def known_presets() -> Presets:
    """Return the shipped presets and the user's own."""
    return load_presets(own_presets_file(), policies()[0])


def known_choices() -> Choices:
    """Return the choices of a scenario that do not depend on open files."""
    return Choices(Workspace(), policies()[0], known_presets(), load_models(own_models_file()), tokenizers()[0])
