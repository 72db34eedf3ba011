"""Plug-ins and built-ins: policies by name, listed as "module:object" and loaded on demand."""

import logging
from dataclasses import is_dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points

from inspector.model import Problem

POLICY_GROUP = "inspector.policies"

_log = logging.getLogger(__name__)
_POLICIES = {
    "naive": "inspector.assembly.policies.naive:Naive",
    "ratio": "inspector.assembly.policies.ratio:Ratio",
    "adaptive": "inspector.assembly.policies.adaptive:Adaptive",
    "reserve": "inspector.assembly.policies.reserve:Reserve",
    "window_rag": "inspector.assembly.policies.window_rag:WindowRag",
    "slots": "inspector.assembly.policies.slots:Slots",
    "langchain_trim": "inspector.assembly.policies.langchain_trim:LangchainTrim",
    "llamaindex_buffer": "inspector.assembly.policies.llamaindex_buffer:LlamaindexBuffer",
    "semantic_kernel_truncation": "inspector.assembly.policies.semantic_kernel_truncation:SemanticKernelTruncation",
    "priority": "inspector.assembly.policies.priority:Priority",
}


@lru_cache(maxsize=1)
def policies() -> tuple[dict[str, type], tuple[Problem, ...]]:
    """Every policy by name, built-in ones first, and what third-party ones could not be loaded.

    A plug-in is a frozen dataclass with `__call__(candidates, window)`, named in the entry-point group
    `inspector.policies`. A built-in name cannot be taken over.
    """
    found: dict[str, type] = {name: _load(place) for name, place in _POLICIES.items()}
    problems: list[Problem] = []
    for point in entry_points(group=POLICY_GROUP):
        if point.name in found:
            problems.append(Problem(point.value, "", f"the policy name {point.name} is already taken"))
            continue
        try:
            found[point.name] = _checked(point.load())
        except Exception as problem:  # noqa: BLE001 - said below, logged with its traceback
            # Importing a plug-in runs anybody's code, which may raise anything; the others have to be there regardless.
            _log.exception("the policy %s of %s cannot be loaded", point.name, point.value)
            trouble = f"{type(problem).__name__}: {problem}"
            problems.append(Problem(point.value, "", f"the policy {point.name} cannot be loaded: {trouble}"))
    return found, tuple(problems)


def _checked(loaded: object) -> type:
    """What an entry point names, if it can be listed and made. Raises TypeError for what is no policy."""
    from inspector.assembly.policy import make_policy, parameters_of

    if not isinstance(loaded, type) or not is_dataclass(loaded) or "__call__" not in dir(loaded):
        raise TypeError("a policy is a frozen dataclass with a method __call__")
    parameters_of(loaded)
    make_policy(loaded, {})
    return loaded


def _load(place: str) -> type:
    module, name = place.split(":")
    return getattr(import_module(module), name)
