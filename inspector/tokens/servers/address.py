"""Addresses of servers as people write them."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from inspector.tokens.servers.server import ServerError


def normal_address(text: str) -> str:
    """`HOST:PORT` of an address as people write it: `8080`, `localhost:8080`, `http://127.0.0.1:8080/v1`.

    Raises ServerError for anything else.
    """
    host, port = split_address(text)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(address: str) -> bool:
    """Whether what is sent to this address stays on this machine."""
    host, _ = split_address(address)
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def split_address(text: str) -> tuple[str, int]:
    """Host and port of an address. Raises ServerError for what is none."""
    wanted = text.strip()
    whole = wanted if "://" in wanted else f"http://{f'127.0.0.1:{wanted}' if wanted.isdigit() else wanted}"
    try:
        parts = urlsplit(whole)
        port = parts.port
    except ValueError:
        raise _bad_address(text) from None
    plain = parts.scheme == "http" and parts.path in ("", "/", "/v1", "/v1/") and "@" not in parts.netloc
    if not plain or not parts.hostname or port is None or parts.query or not _is_host(parts.hostname):
        raise _bad_address(text)
    return parts.hostname, port


def _is_host(name: str) -> bool:
    return name.isascii() and name.isprintable() and " " not in name


def _bad_address(text: str) -> ServerError:
    return ServerError(f"{text!r} is no address of a server: expected HOST:PORT, such as 127.0.0.1:8080.")
