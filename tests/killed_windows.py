"""Windows that are killed while somebody works in them: `python -m tests.killed_windows FOLDER KILLS [SEED]`.

Each one restores what the one before left, says what that was, and is worked in until it is killed: by edits, drags,
marks, undo and saving. What comes back must be what was there at most five seconds before, and can be saved where it
was. Ends with an error where it is not, or where another file was touched or is left.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from inspector.writing import is_left_over, write_file

FORMAT = "prompt-inspector/inspection@1"
MOST_LOST_SECONDS = 5.0
_ROLES = ("user", "assistant")
_THERE = {"chat.json", "work.inspection.yaml", "home"}
_REFUSED = "refused"


def kill_again_and_again(folder: Path, kills: int, seed: int) -> None:
    """Start windows one after the other, and kill each after some hundred edits at most."""
    choose = random.Random(seed)
    chat, named = folder / "chat.json", folder / "work.inspection.yaml"
    chat.write_text(json.dumps([{"role": _ROLES[i % 2], "content": f"message {i} " * 9} for i in range(40)]))
    named.write_text(
        f"format: {FORMAT}\nsources: [{{path: chat.json}}]\nscenario: {{policy: ratio}}\nnotes: {{m1: x}}\n"
    )
    before = chat.read_bytes()
    possible: list[str] = []
    earlier: list[tuple[float, str]] = []
    for number in range(kills + 1):
        reports = _worked_in(folder, [str(named)] if number == 0 else [], choose)
        if number:
            assert reports[0][1] in possible, f"{number}: {_told(reports[0][1], earlier)}, not among {len(possible)}"
        earlier, possible = reports, _states_in(reports, reports[-1][0])
        assert chat.read_bytes() == before
        assert "notes" in _read_whole(named), "torn"
        assert {name for name in os.listdir(folder) if not is_left_over(name)} == _THERE
    write_file(named, named.read_bytes(), ())
    assert {*os.listdir(folder)} == _THERE, "the next writing removes what somebody who was killed has left"
    print(f"killed {kills} times")


def _worked_in(folder: Path, paths: list[str], choose: random.Random) -> list[tuple[float, str]]:
    """What a window was at which moment (in seconds), the first as it was opened, the last is that of its end."""
    home = folder / "home"
    homes = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    command = [sys.executable, "-m", "tests.killed_windows", "work", str(choose.randrange(1_000_000)), *paths]
    environment = {**os.environ, "HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **homes}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as child:
        assert child.stdout is not None
        reports: list[tuple[float, str]] = []
        for _ in range(choose.randrange(2, 400)):
            moment, _, state = child.stdout.readline().partition(" ")
            assert state, "the window ended by itself"
            reports.append((float(moment), state))
        child.kill()
        end = time.monotonic()
        assert not any(state.startswith(_REFUSED) for _, state in reports), reports[-1]
        rest = [line.partition(" ") for line in child.stdout.read().splitlines(keepends=True)]
    return [*reports, *((float(moment), state) for moment, _, state in rest if state.endswith("\n")), (end, "")]


def _told(state: str, reports: list[tuple[float, str]]) -> str:
    """A state with how long before the end it was the current one last."""
    end = reports[-1][0]
    following = [*(moment for moment, _ in reports[1:]), end]
    until = [moment for (_, one), moment in zip(reports, following, strict=True) if one == state]
    return f"{state.strip()} was current {f'{end - until[-1]:.1f} s before the end' if until else 'never'}"


def _states_in(reports: list[tuple[float, str]], end: float) -> list[str]:
    """Every state that was the current one within the last seconds."""
    following = [*(moment for moment, _ in reports[1:]), end]
    return [
        state
        for (_, state), until in zip(reports, following, strict=True)
        if state and until >= end - MOST_LOST_SECONDS
    ]


def _read_whole(file: Path) -> dict[str, Any]:
    from inspector.reading.decode import read_value

    return read_value(file)


def work(seed: int, paths: list[str]) -> None:
    """Open the window and edit, save and pin for ever, saying each time what it is now."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QFileDialog

    from inspector.assembly.edits import use_policy, use_window
    from inspector.assembly.inspection_file import marks_value
    from inspector.assembly.marks import toggle_must_survive
    from inspector.assembly.scenario import Scenario
    from inspector.assembly.scenario_file import scenario_value
    from inspector.gui.app import make_application, open_window
    from inspector.model import Problem

    application, choose = make_application(), random.Random(seed)
    QFileDialog.getSaveFileName = lambda *_: ("", "")  # type: ignore[method-assign]
    window = open_window(paths, autosaves=True)
    session = window.session
    window.show()

    def tell() -> None:
        both = [scenario_value(one or Scenario(), None) for one in (session.scenario, session.baseline_scenario)]
        state = [*both, marks_value(session.marks)]
        print(time.monotonic(), json.dumps(state, default=list, sort_keys=True), flush=True)

    def tell_refused(problem: Problem) -> None:
        if "was changed since" in problem.message:
            print(time.monotonic(), _REFUSED, problem, flush=True)

    def save() -> None:
        found = window.findChild(QAction, "action:save")
        assert isinstance(found, QAction)
        found.trigger()

    def change() -> None:
        moves = [lambda: session.edit(use_window, choose.randrange(200, 9000))] * 20
        moves += [lambda: session.edit(use_policy, choose.choice(("naive", "ratio", "slots", "reserve")))] * 5
        moves += [lambda: session.drag("window", use_window, choose.randrange(200, 9000))] * 20
        if session.assembly is not None:
            items, rows = session.assembly.candidates.items, [choose.randrange(40)]
            moves += [lambda: session.mark(toggle_must_survive, items, rows, session.workspace)] * 5
        choose.choice([*moves, session.pin_baseline, session.undo_stack.undo, save])()
        tell()

    session.problem_reported.connect(tell_refused)
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(change)

    def begin(_: object) -> None:
        tell()
        timer.start()

    session.opened.connect(begin)
    sys.exit(application.exec())


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work(int(sys.argv[2]), sys.argv[3:])
    else:
        kill_again_and_again(Path(sys.argv[1]), int(sys.argv[2]), int((*sys.argv[3:], "1")[0]))
