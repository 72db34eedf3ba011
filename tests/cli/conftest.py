"""Files of the command line's tests, and running it inside this process."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from inspector.cli import group

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def heeds_interruption() -> Iterator[None]:
    """Whoever runs the tests in the background may have told them not to heed SIGINT, or SIGHUP as `nohup` does."""
    usual: dict[int, Any] = {signal.SIGINT: signal.default_int_handler}
    if sys.platform != "win32":
        usual[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def run() -> Run:
    """Run the command line with these arguments; an exception that is no exit fails the test."""

    def call(*arguments: str, stdin: str | bytes | IO[bytes] | None = None) -> Result:
        result = CliRunner().invoke(group, list(arguments), input=stdin, prog_name="prompt-inspector")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def workspace_file(tmp_path: Path) -> str:
    """Ten messages of known lengths, four memories, a character."""
    costs = (9, 4, 30, 6, 2, 12, 7, 3, 8, 5)
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [
            {
                "id": "c1",
                "messages": [
                    {"id": f"m{n}", "role": "assistant" if n % 2 else "user", "content": " ".join(["w"] * cost)}
                    for n, cost in enumerate(costs)
                ],
            }
        ],
        "memory_sets": [
            {
                "id": "default",
                "memories": [
                    {"id": f"k{n}", "content": " ".join(["w"] * cost), "similarity": 0.9 - n / 10}
                    for n, cost in enumerate((5, 8, 3, 20))
                ],
            }
        ],
        "characters": [{"id": "nova", "name": "Nova", "system_prompt": "be kind"}],
    }
    return _written(tmp_path / "chat.workspace.json", value)


@pytest.fixture
def scenario_file(tmp_path: Path) -> Callable[..., str]:
    """Write a scenario file counted in words and give its path."""

    def write(name: str, **values: object) -> str:
        value = {"format": "prompt-inspector/scenario@1", "tokenizer": "estimate:words", **values}
        return _written(tmp_path / f"{name}.scenario.json", value)

    return write


def _written(path: Path, value: object) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)
