"""The server for summaries, as the user's settings file names it. Nothing is sent from here."""

from dataclasses import dataclass
from pathlib import Path

from inspector.reading.decode import decode, read_value


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """The base address of a server (usually ending in /v1), and the model to use."""

    url: str
    model: str


@dataclass(frozen=True, slots=True)
class _Settings:
    """The part of the settings file read here; other keys are ignored."""

    summaries: EndpointSettings | None = None


def read_endpoint(path: Path) -> EndpointSettings | None:
    """Return the endpoint named in a settings file, None if it names none or does not exist. Raises UnreadableError."""
    return decode(read_value(path), _Settings, str(path))[0].summaries if path.exists() else None


def endpoint_problem(settings: EndpointSettings) -> str:
    """Return the fault in the address or the model, "" if there is none."""
    from inspector.net import read_address  # not needed to read the settings

    wrong = f"{settings.url!r} is not the address of a server: expected one such as http://127.0.0.1:8080/v1."
    try:
        read_address(settings.url)
    except ValueError:
        return wrong
    return "" if settings.model.strip() else "No model is named for summaries."
