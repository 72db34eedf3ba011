"""Addresses of model servers as users write them."""

from inspector import net
from inspector.tokens.servers.server import ServerError


def normal_address(text: str) -> str:
    """Return the `HOST:PORT` of an address as users write it: `8080`, `localhost:8080`, `http://127.0.0.1:8080/v1`.

    Raises ServerError for anything else.
    """
    host, port = _split(text)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(address: str) -> bool:
    """Return whether requests to this address stay on this machine."""
    return net.is_loopback(_split(address)[0])


def _split(text: str) -> tuple[str, int]:
    """Return host and port of an address. Raises ServerError if it is not valid."""
    wanted = text.strip()
    whole = wanted if "://" in wanted else f"http://{f'127.0.0.1:{wanted}' if wanted.isdigit() else wanted}"
    try:
        address = net.read_address(whole)
    except ValueError:
        raise _bad_address(text) from None
    if address.scheme != "http" or address.path not in ("", "/", "/v1", "/v1/") or address.port is None:
        raise _bad_address(text)
    return address.host, address.port


def _bad_address(text: str) -> ServerError:
    return ServerError(f"{text!r} is not the address of a server: expected HOST:PORT, such as 127.0.0.1:8080.")
