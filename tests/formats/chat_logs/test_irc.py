"""Logs of IRC as irssi, WeeChat, mIRC, HexChat and ZNC write them; the real file has one of these shapes."""

from datetime import UTC, datetime

import pytest

from inspector.formats.chat_logs.irc import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

_NOON = datetime(2023, 3, 12, 12, 0, tzinfo=UTC)
# Each as its client writes it: Ann says Hi at noon of 12 March 2023, Ben comes, says Ho, and waves.
_LOGS = {
    "irssi": "--- Log opened Sun Mar 12 11:59:00 2023\n12:00 < ann> Hi\n12:00 -!- ben [b@c] has joined #sea\n"
    "12:00 <@ben> Ho\n12:00  * ben waves\n",
    "weechat": "2023-03-12 12:00:00\tann\tHi\n2023-03-12 12:00:00\t-->\tben (b@c) has joined #sea\n"
    "2023-03-12 12:00:00\tben\tHo\n2023-03-12 12:00:00 * ben waves\n",
    "mirc": "Session Start: Sun Mar 12 11:59:00 2023\n[12:00] <ann> Hi\n[12:00] * ben (b@c) has joined #sea\n"
    "[12:00] <ben> Ho\n[12:00] * ben waves\n",
    "hexchat": "**** BEGIN LOGGING AT Sun Mar 12 11:59:00 2023\n\nMar 12 12:00:00 <ann>\tHi\n"
    "Mar 12 12:00:00 *\tben (b@c) has joined #sea\nMar 12 12:00:00 <ben>\tHo\nMar 12 12:00:00 *\tben waves\n",
    "znc": "[2023-03-12 12:00:00] <ann> Hi\n[2023-03-12 12:00:00] *** Joins: ben (b@c) #sea\n"
    "[2023-03-12 12:00:00] <ben> Ho\n[2023-03-12 12:00:00] * ben waves\n",
}


def opened(text: str) -> Workspace:
    source = FileSource("sea.log", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


@pytest.mark.parametrize("client", _LOGS)
def test_logs_of_every_client(client: str) -> None:
    workspace = opened(_LOGS[client])
    (chat,) = workspace.conversations
    assert [(one.role, one.name, one.content, one.time) for one in chat.messages] == [
        ("user", "ann", "Hi", _NOON),
        ("assistant", "ben", "Ho", _NOON),
        ("assistant", "ben", "* ben waves", _NOON),
    ]
    assert chat.title == "#sea"
    assert not [one for one in workspace.problems if one.severity != "info"]


def test_without_a_day_the_clock_is_kept() -> None:
    (chat,) = opened("[12:00] <ann> Hi\n[12:01] <ben> Ho\n").conversations
    assert [(one.time, one.metadata) for one in chat.messages] == [
        (None, {"clock": "12:00"}),
        (None, {"clock": "12:01"}),
    ]


def test_after_midnight_it_is_the_next_day() -> None:
    (chat,) = opened("--- Log opened Sun Mar 12 23:00:00 2023\n23:59 <ann> Hi\n00:01 <ben> Ho\n").conversations
    assert chat.messages[1].time == datetime(2023, 3, 13, 0, 1, tzinfo=UTC)
    (chat,) = opened("Session Start: Fri Dec 31 23:00:00 9999\n[23:59] <ann> Hi\n[00:01] <ben> Ho\n").conversations
    assert len(chat.messages) == 2


def test_lines_of_nobody_are_one_problem() -> None:
    workspace = opened("[12:00] <ann> Hi\nwhat\n[12:01] <ben> Ho\nis this\n" + "[12:02] <ann> Yes\n" * 8)
    (problem,) = [one for one in workspace.problems if one.severity == "warning"]
    assert (problem.place, "1 more" in problem.message) == ("line 2", True)


@pytest.mark.parametrize(
    "text",
    [
        "<html>\n<body> text\n</body>\n",
        "[12:00] server started\n[12:01] server stopped\n",
        "12:00 - Ann: Hi\n12:01 - Ben: Ho\n",
        "[2023-03-12 12:00:00] <INFO> started\n[2023-03-12 12:00:01] <INFO> stopped\n",
        "2023-03-12 12:00:00\tERROR\tno\n2023-03-12 12:00:01\tINFO\tyes\n",
        "Once upon a time.\n[12:00] <ann> Hi\nShe said,\nand he said\n",
        "[01:47 PM] USER:\nHi\n\n[01:48 PM] ASSISTANT:\nHo\n",
    ],
)
def test_other_texts_are_not_claimed(text: str) -> None:
    source = FileSource("x.log", text.encode())
    assert FORMAT.sniff(source) == 0


def test_text_in_which_nobody_speaks_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected lines such as"):
        FORMAT.load(FileSource("x.log", b"Once upon a time.\n"))
