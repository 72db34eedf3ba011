"""What commands choose from: policies, presets, models and tokenizers, the user's own among them."""

from inspector.assembly.case import Choices
from inspector.assembly.preset import Presets
from inspector.assembly.presets import load_presets
from inspector.model import Workspace
from inspector.plugins import policies, tokenizers
from inspector.settings import own_models_file, own_presets_file
from inspector.tokens.models.loading import load_models


def known_presets() -> Presets:
    """The shipped presets and the user's own."""
    return load_presets(own_presets_file(), policies()[0])


def known_choices() -> Choices:
    """What a scenario chooses from whatever is open."""
    return Choices(Workspace(), policies()[0], known_presets(), load_models(own_models_file()), tokenizers()[0])
