"""Questions name what they need as every list does: messages by their numbers, conversations by their titles."""

from inspector.analysis.recommend.questions import Questions, Source
from inspector.analysis.recommend.tables import QUESTION_COLUMNS
from inspector.assembly.marks import Marks
from inspector.model import Conversation, Message, Probe, Workspace

CHAT = Conversation("c1", tuple(Message(f"m{place}", "user", "hello") for place in range(1_200)), "Harbour talks")
OTHER = Conversation("c2", (Message("m0", "user", "hello"),))


def shown(probe: Probe, *chats: Conversation) -> tuple[str, str]:
    questions = Questions.of(Workspace(chats, probes=(probe,)), Marks(), Source.BOTH)
    texts = {column.key: column.text(questions, 0) for column in QUESTION_COLUMNS}
    return texts["conversation"], texts["evidence"]


def test_messages_are_numbers_and_conversations_titles() -> None:
    probe = Probe("q", ("m118", "m1100", "memory-7"), "c1", query="What?")
    assert shown(probe, CHAT, OTHER) == ("Harbour talks", "119, 1,101, memory-7")
    assert shown(Probe("q", ("m0",), "c2", query="What?"), CHAT, OTHER) == ("c2", "1")


def test_the_only_conversation_needs_no_name() -> None:
    probe = Probe("q", ("m0",), query="What?")
    assert shown(probe, CHAT) == ("Harbour talks", "1")
    assert shown(probe, CHAT, OTHER) == ("", "m0")
    assert shown(Probe("q", ("m0",), "gone", query="What?"), CHAT) == ("gone", "m0")


def test_files_keep_the_ids() -> None:
    questions = Questions.of(
        Workspace((CHAT,), probes=(Probe("q", ("m0",), "c1", query="What?"),)), Marks(), Source.BOTH
    )
    values = {column.key: column.value(questions, 0) for column in QUESTION_COLUMNS}
    assert (values["conversation"], values["evidence"]) == ("c1", ("m0",))
