"""The window begins with the rules of the program that wrote the file; a chip leads back, and to them again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.assembly.own_policy import own_of
from inspector.assembly.scenario import Scenario
from inspector.gui.files.inspection import Inspection, write_inspection
from inspector.gui.files.opening import find_opening
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.settings.own_chip import OwnChip

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def messages(texts: list[str]) -> dict[str, object]:
    roles = ("user", "assistant")
    return {
        f"m{n}": {"id": f"m{n}", "parentId": f"m{n - 1}" if n else None, "role": roles[n % 2], "content": text}
        for n, text in enumerate(texts)
    }


@pytest.fixture
def open_webui(tmp_path: Path) -> Path:
    history = {"messages": messages([f"{n} " + "word " * 40 for n in range(20)]), "currentId": "m19"}
    file = tmp_path / "webui.json"
    file.write_text(json.dumps([{"id": "a", "chat": {"title": "A", "params": {"num_ctx": 300}, "history": history}}]))
    return file


@pytest.fixture
def kobold(tmp_path: Path) -> Path:
    file = tmp_path / "story.json"
    settings = {"max_context_length": 900, "max_length": 80}
    file.write_text(json.dumps({"gamestarted": True, "prompt": "A", "actions": ["B"], "savedsettings": settings}))
    return file


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    file = tmp_path / "plain.json"
    file.write_text(json.dumps([{"role": "user", "content": "Hello"}]))
    return file


def chip_of(window: MainWindow) -> OwnChip:
    chip = window.findChild(OwnChip, "own_policy")
    assert chip is not None
    return chip


def show(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.session.open(lambda tell: find_opening([str(file)], None, (), tell))
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(file),))


def decided(window: MainWindow) -> tuple[str | None, str, int | None]:
    scenario = window.session.scenario
    return scenario.policy, scenario.server, scenario.server_context


def test_a_file_begins_with_its_own_rules_and_the_chip_leads_back(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path
) -> None:
    window = opened(open_webui)
    chip, own, ratio = chip_of(window), ("open_webui", "ollama", 300), ("ratio", "none", None)
    assert decided(window) == own
    assert not window.session.is_modified
    answer = window.session.answer
    assert answer is not None
    assert "server_drops" in {finding.code for finding in answer.findings}
    for _ in range(2):
        assert chip.text() == "Open WebUI's own rules · back to Ratio"
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.session.is_ready)
        assert decided(window) == ratio
        assert chip.text() == "Use Open WebUI's own rules"
        chip.setFocus()
        qtbot.keyClick(chip, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: window.session.is_ready)
        assert decided(window) == own
    window.session.undo_stack.undo()
    assert decided(window) == ratio


def test_the_chip_leads_back_to_the_policy_that_was_chosen(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path
) -> None:
    window = opened(open_webui)
    window.session.use_policy("slots")
    qtbot.waitUntil(lambda: window.session.is_ready)
    chip = chip_of(window)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert chip.text() == "Open WebUI's own rules · back to Fixed slots"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert window.session.scenario.policy == "slots"


def test_each_file_opened_after_another_has_its_own(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path, plain: Path
) -> None:
    window = opened(open_webui)
    window.session.use_policy("slots")
    show(qtbot, window, kobold)
    assert decided(window) == ("koboldcpp", "none", None)
    policy = window.session.policy
    assert policy is not None
    assert (getattr(policy, "context_size"), getattr(policy, "max_length")) == (900, 80)  # noqa: B009 - of its kind
    show(qtbot, window, plain)
    assert decided(window) == (None, "none", None)
    assert not chip_of(window).isVisible()
    show(qtbot, window, open_webui)
    assert decided(window) == ("open_webui", "ollama", 300)
    assert chip_of(window).text() == "Open WebUI's own rules · back to Ratio"


@pytest.mark.parametrize("way", ["picked", "undone"])
def test_the_policy_of_the_file_stays_when_the_user_picks_it(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path, way: str
) -> None:
    window = opened(open_webui, kobold)
    session = window.session
    first, second = session.workspace.conversations
    session.use_policy("open_webui")
    if way == "undone":
        session.use_policy("slots")
        session.undo_stack.undo()
    for chat in (second, first, second):
        session.show_conversation(chat.id)
        qtbot.waitUntil(lambda: session.is_ready)
        assert decided(window) == ("open_webui", "ollama", 300)


def test_undo_gives_the_choice_back_to_the_file_and_so_does_the_chip(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path
) -> None:
    window = opened(open_webui, kobold)
    session = window.session
    first, second = session.workspace.conversations
    session.use_policy("slots")
    session.undo_stack.undo()
    session.show_conversation(second.id)
    assert decided(window) == ("koboldcpp", "none", None)
    session.show_conversation(first.id)
    assert decided(window) == ("open_webui", "ollama", 300)
    session.use_policy("slots")
    qtbot.waitUntil(lambda: session.is_ready)
    qtbot.mouseClick(chip_of(window), Qt.MouseButton.LeftButton)
    session.show_conversation(second.id)
    assert decided(window) == ("koboldcpp", "none", None)
    session.undo_stack.undo()
    session.undo_stack.undo()
    session.show_conversation(second.id)
    assert session.scenario.policy == "slots"


def test_a_chat_without_known_rules_between_two_others_changes_none_of_theirs(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path, plain: Path
) -> None:
    window = opened(open_webui, plain, kobold)
    session = window.session
    webui, bare, story = session.workspace.conversations
    policies = {webui.id: "open_webui", bare.id: "ratio", story.id: "koboldcpp"}
    for chat in (bare, story, bare, webui):
        session.show_conversation(chat.id)
        qtbot.waitUntil(lambda: session.is_ready)
        assert (session.scenario.policy or "ratio") == policies[chat.id]


def test_an_inspection_keeps_its_policy_for_every_conversation(
    opened: Callable[..., MainWindow], open_webui: Path, kobold: Path, tmp_path: Path
) -> None:
    file = tmp_path / "kept.inspection.yaml"
    scenario = Scenario(policy="open_webui", server="ollama", server_context=300)
    write_inspection(Inspection.of([str(open_webui), str(kobold)], file, scenario), file)
    window = opened(file)
    first, second = window.session.workspace.conversations
    for chat in (second, first, second):
        window.session.show_conversation(chat.id)
        assert decided(window) == ("open_webui", "ollama", 300)


def test_a_scenario_file_decides_itself(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, tmp_path: Path
) -> None:
    scenario = tmp_path / "s.scenario.yaml"
    scenario.write_text("format: prompt-inspector/scenario@1\nat: 3\n")
    window = opened(open_webui, scenario=scenario)
    assert decided(window) == (None, "none", None)
    assert chip_of(window).text() == "Use Open WebUI's own rules"


def test_a_file_that_is_added_changes_no_policy(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path
) -> None:
    window = opened(open_webui)
    window.session.add(lambda tell: find_opening([str(kobold)], None, (), tell))
    qtbot.waitUntil(lambda: window.session.is_ready and len(window.session.paths) == 2)
    assert window.session.scenario.policy == "open_webui"


def test_another_conversation_goes_on_with_the_rules_of_its_own_program(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path, kobold: Path
) -> None:
    window = opened(open_webui, kobold)
    first, second = window.session.workspace.conversations
    for chat, policy in ((second, "koboldcpp"), (first, "open_webui"), (second, "koboldcpp")):
        window.session.show_conversation(chat.id)
        qtbot.waitUntil(lambda: window.session.is_ready)
        assert window.session.scenario.policy == policy
    window.session.use_policy("slots")
    window.session.show_conversation(first.id)
    assert window.session.scenario.policy == "slots"
    own = own_of(window.session.workspace, window.session.scenario)
    assert own is not None
    assert own.policy == "open_webui"


def test_a_long_chip_takes_no_room_from_the_settings(
    opened: Callable[..., MainWindow], qtbot: QtBot, open_webui: Path
) -> None:
    window = opened(open_webui)
    window.resize(1280, 720)
    settings, chip = window.screens["settings"].view, chip_of(window)
    for _ in range(2):
        chip.say("The rules of a program with a very long name, approximated · back to Whole conversation first")
        qtbot.waitUntil(lambda: chip.width() < chip.sizeHint().width())
        assert settings.area.page.width() <= settings.area.viewport().width()
        assert chip.geometry().right() <= settings.area.page.width()
        chip.say("Short")
        qtbot.waitUntil(lambda: chip.width() == chip.sizeHint().width())
