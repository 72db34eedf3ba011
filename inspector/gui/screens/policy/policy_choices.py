"""Policies and presets as lines of a table: a name for people, the name in files, what it does and whose it is."""

from inspect import getdoc

from inspector.assembly.policy import traits_of
from inspector.assembly.preset import Preset
from inspector.gui.parts.choices import Choice


def policy_choice(name: str, kind: type) -> Choice:
    """A policy; one that has no title is called by its name."""
    traits, about = traits_of(kind()), (getdoc(kind) or "").partition("\n")[0]
    return Choice(f"policy:{name}", (traits.title or name, name, about, traits.whose), name, tip=f"{name}\n{about}")


def preset_choice(policy: str, name: str, preset: Preset) -> Choice:
    """A preset of a policy."""
    title, about = preset.title or name, preset.description
    return Choice(f"preset:{policy}:{name}", (title, name, about), name, tip=f"{title}\n{about}")
