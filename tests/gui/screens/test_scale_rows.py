"""The scales of recorded scores on the page of memories."""

import json
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.screens.memories.scale_rows import ScaleRows
from inspector.model import Memory, MemorySet


def held(id: str, score: float | None, scale: str | None = "similarity") -> MemorySet:
    return MemorySet(id, memories=(Memory("k", "tea", similarity=score),), score_scale=scale)  # type: ignore[arg-type]


def test_only_sets_with_scores_have_a_list(qtbot: QtBot) -> None:
    rows = ScaleRows()
    qtbot.addWidget(rows)
    rows.show_sets((held("none", None),), {})
    assert (rows.isHidden(), rows.boxes) == (True, {})
    rows.show_sets((held("none", None), held("far", 0.4, "distance"), held("raw", 0.2, "raw")), {"raw": "raw"})
    assert not rows.isHidden()
    assert {name: box.currentText() for name, box in rows.boxes.items()} == {
        "far": "auto: distances",
        "raw": "raw scores",
    }


def test_a_scale_is_chosen_and_taken_back(opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    memories = [{"id": f"k{n}", "content": f"tea {n}", "similarity": score} for n, score in enumerate((0.1, 0.9))]
    workspace = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c", "messages": [{"role": "user", "content": "tea?"}]}],
        "memory_sets": [{"id": "set", "memories": memories}],
    }
    path = tmp_path / "tea.workspace.json"
    path.write_text(json.dumps(workspace))
    window = opened(path)
    window.show_screen("memories")
    session, scales = window.session, window.screens["memories"].view.memories.scales
    qtbot.waitUntil(lambda: session.is_ready and not scales.isHidden())
    (box,) = scales.boxes.values()
    assert box.currentText() == "auto: similarities"
    box.setCurrentIndex(box.findData("distance"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: session.is_ready)
    (name,) = scales.boxes
    assert session.scenario.score_scales == {name: "distance"}
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready and box.currentText() == "auto: similarities")
    assert not session.scenario.score_scales
