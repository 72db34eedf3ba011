"""prompt-inspector record: a proxy between an application and a model server that keeps every request."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.failure import InputError
from inspector.cli.output import say, warn
from inspector.net import Address, is_loopback, read_address

if TYPE_CHECKING:
    from inspector.recording.exchange import Exchange
    from inspector.recording.recorded_file import RecordedFile

_LISTENED = "127.0.0.1:8765"
_PORT = 8765
_MISSING = "record needs the package {}: pip install 'prompt-inspector[record]'"


@click.command()
@click.option("--to", "upstream", required=True, metavar="URL", help="The server, such as http://127.0.0.1:11434.")
@click.option(
    "--listen",
    default=_LISTENED,
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
def record(upstream: str, listen: str, file: Path | None, mask: bool) -> None:
    """Pass the requests of an application on to a model server, and keep each with its answer.

    Point the application at the address it prints instead of the server's. Requests of OpenAI's (chat and responses),
    Anthropic's, Gemini's and Ollama's kind are kept; all others only pass. Bytes and streams pass unchanged.
    FILE opens like any other, also while it grows. Keys, cookies and headers are never written. Ctrl+C ends it.
    """
    to, (host, port) = _upstream(upstream), _place(listen)
    try:
        import brotli  # noqa: F401  # pyright: ignore[reportUnusedImport]

        from inspector.recording.proxy import record_until_ended
    except ModuleNotFoundError as missing:
        raise InputError(_MISSING.format(missing.name)) from None
    if not is_loopback(host):
        warn(f"{listen}: other machines can reach this address, and send requests through it; nothing asks for a key")
    kept = _Kept(file or Path(f"recorded-{datetime.now():%Y%m%d-%H%M%S}.jsonl"), mask)

    def listens(opened: int) -> None:
        kept.open()
        shown = f"[{host}]" if ":" in host else host
        say(f"http://{shown}:{opened} passes requests on to {upstream}, and adds them to {kept.file}")

    try:
        record_until_ended(to, host, port, kept.keep, listens)
    except OSError as problem:
        raise InputError(f"{listen}: cannot be listened at: {problem.strerror or problem}") from None
    finally:
        kept.close()


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


def _upstream(url: str) -> Address:
    try:
        return read_address(url)
    except ValueError:
        expected = "expected http:// or https:// with a host and perhaps a path, without a user, a key or a query"
        raise InputError(f"--to: {expected}, such as http://127.0.0.1:11434") from None


def _place(listen: str) -> tuple[str, int]:
    """Return host and port of HOST:PORT, or of either alone."""
    host, _, port = listen.rpartition(":") if ":" in listen else ("", "", listen)
    if not port.isdecimal():
        host, port = listen, str(_PORT)
    if int(port) > 65_535:
        raise InputError(f"--listen {listen}: expected HOST:PORT with a port up to 65535, such as {_LISTENED}")
    return host.strip("[]") or "127.0.0.1", int(port)
