"""The work of survival: what becomes of every item under all values of one slider, found on a worker."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from inspector.analysis.sliders import MODEL_SIZES, shares_of, sliders
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
WINDOW_TITLE, SIZES_TITLE = "Context window", "Model windows"


@dataclass(frozen=True)
class Slider:
    """Something whose values are gone through: its name in files, and what people call it."""

    name: str
    title: str
    parameter: Parameter | None = None


@dataclass(frozen=True, eq=False)
class Survived:
    """What was found for a slider, with the case that it was moved from, its prompt, and the shares locked then."""

    slider: Slider
    found: Survival
    case: Case
    assembly: Assembly
    locked: frozenset[str] = frozenset()

    @property
    def is_held(self) -> bool:
        """Whether the slider itself is locked, so that it does not move."""
        return self.slider.name in self.locked

    @property
    def shares_today(self) -> Collection[float]:
        """The shares of today, of which the slider is one; under all of its values they sum to 1. None for others."""
        shares = shares_of(self.case)
        return shares.values() if self.slider.name in shares else ()


def sliders_of(answer: Answer) -> list[Slider]:
    """The window, all values of it and those that models have, and the numbers of the policy, as they are declared."""
    windows = Slider(WINDOW, WINDOW_TITLE), Slider(MODEL_SIZES, SIZES_TITLE)
    return [*windows, *(Slider(each.name, each.label, each) for each in sliders(answer.case))]


def start_survival(
    session: Session, slider: Slider, show: Callable[[Survived], None], end: Callable[[str], None]
) -> bool:
    """Find the survival of what is open; False where nothing is.

    `end` is told why there is none, "" where there is one. A newer request takes the place of this one.
    """
    if session.answer is None or session.trouble:
        session.tasks.cancel(NAME)
        return False
    pipeline, scenario = session.pipeline.fork(), session.answer.scenario
    request = partial(_survived, pipeline, scenario, session.cache, slider, session.locked)
    session.tasks.run(NAME, request, show, lambda: end(""), lambda error: end(str(error) or type(error).__name__))
    return True


def _survived(
    pipeline: Pipeline, scenario: Scenario, cache: CountCache, slider: Slider, locked: frozenset[str]
) -> Iterator[Survived]:
    found = survival(pipeline, scenario, slider.name, cache, locked=locked)
    case = pipeline.case(scenario)
    yield Survived(slider, found, case, pipeline.assemble(case), locked)


def named(choices: Sequence[Slider], name: str) -> Slider | None:
    """The slider of that name."""
    return next((slider for slider in choices if slider.name == name), None)
