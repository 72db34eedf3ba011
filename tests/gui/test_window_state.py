"""What a window remembers between runs, when several windows remember at the same time."""

import multiprocessing
from datetime import datetime
from multiprocessing.synchronize import Barrier

import pytest

from inspector.assembly.scenario import Scenario
from inspector.assembly.side_choice import SideChoice
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.table.column_arrangement import ColumnChoice
from inspector.settings import window_file
from inspector.writing import only_writer

_TIMES = 12


def _remember(name: str, started: Barrier) -> None:
    state = WindowState()
    started.wait()
    for number in range(_TIMES):
        state.keep_columns(f"{name}{number}", ColumnChoice(order=(name,)))


def test_what_two_windows_change_is_merged() -> None:
    one, two = WindowState(), WindowState()
    one.theme = "dark"
    two.add_recent(["/chats/two.json"])
    one.add_recent(["/chats/one.json"])
    two.keep_columns("items", ColumnChoice(order=("id",)))
    one.keep_columns("turns", ColumnChoice(order=("at",)))
    two.add_used("action:open")
    one.add_used("action:save")
    two.zoom = 2
    again = WindowState()
    assert again.theme == "dark"
    assert again.zoom == 2
    assert again.recent == (("/chats/one.json",), ("/chats/two.json",))
    assert again.used == ("action:save", "action:open")
    assert [again.columns(table).order for table in ("items", "turns")] == [("id",), ("at",)]
    one.drop_recent(["/chats/two.json"])
    assert WindowState().recent == (("/chats/one.json",),)
    two.clear_recent()
    assert one.recent == (("/chats/one.json",),), "of another window it is known at the next change"
    one.theme = "light"
    assert one.recent == ()


def test_an_opening_is_remembered_with_its_contents_and_its_time() -> None:
    state = WindowState()
    state.add_recent(["/chats/one.json", "/chats/two.json"], "2 chats")
    state.add_recent(["/chats/three.json"])
    about = WindowState().about(["/chats/one.json", "/chats/two.json"])
    assert about is not None
    assert about.words == "2 chats"
    assert abs((datetime.now() - about.time).total_seconds()) < 600
    state.drop_recent(["/chats/one.json", "/chats/two.json"])
    state.add_recent(["/chats/four.json"])
    assert WindowState().about(["/chats/one.json"]) is None


def test_contents_and_times_that_cannot_be_read_are_passed_over() -> None:
    state = WindowState()
    for name in "abc":
        state.add_recent([f"/{name}"], "a chat")
    text = window_file().read_text()
    good = text.replace("words: a chat", "words: [1]", 1).replace("time:", "time: never\n    was:", 2)
    window_file().write_text(good)
    again = WindowState()
    assert len(again.recent) == 3
    assert [again.about([f"/{name}"]) is None for name in "abc"].count(True) == 2


def test_windows_that_write_at_the_same_time_lose_nothing() -> None:
    processes = multiprocessing.get_context("spawn")
    started = processes.Barrier(2)
    writers = [processes.Process(target=_remember, args=(name, started)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    state = WindowState()
    assert all(state.columns(f"{name}{number}").order for name in "ab" for number in range(_TIMES))


def test_where_another_program_does_not_end_the_window_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    state = WindowState()
    state.theme = "dark"
    monkeypatch.setattr("inspector.formats.own_file.LONGEST_WAIT", 0.0)
    with only_writer(window_file().parent):
        state.add_recent(["/chats/a.json"])
    assert state.recent == (("/chats/a.json",),)
    assert WindowState().recent == ()


def test_of_a_damaged_file_the_version_before_is_kept() -> None:
    window_file().parent.mkdir(parents=True)
    window_file().write_text("theme: [dark")
    state = WindowState()
    state.theme = "light"
    assert WindowState().theme == "light"
    assert window_file().with_name("window.yaml.before").read_text() == "theme: [dark"


def test_what_stands_side_by_side_is_kept_with_its_values_and_read_whatever_the_file_says() -> None:
    held = Scenario(policy="ratio", preset="long-chat", parameters={"memory_share": 0.2, "order": (1, 2)}, given=())
    choices = (SideChoice("policy", "ratio/long-chat", held), SideChoice("tokenizer", "estimate:words"))
    assert WindowState().sides is None
    WindowState().sides = (*choices, SideChoice("snapshot", "\ud800"))
    again = WindowState().sides
    assert again is not None
    assert again == choices
    assert again[0].values is not None
    assert again[0].values.parameters == {"memory_share": 0.2, "order": [1, 2]}
    text = window_file().read_text(encoding="utf-8")
    for damaged in ("kind: nonsense", "kind: 3", "kind: [policy]"):
        window_file().write_text(text.replace("kind: policy", damaged), encoding="utf-8")
        assert WindowState().sides == choices[1:]
    window_file().write_text("sides: {a: 1}", encoding="utf-8")
    assert WindowState().sides is None
