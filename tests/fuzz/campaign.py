"""A campaign: inputs for targets by turns until the time is over, what went wrong kept, and figures for each target."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path

from tests.fuzz.minimizing import minimized
from tests.fuzz.outcome import Input, Limits, Outcome
from tests.fuzz.target import Target
from tests.fuzz.worker import Worker

_MINIMIZING_SECONDS = 8.0
_FOLDER_MARK = "__"
FAVOURED_SHARE = 1 / 3
"""The part of the time that the favoured targets get together."""
LEAST_INPUTS = 6
"""So many inputs every target gets, whatever one takes, before the cheap ones get more."""


@dataclass
class Figures:
    """What a target was put through: inputs by what came of them, seconds spent, the slowest and the largest."""

    inputs: int = 0
    exceptions: int = 0
    hangs: int = 0
    deaths: int = 0
    oversized: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    peak: int = 0

    def add(self, outcome: Outcome, seconds: float) -> None:
        """Count an outcome that came after so many seconds by the clock."""
        self.inputs += 1
        self.exceptions += outcome.kind == "exception"
        self.hangs += outcome.kind == "hang"
        self.deaths += outcome.kind == "death"
        self.oversized += outcome.kind == "memory"
        self.seconds += seconds
        self.slowest = max(self.slowest, outcome.seconds)
        self.peak = max(self.peak, outcome.growth)

    @property
    def failures(self) -> int:
        """How many inputs went wrong."""
        return self.exceptions + self.hangs + self.deaths + self.oversized


def next_target(targets: Sequence[Target], figures: Mapping[str, Figures]) -> Target:
    """Whose turn it is: a favoured target's while these have less than their share of the time, then one's that had
    too few inputs, then that of the one that took the least time, so that cheap ones get the most inputs.
    """
    favoured = [target for target in targets if target.favoured]
    others = [target for target in targets if not target.favoured] or favoured
    spent = sum(row.seconds for row in figures.values())
    if favoured and sum(figures[target.name].seconds for target in favoured) < spent * FAVOURED_SHARE:
        return min(favoured, key=lambda one: figures[one.name].seconds)
    fewest = min(others, key=lambda one: figures[one.name].inputs)
    if figures[fewest.name].inputs < LEAST_INPUTS:
        return fewest
    return min(others, key=lambda one: figures[one.name].seconds)


@dataclass
class Failure:
    """Something that went wrong: the first outcome of its cause, the smallest input known, and how often it came."""

    target: Target
    seed: int
    number: int
    outcome: Outcome
    file: Path
    size: int
    times: int = 1


@dataclass
class Campaign:
    """Runs targets in workers. Failing inputs are kept in `folder`; `on_failure` hears of each new cause."""

    targets: Sequence[Target]
    folder: Path
    seed: int = 0
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    on_failure: Callable[[Failure], None] = lambda failure: None

    def __post_init__(self) -> None:
        self.figures = {target.name: Figures() for target in self.targets}
        self.failures: dict[tuple[str, ...], Failure] = {}
        self._numbers = dict.fromkeys(self.figures, 0)
        self._at_work: dict[Worker, tuple[Target, int, Input, float]] = {}

    def run(self, seconds: float, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Try inputs for so long, or until it is enough."""
        until = time.monotonic() + seconds
        pool = [Worker(self.folder / f"worker-{number}", self.limits) for number in range(self.workers)]
        try:
            for worker in pool:
                self._begin(worker)
            while self._at_work:
                for worker in self._ready():
                    self._finish(worker)
                    if time.monotonic() < until and not is_enough():
                        self._begin(worker)
        finally:
            for worker in pool:
                worker.stop()

    def _begin(self, worker: Worker) -> None:
        target = next_target(self.targets, self.figures)
        number = self._numbers[target.name]
        self._numbers[target.name] += 1
        begun = time.monotonic()
        tried = target.input(self.seed, number)
        self._at_work[worker] = (target, number, tried, begun)
        worker.send(target.name, tried)

    def _ready(self) -> Iterator[Worker]:
        """The workers that have an answer, or have had their time."""
        left = min(worker.seconds_left for worker in self._at_work)
        answered = wait([worker.connection for worker in self._at_work], left)
        late = [worker for worker in self._at_work if not worker.seconds_left]
        yield from {*late, *(worker for worker in self._at_work if worker.connection in answered)}

    def _finish(self, worker: Worker) -> None:
        target, number, tried, begun = self._at_work.pop(worker)
        outcome = worker.outcome()
        self.figures[target.name].add(outcome, time.monotonic() - begun)
        if outcome.kind != "fine":
            self._keep(worker, target, number, tried, outcome)

    def _keep(self, worker: Worker, target: Target, number: int, tried: Input, outcome: Outcome) -> None:
        """The input of a cause that was not met before, made small; of others only the number."""
        key = (*outcome.key, "" if outcome.kind in ("exception", "death") else target.name)
        if key in self.failures:
            self.failures[key].times += 1
            return
        data = self._smaller(worker, target, tried, outcome) if outcome.kind == "exception" else tried.data
        file = self.folder / "failures" / f"{len(self.failures):03d}" / tried.name.replace("/", _FOLDER_MARK)
        file.parent.mkdir(parents=True)
        file.write_bytes(data)
        about = f"{target.name}\nseed {self.seed}, number {number}\n{outcome.kind}: {outcome.what}\n{outcome.detail}\n"
        (file.parent / "about.txt").write_text(about, "utf-8", "replace")
        self.failures[key] = Failure(target, self.seed, number, outcome, file, len(data))
        self.on_failure(self.failures[key])

    def _smaller(self, worker: Worker, target: Target, tried: Input, outcome: Outcome) -> bytes:
        """The smallest part of an input found in a few seconds of which the same comes."""

        def is_same(part: bytes) -> bool:
            worker.send(target.name, Input(tried.name, part))
            return worker.outcome().key == outcome.key

        return minimized(tried.data, is_same, _MINIMIZING_SECONDS)


def replayed(target: Target, file: Path, folder: Path, limits: Limits) -> Outcome:
    """What comes of a kept input."""
    worker = Worker(folder / "replay", limits)
    try:
        worker.send(target.name, Input(file.name.replace(_FOLDER_MARK, "/"), file.read_bytes()))
        return worker.outcome()
    finally:
        worker.stop()
