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


WHEEL = "file:///home/a%20b/dist/own_name-1.0-py3-none-any.whl"
REPOSITORY = {"url": "https://host/repo.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}}


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        pytest.param(None, '"own-name[archives]"', id="index"),
        pytest.param("{", '"own-name[archives]"', id="broken file"),
        pytest.param({"url": 1, "dir_info": {}}, '"own-name[archives]"', id="no address"),
        pytest.param({"url": "file:///home/a%20b/src", "dir_info": {}}, '"/home/a b/src[archives]"', id="folder"),
        pytest.param(
            {"url": "file:///home/src", "dir_info": {"editable": True}},
            '--editable "/home/src[archives]"',
            id="editable",
        ),
        pytest.param({"url": "file:///home/{src}", "dir_info": {}}, '"/home/{src}[archives]"', id="braces"),
        pytest.param(
            {"url": "file:///C:/Users/a%20b/src", "dir_info": {"editable": True}},
            '--editable "C:\\Users\\a b\\src[archives]"',
            id="editable on Windows",
        ),
        pytest.param({"url": "file:///d:/src", "dir_info": {}}, '"d:\\src[archives]"', id="folder on Windows"),
        pytest.param(
            {"url": "file://server/share/src", "dir_info": {}},
            '"\\\\server\\share\\src[archives]"',
            id="folder of a server on Windows",
        ),
        pytest.param({"url": "file://localhost/src", "dir_info": {}}, '"/src[archives]"', id="this host"),
        pytest.param({"url": WHEEL, "archive_info": {}}, f'"own-name[archives] @ {WHEEL}"', id="wheel"),
        pytest.param(
            {"url": "file:///C:/dist/own.whl", "archive_info": {"hash": "sha256=0"}},
            '"own-name[archives] @ file:///C:/dist/own.whl"',
            id="wheel on Windows",
        ),
        pytest.param(
            {"url": "https://host/{name}.whl", "archive_info": {}},
            '"own-name[archives] @ https://host/{name}.whl"',
            id="address of a wheel",
        ),
        pytest.param(REPOSITORY, '"own-name[archives] @ git+https://host/repo.git@0a1b"', id="repository"),
        pytest.param(
            {**REPOSITORY, "subdirectory": "py/{own}"},
            '"own-name[archives] @ git+https://host/repo.git@0a1b#subdirectory=py/{own}"',
            id="below a repository",
        ),
        pytest.param(
            {"url": "https://host/repo", "vcs_info": {"vcs": "hg", "requested_revision": "tip", "commit_id": "77"}},
            '"own-name[archives] @ hg+https://host/repo@77"',
            id="other repository",
        ),
    ],
)
def test_an_extra_is_installed_from_where_the_program_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: object, wanted: str
) -> None:
    found = installed(tmp_path, "own-name", origin)
    monkeypatch.setattr(extras, "_installed", lambda: found)
    monkeypatch.setattr(extras.sys, "prefix", "/usr")
    for _ in range(2):
        assert install_command("archives") == f"pip install {wanted}"


@pytest.mark.parametrize(
    ("prefix", "lead"),
    [("uv/tools/own-name", "uv tool install --force"), ("pipx/venvs/own-name", "pipx install --force")],
)
def test_an_editable_tool_stays_editable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, lead: str
) -> None:
    found = installed(tmp_path, "own-name", {"url": "file:///src", "dir_info": {"editable": True}})
    monkeypatch.setattr(extras, "_installed", lambda: found)
    monkeypatch.setattr(extras.sys, "prefix", f"/home/{prefix}")
    assert install_command("fast") == f'{lead} --editable "/src[fast]"'


@pytest.mark.parametrize("extra", ["minilm", "transformers"])
def test_a_large_extra_says_its_size_as_the_documentation_does(extra: str) -> None:
    command, _, size = install_command(extra).partition(" (")
    assert command.endswith(f'[{extra}]"')
    assert size.startswith("5.7 GB on Linux")
    page = (Path(__file__).parents[1] / "docs/pages/install.md").read_text("utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{extra}` |")]
    assert "5.7 GB" in row


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
