"""Workers and campaigns: whatever a loader does wrong is noticed, kept with its input, and can be tried again."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.examples import rounds
from tests.fuzz.campaign import LEAST_INPUTS, Campaign, Figures, next_target, replayed
from tests.fuzz.measuring import peak
from tests.fuzz.minimizing import minimized
from tests.fuzz.outcome import Input, Limits, Outcome
from tests.fuzz.registry import all_targets, target_named
from tests.fuzz.target import Target
from tests.fuzz.troubles import MEMORY_BYTES, TROUBLE
from tests.fuzz.worker import Worker

IMPATIENT = Limits(seconds=0.5, clock_seconds=20, growth=MEMORY_BYTES // 2)
TRIED = rounds(4, 1)
"""Mutations of each loader that this suite tries. `make fuzz` tries as many as there is time for."""

Try = Callable[..., Outcome]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """One worker for all loaders, so that what they need is imported once."""
    worker = Worker(tmp_path_factory.mktemp("worker"), Limits())
    yield worker
    worker.stop()


@pytest.fixture
def attempt(tmp_path: Path) -> Iterator[Try]:
    """Try an input on a target that misbehaves, in a worker without patience."""
    worker = Worker(tmp_path / "worker", IMPATIENT)

    def attempt(trouble: str, data: bytes = b"x") -> Outcome:
        worker.send(f"{TROUBLE}{trouble}", Input("a.txt", data))
        return worker.outcome()

    yield attempt
    worker.stop()


@pytest.mark.parametrize("target", all_targets(), ids=lambda target: target.name)
def test_each_loader_withstands_some_mutations(worker: Worker, target: Target) -> None:
    sound = len(target.seeds())
    for number in range(sound, sound + TRIED):
        worker.send(target.name, target.input(0, number))
        outcome = worker.outcome()
        assert outcome.kind == "fine", f"{outcome.what} at {outcome.place}\n{outcome.detail}"


@pytest.mark.parametrize(
    ("trouble", "what", "place"),
    [
        ("fail", "ValueError", "tests/fuzz/troubles.py in fail:"),
        ("log_failure", "ValueError", "tests/fuzz/troubles.py in fail:"),
        ("warn", "RuntimeWarning", "tests/fuzz/troubles.py in warn:"),
        ("change_source", "a source was changed", ""),
        ("leave_log", "a source was changed", ""),
        ("leave_temporary", "temporary files were left", ""),
    ],
)
def test_exceptions_and_broken_promises_are_noticed(attempt: Try, trouble: str, what: str, place: str) -> None:
    outcome = attempt(trouble)
    assert (outcome.kind, outcome.what) == ("exception", what)
    assert outcome.place.startswith(place)
    assert attempt("fail", b"nothing of the kind").kind == "fine"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits for processes")
def test_a_loader_that_works_on_is_ended_and_the_next_one_tried(attempt: Try) -> None:
    outcome = attempt("work_on")
    assert outcome.kind == "hang"
    assert outcome.place.startswith("tests/fuzz/troubles.py in work_on:")
    assert attempt("fail", b"").kind == "fine"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits for processes")
def test_a_loader_that_waits_is_ended(tmp_path: Path) -> None:
    worker = Worker(tmp_path / "worker", Limits(clock_seconds=3))
    worker.send(f"{TROUBLE}wait", Input("a.txt", b""))
    outcome = worker.outcome()
    worker.stop()
    assert (outcome.kind, outcome.what) == ("hang", "waits")
    assert outcome.place.startswith("tests/fuzz/troubles.py in wait:")


@pytest.mark.skipif(not peak(), reason="only Linux tells the highest memory of a time")
def test_a_loader_that_takes_much_memory_is_noticed(attempt: Try) -> None:
    assert attempt("take_memory").kind == "memory"
    assert attempt("fail", b"").growth < MEMORY_BYTES // 4


def test_a_crash_is_noticed_with_its_place(attempt: Try) -> None:
    outcome = attempt("crash")
    assert outcome.kind == "death"
    assert outcome.place.startswith("tests/fuzz/troubles.py in crash:")
    assert attempt("fail", b"").kind == "fine"


def test_a_campaign_keeps_each_cause_once_as_small_as_it_gets(tmp_path: Path) -> None:
    targets = [target_named(f"{TROUBLE}{name}") for name in ("fail", "log_failure", "warn")]
    told: list[Path] = []
    campaign = Campaign(targets, tmp_path, 1, 1, IMPATIENT, on_failure=lambda failure: told.append(failure.file))
    campaign.run(120, lambda: len(told) == 2 and all(one.failures for one in campaign.figures.values()))
    assert {(failure.outcome.what, failure.file) for failure in campaign.failures.values()} == {
        ("ValueError", told[0]),
        ("RuntimeWarning", told[1]),
    }
    assert told[0].read_bytes() == b"x"
    assert all(figures.inputs and figures.failures for figures in campaign.figures.values())
    assert replayed(targets[0], told[0], tmp_path, IMPATIENT).what == "ValueError"


def test_scenarios_and_inspections_get_a_third_and_every_loader_some_inputs() -> None:
    targets = all_targets()
    assert {target.name for target in targets if target.favoured} == {"scenario", "inspection"}
    costs = {target.name: 0.5 if number % 2 else 2.0 for number, target in enumerate(targets)}
    figures = {target.name: Figures() for target in targets}
    for _ in range(3_000):
        name = next_target(targets, figures).name
        figures[name].add(Outcome("fine"), costs[name])
    spent = sum(row.seconds for row in figures.values())
    favoured = figures["scenario"].seconds + figures["inspection"].seconds
    assert favoured == pytest.approx(spent / 3, rel=0.05)
    assert min(row.inputs for row in figures.values()) >= LEAST_INPUTS
    cheap, dear = (
        [row.inputs for target, row in zip(targets, figures.values(), strict=True) if costs[target.name] == cost]
        for cost in (0.5, 2.0)
    )
    assert max(dear) < max(cheap)


def test_inputs_are_made_small_by_values_lines_and_bytes() -> None:
    document = b'{"a": [1, 2, {"b": "needed", "c": [5]}], "d": {"e": 1}}'
    assert minimized(document, lambda data: b"needed" in data, 10) == b"needed"
    text = b"one\ntwo\nthree needed\nfour"
    assert minimized(text, lambda data: b"needed" in data and b"two\n" in data, 10) == b"two\nneeded"
    assert minimized(b"abc", lambda data: False, 10) == b"abc"
