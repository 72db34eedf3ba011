"""Processes that work for this one: they end with it, whatever they were doing."""

import os
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.measure import measured, measuring
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from inspector.steps import AbandonedError, while_wanted

_BEGUN = """
import os, time
from inspector.analysis.processes import processes
if __name__ == "__main__":
    with processes(1) as executor:
        executor.submit(os.getpid).result()
        executor.submit(time.sleep, 600)
        print("begun", flush=True)
"""
_GOES_ON = "        time.sleep(600)\n"


def begun(script: Path, source: str) -> subprocess.Popen[str]:
    """A program whose processes have begun what takes ten minutes; they hold the pipe that it writes to."""
    script.write_text(source, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    program = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment)
    assert program.stdout is not None
    assert program.stdout.readline() == "begun\n"
    return program


def test_they_end_in_the_middle_of_their_work(tmp_path: Path) -> None:
    with begun(tmp_path / "ends.py", _BEGUN) as program:
        assert program.communicate(timeout=120) == ("", None)
    assert program.returncode == 0


def test_they_end_with_who_is_killed(tmp_path: Path) -> None:
    with begun(tmp_path / "killed.py", _BEGUN + _GOES_ON) as program:
        program.kill()
        assert program.communicate(timeout=120) == ("", None)


def test_few_probes_are_asked_here() -> None:
    with measuring(12) as none, measuring(12, 1) as one:
        assert none is None
        assert one is None
    with measuring(12, 2) as two:
        assert isinstance(two, Executor)


def test_who_waits_for_others_may_change_their_mind(pipeline: Pipeline, scenario: Scenario) -> None:
    given, probe = Event(), Probe("q", ("m1",), "c1")

    class Busy(ThreadPoolExecutor):
        """One that has no time."""

        def submit(self, call, /, *args, **named) -> Future:  # type: ignore[override]
            return super().submit(given.wait)

    with Busy(1) as executor:
        cells = measured(OpenChats(pipeline), [scenario], [probe], executor=executor)
        with while_wanted(lambda: False), pytest.raises(AbandonedError):
            next(cells)
        given.set()


def test_what_is_measured_here_is_given_up_between_cells(pipeline: Pipeline, scenario: Scenario) -> None:
    with while_wanted(lambda: False), pytest.raises(AbandonedError):
        next(measured(OpenChats(pipeline), [scenario], [Probe("q", ("m1",), "c1")]))
