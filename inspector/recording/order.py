"""An order to record: the server, the place where the application sends its requests, and the file."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from inspector.net import Address, is_loopback, read_address

LISTENED = "127.0.0.1:8765"
"""Where the application sends its requests, if nothing else is asked for."""
_HOST, _PORT = "127.0.0.1", 8765
_MOST_PORT = 65_535
MISSING = "record needs the package {}: pip install 'prompt-inspector[record]'"
OPEN_TO_OTHERS = "other machines can reach this address, and send requests through it; nothing asks for a key"


class OrderError(ValueError):
    """An order that cannot be carried out. `field` is its part at fault: `upstream`, `listen` or `file`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Order:
    """The server, the host and the port to listen at (0: a free one), the file to add to, and whether to mask texts."""

    upstream: Address
    host: str
    port: int
    file: Path
    mask: bool = False

    @property
    def is_open_to_others(self) -> bool:
        """Whether other machines can reach the address."""
        return not is_loopback(self.host)

    def address(self, port: int) -> str:
        """Return where the application sends its requests, with the port that was opened."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{port}"


def read_order(upstream: str, listen: str, file: Path | None, mask: bool) -> Order:
    """Return the order of these texts. Raise OrderError with what was expected."""
    host, port = read_place(listen)
    return Order(_upstream(upstream), host, port, file or usual_file(), mask)


def usual_file() -> Path:
    """Return the name of the file to add to, if none was asked for."""
    return Path(f"recorded-{datetime.now():%Y%m%d-%H%M%S}.jsonl")


def _upstream(url: str) -> Address:
    try:
        return read_address(url)
    except ValueError:
        expected = "expected http:// or https:// with a host and perhaps a path, without a user, a key or a query"
        raise OrderError("upstream", f"{expected}, such as http://127.0.0.1:11434") from None


def read_place(listen: str) -> tuple[str, int]:
    """Return host and port of HOST:PORT, or of either alone. Raise OrderError."""
    host, _, port = listen.rpartition(":") if ":" in listen else ("", "", listen)
    if not port.isdecimal():
        host, port = listen, str(_PORT)
    if int(port) > _MOST_PORT:
        raise OrderError("listen", f"expected HOST:PORT with a port up to {_MOST_PORT}, such as {LISTENED}")
    return host.strip("[]") or _HOST, int(port)
