"""A replay of a file with usage: the recorded prompt of each turn beside the one here."""

from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.tables import TURN_COLUMNS, replay_value
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import pipeline_of
from inspector.model import Conversation, Message, Usage, Workspace
from inspector.tables import Face, columns_on

USAGES = (Usage(500, answer=2), Usage(40, 400, 160, 3, 2), Usage(30, 600, 0, None, 2))
_KEYS = ("recorded", "recorded_cached", "recorded_written", "recorded_fresh")


def replayed(*usages: Usage) -> Replay:
    """Ask and answer in turn, each answer with its usage."""
    messages: list[Message] = []
    for number, usage in enumerate(usages):
        messages.append(Message(f"u{number}", "user", "one two three"))
        messages.append(Message(f"a{number}", "assistant", "four", metadata=usage.metadata))
    workspace = Workspace(conversations=(Conversation("c", tuple(messages)),))
    scenario = Scenario(policy="naive", tokenizer="estimate:words", context_window=9_000)
    return replay(pipeline_of(workspace), scenario)


def test_each_sent_prompt_has_its_recorded_tokens_told_apart() -> None:
    turns = replay_value(moments_of(replayed(*USAGES)))["turns"]
    assert [turn["turn"] for turn in turns if turn["recorded"] is not None] == [1, 3, 5]
    told = [tuple(turn[key] for key in _KEYS) for turn in turns if turn["recorded"] is not None]
    assert told == [(500, None, None, 500), (600, 400, 160, 40), (630, 600, 0, 30)]
    assert all(turn["recorded"] > turn["total"] for turn in turns if turn["recorded"] is not None)


def test_the_columns_are_there_only_where_the_file_tells_them() -> None:
    for found, expected in ((replayed(*USAGES), list(_KEYS)), (replayed(Usage(answer=2)), [])):
        shown = {column.key for column in columns_on(Face.WINDOW, TURN_COLUMNS, found)}
        assert [key for key in _KEYS if key in shown] == expected
        values = {column.key: column.values for column in TURN_COLUMNS}
        by_value = values["recorded"]
        assert by_value is not None
        assert len(by_value(found)) == len(found)
