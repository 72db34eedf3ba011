"""What `make test` leaves to `make test-long`: examples of Hypothesis, rounds of loops, and cases of a kind."""

from collections.abc import Collection, Iterable
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import HealthCheck, settings

QUICK, LONG = "quick", "long"
OF_EACH_KIND = ("o200k_base", "llama3", "qwen2.5", "gemma3", "deepseek_v3")
"""Embedded vocabularies that stand for the others: OpenAI's, one with many specials, one that normalises, one of
SentencePiece, one with symbols."""
_SHARE, _FEWEST = Fraction(1, 5), 10


def register_profiles() -> None:
    """Both runs as profiles of Hypothesis; the quick one until `--hypothesis-profile` names another.

    How long an example takes says nothing on a busy machine, and no example of an earlier run is read or kept. The
    quick run tries the same examples each time, so that it fails for what was changed; the long one looks for new ones.
    """
    shared = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(QUICK, shared, derandomize=True)
    settings.register_profile(LONG, shared)
    settings.load_profile(QUICK)


def examples(most: int) -> settings:
    """So many examples of a test whose examples take long in the long run, a fifth of them in the quick one."""
    return settings(max_examples=rounds(most, _quick(most)))


def rounds(many: int, few: int) -> int:
    """How often a loop of a test goes round: so many times in the long run, so few in the quick one."""
    return many if settings.get_current_profile_name() == LONG else few


def cases(values: Iterable[object], often: Collection[object]) -> list[object]:
    """These values as parameters of a test; those that are not among `often` are left to the long run."""
    return [value if value in often else pytest.param(value, marks=pytest.mark.long) for value in values]


def pairs(keys: Iterable[tuple[str, str]]) -> list[object]:
    """Policies with a preset as parameters of a test; of presets of the same class the first is tried in each run."""
    from inspector.assembly.presets import load_presets
    from inspector.plugins import policies

    presets, built_in, seen = load_presets(), policies()[0], set[type]()
    found: list[object] = []
    for policy, preset in keys:
        kind = presets[policy, preset].kind(built_in[policy])
        found.append(
            pytest.param(policy, preset, id=f"{policy}-{preset}", marks=pytest.mark.long if kind in seen else ())
        )
        seen.add(kind)
    return found


def _quick(most: int) -> int:
    return min(most, max(_FEWEST, ceil(most * _SHARE)))
