"""Pictures of the window: never over what was opened, and unasked only over an earlier one of this program."""

import base64
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

from inspector.cli import window
from inspector.cli.commands import window as declared
from inspector.formats import load_workspace
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.reading.png import KEY, SIGNATURE, TEXT, is_own_picture
from inspector.resources import samples_folder
from inspector.sources import files_of

Run = Callable[..., Result]
TOUR = samples_folder() / "policies.tour.yaml"
CARD = '{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Nova", "description": "Kind."}}'


def test_a_picture_shows_the_named_perspective_and_page(
    monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: Path
) -> None:
    seen: list[object] = []

    def take_screenshot(*given: object) -> SimpleNamespace:
        seen.append(given[-1])
        return SimpleNamespace(content=png(), opened=())

    pages = ("findings", "snapshots")
    monkeypatch.setattr(
        window, "gui", lambda: SimpleNamespace(take_screenshot=take_screenshot, page_names=lambda: pages)
    )
    file = str(tmp_path / "a.png")
    assert run(str(TOUR), "--screenshot", file, "--perspective", "compare", "--page", "snapshots").exit_code == 0
    assert seen == [("compare", "snapshots")]
    refused = run(str(TOUR), "--screenshot", file, "--page", "snapshot")
    assert refused.exit_code != 0
    assert "--page snapshot is not a page; did you mean snapshots?" in refused.output
    assert PERSPECTIVES == declared.PERSPECTIVES


def png(*texts: tuple[str, str]) -> bytes:
    """A picture of one pixel with these text chunks."""
    bodies = [
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        *((b"tEXt", f"{keyword}\0{text}".encode()) for keyword, text in texts),
        (b"IDAT", zlib.compress(b"\0\0")),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in bodies
    )
    return SIGNATURE + b"".join(chunks)


OURS = png((KEY, TEXT))
NEW = png((KEY, TEXT), ("Comment", "new"))


def card(*texts: tuple[str, str]) -> bytes:
    return png(*texts, ("chara", base64.b64encode(CARD.encode()).decode()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a chat in it; there is no display, and a window always looks the same."""

    def take_screenshot(paths: Sequence[str], scenario_file: str | None, *_: object) -> SimpleNamespace:
        opened = [*paths, *files_of(load_workspace(paths)), *([scenario_file] if scenario_file else [])]
        return SimpleNamespace(content=NEW, opened=opened)

    monkeypatch.setattr(window, "gui", lambda: SimpleNamespace(take_screenshot=take_screenshot))
    monkeypatch.setattr(window, "has_display", lambda: False)
    here = tmp_path / "here"
    here.mkdir()
    (here / "chat.json").write_text('[{"role": "user", "content": "hello"}]')
    monkeypatch.chdir(here)
    return here


def assert_refused(result: Result, file: Path, before: bytes) -> None:
    assert result.exit_code == 2
    assert "is one of the opened files" in result.stderr
    assert file.read_bytes() == before


def itself(file: Path) -> str:
    return file.name


def hard_link(file: Path) -> str:
    os.link(file, "other.png")
    return "other.png"


def symbolic_link(file: Path) -> str:
    Path("other.png").symlink_to(file.name)
    return "other.png"


@pytest.mark.parametrize("opened", ["card.png", "."])
@pytest.mark.parametrize("name", [itself, hard_link, symbolic_link])
def test_an_opened_card_stays(run: Run, folder: Path, name: Callable[[Path], str], opened: str) -> None:
    file = folder / "card.png"
    file.write_bytes(card())
    assert_refused(run(opened, "--screenshot", name(file)), file, card())


def test_an_opened_scenario_stays(run: Run, folder: Path) -> None:
    file = folder / "scenario.png"
    file.write_text('{"format": "prompt-inspector/scenario@1"}')
    assert_refused(run("chat.json", "--scenario", file.name, "--screenshot", file.name), file, file.read_bytes())


def test_a_picture_that_was_asked_for_is_written_over_any_other_file(run: Run, folder: Path) -> None:
    (folder / "mine.png").write_bytes(png())
    assert run("chat.json", "--screenshot", "mine.png").exit_code == 0
    assert (folder / "mine.png").read_bytes() == NEW


def written_unasked(run: Run, *paths: str) -> str:
    """The name of the picture that a run without a display writes."""
    result = run(*paths)
    assert result.exit_code == 0, result.stderr
    name = Path(result.stderr.splitlines()[-1].removeprefix("prompt-inspector: wrote the window's picture to "))
    assert name.read_bytes() == NEW
    assert name.parent == Path.cwd()
    return name.name


def test_without_a_display_an_earlier_picture_is_replaced(run: Run, folder: Path) -> None:
    assert written_unasked(run, "chat.json") == "prompt-inspector.png"
    (folder / "prompt-inspector.png").write_bytes(OURS)
    assert written_unasked(run, "chat.json") == "prompt-inspector.png"
    (folder / "prompt-inspector.png").write_bytes(OURS)
    assert written_unasked(run, ".") == "prompt-inspector.png", "also where the folder around it is opened"
    assert sorted(os.listdir()) == ["chat.json", "prompt-inspector.png"]


@pytest.mark.parametrize("content", [png(), png((KEY, "Something else")), b"a text", b""])
def test_without_a_display_no_other_picture_is_replaced(run: Run, folder: Path, content: bytes) -> None:
    file = folder / "prompt-inspector.png"
    file.write_bytes(content)
    assert written_unasked(run, "chat.json") == "prompt-inspector-2.png"
    assert file.read_bytes() == content
    assert written_unasked(run, "chat.json") == "prompt-inspector-2.png"


@pytest.mark.parametrize("opened", ["prompt-inspector.png", "."])
def test_without_a_display_an_opened_card_of_that_name_stays(run: Run, folder: Path, opened: str) -> None:
    file = folder / "prompt-inspector.png"
    file.write_bytes(card())
    assert written_unasked(run, opened) == "prompt-inspector-2.png"
    assert file.read_bytes() == card()


def test_without_a_display_a_card_in_an_earlier_picture_stays(run: Run, folder: Path) -> None:
    file = folder / "prompt-inspector.png"
    file.write_bytes(card((KEY, TEXT)))
    assert is_own_picture(file)
    assert written_unasked(run, file.name) == "prompt-inspector-2.png"
    assert file.read_bytes() == card((KEY, TEXT))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes as POSIX has them")
def test_what_is_no_file_is_passed_over(run: Run, folder: Path) -> None:
    os.mkfifo("prompt-inspector.png")
    Path("prompt-inspector-2.png").mkdir()
    Path("prompt-inspector-3.png").symlink_to("nowhere")
    assert written_unasked(run, "chat.json") == "prompt-inspector-4.png"


def test_the_window_itself_keeps_an_opened_card_and_says_that_the_picture_is_its_own(tmp_path: Path) -> None:
    file = tmp_path / "card.png"
    file.write_bytes(card())

    def ended(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "inspector", *arguments]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")

    refused_run = ended(str(file), "--screenshot", str(file))
    assert (refused_run.returncode, file.read_bytes()) == (2, card())
    assert refused_run.stderr.endswith("is one of the opened files; choose another name\n")
    picture = tmp_path / "picture.png"
    done = ended(str(file), "--screenshot", str(picture), "--size", "800x600")
    assert done.returncode == 0
    assert done.stderr == f"prompt-inspector: wrote the window's picture to {picture}\n"
    assert is_own_picture(picture)
    unknown = ended(str(file), "--screenshot", str(tmp_path / "picture.xyz"))
    assert unknown.stderr == f"Error: {tmp_path}/picture.xyz: expected a name that ends in .png\n"


def test_a_tour_without_a_display_is_its_first_step_as_a_table(run: Run, folder: Path) -> None:
    for asked in (["--tour", str(TOUR)], [str(TOUR)]):
        result = run(*asked)
        assert result.exit_code == 0, result.stderr
        assert "here is the first step of the tour as a table" in result.stdout
        assert (folder / window.PICTURE).exists()


def test_a_tour_is_given_alone(run: Run, folder: Path) -> None:
    result = run("chat.json", "--tour", str(TOUR))
    assert result.exit_code == 2
    assert "a tour names its own files" in result.stderr


def test_without_a_display_a_workspace_has_the_scenario_beside_it_and_says_so(run: Run, folder: Path) -> None:
    workspace, beside = (samples_folder() / f"companion.{kind}.yaml" for kind in ("workspace", "scenario"))
    told = run(str(workspace)).stdout
    assert f"The settings are those of {beside}." in told
    assert "12,288" in told
    asked = run(str(workspace), "--scenario", str(samples_folder() / "developer.scenario.yaml")).stdout
    assert "The settings are those of" not in asked


def test_the_window_is_a_command_unless_a_file_has_its_name(folder: Path, run: Run) -> None:
    for first in (("window",), ()):
        picture = str(folder / f"picture{len(first)}.png")
        done = run(*first, "chat.json", "--screenshot", picture)
        assert done.exit_code == 0, done.output
    (folder / "window").write_text('[{"role": "user", "content": "hello"}]')
    assert run("window", "--screenshot", str(folder / "third.png")).exit_code == 0
