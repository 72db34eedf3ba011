"""Tours: a demonstration step by step, as a YAML file of captions, values and turns. Nothing is drawn here."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from inspector.assembly.edits import SCENARIO_KEYS, go_to_turn, set_draft, set_query, set_value
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import is_native
from inspector.model import Problem
from inspector.reading.decode import decode, read_value
from inspector.reading.values import UnreadableError

TOUR_FORMAT = "prompt-inspector/tour@1"
_ENDINGS = (".tour.yaml", ".tour.yml", ".tour.json")
_TEXTS = {"draft": set_draft, "query": set_query}


@dataclass(frozen=True)
class TourStep:
    """A step: its caption, and its changes against the previous step.

    `turn` is a number of existing messages, "now" all with the draft. `set` gives the policy, the preset, the window,
    the model, the draft, the query, or parameters of the policy. `spotlight` is the item examined from this step on, ""
    ends it. `baseline` pins the previous step as the baseline of all that follow.
    """

    caption: str
    turn: int | Literal["now"] | None = None
    set: Mapping[str, Any] = field(default_factory=dict)
    spotlight: str | None = None
    baseline: bool = False


@dataclass(frozen=True)
class Tour:
    """A title, the files to open (relative to the tour's own), the initial scenario, and the steps."""

    title: str
    open: tuple[str, ...]
    steps: tuple[TourStep, ...]
    scenario: str = ""


def is_tour(path: str | Path) -> bool:
    """Return whether a file is a tour, by its name or its beginning."""
    file = Path(path)
    return is_native(file, TOUR_FORMAT) or (file.name.endswith(_ENDINGS) and file.is_file())


def read_tour(path: str | Path) -> tuple[Tour, tuple[Problem, ...]]:
    """Return the tour of a file, with absolute paths, and a warning for each unknown key.

    Raise UnreadableError if it is not a tour, has no step, opens nothing, or sets an impossible value.
    """
    tour, problems = decode(read_value(path), Tour, str(path), expected_format=TOUR_FORMAT)
    for name, things in (("steps", tour.steps), ("open", tour.open)):
        if not things:
            raise UnreadableError(Problem(str(path), f"$.{name}", "expected at least one"))
    for number, step in enumerate(tour.steps):
        of_scenario = {key: value for key, value in step.set.items() if key in (*SCENARIO_KEYS, *_TEXTS)}
        decode(of_scenario, Scenario, str(path), f"$.steps[{number}].set")
    folder = Path(path).resolve().parent
    scenario = str(folder / tour.scenario) if tour.scenario else ""
    return replace(tour, open=tuple(str(folder / name) for name in tour.open), scenario=scenario), problems


def scenario_at(tour: Tour, start: Scenario, step: int) -> Scenario:
    """Return the scenario of a step: the initial scenario with all changes up to this step."""
    scenario = start
    for one in tour.steps[: step + 1]:
        for key in sorted(one.set, key=lambda key: (key != "policy", key != "preset")):
            scenario = _with_value(scenario, key, one.set[key])
        if one.turn is not None:
            scenario = go_to_turn(scenario, None if one.turn == "now" else one.turn).scenario
    return scenario


def baseline_at(tour: Tour, start: Scenario, step: int) -> Scenario | None:
    """Return the baseline of a step: the scenario before the last step that pins it; None if there is none."""
    pinning = [number for number, one in enumerate(tour.steps[: step + 1]) if one.baseline]
    return scenario_at(tour, start, pinning[-1] - 1) if pinning else None


def spotlight_at(tour: Tour, step: int) -> str:
    """Return the id of the item examined in a step, "" for none."""
    said = [one.spotlight for one in tour.steps[: step + 1] if one.spotlight is not None]
    return said[-1] if said else ""


def _with_value(scenario: Scenario, key: str, value: Any) -> Scenario:
    if key in _TEXTS:
        return _TEXTS[key](scenario, value).scenario
    return set_value(scenario, key, value).scenario
