"""Tables of messages: usual columns, roles and speakers, questions with answers, order, and what is no chat."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from inspector.formats import load_workspace
from inspector.formats.registry import built_in_formats
from inspector.formats.tables import chats
from inspector.formats.tables.layout import TableLayout, layout_from
from inspector.formats.tables.own import used
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

GERMAN = "Nr;Absender;Nachricht\n1;Anna;Hallo\n2;Berta;Na du\n3;Carl;hm\n"
EXPLAINED = (TableLayout("nachricht", "absender", id="nr"),)


def read(text: str, explained: tuple[TableLayout, ...] = ()) -> Workspace:
    source = FileSource("x/talk.csv", text.encode())
    assert chats.sniff(source, explained) > 0
    return chats.load(source, explained)


def only(workspace: Workspace) -> Conversation:
    (found,) = workspace.conversations
    return found


def said(talk: Conversation) -> list[tuple[str, str, str]]:
    return [(message.role, message.name, message.content) for message in talk.messages]


@pytest.mark.parametrize("divider", [",", ";", "\t", "|"])
def test_roles_texts_times_and_ids_are_found_by_the_names_of_columns(divider: str) -> None:
    rows = [
        ("ID", "Role", "Created at", "Content"),
        ("a", "user", "2024-01-01 10:00", "Hi"),
        ("b", "assistant", "", "Ho"),
    ]
    talk = only(read("\r\n".join(divider.join(row) for row in rows)))
    assert said(talk) == [("user", "", "Hi"), ("assistant", "", "Ho")]
    assert [message.id for message in talk.messages] == ["a", "b"]
    assert talk.messages[0].time is not None
    assert talk.id == "talk"


def test_a_text_may_have_lines_and_the_place_of_a_row_is_the_line_in_which_it_begins() -> None:
    workspace = read('sep=,\nrole,text\nuser,"one\ntwo"\nassistant,\nuser,three\n')
    assert said(only(workspace)) == [("user", "", "one\ntwo"), ("user", "", "three")]
    assert [(problem.place, "text" in problem.message) for problem in workspace.problems] == [("line 5", True)]


def test_speakers_who_come_again_are_a_chat_and_the_second_of_two_is_taken_for_the_assistant() -> None:
    workspace = read("speaker,message\nAnn,Hi\nBob,Ho\nAnn,bye\n")
    assert said(only(workspace)) == [("user", "Ann", "Hi"), ("assistant", "Bob", "Ho"), ("user", "Ann", "bye")]
    assert any("Bob is taken for the assistant" in problem.message for problem in workspace.problems)


def test_each_conversation_is_one() -> None:
    talks = read("conversation_id,role,content\nx,user,1\ny,user,2\nx,assistant,3\n").conversations
    assert [(talk.id, [message.content for message in talk.messages]) for talk in talks] == [
        ("x", ["1", "3"]),
        ("y", ["2"]),
    ]


def test_a_question_with_its_answer_is_a_conversation_unless_the_rows_name_theirs() -> None:
    alone = read("prompt,response\nWhy?,So.\nHow?,\n").conversations
    assert [said(talk) for talk in alone] == [[("user", "", "Why?"), ("assistant", "", "So.")], [("user", "", "How?")]]
    together = only(read("session,prompt,response\ns,Why?,So.\ns,How?,Thus.\n"))
    assert [message.content for message in together.messages] == ["Why?", "So.", "How?", "Thus."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("role,content,time\nassistant,2,2024-01-02\nuser,1,2024-01-01\n", ["1", "2"]),
        ("chat,prompt,response,time\nc,3,4,2024-01-02\nc,1,2,2024-01-01\n", ["1", "2", "3", "4"]),
        ("role,content,time\nassistant,2,2024-01-02\nuser,1,\n", ["2", "1"]),
        ("role,content,time\nuser,1,2024-01-02\nassistant,2,2024-01-02\n", ["1", "2"]),
    ],
)
def test_a_table_that_begins_with_the_newest_message_is_read_from_its_end(text: str, expected: list[str]) -> None:
    assert [message.content for message in only(read(text)).messages] == expected


@pytest.mark.parametrize(
    "text",
    [
        "content,type\nLikes tea.,fact\n",
        "author,text\nAnn,great\nBob,bad\nCy,so\n",
        "from,subject,body\na@b,Hi,text\na@b,Hi,more\n",
        "role,name\nadmin,Ann\nuser,Bob\n",
        GERMAN,
        "Hello, world\nThis is, a text\n",
        "",
    ],
)
def test_other_tables_are_none(text: str) -> None:
    assert chats.sniff(FileSource("x.csv", text.encode())) == 0.0


def test_what_a_person_explained_makes_a_table_readable(tmp_path: Path) -> None:
    talk = only(read(GERMAN, EXPLAINED))
    assert said(talk)[1] == ("user", "Berta", "Na du")
    assert [message.id for message in talk.messages] == ["1", "2", "3"]
    file = tmp_path / "talk.csv"
    file.write_text(GERMAN)
    (problem,) = [one for one in load_workspace([file]).problems if one.severity == "error"]
    assert "is a table with unknown columns: Nr, Absender, Nachricht" in problem.message
    (source,) = load_workspace([file], formats=built_in_formats(EXPLAINED)).sources
    assert source.format == "chat_table"


def test_the_layouts_by_which_files_were_read_are_known_in_their_order(tmp_path: Path) -> None:
    first, unused, last = (TableLayout("b", speaker="c"), TableLayout("x", speaker="y"), TableLayout("a", speaker="b"))
    known = (first, unused, last)
    (tmp_path / "1.csv").write_text("a,b\nHi,Anna\nHo,Berta\n")
    with ZipFile(tmp_path / "2.zip", "w") as archive:
        archive.writestr("3.csv", "a,b,c\n1,Hi,Anna\n2,Ho,Berta\n")
    (tmp_path / "4.csv").write_text("role,content\nuser,Hi\nassistant,Ho\n")
    sources = load_workspace([tmp_path], formats=built_in_formats(known)).sources
    assert [dict(source.columns) for source in sources] == [last.columns, first.columns, {}]
    assert used(known, sources) == (first, last)


def test_a_table_without_texts_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected a row with a text, found none"):
        chats.load(FileSource("x.csv", b"role,content\nuser,\n"))


def test_a_row_that_cannot_be_read_ends_the_table_and_what_was_good_stays() -> None:
    workspace = read('role,content\nuser,one\nassistant,"two" x\nuser,three\n')
    assert said(only(workspace)) == [("user", "", "one")]
    assert [problem.place for problem in workspace.problems if problem.severity == "warning"] == ["line 3"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"text": "a", "colour": "b"}, "found colour"),
        ({"text": "a", "speaker": " "}, "expected the name of a column for speaker"),
        ({"speaker": "a"}, "expected the column of the text"),
        ({"text": "a", "time": "b"}, "expected the column of who speaks"),
        ({"text": "a", "speaker": "A "}, "expected another column for each"),
    ],
)
def test_what_is_no_layout_is_refused_in_words(value: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        layout_from(value)
