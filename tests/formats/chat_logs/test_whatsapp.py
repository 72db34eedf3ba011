"""WhatsApp's exports in the shapes of several countries, as the phones write them: no real file is at hand."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.chat_logs.whatsapp import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped


def opened(text: str) -> Workspace:
    source = FileSource("WhatsApp Chat with Ben.txt", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


def messages(text: str) -> tuple[Message, ...]:
    return opened(text).conversations[0].messages


# What a country's phone writes for ten in the evening of 13 March 2023, as the beginning of a line.
_SHAPES = (
    "[13/03/2023, 22:15:30] ",
    "\u200e[13/03/23, 22:15:30] ",
    "[3/13/23, 10:15:30\u202fPM] ",
    "[13.03.23, 22:15:30] ",
    "[2023-03-13, 10:15:30 p.m.] ",
    "[2023/3/13 下午10:15:30] ",
    "[13/03/2023 22:15:30] ",
    "13/03/2023, 22:15 - ",
    "3/13/23, 10:15 PM - ",
    "13/3/23, 10:15 p.\u00a0m. - ",
    "13.03.23, 22:15 - ",
    "13-03-2023 22:15 - ",
    "2023/03/13 22:15 - ",
    "13/03/2023 22.15 - ",
)


@pytest.mark.parametrize("stamp", _SHAPES)
def test_dates_of_all_countries(stamp: str) -> None:
    first, second = messages(f"{stamp}Ann: Hi\r\n{stamp}Ben Hur: Ho: there\r\n")
    assert [(one.role, one.name, one.content) for one in (first, second)] == [
        ("user", "Ann", "Hi"),
        ("assistant", "Ben Hur", "Ho: there"),
    ]
    assert first.time is not None
    assert first.time.replace(second=0) == datetime(2023, 3, 13, 22, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("dates", "day", "month"),
    [
        (("03/04/23", "25/04/23"), 3, 4),  # no month is the 25th
        (("11/12/23", "12/01/23"), 12, 11),  # twelve may be a month
        (("03/04/23", "04/25/23"), 4, 3),
        (("03/04/23", "04/01/23"), 4, 3),  # only so do the dates go up
        (("03/04/23", "04/04/23"), 3, 4),  # both ways they do; most countries write the day first
    ],
)
def test_day_or_month_first_is_seen_from_the_whole_file(dates: tuple[str, str], day: int, month: int) -> None:
    first, _ = messages("".join(f"{date}, 10:15 - Ann: Hi\n" for date in dates))
    assert first.time == datetime(2023, month, day, 10, 15, tzinfo=UTC)


def test_a_message_of_several_lines_is_one() -> None:
    first, second = messages("12/03/23, 10:15 - Ann: Hi\n\nthere: you\n12/03/23, 10:16 - Ben: Ho\n")
    assert (first.content, second.content) == ("Hi\n\nthere: you", "Ho")


def test_pictures_are_counted_and_files_named() -> None:
    said = messages(
        "[12/03/23, 10:15:00] Ann: \u200e<attached: 00000012-PHOTO-2023.jpg>\n"
        "[12/03/23, 10:15:01] Ann: \u200eimage omitted\n"
        "[12/03/23, 10:15:02] Ann: <Media omitted>\n"
        "[12/03/23, 10:15:03] Ann: IMG-1.jpg (Datei angehängt)\nLook\n"
        "[12/03/23, 10:15:04] Ben: plan.pdf (file attached)\n"
        "[12/03/23, 10:15:04] Ben: See this \u200e<attached: 00000013-PHOTO-2023.jpg>\n"
        "[12/03/23, 10:15:05] Ben: <hi> <https://a.b/c.jpg>\n"
        "[12/03/23, 10:15:05] Ben: Nice \u200e<This message was edited>\n"
    )
    assert [(one.content, one.images) for one in said] == [
        ("", 1),
        ("", 1),
        ("", 1),
        ("Look", 1),
        ("", 0),
        ("See this", 1),
        ("<hi> <https://a.b/c.jpg>", 0),
        ("Nice", 0),
    ]
    assert said[4].metadata == {"files": ["plan.pdf"]}


def test_what_the_application_wrote_is_counted_and_left_out() -> None:
    workspace = opened(
        "12/03/23, 10:14 - Messages and calls are end-to-end encrypted.\n"
        '12/03/23, 10:14 - Ann changed the subject from "Tea: now" to "Tea"\n'
        "12/03/23, 10:15 - Ann: Hi\n"
        "12/03/23, 10:16 - Ann: \u200eThis message was deleted.\n"
        "12/03/23, 10:17 - ~\u202fBen: Ho\n"
    )
    assert [one.name for one in workspace.conversations[0].messages] == ["Ann", "Ben"]
    assert workspace.problems[0].message.startswith("3 notices of the application were left out")
    assert workspace.problems[1].message.startswith("Ben is taken for the assistant")


def test_a_date_that_does_not_exist_is_named() -> None:
    workspace = opened("31/02/23, 10:15 - Ann: Hi\n31/12/23, 10:15 - Ben: Ho\n")
    assert [one.time is None for one in workspace.conversations[0].messages] == [True, False]
    assert workspace.problems[0].place == "line 1"


def test_the_archive_of_an_iphone_names_the_chat(tmp_path: Path) -> None:
    content = b"[12/03/2023, 10:15:30] Ann: Hi\n[12/03/2023, 10:15:31] Ben: Ho\n"
    (tmp_path / "WhatsApp Chat - Ben.zip").write_bytes(zipped({"_chat.txt": content, "1.jpg": b"\xff\xd8\xff"}))
    (chat,) = load_workspace([tmp_path / "WhatsApp Chat - Ben.zip"]).conversations
    assert chat.title == "WhatsApp Chat - Ben"


@pytest.mark.parametrize(
    "text",
    [
        "2023-03-12 10:15:30 - INFO: started\n2023-03-12 10:15:31 - INFO: stopped\n",
        "[2023-03-12 10:15:30] server: started\n[2023-03-12 10:15:31] server: stopped\n",
        "[12/03/2023, 10:15:30] ERROR: no\n[12/03/2023, 10:15:31] INFO: yes\n",
        "2023-03-12 10:15 - WARNING: low\n2023-03-12 10:16 - WARNING: lower\n",
        "12/03/2023, 10:15 - a day without anybody\n12/03/2023, 10:16 - and another one\n",
        "12/03/2023,10:15,Ann,Hi\n12/03/2023,10:16,Ben,Ho\n",
        "- 12/03/2023: bought tea\n- 13/03/2023: drank it\n",
        "# Diary\n\n12/03/2023, 10:15 - Ann: Hi\n",
    ],
)
def test_other_texts_with_dates_are_not_claimed(text: str) -> None:
    assert FORMAT.sniff(FileSource("_chat.txt", text.encode())) == 0


def test_text_in_which_nobody_speaks_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected lines such as"):
        FORMAT.load(FileSource("_chat.txt", b"Once upon a time.\n"))
