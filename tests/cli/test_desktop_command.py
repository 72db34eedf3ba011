"""prompt-inspector --install-desktop and --uninstall-desktop, in a private home."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
ENTRY = Path("applications/prompt-inspector.desktop")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux desktops")


@pytest.fixture
def data_home() -> Path:
    return Path(os.environ["XDG_DATA_HOME"])


def test_it_says_what_it_put_in_place_and_what_it_took_away(
    run: Run, data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("--install-desktop")
    assert result.exit_code == 0
    assert f"Wrote {data_home / ENTRY}" in result.stdout.splitlines()
    assert "run: update-mime-database" in result.stderr
    result = run("--uninstall-desktop")
    assert f"Removed {data_home / ENTRY}" in result.stdout.splitlines()
    assert not data_home.exists() or not list(data_home.iterdir())


def test_without_the_variable_the_folder_is_in_the_home(
    run: Run, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    run("--install-desktop")
    assert (private_home / ".local/share" / ENTRY).is_file()


def test_a_file_of_somebody_else_is_named(run: Run, data_home: Path) -> None:
    (data_home / ENTRY).parent.mkdir(parents=True)
    (data_home / ENTRY).write_text("mine")
    result = run("--install-desktop")
    assert f"{data_home / ENTRY}: someone else made or changed it, so it stays as it is" in result.stderr
    assert "is in the menu" not in result.stdout
    assert (data_home / ENTRY).read_text() == "mine"


def test_taking_away_what_is_not_there_says_so(run: Run, data_home: Path) -> None:
    assert (
        run("--uninstall-desktop").stdout == f"There is nothing of Prompt Inspector's desktop entry in {data_home}.\n"
    )


def test_what_cannot_be_written_is_one_line(run: Run, data_home: Path) -> None:
    data_home.mkdir(parents=True)
    (data_home / "icons").write_text("a file where a folder should be")
    result = run("--install-desktop")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert str(data_home / "icons") in result.stderr


@pytest.mark.parametrize("option", ["--install-desktop", "--uninstall-desktop"])
def test_elsewhere_it_says_that_it_is_for_linux(
    run: Run, data_home: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    result = run(option)
    assert result.exit_code == 2
    assert "for Linux desktops" in result.stderr
    assert not data_home.exists()
