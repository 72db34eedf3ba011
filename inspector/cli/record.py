"""prompt-inspector record: a proxy between an application and a model server that keeps every request."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.failure import InputError
from inspector.cli.output import say, warn
from inspector.recording.order import LISTENED, MISSING, OPEN_TO_OTHERS, Order, OrderError, read_order

if TYPE_CHECKING:
    from inspector.recording.exchange import Exchange
    from inspector.recording.recorded_file import RecordedFile


@click.command()
@click.option("--to", "upstream", required=True, metavar="URL", help="The server, such as http://127.0.0.1:11434.")
@click.option(
    "--listen",
    default=LISTENED,
    metavar="HOST:PORT",
    show_default=True,
    help="Where the application sends its requests; port 0 takes a free one.",
)
@click.option(
    "--out",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to add requests to.  [default: recorded-DATE-TIME.jsonl in this folder]",
)
@click.option("--mask", is_flag=True, help="Mask keys and tokens found in texts, too.")
@click.option("--while", "note", type=click.Path(path_type=Path), hidden=True)
def record(upstream: str, listen: str, file: Path | None, mask: bool, note: Path | None) -> None:
    """Pass the requests of an application on to a model server, and keep each with its answer.

    Point the application at the address it prints instead of the server's. Requests of OpenAI's (chat and responses),
    Anthropic's, Gemini's and Ollama's kind are kept; all others only pass. Bytes and streams pass unchanged.
    FILE opens like any other, also while it grows. Keys, cookies and headers are never written. Ctrl+C ends it.
    """
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
