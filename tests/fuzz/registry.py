"""All targets, by name."""

from collections.abc import Iterable
from functools import cache

from tests.fuzz.target import Target
from tests.fuzz.troubles import TROUBLE, TROUBLES


@cache
def all_targets() -> tuple[Target, ...]:
    """Every target, in the order in which it is named; their modules import what they try."""
    from tests.fuzz.targets import cache_files, commands, opened_files, own_files, tokenizer_files, window, window_state

    modules = (opened_files, own_files, cache_files, tokenizer_files, commands, window_state, window)
    return tuple(target for module in modules for target in module.TARGETS)


def target_named(name: str) -> Target:
    """The target of a name, or one of those that misbehave. KeyError for one that there is not."""
    if name.startswith(TROUBLE):
        return {target.name: target for target in TROUBLES}[name]
    return {target.name: target for target in all_targets()}[name]


def targets_among(beginnings: Iterable[str]) -> tuple[Target, ...]:
    """The targets whose names begin with one of these; all where there are none."""
    wanted = tuple(beginnings)
    return tuple(target for target in all_targets() if not wanted or target.name.startswith(wanted))
