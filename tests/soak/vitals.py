"""What a process holds: memory, widgets, objects, threads, descriptors; and whether it holds more and more."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

_PROCESS = Path("/proc/self")
LAP = 500
"""So many moves are between two looks. Minutes say nothing: a busy machine makes fewer moves in each."""
SETTLING_LAPS = 3
MOST_GROWTH = 5.0
"""So many MB a lap are too many at any time, once everything has been shown once."""
MOST_GROWTH_AT_THE_END = 2.0
"""So many MB a lap are too many in the second half of the rest: by then memory has to be flat."""
LEAST_LAPS = 6
"""Laps after settling that a line is drawn through; fewer say nothing."""
MOST_MORE = 0.1
"""By so much the most objects of the second half may exceed those of the first."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """What a process holds at a moment; `memory` is the resident set in MB."""

    memory: float
    widgets: int
    objects: int
    threads: int
    descriptors: int

    def __str__(self) -> str:
        held = f"{self.widgets:,} widgets, {self.objects:,} objects, {self.threads} threads"
        return f"{self.memory:.1f} MB, {held}, {self.descriptors} descriptors"


def vitals(window: QObject) -> Vitals:
    """What this process holds now; threads and descriptors are 0 on a system that does not tell."""
    widgets, objects = len(QApplication.allWidgets()), len(window.findChildren(QObject))
    return Vitals(_memory(), widgets, objects, _entries("task"), _entries("fd"))


def _memory() -> float:
    """The resident set in MB; its highest so far where the system tells no more."""
    if (_PROCESS / "statm").exists():
        pages = int((_PROCESS / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _entries(name: str) -> int:
    folder = _PROCESS / name
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def growth(memory: Sequence[float]) -> float:
    """MB a lap, by the straight line that lies best through the memory of successive laps."""
    return float(np.polyfit(np.arange(len(memory)), np.array(memory), 1)[0])


def troubles(laps: Sequence[Vitals]) -> list[str]:
    """What grew that should not, of what was held at the end of each lap; none where there were too few laps."""
    settled = laps[SETTLING_LAPS:]
    if len(settled) < LEAST_LAPS:
        return []
    memory, half = [one.memory for one in settled], len(settled) // 2
    found = []
    for held, most, when in (
        (memory, MOST_GROWTH, "after settling"),
        (memory[len(memory) // 2 :], MOST_GROWTH_AT_THE_END, "at the end"),
    ):
        if (rate := growth(held)) > most:
            found.append(f"memory grew by {rate:.1f} MB a lap {when}, at most {most:g} are expected")
    for name in ("widgets", "objects", "threads", "descriptors"):
        # The most of each half: what is open, and under which policy, differs from lap to lap.
        before, after = (max(getattr(one, name) for one in part) for part in (settled[:half], settled[half:]))
        if after > before * (1 + MOST_MORE) + 1:
            found.append(f"{after:,} {name} in the second half, {before:,} in the first")
    return found
