"""The command that installs an extra, by where the program came from and by which tool."""

import json
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path, PurePosixPath

import pytest

from inspector import extras
from inspector.extras import install_command


def installed(folder: Path, name: str, origin: object = None) -> Distribution:
    held = folder / f"{name}.dist-info"
    held.mkdir()
    (held / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n")
    if origin is not None:
        (held / "direct_url.json").write_text(origin if isinstance(origin, str) else json.dumps(origin))
    return PathDistribution(held)


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        (None, "own-name[archives]"),
        ("{", "own-name[archives]"),
        ({"url": "file:///home/a%20b/src", "dir_info": {"editable": True}}, "/home/a b/src[archives]"),
        (
            {"url": "https://host/repo.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            "own-name[archives] @ git+https://host/repo.git",
        ),
        ({"url": "https://host/own-1.whl", "archive_info": {}}, "own-name[archives] @ https://host/own-1.whl"),
        ({"url": "https://host/{name}.whl", "archive_info": {}}, "own-name[archives] @ https://host/{name}.whl"),
    ],
)
def test_an_extra_is_installed_from_where_the_program_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: object, wanted: str
) -> None:
    found = installed(tmp_path, "own-name", origin)
    monkeypatch.setattr(extras, "_installed", lambda: found)
    monkeypatch.setattr(extras.sys, "prefix", "/usr")
    assert install_command("archives") == f'pip install "{wanted}"'


@pytest.mark.parametrize(
    ("prefix", "lead"),
    [
        ("home/.local/share/uv/tools/own-name", "uv tool install --force"),
        ("home/.local/share/pipx/venvs/own-name", "pipx install --force"),
        ("home/project/.venv", "pip install"),
    ],
)
def test_the_tool_that_installed_the_program_installs_its_extras(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, lead: str
) -> None:
    found = installed(tmp_path, "own-name")
    monkeypatch.setattr(extras, "_installed", lambda: found)
    monkeypatch.setattr(extras.sys, "prefix", str(PurePosixPath("/") / prefix))
    assert install_command("cluster") == f'{lead} "own-name[cluster]"'


def test_an_application_without_a_distribution_names_the_released_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_installed", lambda: None)
    monkeypatch.setattr(extras.sys, "prefix", "/usr")
    assert install_command("fast") == 'pip install "prompt-budget-inspector[fast]"'


def test_this_program_is_found() -> None:
    assert "[fast]" in install_command("fast")
