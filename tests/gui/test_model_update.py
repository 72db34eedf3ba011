"""Prompt ▸ Update model table…: a listing merged from the window, again, and a file that is none."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from inspector.assembly import edits
from inspector.gui.main_window import MainWindow
from inspector.settings import own_models_file
from tests.gui.tips import tip_text

Choose = Callable[[object], None]


@pytest.fixture
def choose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Sets the content of the file that the dialog returns from then on."""
    path = tmp_path / "prices.json"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return lambda content: void(path.write_text(json.dumps(content), encoding="utf-8"))


def void(_: object) -> None:
    """Take a value and return nothing."""


def listing(**windows: int) -> dict[str, object]:
    return {
        name.replace("_", "-"): {
            "litellm_provider": "openai",
            "mode": "chat",
            "max_input_tokens": window,
            "input_cost_per_token": 3e-6,
            "output_cost_per_token": 9e-6,
        }
        for name, window in windows.items()
    }


def test_an_update_is_in_force_at_once_and_may_be_repeated(
    companion: MainWindow, qtbot: QtBot, choose: Choose, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = companion.session
    said: list[str] = []
    monkeypatch.setattr(companion, "say", said.append)
    session.edit(lambda scenario: edits.use_window(scenario, None))
    session.edit(lambda scenario: edits.use_model(scenario, "gpt-9"))
    qtbot.waitUntil(lambda: session.is_ready and session.answer is not None and session.answer.model.name == "gpt-9")
    codes = lambda: {finding.code for finding in session.answer.findings} if session.answer else set()  # noqa: E731
    window_now = lambda: session.answer.model.window.tokens if session.answer else 0  # noqa: E731
    assert "model_unknown" in codes()
    picker = companion.findChild(QComboBox, "model_picker")
    assert picker is not None
    assert "gpt-9 is not in the model table." in tip_text(picker.toolTip())
    for window in (123_000, 124_000):
        choose(listing(gpt_9=window))
        companion.do("update_models")
        qtbot.waitUntil(lambda window=window: session.is_ready and window_now() == window)
        assert "model_unknown" not in codes()
    assert "gpt-9 is not" not in tip_text(picker.toolTip())
    companion.do("update_models")
    qtbot.waitUntil(lambda: len(said) == 3)
    assert said[0].startswith("1 model updated in models.yaml (litellm, ")
    assert said[2].startswith("The model table has all of prices.json already")


def test_a_file_that_is_no_listing_is_one_clear_error(companion: MainWindow, qtbot: QtBot, choose: Choose) -> None:
    def boxes() -> list[QMessageBox]:
        return [box for box in QApplication.topLevelWidgets() if isinstance(box, QMessageBox)]

    for _ in range(2):
        choose(["no listing"])
        companion.do("update_models")
        qtbot.waitUntil(lambda: len(boxes()) == 1)
        (box,) = boxes()
        assert "prices.json: expected models.dev's api.json, litellm's" in box.text()
        box.accept()
        qtbot.waitUntil(lambda: not boxes())
    assert not own_models_file().exists()


def test_choosing_nothing_does_nothing(companion: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    companion.do("update_models")
    assert not companion.session.tasks.is_writing
