"""Recorders in processes of their own, which a window starts, finds again and ends.

A recorder is no child that ends with its window: if that is killed, requests still pass and are still recorded. Its
note, a file, says where it is; it ends once the note is gone. What it says goes into a file beside the note.
"""

import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from inspector.net import read_address
from inspector.reading.files import read_file
from inspector.reading.json import parse
from inspector.reading.values import UnreadableError, as_text, as_whole, mapping
from inspector.recording.order import Order
from inspector.writing import Lines, write_file

_OWN_WORDS = "prompt-inspector: "
_PASSES = " passes requests on to "
_LOG, _HELD = ".log", ".held"
"""The files beside a note: what the recorder says, and the one that its window holds."""
_MOST_SAID = 1 << 20
_FLAGS = sum(getattr(subprocess, name, 0) for name in ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP"))
"""On Windows: signals to the window do not reach the recorder."""
_STARTING_SECONDS = 30.0
_ENDING_SECONDS = 5.0


@dataclass(frozen=True, eq=False)
class Apart:
    """A recorder in a process of its own. `started` is that process, None for one that an earlier window started.

    `held` is locked while its window lives: no other takes it over.
    """

    order: Order
    note: Path
    held: Lines
    started: "subprocess.Popen[bytes] | None" = None

    @property
    def runs(self) -> bool:
        """Whether it still records."""
        return self.started.poll() is None if self.started is not None else self.note.exists()

    @property
    def address(self) -> str:
        """Where the application sends its requests; "" before it listens."""
        return next((line.partition(_PASSES)[0] for line in self._lines if _PASSES in line), "")

    @property
    def said(self) -> tuple[str, ...]:
        """Its warnings and errors so far, the newest last."""
        return tuple(line.removeprefix(_OWN_WORDS) for line in self._lines if _PASSES not in line)

    @property
    def _lines(self) -> list[str]:
        try:
            text = read_file(self.note.with_suffix(_LOG), _MOST_SAID).decode(errors="replace")
        except UnreadableError:
            return []
        return [line.strip() for line in text.splitlines() if line.strip()]

    def end(self) -> None:
        """Ask it to end: answers under way get a moment, and what waits is written."""
        self.note.unlink(missing_ok=True)

    def wait(self) -> None:
        """Wait until it has ended, for a moment."""
        if self.started is not None:
            with suppress(subprocess.TimeoutExpired):
                self.started.wait(_ENDING_SECONDS)

    def forget(self) -> None:
        """Remove what it left, once it has ended."""
        self.held.close()
        _remove(self.note)


def start_apart(order: Order, folder: Path) -> Apart:
    """Start a recorder in a process of its own; its note is in this folder. Raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / f"{secrets.token_hex(8)}.json"
    held = Lines(note.with_suffix(_HELD))
    write_file(note, json.dumps(_noted(order)), ())
    command = [sys.executable, "-m", "inspector", "record", "--while", str(note), *_options(order)]
    with note.with_suffix(_LOG).open("ab") as log:
        try:
            started = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                creationflags=_FLAGS,
                start_new_session=sys.platform != "win32",
            )
        except OSError:
            held.close()
            _remove(note)
            raise
    return Apart(order, note, held, started)


def found_apart(folder: Path) -> Iterator[Apart]:
    """Yield the recorders that still record and whose windows are gone; what others left is removed."""
    for note in sorted(folder.glob("*.json")):
        try:
            held = Lines(note.with_suffix(_HELD))
        except OSError:
            continue  # its window is open
        order = _read_note(note)
        if order is not None and _is_written(order.file):
            yield Apart(order, note, held)
            continue
        held.close()
        if time.time() - note.stat().st_mtime > _STARTING_SECONDS:
            _remove(note)


def _remove(note: Path) -> None:
    for path in (note, note.with_suffix(_LOG), note.with_suffix(_HELD)):
        path.unlink(missing_ok=True)


def _is_written(file: Path) -> bool:
    """Return whether a program adds lines to a file now."""
    if not file.exists():
        return False
    try:
        Lines(file).close()
    except OSError:
        return True
    return False


def _noted(order: Order) -> dict[str, object]:
    to = order.upstream
    return {
        "upstream": f"{to.scheme}://{to.authority}{to.path}",
        "host": order.host,
        "port": order.port,
        "file": str(order.file.absolute()),
        "mask": order.mask,
    }


def _read_note(note: Path) -> Order | None:
    try:
        held = mapping(parse(read_file(note), str(note)).value)
        host, port = as_text(held.get("host")), as_whole(held.get("port")) or 0
        upstream, file = read_address(as_text(held.get("upstream"))), Path(as_text(held.get("file")))
        return Order(upstream, host, port, file, held.get("mask") is True)
    except (UnreadableError, ValueError):
        return None


def _options(order: Order) -> list[str]:
    noted = _noted(order)
    host = f"[{order.host}]" if ":" in order.host else order.host
    options = ["--to", str(noted["upstream"]), "--listen", f"{host}:{order.port}", "--out", str(noted["file"])]
    return [*options, *(["--mask"] if order.mask else [])]
