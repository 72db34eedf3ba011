"""What paths stand for, and what is loaded from them: all that a worker finds out before the window shows anything."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QPaintEvent
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Share
from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.case import Case
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats import UnreadableError
from inspector.gui.bar.view import BudgetBar
from inspector.gui.files.opening import MOST_TOLD, Loaded, Opening, find_opening, load
from inspector.gui.main_window import MainWindow
from inspector.gui.session.session import Session
from inspector.plugins import policies
from inspector.steps import AbandonedError

CHAT = '[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]'
SCENARIO = "format: prompt-inspector/scenario@1\n"
INSPECTION = "format: prompt-inspector/inspection@1\n"


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "a.json"
    file.write_text(CHAT)
    return file


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def found(*paths: Path | str, scenario: Path | None = None) -> Opening:
    return find_opening([str(path) for path in paths], str(scenario) if scenario else None, ("text",), lambda _: None)


def loaded(opening: Opening) -> Loaded:
    made = lambda workspace: Pipeline(workspace, policies()[0], load_presets())  # noqa: E731 - of each workspace
    return load(opening, made, lambda _: None)


def test_a_scenario_file_is_no_chat(chat: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "b.scenario.yaml", SCENARIO + "policy: naive\n")
    for opening in (found(chat, file), found(chat, scenario=file)):
        assert opening.paths == (str(chat),)
        assert opening.scenario.policy == "naive"
        assert opening.problems == ()
    assert found(chat, file).named == (str(chat), str(file))


def test_the_scenario_of_a_folder_is_taken(chat: Path, tmp_path: Path) -> None:
    write(tmp_path / "b.scenario.yaml", SCENARIO + "policy: naive\n")
    assert found(tmp_path).scenario.policy == "naive"
    assert found(tmp_path).paths == (str(tmp_path),)


def test_a_name_that_no_file_can_have_is_left_out(chat: Path) -> None:
    opening = found(chat, "a\0b")
    assert opening.paths == (str(chat),)
    assert [problem.file for problem in opening.problems] == ["a\0b"]
    with pytest.raises(UnreadableError, match="no file can have this name"):
        found("a\0b")


def test_an_inspection_brings_all_that_it_holds(chat: Path, tmp_path: Path) -> None:
    file = write(
        tmp_path / "a.inspection.yaml",
        INSPECTION + "sources: [{path: a.json}]\nscenario: {policy: naive}\nbaseline: {policy: reserve}\n"
        "layout: {perspectives: {inspect: {page: clock, left: {width: 300}}}}\n",
    )
    opening = found(file)
    assert opening.paths == (str(chat),)
    assert (opening.scenario.policy, opening.baseline and opening.baseline.policy) == ("naive", "reserve")
    assert opening.layout is not None
    assert opening.layout.layouts["inspect"].left.width == 300
    assert [problem.place for problem in opening.problems] == ["$.layout.perspectives.inspect.page"]
    assert opening.saved is not None
    assert opening.saved.is_whole, "a layout is replaced whenever something is saved"


def test_what_is_not_understood_makes_an_inspection_less_than_its_file(tmp_path: Path) -> None:
    saved = found(write(tmp_path / "a.inspection.yaml", INSPECTION + "layouts: {}\n")).saved
    assert saved is not None
    assert not saved.is_whole


def test_a_million_problems_are_not_told(tmp_path: Path) -> None:
    keys = "".join(f"key{number}: 1\n" for number in range(2_000))
    assert len(found(write(tmp_path / "a.inspection.yaml", INSPECTION + keys)).problems) == MOST_TOLD
    sources = "sources: [" + "{path: gone.json}, " * 2_000 + "]\n"
    assert len(found(write(tmp_path / "b.inspection.yaml", INSPECTION + sources)).problems) <= MOST_TOLD


def test_what_is_loaded_is_ready_to_be_shown(chat: Path) -> None:
    """The answers and what they lack are made on the worker: the window finds them in the pipeline."""
    opening = Opening((str(chat),))
    ready = loaded(opening)
    assert ready.answer is not None
    assert ready.trouble == ""
    pipeline, case = ready.pipeline, ready.answer.case
    assert pipeline.case(opening.scenario) is case
    assert pipeline.candidates(case) is ready.answer.assembly.candidates
    assert "uncounted" in pipeline._stages


def test_the_window_makes_nothing_of_it_itself(
    chat: Path, opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million messages are assembled in seconds: the first answer comes from the worker, and so does a baseline."""
    file = write(
        chat.with_name("a.inspection.yaml"), INSPECTION + "sources: [{path: a.json}]\nbaseline: {policy: naive}\n"
    )
    threads: list[int] = []

    def watched(pipeline: Pipeline, case: Case) -> Answer:
        threads.append(threading.get_ident())
        return planned_answer(pipeline, case)

    monkeypatch.setattr("inspector.gui.files.opening.planned_answer", watched)
    window = opened(file)
    assert window.session.baseline is not None
    assert threading.get_ident() not in threads[:2], "the answers to both scenarios"


def test_something_new_is_drawn_before_it_is_counted(
    chat: Path, opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a worker that counts, the window would need three times as long for its first picture."""
    happened: list[str] = []
    drawn, worked = BudgetBar.paintEvent, Session.work

    def draw(bar: BudgetBar, event: QPaintEvent) -> None:
        window = bar.window()
        if isinstance(window, MainWindow) and window.session.answer is not None:
            happened.append("drawn")
        drawn(bar, event)

    def work(session: Session, name: str, *args: Any, **options: Any) -> None:
        happened.append(name)
        worked(session, name, *args, **options)

    monkeypatch.setattr(BudgetBar, "paintEvent", draw)
    monkeypatch.setattr(Session, "work", work)
    window = opened()
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: "count" in happened and window.session.is_ready)
    assert happened.index("drawn") < happened.index("count")


def test_a_refused_scenario_leaves_the_answer_open(chat: Path) -> None:
    refused = loaded(Opening((str(chat),), Scenario(conversation="nowhere"), baseline=Scenario(policy="naive")))
    assert refused.answer is None
    assert "nowhere" in refused.trouble
    assert refused.baseline is not None


def test_whoever_tells_may_end_the_loading(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.json", CHAT)
    told: list[Share | None] = []

    def tell(progress: Share | None) -> None:
        told.append(progress)
        if len(told) == 2:
            raise AbandonedError

    with pytest.raises(AbandonedError):
        load(Opening((str(tmp_path),)), lambda _: pytest.fail("not reached"), tell)
    assert isinstance(told[0], Share)
