"""There is one way to write a file and one way to write to a terminal, and nothing goes around them."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent / "inspector"
_PRINTING = {"cli/output.py", "cli/console.py", "cli/failure.py", "cli/__init__.py", "log.py"}
"""What writes to standard output or error; `cli/__init__.py` only the tracebacks of the program's own errors."""

_WRITES_FILES = {
    ("writing.py", "os.open"),  # the one way
    ("cli/tour_pictures.py", "first.save"),  # into memory
    ("writing.py", "os.fdopen"),  # of streams
    ("writing.py", "io.FileIO"),
    ("writing.py", "os.link"),
    ("writing.py", "os.replace"),
    ("writing.py", "self._raw.truncate"),
    ("analysis/sweep/row_files.py", "import_module('pyarrow.parquet').write_table"),  # into an open file
    ("analysis/archive/rows.py", "writer.write_table"),  # into memory
    ("analysis/archive/parts.py", "writer.write_table"),  # into an open file
    ("cli/archive_sweep.py", "TemporaryDirectory"),
    ("cli/output.py", "os.open"),  # what swallows the rest of what nobody reads any more
    ("cli/window.py", "TemporaryDirectory"),  # rows that are asked or printed, and kept nowhere
    ("recording/apart.py", "note.with_suffix(_LOG).open"),  # the output of a process, in a folder of the program's own
    ("log.py", "os.open"),  # appends to a file of its own, which is a regular one
    ("log.py", "os.fdopen"),
    ("settings.py", "Log"),
    ("tokens/cache_file.py", "sqlite3.connect"),  # a cache, which SQLite writes
    ("tokens/cache_file.py", "self.path.replace"),
    ("gui/saving/autosaving.py", "os.open"),  # the lock of a window on its own file
    ("gui/saving/autosaving.py", "os.replace"),  # the version before, in a folder of its own
    ("reading/sqlite.py", "sqlite3.connect"),  # a private copy of a database, in a folder of its own
    ("reading/sqlite.py", "tempfile.TemporaryDirectory"),
    ("reading/sqlite.py", "copy.write_bytes"),
    ("reading/sqlite.py", "Path(folder, _COPY + ending).write_bytes"),
    ("reading/files.py", "os.open"),  # reads only, with flags that are named apart
    ("retrieval/search/index.py", "sqlite3.connect"),  # a file of SQLite's own without a name, gone with the process
    ("tokens/fast.py", "tempfile.TemporaryDirectory"),  # a library that reads nothing but files
    ("tokens/fast.py", "file.write_bytes"),
    ("gui/icons.py", "image.save"),  # into memory
}
"""Each module and call of it that may make, change or rename a file."""

_FORMS = {
    ("json_text.py", "orjson.dumps"),  # the one way of JSON, without commands and secrets
    ("json_text.py", "json.dumps"),
    ("formats/evidence.py", "json.dumps"),  # of a sample that is read at once and shown nowhere
    ("pages/prompt_page.py", "escape"),  # of texts that were made visible before they were cut
    ("drawings/ink.py", "escape"),  # of words that are on one line
    ("pages/parts.py", "escape"),  # of a cell that is on one line
    ("cli/check_formats.py", "ElementTree.tostring"),  # of sentences that are on one line
    ("pages/snippets.py", "json.dumps"),  # into a text that is made visible as a whole
    ("gui/table/view.py", "escape"),  # of cells that were made visible for both kinds
    ("gui/parts/page.py", "escape"),  # of an excerpt, which is visible, as are the next two
    ("gui/parts/texts.py", "escape"),
    ("gui/plots/axes.py", "escape"),
    ("gui/screens/details/item_text.py", "json.dumps"),  # to be looked at in a pane, which makes texts visible
    ("gui/screens/prompt/view.py", "json.dumps"),  # masked as it goes to the clipboard
    ("gui/files/inspection.py", "dump"),  # native files, which hold the texts themselves to be opened again
    ("assembly/scenario_file.py", "dump"),
    ("assembly/marks.py", "dump"),
    ("formats/own_file.py", "dump"),
    ("formats/evidence.py", "json.dumps"),  # of a file, to be read by its format, as are the small files of a session
    ("formats/wrapped.py", "orjson.dumps"),  # of a document inside of a file, likewise
    ("formats/wrapped.py", "json.dumps"),
    ("formats/gathered.py", "json.dumps"),
    ("tokens/models/files.py", "yaml.dump"),
    ("analysis/archive/parts.py", "json.dumps"),
    ("analysis/archive/schema.py", "orjson.dumps"),  # values within rows, which are written in one way of their own
    ("analysis/archive/rows.py", "json.dumps"),  # what is told of rows in the head of their file
    ("formats/native/write.py", "dump"),
    ("formats/unnamed.py", "json.dumps"),  # to be read again at once, as is the next one
    ("pages/command.py", "json.dumps"),  # a command to be run again, as the person made it
    ("assembly/overhead.py", "json.dumps"),  # what the model gets and what is counted, as are the next eight
    ("assembly/policies/agents/gemini_contents.py", "json.dumps"),
    ("assembly/policies/agents/langchain.py", "json.dumps"),
    ("assembly/collect.py", "json.dumps"),
    ("assembly/answered.py", "html.escape"),  # of a line of figures
    ("assembly/policies/ibex.py", "escape"),
    ("tokens/chat/sandbox.py", "json.dumps"),
    ("tokens/chat/typescript.py", "json.dumps"),
    ("formats/openai/message.py", "json.dumps"),
    ("formats/frameworks/pydantic_ai.py", "json.dumps"),
    ("formats/unknown.py", "orjson.dumps"),
    ("retrieval/summaries/endpoint.py", "json.dumps"),  # questions to servers
    ("formats/memories/qdrant_server.py", "orjson.dumps"),
    ("tokens/servers/server.py", "json.dumps"),
    ("tokens/chat/wire.py", "json.dumps"),  # to a process of the program's own, as are the next two
    ("analysis/recommend/measure.py", "pickle.dumps"),
    ("analysis/archive/working.py", "pickle.dumps"),
    ("recording/record.py", "orjson.dumps"),  # requests as they were sent, to be opened as files, as is the next one
    ("recording/record.py", "json.dumps"),
    ("recording/apart.py", "json.dumps"),  # what another window needs to find the process, in such a folder
    ("recording/keys.py", "json.dumps"),  # a key as JSON has it, to be looked for
    ("testing/look_alikes.py", "json.dumps"),  # chats that a test makes up
}
"""Each module that makes HTML, XML, JSON, YAML or CSV of texts by other ways than the one, and why it may."""

_OPENING = {"open", "fdopen", "FileIO", "TextIOWrapper", "GzipFile", "ZipFile", "TarFile", "memmap"}
_ALWAYS = {
    *("write_text", "write_bytes", "touch", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile"),
    *("TemporaryDirectory", "SpooledTemporaryFile", "savez", "savez_compressed", "savetxt", "tofile", "to_csv"),
    *("to_parquet", "to_json", "copyfile", "copy2", "copytree", "copyfileobj", "move", "symlink", "symlink_to"),
    *("hardlink_to", "FileHandler", "RotatingFileHandler", "Log", "QFile", "QSaveFile", "QTemporaryFile", "QSettings"),
    *("QTemporaryDir", "setFileName", "truncate", "mkfifo", "mknod", "write_table"),
}
_RENAMING = {"replace", "rename", "renames"}
_READ_ONLY = {"O_RDONLY"}
_TOLD_APART = _OPENING | _RENAMING | {"link", "connect", "save"}
"""What writes or not by what stands around it."""


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def _called(call: ast.Call) -> str:
    """What is called, as it is written."""
    return ast.unparse(call.func)


def _name(call: ast.Call) -> str:
    """The last word of what is called."""
    called = call.func
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _mode(call: ast.Call) -> ast.expr | None:
    """The mode of an opening: the second argument of `open`, of a method the text that looks like one."""
    if isinstance(call.func, ast.Name) and len(call.args) > 1:
        return call.args[1]
    given = next((word.value for word in call.keywords if word.arg == "mode"), None)
    texts = [each for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    modes = [each for each in texts if set(str(each.value)) <= set("rwaxbtU+|:gz")]
    return given or (modes[-1] if modes else None)


def _opens_for_writing(call: ast.Call) -> bool:
    mode = _mode(call)
    if mode is None:
        return False
    return not isinstance(mode, ast.Constant) or bool(set(str(mode.value)) & set("wax+"))


def _writes(call: ast.Call) -> bool:
    name = _name(call)
    if name not in _TOLD_APART:
        return name in _ALWAYS
    called = _called(call)
    if called == "os.open":
        flags = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute) and node.attr.startswith("O_")}
        names = {node.id for node in ast.walk(call.args[1]) if isinstance(node, ast.Name)} - {"os", "getattr"}
        return not flags & _READ_ONLY or bool(names)
    if called == "os.link":
        return True
    if called == "sqlite3.connect":
        return not any(isinstance(each, ast.Constant) and each.value == ":memory:" for each in call.args)
    if name in _RENAMING:
        # Of a text it takes two arguments, of a dataclass names; of a path one, and of the module for files two.
        return called.startswith("os.") or (len(call.args) == 1 and not call.keywords and called != "replace")
    if name == "save":
        return bool(call.args)  # a painter's has none
    return name in _OPENING and _opens_for_writing(call)


def _prints(call: ast.Call) -> bool:
    called = _called(call)
    return called in ("print", "click.echo", "click.secho", "click.echo_via_pager", "os.write") or called.startswith(
        ("sys.stdout.", "sys.stderr.", "sys.__stdout__.", "sys.__stderr__.")
    )


_MAKES_FORMS = {"escape", "quoteattr", "tostring", "tounicode", "dumps", "dump", "writer", "DictWriter", "XMLGenerator"}
_HIDING = {"on_one_line", "made_visible", "masked", "without_commands"}


def _makes_a_form(call: ast.Call) -> bool:
    """Whether texts become HTML, XML, JSON, YAML or CSV of which secrets and commands have not been taken out."""
    if _name(call) not in _MAKES_FORMS or _called(call) in ("re.escape", "ast.dump"):
        return False
    inner = (node for given in call.args for node in ast.walk(given) if isinstance(node, ast.Call))
    return not any(_name(one) in _HIDING for one in inner)


def _found(is_meant: Callable[[ast.Call], bool]) -> set[tuple[str, str]]:
    return {
        (path.relative_to(_ROOT).as_posix(), _called(call))
        for path in _ROOT.rglob("*.py")
        for call in _nodes(path)
        if isinstance(call, ast.Call) and is_meant(call)
    }


def test_nothing_writes_a_file_but_the_one_writer() -> None:
    assert _found(_writes) - _WRITES_FILES == set()


def test_nothing_writes_to_a_terminal_but_the_one_writer() -> None:
    asked = {"sys.stdout.isatty", "sys.stderr.isatty"}
    assert {path for path, called in _found(_prints) if called not in asked} <= _PRINTING


def test_nothing_makes_a_form_of_texts_that_were_not_hidden() -> None:
    assert _found(_makes_a_form) - _FORMS == set()


def test_one_module_knows_the_library_for_tables() -> None:
    importing = {
        path.relative_to(_ROOT).as_posix()
        for path in _ROOT.rglob("*.py")
        for node in _nodes(path)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rich")
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "rich" for alias in node.names))
    }
    assert importing == {"cli/console.py"}


_WRITING = """
open(path, "w")
open(path, mode="ab")
open(path, "r+")
open(path, mode)
open(path, mode=mode)
path.open("x")
gzip.open(path, "wb")
io.open(path, "w")
os.fdopen(number, "wb")
path.write_text("")
path.write_bytes(data)
os.open(path, os.O_WRONLY | os.O_CREAT)
os.open(path, flags)
os.open(path, os.O_RDONLY | more)
picture.save(file)
widget.grab().save(file)
np.save(file, rows)
rows.tofile(file)
table.to_parquet(file)
parquet.write_table(table, file)
os.replace(a, b)
os.link(a, b)
file.replace(other)
tempfile.mkstemp()
shutil.copyfile(a, b)
ZipFile(path, "w")
sqlite3.connect(path)
"""
_READING = """
open(path)
open(path, "rb")
path.open("rb")
path.open(encoding="utf-8")
gzip.open(path)
os.open(path, os.O_RDONLY | os.O_NONBLOCK)
text.replace("a", "b")
replace(scenario, at=1)
painter.save()
sqlite3.connect(":memory:")
tarfile.open(fileobj=data, mode="r:")
session.open(paths, scenario)
link(workspace)
"""


_BARE = """
escape(text)
html.escape(f"{name}: {value}")
saxutils.quoteattr(name)
ElementTree.tostring(root)
json.dumps(rows)
csv.writer(file)
dump(value)
"""
_HIDDEN = """
escape(on_one_line(text))
quoteattr(made_visible(name))
escape(masked(" ".join(text.split())), quote=False)
re.escape(word)
json_document(value)
"""


def _lines(text: str) -> list[ast.Call]:
    values = [line.value for line in ast.parse(text).body if isinstance(line, ast.Expr)]
    return [value for value in values if isinstance(value, ast.Call)]


def test_the_rule_sees_writing_and_lets_reading_pass() -> None:
    assert [ast.unparse(call) for call in _lines(_WRITING) if not _writes(call)] == []
    assert [ast.unparse(call) for call in _lines(_READING) if _writes(call)] == []


def test_the_rule_sees_forms_of_bare_texts() -> None:
    assert [ast.unparse(call) for call in _lines(_BARE) if not _makes_a_form(call)] == []
    assert [ast.unparse(call) for call in _lines(_HIDDEN) if _makes_a_form(call)] == []
