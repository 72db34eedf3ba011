"""The rules of the import graph, and what the command line may load."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from inspector.cli import COMMAND_GROUPS
from inspector.formats import load_workspace
from inspector.formats.native.write import save_workspace
from inspector.resources import samples_folder

_ROOT = Path(__file__).resolve().parent.parent
_NEVER = {"PySide6", "pyqtgraph", "transformers"}
_WAYS_OUT = ("socket.", "ssl.", "http.", "urllib.request.", "asyncio.", "aiohttp.", "PySide6.QtNetwork.")


def _imported(*arguments: str) -> set[str]:
    """The top-level packages that a run of the interpreter imports."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ.copy(), check=True, encoding="utf-8")
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}


@pytest.fixture
def chat(tmp_path: Path) -> str:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]))
    return str(path)


def test_the_import_contracts_hold() -> None:
    run = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", run], cwd=_ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def _imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it, and every name from one as if it were a module, too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_one_module_asks_servers_and_another_passes_requests_on() -> None:
    found = {
        path.relative_to(_ROOT).as_posix(): [one for one in _imports(path) if f"{one}.".startswith(_WAYS_OUT)]
        for path in (_ROOT / "inspector").rglob("*.py")
    }
    assert {path for path, imported in found.items() if imported} == {
        "inspector/net.py",
        "inspector/recording/proxy.py",  # for an application, while the user records it
    }
    assert not [one for one in _imports(_ROOT / "inspector" / "net.py") if one.startswith("inspector")]


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("servers", "--help"), ("assemble", "CHAT"), ("CHAT", "--screenshot", "PICTURE")],
    ids=["help", "help of servers", "assemble", "window"],
)
def test_nothing_speaks_http_before_somebody_asks(chat: str, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    places = {"CHAT": chat, "PICTURE": str(tmp_path / "window.png")}
    found = _imported("-m", "inspector", *(places.get(each, each) for each in arguments))
    assert "inspector" in found
    assert found.isdisjoint({"http", "ssl", "_ssl"})


def test_importing_the_package_imports_nothing() -> None:
    found = _imported("-c", "import inspector")
    assert "inspector" in found
    assert found.isdisjoint({*_NEVER, "numpy", "click", "orjson", "msgspec", "yaml", "tiktoken", "splintr"})


_COMMANDS = ("window", *(name for commands in COMMAND_GROUPS.values() for name in commands))
_HELPS = f"""
import sys
from inspector.cli import group
for name in {_COMMANDS}:
    group([name, "--help"], standalone_mode=False)
print(*sys.modules, file=sys.stderr)
"""
_OF_HELP = {"cli", "derived", "extras", "limits", "nearest", "net", "recording", "secret_kinds", "secrets", "version"}
_NOT_OF_HELP = {*_NEVER, "tiktoken", "splintr", "numpy", "msgspec", "yaml", "orjson", "rich", "sqlite3", "http", "ssl"}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("assemble", "--help"), ("window", "--help")])
def test_help_loads_only_what_it_shows(arguments: tuple[str, ...]) -> None:
    found = _imported("-m", "inspector", *arguments)
    assert "click" in found
    assert found.isdisjoint(_NOT_OF_HELP)


def test_the_help_of_no_command_imports_what_it_would_run() -> None:
    done = subprocess.run([sys.executable, "-c", _HELPS], capture_output=True, text=True, check=True, encoding="utf-8")
    assert done.stdout.count("Usage: ") == len(_COMMANDS)
    loaded = done.stderr.split()
    assert {"inspector.cli.commands.assemble", "click"} <= set(loaded)
    assert {name.split(".")[0] for name in loaded}.isdisjoint(_NOT_OF_HELP)
    own = {name.split(".")[1] for name in loaded if name.startswith("inspector.")}
    assert own - {"visible_text"} <= _OF_HELP
    run = {f"inspector.cli.{name}" for name in ("assemble", "loading", "answering", "scenarios", "usage")}
    assert run.isdisjoint(loaded)


_NOT_OF_PLAIN_TEXT = {
    *(f"inspector.assembly.{name}" for name in ("pipeline", "candidates", "choices", "policy", "scenario", "presets")),
    *("inspector.cli.loading", "inspector.cli.scenarios", "inspector.analysis", "inspector.retrieval"),
    *("inspector.formats.chatgpt", "inspector.formats.sillytavern.chats", "inspector.formats.datasets.rows"),
    *("transformers", "tokenizers", "tiktoken", "jinja2", "rich.progress", "http", "PySide6", "pyqtgraph"),
}


@pytest.mark.parametrize("text", ["hello", "You are Nova.\n\nAnswer briefly, and never lie.\n"])
def test_plain_text_is_counted_without_what_opens_files_and_assembles(text: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "inspector", "count", "-", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8", input=text)
    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert '"embedded:o200k_base"' in done.stdout
    assert "inspector.tokens.choice" in found
    assert found.isdisjoint(_NOT_OF_PLAIN_TEXT)


@pytest.mark.parametrize("command", [("assemble",), ("count",), ("explain", "--item", "m0")])
def test_the_command_line_loads_no_window(chat: str, command: tuple[str, ...]) -> None:
    name, *options = command
    found = _imported("-m", "inspector", name, chat, *options, "--format", "json")
    assert "numpy" in found
    assert found.isdisjoint(_NEVER)


def test_the_first_window_draws_no_plot(chat: str, tmp_path: Path) -> None:
    """What draws plots takes a third of a second to import, which is for whoever looks at one."""
    found = _imported("-m", "inspector", chat, "--screenshot", str(tmp_path / "window.png"))
    assert "PySide6" in found
    assert "pyqtgraph" not in found


def test_no_module_imports_itself_by_any_way() -> None:
    """Circles hide who depends on whom, also those that only type checkers walk."""
    graph = grimp.build_graph("inspector", cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    circle: list[str] = []
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as problem:
        circle = problem.args[1]
    assert circle == []


_FIRST_PICTURE = """
import sys
from inspector.gui.app import make_application, open_window
application = make_application()
window = open_window(sys.argv[1:])
window.show()
def draw(before, after):  # at once, before anything more is made on a worker
    window.grab()
    if before is None:
        print(*sys.modules)
        application.exit()
window.session.assembly_changed.connect(draw)
application.exec()
window.session.close()
"""
_NOT_IN_THE_FIRST_PICTURE = {
    *("jinja2", "click", "rich", "pyqtgraph", "transformers", "tokenizers", "sentencepiece", "tiktoken", "gigatoken"),
    *("scipy", "pandas", "http", "ssl", "_ssl"),
}
_SHOWN_AT_ONCE = {
    *(
        "budget",
        "changes",
        "decisions",
        "details",
        "findings",
        "next_message",
        "settings",
        "sources",
        "prompt",
        "replay",
    ),
}
"""The screens whose views are there with the first picture, or are made to know their size."""


@pytest.mark.parametrize("sample", ["companion.workspace.yaml", "workspace.json"])
def test_the_first_picture_loads_only_what_it_needs(sample: str, tmp_path: Path) -> None:
    path = samples_folder() / sample
    if sample.endswith(".json"):
        path = tmp_path / sample
        save_workspace(load_workspace([samples_folder() / "companion.workspace.yaml"]), path)
    command = [sys.executable, "-c", _FIRST_PICTURE, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    found = set(done.stdout.split())
    assert "inspector.gui.screens.decisions.view" in found
    assert {module.split(".")[0] for module in found}.isdisjoint(_NOT_IN_THE_FIRST_PICTURE)
    assert found.isdisjoint({"inspector.tokens.huggingface", "inspector.tokens.gguf", "inspector.pages.export"})
    assert "numpy.ma" not in found
    assert found.isdisjoint({"inspector.formats.chatgpt", "inspector.formats.claude"})  # it is certain what this is
    screens = {
        module.split(".")[3] for module in found if module.startswith("inspector.gui.screens.") and "view" in module
    }
    assert screens <= _SHOWN_AT_ONCE, "a view is read when it is first shown"
    policies = {module for module in found if module.startswith("inspector.assembly.policies.")}
    assert policies <= {f"inspector.assembly.policies.{name}" for name in ("ratio", "naive", "share_rooms")}, (
        "one is used"
    )


def test_what_needs_no_qt_is_imported_before_qt() -> None:
    """PySide6 reads the source of each module that is imported after it."""
    order = "import sys, inspector.gui; print('PySide6' in sys.modules, 'inspector.assembly.answer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", order], capture_output=True, text=True, check=True, encoding="utf-8")
    assert done.stdout.split() == ["False", "True"]


def test_importing_the_window_leaves_the_collector_as_it_was() -> None:
    run = "import gc; gc.{}(); before = gc.isenabled(); import inspector.gui.app; print(before == gc.isenabled())"
    for state in ("enable", "disable"):
        command = [sys.executable, "-c", run.format(state)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
        assert done.stdout.strip() == "True"
