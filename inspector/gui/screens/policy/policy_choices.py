"""The policies and presets as lines of a table: a title, the name in files, a description, and the owner."""

from inspect import getdoc

from inspector.assembly.policy import traits_of
from inspector.assembly.preset import Preset
from inspector.gui.parts.choices import Choice


def policy_choice(name: str, kind: type) -> Choice:
    """Return the choice of a policy; without a title it goes by its name."""
    traits, about = traits_of(kind()), (getdoc(kind) or "").partition("\n")[0]
    return Choice(f"policy:{name}", (traits.title or name, name, about, traits.whose), name, tip=f"{name}\n{about}")


def preset_choice(policy: str, name: str, preset: Preset) -> Choice:
    """Return the choice of a policy's preset."""
    title, about = preset.title or name, preset.description
    return Choice(f"preset:{policy}:{name}", (title, name, about), name, tip=f"{title}\n{about}")
