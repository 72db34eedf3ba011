"""Nobody in the window gives Qt a text that it could take for HTML, or for the names of keys."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent
_WINDOW = _ROOT / "inspector" / "gui"
_HOMES = {
    "QLabel": "parts/labels.py",
    "QTextBrowser": "parts/page.py",
    "QTextDocument": "parts/page.py",
    "QMessageBox": "commands/window_commands.py",
    "QTextEdit": "parts/reading_pane.py screens/texts/view.py",
    "QErrorMessage": "",
    "QProgressDialog": "",
    "QInputDialog": "",
    "QWizard": "",
    "QWhatsThis": "",
    "QSystemTrayIcon": "",
    "QGraphicsTextItem": "",
    "QGraphicsSimpleTextItem": "",
    "LabelItem": "",
    "TextItem": "",
}
"""Classes that may take a text for HTML, and the modules that use each; others use of QTextEdit only its marks."""
_HTML = {"setHtml": "parts/page.py", "insertHtml": "", "appendHtml": "", "setMarkdown": "", "setWhatsThis": ""}
_OF_PLOTS = {"setLabel", "setTitle", "addLabel", "setLabels"}
_CONTROLS = {
    *("QAction", "QCheckBox", "QPushButton", "QRadioButton", "QGroupBox", "QMenu"),
    *("addAction", "addMenu", "addSection", "addTab"),
}
"""What makes something with a text in which & marks a key."""
_OWN_KEYS = "window/actions.py"
"""Declares the actions, and which letter of each is its key."""
_OWN_TITLES = ("arrangement.py", "pages.py")
"""Writes words of ours and numbers on the tabs of panels."""

Found = Iterator[tuple[str, ast.expr]]


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call by the name of what is called, without what it hangs on."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node


def _is_call_of(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _classes(tree: ast.AST, module: str) -> Found:
    """Classes that may take a text for HTML, outside the module that knows how to use them."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    marks = {id(node.value) for node in attributes if node.attr == "ExtraSelection"}
    named = [(node.id, node) for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for name, node in [*named, *((node.attr, node) for node in attributes)]:
        if name in _HOMES and module not in _HOMES[name].split() and id(node) not in marks:
            yield f"uses {name}", node


def _html(tree: ast.AST, module: str) -> Found:
    """Texts that are said to be HTML."""
    for name, call in _calls(tree):
        if name in _HTML and module != _HTML[name]:
            yield f"calls {name}", call
        is_escaped = bool(call.args) and all(_is_call_of(text, "escape") for text in call.args)
        if name in _OF_PLOTS and isinstance(call.func, ast.Attribute) and not _is_generator(call.func.value):
            if is_escaped:
                continue
            yield f"calls {name}, which takes HTML in plots", call


def _is_generator(node: ast.AST) -> bool:
    """Whether this is the writer of SVG files, which escapes."""
    return isinstance(node, ast.Name) and node.id == "generator"


def _tips(tree: ast.AST, module: str) -> Found:
    """Tooltips that are not made by `tooltip`."""
    for name, call in _calls(tree):
        texts = {"setToolTip": call.args[:1], "setTabToolTip": call.args[1:2], "showText": call.args[1:2]}.get(name, ())
        for text in texts:
            if not _is_call_of(text, "tooltip"):
                yield f"gives {name} a text as it is", call
    yield from _roles(tree)


def _roles(tree: ast.AST) -> Found:
    """Places that speak of ToolTipRole and neither return a tooltip, nor set one, nor ask for one."""
    good: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _returns(node, "tooltip"):
            good |= {id(inner) for inner in ast.walk(node.test)}
        if isinstance(node, ast.Call) and (
            any(_is_call_of(value, "tooltip") for value in node.args)
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "data")
        ):
            good |= {id(inner) for value in node.args for inner in ast.walk(value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "ToolTipRole" and id(node) not in good:
            yield "answers ToolTipRole with a text as it is", node


def _returns(node: ast.If, name: str) -> bool:
    """Whether all that is returned under a condition comes from a function of that name."""
    returned = [inner for line in node.body for inner in ast.walk(line) if isinstance(inner, ast.Return)]
    return bool(returned) and all(_is_call_of(inner.value, name) for inner in returned)


def _keys(tree: ast.AST, module: str) -> Found:
    """Texts of buttons, boxes, entries of menus and windows in which & or [*] would not be shown."""
    for name, call in _calls(tree):
        if name in _CONTROLS and module != _OWN_KEYS and not all(map(_shows_all, call.args[:1])):
            yield f"gives {name} a text as it is", call
        if name == "setWindowTitle" and module not in _OWN_TITLES and not any(map(_names_files, call.args)):
            yield "gives a window a title as it is", call
        if name == "addRow" and len(call.args) == 2 and not _is_call_of(call.args[0], "PlainLabel"):
            yield "has a form make a label", call


def _shows_all(node: ast.AST) -> bool:
    """Whether this is a text of our own, one made by `control_text`, or no text but a widget."""
    is_widget = isinstance(node, ast.Name) and node.id in (
        "self",
        "menu",
        "parent",
        "classes",
        "alternatives",
        "columns",
        "action",  # of Qt, for a field
        "place",
        "widget",
    )
    return is_widget or isinstance(node, ast.Constant) or _is_call_of(node, "control_text")


def _names_files(node: ast.AST) -> bool:
    return any(_is_call_of(inner, "window_title") for inner in ast.walk(node))


def _found(source: str, module: str) -> list[str]:
    tree = ast.parse(source)
    rules = (_classes, _html, _tips, _keys)
    return [f"{module}:{node.lineno} {what}" for rule in rules for what, node in rule(tree, module)]


def test_the_window_gives_qt_plain_texts_only() -> None:
    modules = {path.relative_to(_WINDOW).as_posix(): path for path in sorted(_WINDOW.rglob("*.py"))}
    assert [found for module, path in modules.items() for found in _found(path.read_text("utf-8"), module)] == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("label = QLabel(name)", "uses QLabel"),
        ("from PySide6 import QtWidgets\nlabel = QtWidgets.QLabel(name)", "uses QLabel"),
        ("QTextEdit().setText(name)", "uses QTextEdit"),
        ("QMessageBox.warning(self, title, name)", "uses QMessageBox"),
        ("pg.TextItem(html=name)", "uses TextItem"),
        ("page.setHtml(name)", "calls setHtml"),
        ("axis.setLabel(name)", "calls setLabel, which takes HTML in plots"),
        ("button.setToolTip(name)", "gives setToolTip a text as it is"),
        ("QToolTip.showText(place, name, self)", "gives showText a text as it is"),
        ("if role == Role.ToolTipRole:\n    name = 1", "answers ToolTipRole with a text as it is"),
        ("item.setData(name, Role.ToolTipRole)", "answers ToolTipRole with a text as it is"),
        ("box = QCheckBox(name)", "gives QCheckBox a text as it is"),
        ("menu.addAction(name.title())", "gives addAction a text as it is"),
        ("self.setWindowTitle(name)", "gives a window a title as it is"),
        ("form.addRow(name, field)", "has a form make a label"),
    ],
)
def test_each_rule_finds_what_it_is_for(source: str, complaint: str) -> None:
    assert complaint in [found.partition(" ")[2] for found in _found(source, "module.py")]


@pytest.mark.parametrize(
    "source",
    [
        "mark = QTextEdit.ExtraSelection()",
        "button.setToolTip(tooltip(name, wraps=True))",
        "item.setData(tooltip(name), Role.ToolTipRole)",
        "shown = index.data(Role.ToolTipRole)",
        "def data(role):\n    if role == Role.ToolTipRole:\n        return tooltip(name)",
        "menu.addAction(control_text(name), act)",
        "menu.addAction('Copy', act)",
        'self.setWindowTitle(f"{window_title(name)}[*]")',
    ],
)
def test_what_is_plain_is_let_be(source: str) -> None:
    assert _found(source, "module.py") == []
