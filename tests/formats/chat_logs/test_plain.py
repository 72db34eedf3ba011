"""Plain logs of `Name: text`, and the many other texts with words before colons that are none."""

from pathlib import Path

import pytest

from inspector.formats.chat_logs import irc, plain, whatsapp
from inspector.formats.chat_logs.plain import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

_CHECKOUT = Path(__file__).resolve().parents[3]


def opened(text: str) -> Workspace:
    source = FileSource("talk.txt", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


def said(chat: Conversation) -> list[tuple[str, str, str]]:
    return [(message.role, message.name, message.content) for message in chat.messages]


def test_roles_are_those_that_the_names_say() -> None:
    workspace = opened("System: Be kind.\nUser: Hi\n\nAssistant: Ho: there\n- a\n- b\nNote: mind\nUser: Bye\n")
    (chat,) = workspace.conversations
    assert said(chat) == [
        ("user", "User", "Hi"),
        ("assistant", "Assistant", "Ho: there\n- a\n- b\nNote: mind"),
        ("user", "User", "Bye"),
    ]
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert workspace.problems == ()


@pytest.mark.parametrize("names", [("human", "AI"), ("User", "ChatGPT"), ("HUMAN", "Bot")])
def test_one_turn_of_each_side_is_enough(names: tuple[str, str]) -> None:
    (chat,) = opened(f"{names[0]}: Hi\n{names[1]}: Ho\n").conversations
    assert [message.role for message in chat.messages] == ["user", "assistant"]


def test_people_come_again_and_say_sentences() -> None:
    text = "Ann: How are you?\nBen: I am fine.\nAnn: Listen: it rains\nand blows.\nBen: Yes, it does.\n"
    workspace = opened(text)
    assert said(workspace.conversations[0]) == [
        ("user", "Ann", "How are you?"),
        ("assistant", "Ben", "I am fine."),
        ("user", "Ann", "Listen: it rains\nand blows."),
        ("assistant", "Ben", "Yes, it does."),
    ]
    assert workspace.problems[0].message.startswith("Ben is taken for the assistant")


def test_names_may_stand_alone_as_in_plays() -> None:
    text = "First Citizen:\nBefore we proceed.\n\nAll:\nSpeak,\n\nspeak.\n\nFirst Citizen:\nYou are all\nresolved?\n\n"
    (chat,) = opened(text + "All:\nResolved. Resolved.\n\nFirst Citizen:\nFirst, you know.\n").conversations
    assert [content for _, _, content in said(chat)[:3]] == [
        "Before we proceed.",
        "Speak,\n\nspeak.",
        "You are all\nresolved?",
    ]


def test_names_of_other_scripts() -> None:
    (chat,) = opened("小明：你好吗\n小红：我很好\n小明：再见\n小红：再见\n").conversations
    assert said(chat)[:2] == [("user", "小明", "你好吗"), ("assistant", "小红", "我很好")]


_OTHER_TEXTS = {
    "read me": "# Harbour\n\nInstall: pip install harbour\nUsage: harbour open\n",
    "notes": "Todo: buy tea\nTodo: sail\nDone: cook rice\nNote: it rains\nDone: sleep well\nNote: it pours\n",
    "code": "class A:\n    def f(self):\n        return 1\n\nclass B:\n    pass\n",
    "branches": "if x:\n    y()\nelse:\n    z()\ntry:\n    y()\nexcept E:\n    z()\n",
    "make": "all: main.o util.o\n\tcc -o main main.o\nmain.o: main.c util.h\n\tcc -c main.c\n",
    "aider": "# aider chat started at 2024-01-01 10:00:00\n\n#### Add a test\n\n> Tokens: 1k sent\n\nDone: see below\n",
    "settings": "Host: example.org\nPort: 80\nUser: ann\n",
    "nested settings": "user:\n  name: Ann\n  age: 5\nassistant:\n  name: Nova\n  age: 1\n",
    "prompts": "user:\n- Hi\n- Ho\nassistant:\n- Hm\n",
    "documents": "---\nName: Ann\nJob: Sailor at sea\n---\nName: Ben\nJob: Cook at sea\n",
    "records": "Name: Ann Bell\nCity: Old Harbour\n\nName: Ben Hur\nCity: New Harbour\n\nName: Cy Roe\nCity: Sea\n",
    "table": "Name;Text\nAnn;Hi: there\nBen;Ho: there\n",
    "mail": "From: Ann Bell\nTo: Ben Hur\nSubject: The harbour\n\nHow are you?\n\nFrom: Ben Hur\nTo: Ann Bell\n",
    "head of a request": "Host: a.b\nAccept: text/html\nCookie: a b\n\nHost: a.b\nAccept: text/html\nCookie: c d\n",
    "log": "INFO: server is up\nERROR: disk is full\nINFO: server is down\nERROR: disk is still full\n",
    "log of parts": "part one: began a job\npart two: began a job\npart one: ended it\npart two: ended it\n",
    "compiler": "main.c:5:1: error: no semicolon here\nmain.c:6:1: error: no brace here\n",
    "commits": "Feat: add a sail\nFix: mend the sail\nFeat: add a mast\nFix: mend the mast\n",
    "changes": "Added: a new sail\nFixed: the old sail\nAdded: a new mast\nFixed: the old mast\n",
    "questions": "Q: What is a sail?\nA: A cloth it is.\nQ: What is a mast?\nA: A pole it is.\n",
    "words": "Sail: a cloth on a mast\nMast: a pole on a ship\nShip: a house on the sea\n",
    "story": "Once upon a time.\nAnn: Hi there\nBen: Ho there\nAnn: Bye now\nBen: Bye now\n",
    "prose": "Remember: it was a dark night.\nThe rain fell in torrents.\nThe wind swept the streets.\n",
    "list": "Ann: 5\nBen: 6\nAnn: 7\nBen: 8\n",
    "one side": "User: Hi\nUser: Are you there?\nUser: Hello there\n",
    "address": "http://a.b/c\nhttp://a.b/d\n",
    "reading export": "====\nFirst talks\n====\n\nCharacter: Nova\nStarted: May 18\n\n[01:47 PM] USER:\nHi\n",
    "web page": "<p>User: Hi</p>\n<p>Assistant: Ho</p>\n",
    "template": "{{#each turns}}\nUser: {{user}}\nAssistant: {{answer}}\n{{/each}}\n",
    "calendar": "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n",
    "subtitles": "1\n00:00:01,000 --> 00:00:02,000\nAnn: Hi there\n\n2\n00:00:03,000 --> 00:00:04,000\nBen: Ho\n",
}


@pytest.mark.parametrize("name", _OTHER_TEXTS)
def test_other_texts_are_not_claimed(name: str) -> None:
    source = FileSource("talk.txt", _OTHER_TEXTS[name].encode())
    assert [kind.FORMAT.sniff(source) for kind in (plain, whatsapp, irc)] == [0, 0, 0]


def _texts_of_the_project() -> list[Path]:
    found = [path for folder in ("inspector/formats", "tests/formats", "resources", "samples") for path in
             sorted((_CHECKOUT / folder).rglob("*"))]  # fmt: skip
    endings = (".py", ".md", ".yaml", ".yml", ".toml", ".csv", ".txt")
    return [path for path in (*_CHECKOUT.iterdir(), *found) if path.is_file() and path.suffix in endings]


def test_no_file_of_this_project_is_taken_for_a_log() -> None:
    paths = [path for path in _texts_of_the_project() if path.stat().st_size < 200_000]
    assert len(paths) > 100
    for path in paths:
        source = FileSource(str(path), path.read_bytes())
        assert [kind.FORMAT.sniff(source) for kind in (plain, whatsapp, irc)] == [0, 0, 0], path


def test_text_in_which_nobody_speaks_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected lines such as"):
        FORMAT.load(FileSource("talk.txt", b"Once upon a time.\n"))
