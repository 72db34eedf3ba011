"""Plug-ins and built-ins: policies by name, listed as "module:object" and loaded on demand."""

from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points

from inspector.model import Problem

_POLICIES = {
    "naive": "inspector.assembly.policies.naive:Naive",
    "ratio": "inspector.assembly.policies.ratio:Ratio",
    "adaptive": "inspector.assembly.policies.adaptive:Adaptive",
    "reserve": "inspector.assembly.policies.reserve:Reserve",
    "window_rag": "inspector.assembly.policies.window_rag:WindowRag",
    "slots": "inspector.assembly.policies.slots:Slots",
}


@lru_cache(maxsize=1)
def policies() -> tuple[dict[str, type], tuple[Problem, ...]]:
    """Every policy by name, built-in ones first, and what third-party ones could not be loaded.

    A plug-in is a frozen dataclass with `__call__(candidates, window)`, named in the entry-point group
    `inspector.policies`. A built-in name cannot be taken over.
    """
    found: dict[str, type] = {name: _load(place) for name, place in _POLICIES.items()}
    problems: list[Problem] = []
    for point in entry_points(group="inspector.policies"):
        if point.name in found:
            problems.append(Problem(point.value, "", f"the policy name {point.name} is already taken"))
            continue
        try:
            found[point.name] = point.load()
        except (ImportError, AttributeError, SyntaxError) as problem:
            problems.append(Problem(point.value, "", f"the policy {point.name} cannot be loaded: {problem}"))
    return found, tuple(problems)


def _load(place: str) -> type:
    module, name = place.split(":")
    return getattr(import_module(module), name)
