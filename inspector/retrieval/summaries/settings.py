"""Which server summarizes, as the person's settings file names it. Nothing is sent from here."""

from dataclasses import dataclass
from pathlib import Path

from inspector.reading.decode import decode, read_value


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Which server to ask, by its base address (usually ending in /v1), and for which model."""

    url: str
    model: str


@dataclass(frozen=True, slots=True)
class _Settings:
    """What of the settings file is read here; its other keys are not looked at."""

    summaries: EndpointSettings | None = None


def read_endpoint(path: Path) -> EndpointSettings | None:
    """The endpoint that a settings file names, None where it names none or is not there. Raises UnreadableError."""
    return decode(read_value(path), _Settings, str(path))[0].summaries if path.exists() else None


def endpoint_problem(settings: EndpointSettings) -> str:
    """What is wrong with the address or the model, "" if nothing is."""
    from inspector.net import read_address  # reading the settings does without

    wrong = f"{settings.url!r} is not the address of a server: expected one such as http://127.0.0.1:8080/v1."
    try:
        read_address(settings.url)
    except ValueError:
        return wrong
    return "" if settings.model.strip() else "No model is named for summaries."
