"""Frames of ours: where in the program an exception was raised, or a process was when it ended."""

import re
import traceback
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
_DUMPED = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')
_OURS = (ROOT / "inspector", ROOT / "tests")
_LONGEST_DETAIL = 6_000


def innermost(trace: TracebackType | None) -> str:
    """The innermost frame of the program, else of these tests, as `folder/file.py in function:line`."""
    frames = [(frame.filename, frame.name, frame.lineno or 0) for frame in traceback.extract_tb(trace)]
    return _place(frames[::-1])


def innermost_dumped(dump: str) -> str:
    """The same of what faulthandler wrote, the innermost frame first."""
    return _place([(file, name, int(line)) for file, line, name in _DUMPED.findall(dump)])


def shortened(text: str) -> str:
    """The beginning and the end of a text that may be long."""
    if len(text) <= _LONGEST_DETAIL:
        return text
    half = _LONGEST_DETAIL // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


def _place(frames: list[tuple[str, str, int]]) -> str:
    for folder in _OURS:
        for file, name, line in frames:
            if Path(file).is_relative_to(folder):
                return f"{Path(file).relative_to(ROOT).as_posix()} in {name}:{line}"
    return f"{Path(frames[0][0]).name} in {frames[0][1]}:{frames[0][2]}" if frames else ""
