"""The desktop entry: what is shipped, what is put in place, and that nobody else's file is touched."""

import hashlib
import json
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from configparser import RawConfigParser
from pathlib import Path

import pytest

from inspector.desktop import install, remove_empty_folders, uninstall, update_databases
from inspector.resources import resource

COMMAND = ["/opt/Prompt Inspector/bin/python", "-m", "inspector"]
ENTRY = Path("applications/prompt-inspector.desktop")
TYPES = Path("mime/packages/prompt-inspector.xml")
ICONS = resource("desktop/icons/hicolor")


def files(folder: Path) -> set[Path]:
    return {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}


def entry(text: str) -> dict[str, str]:
    parser = RawConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]  # keys of desktop entries tell cases apart
    parser.read_string(text)
    assert parser.sections() == ["Desktop Entry"]
    return dict(parser["Desktop Entry"])


def types_of(text: str) -> set[str]:
    return set(text.strip(";").split(";"))


def png_size(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def test_every_shipped_file_is_put_in_place(tmp_path: Path) -> None:
    steps = install(tmp_path, COMMAND)
    assert {step.done for step in steps} == {"written"}
    assert files(resource("desktop")) | {Path("prompt-inspector/desktop.json")} == files(tmp_path)


def test_the_menu_entry_starts_the_program_wherever_it_is(tmp_path: Path) -> None:
    install(tmp_path, COMMAND)
    values = entry((tmp_path / ENTRY).read_text())
    assert shlex.split(values["Exec"]) == [*COMMAND, "%F"]


def test_signs_of_a_path_are_escaped_as_the_desktop_asks(tmp_path: Path) -> None:
    install(tmp_path, ['/a$b/100%/"c"/d\\e'])
    assert r'Exec="/a\\$b/100%%/\\"c\\"/d\\\\e" %F' in (tmp_path / ENTRY).read_text().splitlines()


def test_installing_twice_changes_nothing(tmp_path: Path) -> None:
    install(tmp_path, COMMAND)
    assert {step.done for step in install(tmp_path, COMMAND)} == {"unchanged"}


def test_a_newer_program_replaces_its_own_files(tmp_path: Path) -> None:
    install(tmp_path, ["/old/python"])
    steps = {step.path: step.done for step in install(tmp_path, COMMAND)}
    assert steps[tmp_path / ENTRY] == "written"
    assert COMMAND[0] in (tmp_path / ENTRY).read_text()


@pytest.mark.parametrize("place", [ENTRY, TYPES])
def test_a_file_of_somebody_else_stays(tmp_path: Path, place: Path) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text("mine")
    for steps in (install(tmp_path, COMMAND), uninstall(tmp_path, COMMAND)):
        assert [step.path for step in steps if step.done == "left"] == [tmp_path / place]
    assert files(tmp_path) == {place}
    assert (tmp_path / place).read_text() == "mine"


def test_a_file_that_was_changed_since_stays(tmp_path: Path) -> None:
    install(tmp_path, COMMAND)
    with (tmp_path / ENTRY).open("a") as file:
        file.write("NoDisplay=true\n")
    changed = (tmp_path / ENTRY).read_bytes()
    for steps in (install(tmp_path, ["/other"]), uninstall(tmp_path, COMMAND)):
        assert [step.path for step in steps if step.done == "left"] == [tmp_path / ENTRY]
    assert (tmp_path / ENTRY).read_bytes() == changed


def test_a_link_stays_and_so_does_what_it_stands_for(tmp_path: Path) -> None:
    install(tmp_path / "first", COMMAND)
    link = tmp_path / "second" / ENTRY
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "first" / ENTRY)
    install(tmp_path / "second", COMMAND)
    uninstall(tmp_path / "second", COMMAND)
    assert link.is_symlink()
    assert (tmp_path / "first" / ENTRY).exists()


def test_taking_away_leaves_only_what_others_have_there(tmp_path: Path) -> None:
    other = tmp_path / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("other")
    install(tmp_path, COMMAND)
    assert {step.done for step in uninstall(tmp_path, ["/another/python"])} == {"removed"}
    remove_empty_folders(tmp_path)
    assert list(tmp_path.rglob("*")) == [other.parent, other]


@pytest.mark.parametrize("content", ["", "[]", '{"../outside": "0"}', '{"a": 1}'])
def test_a_damaged_record_takes_nothing_but_what_is_shipped(tmp_path: Path, content: str) -> None:
    home = tmp_path / "home"
    install(home, COMMAND)
    (tmp_path / "outside").write_text("")
    (home / "prompt-inspector/desktop.json").write_text(content)
    uninstall(home, COMMAND)
    assert files(tmp_path) == {Path("outside")}


def test_a_record_that_names_a_place_outside_takes_nothing_there(tmp_path: Path) -> None:
    """Though it has the very sum of what lies there."""
    home, outside = tmp_path / "home", tmp_path / "outside"
    install(home, COMMAND)
    outside.write_text("a diary")
    known = hashlib.sha256(outside.read_bytes()).hexdigest()
    (home / "prompt-inspector/desktop.json").write_text(json.dumps({"../outside": known, str(outside): known}))
    uninstall(home, COMMAND)
    assert outside.read_text() == "a diary"


def test_icons_have_the_sizes_that_their_folders_say() -> None:
    sizes = {folder.name: png_size(folder / "apps/prompt-inspector.png") for folder in ICONS.glob("*x*")}
    assert sizes == {f"{size}x{size}": (size, size) for size in (16, 22, 24, 32, 48, 64, 128, 256, 512)}
    assert (ICONS / "scalable/apps/prompt-inspector.svg").is_file()


def test_entry_description_and_types_agree() -> None:
    values = entry(resource(f"desktop/{ENTRY}").read_text())
    description = ElementTree.parse(next(resource("desktop/metainfo").iterdir())).getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    types = ElementTree.parse(resource(f"desktop/{TYPES}")).getroot().findall(f"{space}mime-type")
    names = {str(kind.get("type")) for kind in types}
    assert types_of(values["MimeType"]) == names
    assert {kind.text for kind in description.iterfind("provides/mediatype")} == names
    assert {kind.text for kind in description.iterfind("categories/category")} < types_of(values["Categories"])
    assert description.findtext("launchable") == ENTRY.name
    patterns = {glob.get("pattern") for kind in types for glob in kind.iterfind(f"{space}glob")}
    assert {"*.inspection.yaml", "*.scenario.yaml", "*.workspace.yaml"} <= patterns


def test_the_description_has_what_the_specification_requires() -> None:
    file = next(resource("desktop/metainfo").iterdir())
    description = ElementTree.parse(file).getroot()
    assert description.tag == "component"
    assert description.get("type") == "desktop-application"
    for tag in ("id", "name", "summary", "metadata_license", "project_license", "launchable", "developer_name"):
        assert description.findtext(tag), tag
    assert description.find("description/p") is not None
    assert not str(description.findtext("summary")).endswith(".")
    assert file.name == f"{description.findtext('id')}.metainfo.xml"
    # One name with the entry and the icon, in which no organisation is.
    assert description.findtext("id") == ENTRY.stem == description.findtext("icon")


def test_the_entry_has_the_required_keys_and_only_known_ones() -> None:
    values = entry(resource(f"desktop/{ENTRY}").read_text())
    assert values["Type"] == "Application"
    assert values["Icon"] == "prompt-inspector"
    assert {"Name", "Exec", "Comment", "Categories", "MimeType"} <= values.keys()


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="no shared-mime-info here")
def test_the_desktop_knows_the_endings(tmp_path: Path) -> None:
    install(tmp_path, COMMAND)
    assert not [line for line in update_databases(tmp_path) if "mime" in line]
    assert "application/vnd.prompt-inspector.workspace+yaml:*.workspace.yaml" in (tmp_path / "mime/globs2").read_text()


def test_what_cannot_be_run_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    install(tmp_path, COMMAND)
    expected = [f"update-mime-database {tmp_path / 'mime'}", f"update-desktop-database {tmp_path / 'applications'}"]
    assert update_databases(tmp_path) == expected
