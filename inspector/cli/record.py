"""prompt-inspector record: a proxy between an application and a model server that keeps every request."""

from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.failure import InputError
from inspector.cli.output import say, warn
from inspector.recording.order import MISSING, OPEN_TO_OTHERS, Order, OrderError, read_order

if TYPE_CHECKING:
    from inspector.recording.exchange import Exchange
    from inspector.recording.recorded_file import RecordedFile


def record(upstream: str, listen: str, file: Path | None, mask: bool, note: Path | None) -> None:
    """Run `prompt-inspector record` with the values of its options."""
    order = _order(upstream, listen, file, mask)
    try:
        import brotli  # noqa: F401  # pyright: ignore[reportUnusedImport]

        from inspector.recording.proxy import record_until_ended
    except ModuleNotFoundError as missing:
        raise InputError(MISSING.format(missing.name)) from None
    if order.is_open_to_others:
        warn(f"{listen}: {OPEN_TO_OTHERS}")
    kept = _Kept(order.file, mask)

    def listens(opened: int) -> None:
        kept.open()
        say(f"{order.address(opened)} passes requests on to {upstream}, and adds them to {kept.file}")

    try:
        wanted = (lambda: True) if note is None else note.exists
        record_until_ended(order.upstream, order.host, order.port, kept.keep, listens, wanted)
    except OSError as problem:
        raise InputError(f"{listen}: cannot be listened at: {problem.strerror or problem}") from None
    finally:
        kept.close()
        if note is not None:
            note.unlink(missing_ok=True)


class _Kept:
    """The recorded file, made once the port is open: a port that is taken leaves no empty file."""

    def __init__(self, file: Path, mask: bool) -> None:
        self.file, self._mask = file, mask
        self._recorded: RecordedFile | None = None

    def open(self) -> None:
        from inspector.recording.recorded_file import RecordedFile

        try:
            self._recorded = RecordedFile(self.file, self._mask, warn)
        except OSError as problem:
            raise InputError(f"{self.file}: cannot be written: {problem.strerror or problem}") from None

    def keep(self, exchange: "Exchange") -> None:
        assert self._recorded is not None
        self._recorded.keep(exchange)

    def close(self) -> None:
        """Write what waits, and say how much was recorded."""
        if self._recorded is None:
            return
        self._recorded.close()
        written, lost = self._recorded.written, self._recorded.lost
        more = f"; {lost:,} could not be written" if lost else ""
        warn(f"{written:,} {'request' if written == 1 else 'requests'} recorded in {self.file}{more}")


_OPTIONS = {"upstream": "--to", "listen": "--listen"}


def _order(upstream: str, listen: str, file: Path | None, mask: bool) -> Order:
    try:
        return read_order(upstream, listen, file, mask)
    except OrderError as problem:
        told = f" {listen}" if problem.field == "listen" else ""
        raise InputError(f"{_OPTIONS[problem.field]}{told}: {problem}") from None
