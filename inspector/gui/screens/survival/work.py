"""The work of survival: what becomes of every item under all values of one slider, found on a worker."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from inspector.analysis.sliders import sliders
from inspector.analysis.survival import Survival
from inspector.analysis.survival_search import survival
from inspector.assembly.answer import Answer
from inspector.assembly.case import Case
from inspector.assembly.decisions import Assembly
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.gui.session import Session
from inspector.tokens.cache import CountCache

NAME = "survival"
WINDOW_TITLE = "Context window"


@dataclass(frozen=True)
class Slider:
    """Something whose values are gone through: its name in files, and what people call it."""

    name: str
    title: str
    parameter: Parameter | None = None


@dataclass(frozen=True, eq=False)
class Survived:
    """What was found for a slider, with the case that it was moved from, and the prompt of that."""

    slider: Slider
    found: Survival
    case: Case
    assembly: Assembly


def sliders_of(answer: Answer) -> list[Slider]:
    """The window and the numbers of the policy, as they are declared."""
    return [Slider(WINDOW, WINDOW_TITLE), *(Slider(each.name, each.label, each) for each in sliders(answer.case))]


def start_survival(
    session: Session, slider: Slider, show: Callable[[Survived], None], end: Callable[[str], None]
) -> bool:
    """Find the survival of what is open; False where nothing is.

    `end` is told why there is none, "" where there is one. A newer request takes the place of this one.
    """
    if session.answer is None or session.trouble:
        session.tasks.cancel(NAME)
        return False
    request = partial(_survived, session.pipeline.fork(), session.answer.scenario, session.cache, slider)
    session.tasks.run(NAME, request, show, lambda: end(""), lambda error: end(str(error) or type(error).__name__))
    return True


def _survived(pipeline: Pipeline, scenario: Scenario, cache: CountCache, slider: Slider) -> Iterator[Survived]:
    found = survival(pipeline, scenario, slider.name, cache)
    case = pipeline.case(scenario)
    yield Survived(slider, found, case, pipeline.assemble(case))


def named(choices: Sequence[Slider], name: str) -> Slider | None:
    """The slider of that name."""
    return next((slider for slider in choices if slider.name == name), None)
