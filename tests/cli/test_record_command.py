"""`prompt-inspector record`: what it refuses. Its work is tested in tests/recording."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


ODD = ["localhost:11434", "ftp://model", "http://user:secret@model", "http://model?key=secret", ""]


@pytest.mark.parametrize("url", ODD)
def test_what_is_no_server_is_refused_without_being_repeated(run: Run, url: str) -> None:
    result = run("record", "--to", url)
    assert result.exit_code == 2
    assert "expected http:// or https:// with a host" in result.stderr
    assert "secret" not in result.stderr


@pytest.mark.parametrize("listen", ["127.0.0.1:99999", "99999"])
def test_a_port_that_no_machine_has_is_refused(run: Run, listen: str) -> None:
    result = run("record", "--to", "http://127.0.0.1:1", "--listen", listen)
    assert result.exit_code == 2
    assert "expected HOST:PORT with a port up to 65535" in result.stderr


def test_a_port_that_is_taken_leaves_no_file(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        result = run("record", "--to", "http://127.0.0.1:1", "--listen", listen, "--out", str(tmp_path / "a.jsonl"))
    assert result.exit_code == 2
    assert f"{listen}: cannot be listened at" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_ends_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "none" / "a.jsonl"
    result = run("record", "--to", "http://127.0.0.1:1", "--listen", "127.0.0.1:0", "--out", str(file))
    assert result.exit_code == 2
    assert f"{file}: cannot be written" in result.stderr


@pytest.mark.parametrize("missing", ["aiohttp", "brotli"])
def test_without_its_packages_the_command_says_how_to_get_them(
    run: Run, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "inspector.recording.proxy", raising=False)
    result = run("record", "--to", "http://127.0.0.1:1")
    assert result.exit_code == 2
    assert f"record needs the package {missing}: pip install 'prompt-inspector[record]'" in result.stderr
