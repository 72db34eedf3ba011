"""Tours: steps add up to scenarios; what is no tour is one clear error; what the samples' captions say is so."""

from pathlib import Path

import pytest

from inspector.analysis.tour import Tour, TourStep, baseline_at, read_tour, scenario_at, spotlight_at
from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.columns import Action
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.formats import load_workspace
from inspector.plugins import policies
from inspector.reading.values import UnreadableError
from inspector.resources import samples_folder

STEPS = (
    TourStep("one", turn=3, spotlight="m1", set={"memory_share": 0.2, "policy": "ratio", "draft": "well?"}),
    TourStep("two", set={"policy": "naive"}, baseline=True),
    TourStep("three", turn="now", spotlight=""),
)
TOUR = Tour("Three", ("chat.yaml",), STEPS)
HEAD = "format: prompt-inspector/tour@1\ntitle: T\n"


def written(folder: Path, text: str) -> Path:
    file = folder / "some.tour.yaml"
    file.write_text(text, "utf-8")
    return file


def answers_of(name: str) -> list[Answer]:
    """What each step of a sample's tour shows."""
    tour, problems = read_tour(samples_folder() / f"{name}.tour.yaml")
    assert not problems
    pipeline = Pipeline(load_workspace(list(tour.open)), policies()[0], load_presets())
    start, _ = read_scenario(tour.scenario, no_kind)
    made = [scenario_at(tour, start, step) for step in range(len(tour.steps))]
    return [planned_answer(pipeline, make_all(pipeline, scenario)) for scenario in made]


def test_a_step_shows_all_changes_up_to_it() -> None:
    one, two, three = (scenario_at(TOUR, Scenario(), step) for step in range(3))
    assert (one.at, one.as_of, one.draft, one.parameters) == (3, True, "well?", {"memory_share": 0.2})
    assert (two.policy, two.parameters, two.at) == ("naive", {}, 3)
    assert (three.at, three.as_of, three.policy) == (None, False, "naive")


def test_the_before_of_a_step_is_what_was_shown_when_it_was_pinned() -> None:
    assert baseline_at(TOUR, Scenario(), 0) is None
    assert baseline_at(TOUR, Scenario(), 2) == scenario_at(TOUR, Scenario(), 0)


def test_the_spotlight_stays_until_it_goes_elsewhere() -> None:
    assert [spotlight_at(TOUR, step) for step in range(3)] == ["m1", "m1", ""]


def test_paths_are_those_beside_the_tour(tmp_path: Path) -> None:
    file = written(tmp_path, f"{HEAD}open: [chat.yaml]\nscenario: s.yaml\nsteps: [{{caption: c, turn: now}}]\n")
    tour, problems = read_tour(file)
    assert (tour.open, tour.scenario, problems) == ((str(tmp_path / "chat.yaml"),), str(tmp_path / "s.yaml"), ())


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("open: [a]\nsteps: []\n", "$.steps"),
        ("open: []\nsteps: [{caption: c}]\n", "$.open"),
        ("open: [a]\nsteps: [{turn: 3}]\n", "$.steps[0].caption"),
        ("open: [a]\nsteps: [{caption: c, turn: soon}]\n", "$.steps[0].turn"),
        (
            "open: [a.json]\nsteps: [{caption: c}, {caption: d, set: {context_window: [1]}}]",
            "$.steps[1].set.context_window",
        ),
        ("open: [a.json]\nsteps: [{caption: c, set: {policy: {a: 1}}}]", "$.steps[0].set.policy"),
    ],
)
def test_what_is_no_tour_is_one_error_with_its_place(tmp_path: Path, body: str, place: str) -> None:
    file = written(tmp_path, HEAD + body)
    with pytest.raises(UnreadableError) as caught:
        read_tour(file)
    assert (caught.value.problem.file, caught.value.problem.place) == (str(file), place)


def test_a_key_that_is_not_known_is_a_warning(tmp_path: Path) -> None:
    _, problems = read_tour(written(tmp_path, f"{HEAD}open: [a]\nsteps: [{{caption: c, colour: red}}]\n"))
    assert [problem.place for problem in problems] == ["$.steps[0].colour"]


def test_the_birthday_is_forgotten_when_the_tour_says_so() -> None:
    found = answers_of("birthday")
    dropped = [Action(int(a.assembly.action[a.assembly.candidates.rows_named(["m274"])[0]])) for a in found]
    gone = [action == Action.DROPPED for action in dropped]
    assert gone == [False, False, False, True, True, False, False]
    assert all(answer.assembly.error is None for answer in found)


def test_five_policies_come_to_what_their_captions_say() -> None:
    found = answers_of("policies")
    assert len({answer.case.policy_name for answer in found[1:6]}) == 5
    over = [answer.status == "over_window" for answer in found]
    assert over == [True, False, False, False, True, True, False]
    assert found[0].ledger.total > 1.8 * found[0].assembly.budget.context_window
