"""All files: the tree of what is open, marks on what takes part, wishes by mouse and key."""

import gc
from collections.abc import Iterator
from typing import Any, cast
from weakref import ref

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.assembly.choices import ChosenParts, choose_parts
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.sources.files_dialog import FilesDialog
from inspector.gui.screens.sources.nodes import branch_nodes, file_nodes
from inspector.gui.screens.sources.tree import WorkspaceTreeModel
from inspector.gui.theme import UNIT
from inspector.model import (
    Character,
    Conversation,
    Lorebook,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Problem,
    Source,
    Workspace,
    changed,
)
from inspector.model.conversation import Role
from tests.test_secrets import KEY


def said(*ids: str) -> tuple[Message, ...]:
    return tuple(Message(name, "user", f"text of {name}") for name in ids)


TREE = MessageTree(said("a", "b", "c", "d"), ("", "a", "a", "c"), "d")
WORKSPACE = Workspace(
    conversations=(
        Conversation("c1", said("a", "c", "d"), "Harbour talks", tree=TREE, origin="/x/one.json"),
        Conversation("c2", said("m"), "Old thread", origin="/x/one.json"),
    ),
    memory_sets=(
        MemorySet("k1", (Memory("f", "fact"),), origin="/x/two.json"),
        MemorySet("k2", (), "Second", origin="/x/two.json"),
    ),
    characters=(Character("mara", "Mara", origin="/x/two.json"), Character("nova", "Nova", origin="/x/two.json")),
    sources=(Source("/x/one.json", "chatgpt"), Source("/x/two.json", "native")),
    problems=(
        Problem("/x/one.json", "$[3]", "has no role", "warning"),
        Problem("/x/three.json", "", "is cut off", "error"),
    ),
)


def chosen(scenario: Scenario = Scenario(conversation="c1")) -> ChosenParts:  # noqa: B008 - a frozen value
    return choose_parts(WORKSPACE, scenario)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[FilesDialog]:
    around = QWidget()
    qtbot.addWidget(around)
    made = FilesDialog(around)
    made.resize(276, 600)
    made.show_workspace(WORKSPACE)
    made.show_chosen(chosen())
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()


def tree_of(view: FilesDialog) -> QTreeView:
    return view.findChildren(QTreeView, "files_tree")[0]


def lines(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    """Every line with its count, indented."""
    above = parent or QModelIndex()
    if model.canFetchMore(above):
        model.fetchMore(above)
    found = []
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        count = model.index(row, 1, above).data()
        found.append(f"{'  ' * depth}{index.data()}{f' ({count})' if count else ''}")
        found += lines(model, index, depth + 1)
    return found


def index_of(view: FilesDialog, title: str) -> QModelIndex:
    model = tree_of(view).model()
    start = model.index(0, 0)
    flags = Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchContains
    return model.match(start, Qt.ItemDataRole.DisplayRole, title, 1, flags)[0]


def click(view: FilesDialog, index: QModelIndex, qtbot: QtBot) -> None:
    tree = tree_of(view)
    tree.scrollTo(index)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(index).center())


def test_the_tree_lists_files_and_what_they_brought() -> None:
    model = WorkspaceTreeModel()
    model.show_workspace(WORKSPACE)  # before the tester: it takes lines fetched inside its own reset for a mistake
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_chosen(chosen())
    assert lines(model) == [
        "one.json",
        "  Chats (2)",
        "    ● Harbour talks (3)",
        "      text of b (2)",
        "      ● text of d (3)",
        "    Old thread (1)",
        "two.json",
        "  Memories (2)",
        "    k1 (1)",
        "    Second (0)",
        "  Characters (2)",
        "    as the file says",
        "    Mara",
        "    Nova",
    ]
    model.show_workspace(WORKSPACE, "OLD")
    assert lines(model) == ["one.json", "  Old thread (1)"]
    model.show_workspace(Workspace())
    assert lines(model) == []
    assert tester.model() is model


def test_one_thing_of_a_kind_stands_by_itself() -> None:
    alone = changed(WORKSPACE, characters=WORKSPACE.characters[:1], memory_sets=())
    assert [node.title for node in file_nodes(alone)[1].children] == ["Character: Mara"]


def test_branches_are_made_when_they_are_looked_at() -> None:
    model = WorkspaceTreeModel()
    model.show_workspace(WORKSPACE)
    chat = model.index_of("conversation", "c1")
    assert (model.rowCount(chat), model.hasChildren(chat), model.canFetchMore(chat)) == (0, True, True)
    other = model.index_of("conversation", "c2")
    assert not model.hasChildren(other)


def test_a_cycle_among_branches_ends() -> None:
    tree = MessageTree(said("a", "b", "c"), ("b", "a", "b"), "c")
    assert [node.thing for node in branch_nodes("c1", tree)] == ["c"]


def test_text_of_files_is_never_markup_in_a_tool_tip() -> None:
    model = WorkspaceTreeModel()
    model.show_workspace(Workspace(conversations=(Conversation("c", (), "<img src=x> & co"),)))
    tip = model.index_of("conversation", "c").data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;img src=x&gt; &amp; co" in tip
    assert "<img" not in tip


def test_a_long_line_of_messages_is_no_recursion() -> None:
    names = [f"n{number}" for number in range(6000)]
    tree = MessageTree(said(*names), ("", *names[:-1]), names[-1])
    (leaf,) = branch_nodes("c", tree)
    assert leaf.detail == "6,000"


def test_clicks_ask_for_conversation_branch_and_character(view: FilesDialog, qtbot: QtBot) -> None:
    tree = tree_of(view)
    with qtbot.waitSignal(view.files.conversation_chosen) as asked:
        click(view, index_of(view, "Old thread"), qtbot)
    assert asked.args == ["c2"]
    tree.expand(index_of(view, "Harbour talks"))
    with qtbot.waitSignal(view.files.leaf_chosen) as asked:
        click(view, index_of(view, "text of b"), qtbot)
    assert asked.args == ["c1", "b"]
    with qtbot.waitSignal(view.files.character_chosen) as asked:
        click(view, index_of(view, "Nova"), qtbot)
    assert asked.args == ["nova"]
    with qtbot.waitSignal(view.files.character_chosen) as asked:
        click(view, index_of(view, "as the file says"), qtbot)
    assert asked.args == [None]


def spoken(*turns: tuple[Role, str]) -> Workspace:
    messages = tuple(Message(f"m{number}", role, "hello", name) for number, (role, name) in enumerate(turns))
    talk = Conversation("t", messages, "Talk", origin="/x/log.txt")
    return Workspace(conversations=(talk,), sources=(Source("/x/log.txt", "irc"),))


def test_the_person_chooses_who_of_the_speakers_is_the_assistant(view: FilesDialog, qtbot: QtBot) -> None:
    workspace = spoken(("user", "Ann"), ("assistant", "Ben"), ("user", "Ann"))
    view.show_workspace(workspace)
    view.show_chosen(choose_parts(workspace, Scenario()))
    tree = tree_of(view)
    tree.expand(index_of(view, "Talk"))
    tree.expand(index_of(view, "Who is the assistant"))
    assert index_of(view, "Ben").data() == "● Ben"
    with qtbot.waitSignal(view.files.assistant_chosen) as asked:
        click(view, index_of(view, "Ann"), qtbot)
    assert asked.args == ["t", "Ann"]
    view.show_chosen(choose_parts(workspace, Scenario(assistant="Ann")))
    assert (index_of(view, "Ann").data(), index_of(view, "Ben").data()) == ("● Ann", "Ben")
    tree.setCurrentIndex(index_of(view, "as the file says"))
    with qtbot.waitSignal(view.files.assistant_chosen) as asked:
        qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert asked.args == ["t", None]


def test_one_speaker_is_no_choice() -> None:
    for workspace in (spoken(("user", "Ann"), ("assistant", "")), spoken(("user", "Ann"), ("user", "Ann"))):
        (file,) = file_nodes(workspace)
        assert file.children[0].more is None


def test_clicks_ask_for_the_panel_of_memories_and_lorebooks(view: FilesDialog, qtbot: QtBot) -> None:
    view.show_workspace(changed(WORKSPACE, lorebooks=(Lorebook("b", (), "The harbour", origin="/x/two.json"),)))
    for title, panel in (("Second", "memories"), ("The harbour", "memories")):
        with qtbot.waitSignal(view.files.panel_requested) as asked:
            click(view, index_of(view, title), qtbot)
        assert asked.args == [panel]


def test_enter_chooses_and_arrows_do_not(view: FilesDialog, qtbot: QtBot) -> None:
    tree = tree_of(view)
    tree.setCurrentIndex(index_of(view, "Harbour talks"))
    with qtbot.assertNotEmitted(view.files.conversation_chosen):
        qtbot.keyClick(tree, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.files.conversation_chosen) as asked:
        qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert asked.args == ["c2"]


def test_a_check_box_asks_for_memory_sets_and_waits_for_the_answer(view: FilesDialog, qtbot: QtBot) -> None:
    tree = tree_of(view)
    view.show_chosen(chosen(Scenario(conversation="c1", memory_sets=("k1",))))
    second = index_of(view, "Second")
    tree.setCurrentIndex(second)
    with qtbot.waitSignal(view.files.memory_sets_chosen) as asked:
        qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert asked.args == [["k1", "k2"]]
    assert Qt.CheckState(second.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Unchecked
    view.show_chosen(chosen(Scenario(conversation="c1", memory_sets=("k1", "k2"))))
    assert Qt.CheckState(second.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    box = tree.visualRect(index_of(view, "k1"))
    with qtbot.waitSignal(view.files.memory_sets_chosen) as asked:
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 10, box.center().y()))
    assert asked.args == [["k2"]]


def test_searching_narrows_thousands_of_conversations(view: FilesDialog, qtbot: QtBot) -> None:
    chats = tuple(Conversation(f"c{number}", (), f"Talk {number}", origin="/x/big.json") for number in range(5000))
    view.show_workspace(Workspace(conversations=chats, sources=(Source("/x/big.json", "chatgpt"),)))
    model = tree_of(view).model()
    assert not tree_of(view).isExpanded(model.index(0, 0, model.index(0, 0)))
    qtbot.keyClicks(view.findChildren(QLineEdit)[0], "talk 123")
    assert [line.strip() for line in lines(model)[:3]] == ["big.json", "Chats (11)", "Talk 123 (0)"]
    assert tree_of(view).isExpanded(model.index(0, 0, model.index(0, 0)))


def test_what_is_current_moves(view: FilesDialog, qtbot: QtBot) -> None:
    model = tree_of(view).model()
    with qtbot.waitSignal(model.dataChanged):
        view.show_chosen(chosen(Scenario(conversation="c2", character="nova")))
    with qtbot.assertNotEmitted(model.dataChanged):
        view.show_chosen(chosen(Scenario(conversation="c2", character="nova")))
    assert index_of(view, "Old thread").data() == "● Old thread"
    assert index_of(view, "Harbour talks").data() == "Harbour talks"
    assert index_of(view, "Nova").data() == "● Nova"
    assert tree_of(view).currentIndex() == index_of(view, "Old thread")


def test_only_lines_whose_mark_changes_are_drawn_anew(view: FilesDialog) -> None:
    model, changes = tree_of(view).model(), list[str]()
    model.dataChanged.connect(lambda first, last: changes.append(first.data().strip("● ")))
    view.show_chosen(chosen(Scenario(conversation="c2", character="nova")))
    assert set(changes) >= {"Old thread", "Harbour talks", "Nova"}
    assert len(changes) == len(set(changes)) < len(lines(model))


def test_nodes_go_with_the_workspace_that_they_are_of() -> None:
    model = WorkspaceTreeModel()
    model.show_workspace(WORKSPACE)
    file = model.index(0, 0)
    assert model.parent(model.index(0, 0, file)) == file
    held = [ref(node) for node in model._nodes]
    gc.disable()
    try:
        model.show_workspace(Workspace())
        assert [node() for node in held if node() is not None] == []
    finally:
        gc.enable()


def test_names_that_begin_alike_show_what_differs(view: FilesDialog) -> None:
    long = "A very long evening at the harbour of the town, part "
    view.show_workspace(Workspace(tuple(Conversation(name, (), f"{long}{name}") for name in ("one", "two"))))
    model = view.files._model
    nodes = [model.index_of("conversation", name) for name in ("one", "two")]
    assert [node.data() for node in nodes] == ["A very lon…one", "A very lon…two"]
    assert f"{long}one" in nodes[0].data(Qt.ItemDataRole.ToolTipRole)


def drawn_title(view: FilesDialog, index: QModelIndex) -> str:
    """What a line says in the room that it has."""
    tree = tree_of(view)
    option = QStyleOptionViewItem()
    tree.initViewItemOption(option)
    shown = cast(Any, option)
    shown.rect = tree.visualRect(index)
    cast(Any, tree.itemDelegate()).initStyleOption(option, index)
    return shown.fontMetrics.elidedText(shown.text, shown.textElideMode, shown.rect.width() - 8 * UNIT)


def test_a_narrow_tree_shows_what_differs_in_names_that_begin_alike(view: FilesDialog, qtbot: QtBot) -> None:
    names = [f"Observations of conv-{number}" for number in (26, 30)]
    sets = tuple(MemorySet(name, (), name, origin="/x/two.json") for name in names)
    view.show_workspace(Workspace(memory_sets=sets, sources=(Source("/x/two.json", "locomo"),)))
    titles = ["Observatio…conv-26", "Observatio…conv-30"]
    assert [drawn_title(view, index_of(view, title)) for title in titles] == titles
    view.resize(190, 600)
    qtbot.waitUntil(lambda: drawn_title(view, index_of(view, titles[0])) == "…conv-26")
    assert drawn_title(view, index_of(view, titles[1])) == "…conv-30"


def test_files_that_are_named_alike_show_what_differs_and_so_does_what_each_brought(view: FilesDialog) -> None:
    names = [f"Pasted 2026-11-25 16.20.{second}" for second in (11, 19)]
    files = [f"/x/{name}.json" for name in names]
    chats = tuple(Conversation(name, (), name, origin=file) for name, file in zip(names, files, strict=True))
    view.show_workspace(Workspace(chats, sources=tuple(Source(file, "openai") for file in files)))
    nodes = [node for node, _ in zip(file_nodes(view.files._model._workspace), files, strict=True)]
    assert [node.title for node in nodes] == ["Pasted 202…16.20.11.json", "Pasted 202…16.20.19.json"]
    assert [node.children[0].title for node in nodes] == ["Pasted 202…16.20.11", "Pasted 202…16.20.19"]
    assert [node.name for node in nodes] == [f"{name}.json" for name in names]
    view.resize(190, 600)
    for node in nodes:
        shown = [drawn_title(view, index_of(view, one.title)) for one in (node, node.children[0])]
        assert all(node.name[22:24] in title for title in shown), shown


def test_what_is_cut_out_of_a_title_shows_no_secret() -> None:
    names = [f"Talk about the key {KEY[:-8]}{digit}{KEY[-8:]}" for digit in "12"]
    sets = tuple(MemorySet(name, (), name, origin="/x/two.json") for name in names)
    (file,) = file_nodes(Workspace(memory_sets=sets, sources=(Source("/x/two.json", "locomo"),)))
    assert all(KEY[-8:] not in node.title for node in file.children[0].children)


def test_a_tick_of_a_memory_set_leaves_the_panels_as_they_are(view: FilesDialog, qtbot: QtBot) -> None:
    tree, memories = tree_of(view), index_of(view, "Second")
    option = QStyleOptionViewItem()
    option.initFrom(tree)
    option.rect = tree.visualRect(memories)  # type: ignore[attr-defined]
    option.features = QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator  # type: ignore[attr-defined]
    box = tree.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, tree)
    asked, panels = [], []
    view.files.memory_sets_chosen.connect(asked.append)
    view.files.panel_requested.connect(panels.append)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    assert (asked, panels) == ([["k1"]], [])
    click(view, memories, qtbot)
    assert (asked, panels) == ([["k1"]], ["memories"])
