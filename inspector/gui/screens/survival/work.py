"""The work of survival: what becomes of every item under all values of one slider, found on a worker."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from inspector.analysis.sliders import MODEL_SIZES, SIZES_TITLE, WINDOW_TITLE, Slider, sliders
from inspector.analysis.survival_search import Survived, survival
from inspector.assembly.answer import Answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.gui.session import Session
from inspector.tokens.cache import CountCache

NAME = "survival"


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
