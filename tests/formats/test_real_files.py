"""Real files and hostile ones: every message that they are known to hold is found again."""

from contextlib import suppress
from json import loads
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.native.write import workspace_value
from inspector.formats.registry import built_in_formats, sureness
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError


def opened(data_folder: Path, name: str) -> Workspace:
    return load_workspace([data_folder / name])


# File, messages of each chat, tools, and whether a leading message became the system prompt of every chat.
_OPENAI = (
    ("openai_messages/derived/batch_input.jsonl", [1], 0, True),
    ("openai_messages/derived/messages_all_parts.json", [8], 0, True),
    ("openai_messages/derived/request_body.json", [8], 1, True),
    ("openai_messages/derived/responses_input.json", [4], 0, True),
    ("play/derived/tinyshakespeare_messages.jsonl", [7_097], 0, False),
)


@pytest.mark.parametrize(("name", "counts", "tools", "system"), _OPENAI)
def test_openai_files(data_folder: Path, name: str, counts: list[int], tools: int, system: bool) -> None:
    workspace = opened(data_folder, name)
    assert [source.format for source in workspace.sources] == ["openai"]
    assert [len(chat.messages) for chat in workspace.conversations] == counts
    assert len(workspace.tools) == tools
    assert [one.id for one in workspace.characters] == (["system"] if system else [])
    assert not [problem for problem in workspace.problems if problem.severity != "info"]


def test_fine_tuning_file(data_folder: Path) -> None:
    workspace = opened(data_folder, "openai_messages/derived/finetune.jsonl")
    assert len(workspace.conversations) == 15
    system_prompts = 15
    assert sum(len(chat.messages) for chat in workspace.conversations) + system_prompts == 545
    assert workspace.characters[0].system_prompt == "s"


# File, messages of the active path, further messages in other branches, and what else the nodes of the path became.
_CHATGPT = (
    ("chatgpt/branches_and_malformed_fixture.json", [2, 2, 2, 1, 2, 2, 2, 4], 1, 0),
    ("chatgpt/derived/deep_6000_linear.json", [6_000], 0, 0),
    # 8 of 10 nodes: a blank system text, custom instructions, thoughts and their recap; the third chat names no leaf.
    ("chatgpt/derived/edge_tree.json", [4, 0, 1], 2, 4),
    ("chatgpt/derived/export_sharded.zip", [4, 0, 1], 2, 4),
    # 12 nodes: a blank system text and custom instructions.
    ("chatgpt/owi_gpt_example.json", [10], 0, 2),
    # 7 of 8 nodes: custom instructions, thoughts and their recap.
    ("chatgpt/polylogue_native-conversation-v1_branched.json", [4], 1, 3),
    ("chatgpt/polylogue_synthetic_representative_00.json", [2], 1, 0),
)
_NODES_WITH_MESSAGES = (18, 6_000, 11, 11, 12, 8, 3)


@pytest.mark.parametrize(("row", "nodes"), list(zip(_CHATGPT, _NODES_WITH_MESSAGES, strict=True)))
def test_chatgpt_files(data_folder: Path, row: tuple[str, list[int], int, int], nodes: int) -> None:
    name, counts, beside, became = row
    workspace = opened(data_folder, name)
    assert [source.format for source in workspace.sources] == ["chatgpt"]
    assert [len(chat.messages) for chat in workspace.conversations] == counts
    trees = [chat for chat in workspace.conversations if chat.tree]
    assert sum(len(chat.tree.messages) - len(chat.messages) for chat in trees if chat.tree) == beside
    assert sum(counts) + beside + became == nodes


def test_what_nodes_became(data_folder: Path) -> None:
    workspace = opened(data_folder, "chatgpt/derived/edge_tree.json")
    profile = workspace.characters[0].profile
    assert profile is not None
    assert (profile.facts, profile.preferences) == (("I am X",), ("be terse",))
    _, call, result, answer = workspace.conversations[0].messages
    assert call.tool_calls[0].name == "python"
    assert result.tool_call_id == call.tool_calls[0].id
    assert (call.reasoning, answer.reasoning) == ("s\nhidden reasoning", "Thought for 3s")


# File, format, messages of the active path of each chat, and messages in other branches.
_BRANCHED = (
    ("open_webui/derived/chat-export-1700000000000.json", "open_webui", [419, 369], 447 + 396 - 419 - 369),
    ("open_webui/owi_converted_chatgpt.json", "open_webui", [10], 0),
    ("open_webui/owi_webui-json.json", "open_webui", [2], 0),
    ("llamacpp/derived/conversation_old.json", "llamacpp", [369], 0),
    ("llamacpp/derived/sts_session.jsonl", "llamacpp", [369], 0),
)


@pytest.mark.parametrize(("name", "kind", "counts", "beside"), _BRANCHED)
def test_chats_with_branches(data_folder: Path, name: str, kind: str, counts: list[int], beside: int) -> None:
    workspace = opened(data_folder, name)
    assert [source.format for source in workspace.sources] == [kind]
    assert [len(chat.messages) for chat in workspace.conversations] == counts
    trees = [chat for chat in workspace.conversations if chat.tree]
    assert sum(len(chat.tree.messages) - len(chat.messages) for chat in trees if chat.tree) == beside
    assert not [problem for problem in workspace.problems if problem.severity != "info"]


@pytest.mark.parametrize("name", ["conversation_old.json", "sts_session.jsonl"])
def test_thinking_of_llamacpp_is_kept(data_folder: Path, name: str) -> None:
    (chat,) = opened(data_folder, f"llamacpp/derived/{name}").conversations
    assert sum(bool(message.reasoning) for message in chat.messages) == 17
    assert chat.title == "LoCoMo"


def test_lmstudio_file(data_folder: Path) -> None:
    workspace = opened(data_folder, "lmstudio/derived/1709251200000.conversation.json")
    assert [(source.format, workspace.problems[1:]) for source in workspace.sources] == [("lmstudio", ())]
    (chat,) = workspace.conversations
    assert (len(chat.messages), chat.context_window) == (419, 8192)
    assert chat.tree is not None
    assert len(chat.tree.messages) - len(chat.messages) == 32
    shown = [*chat.messages, *chat.tree.messages]
    left_out = {message.id.partition(".")[0] for message in shown if "steps_left_out" in message.metadata}
    assert len(left_out) == 56
    assert workspace.characters[0].system_prompt == "You are Melanie."


def test_text_generation_webui_files(data_folder: Path) -> None:
    workspace = opened(data_folder, "text_generation_webui/derived/20240301-10-00-00.json")
    (chat,) = workspace.conversations
    assert (len(chat.messages), workspace.sources[0].format) == (419, "text_generation_webui")
    assert chat.tree is not None
    assert len(chat.tree.messages) - len(chat.messages) == 23
    character = opened(data_folder, "text_generation_webui/Example.yaml").characters[0]
    assert (character.name, len(character.components)) == ("Chiharu Yamada", 1)
    for name in ("ChatML", "Mistral"):
        (problem,) = opened(data_folder, f"text_generation_webui/{name}.yaml").problems
        assert "is an instruction template" in problem.message


def test_kobold_files(data_folder: Path) -> None:
    chat = opened(data_folder, "koboldai/derived/saved_story_chat.json")
    (conversation,) = chat.conversations
    beginning = 1  # the prompt is the first turn, each of the actions another one
    assert len(conversation.messages) == beginning + 199
    assert {message.name for message in conversation.messages} == {"Caroline", "Melanie"}
    assert len(chat.lorebooks[0].entries) == 1
    assert "0000000000" not in repr(workspace_value(chat))
    story = opened(data_folder, "koboldai/sample_story.json")
    assert [source.format for source in story.sources] == ["kobold"]
    (text,) = story.conversations[0].messages
    assert text.content.startswith("Niko the kobold stalked")
    assert story.characters[0].system_prompt.startswith("Niko is a small red kobold.")
    assert story.lorebooks == ()


@pytest.mark.parametrize(
    ("name", "trees", "messages"), [("en_100_tree.jsonl", 100, 1_167), ("test_generic_data.json", 2, 10)]
)
def test_oasst_files(data_folder: Path, name: str, trees: int, messages: int) -> None:
    workspace = opened(data_folder, f"oasst/{name}")
    assert [source.format for source in workspace.sources] == ["oasst"]
    assert len(workspace.conversations) == trees
    assert sum(len((chat.tree or chat).messages) for chat in workspace.conversations) == messages


# File, format, conversations, messages, and speakers in all.
_SPOKEN = (
    ("slack/derived/export.zip", "slack", 1, 120 - 6, 17),  # of 120 records 6 are joins
    ("irc/derived/rome.log.txt", "irc", 1, 413, 17),
    ("kdconv/film_dev_zh.json", "kdconv", 150, 3_858, 0),
    ("real_persona_chat/GPT-4_ja.json", "real_persona_chat", 30, 600, 10 + 1),  # ten people and the model
    ("mt_bench/question.jsonl", "mt_bench", 80, 160, 0),
    ("mt_bench/japanese_mt_bench_question.jsonl", "mt_bench", 60, 120, 0),
)


@pytest.mark.parametrize(("name", "kind", "chats", "messages", "speakers"), _SPOKEN)
def test_logs_and_sets_of_dialogues(
    data_folder: Path, name: str, kind: str, chats: int, messages: int, speakers: int
) -> None:
    workspace = opened(data_folder, name)
    assert [source.format for source in workspace.sources] == [kind]
    assert len(workspace.conversations) == chats
    said = [message for chat in workspace.conversations for message in chat.messages]
    assert (len(said), len({message.name for message in said} - {""})) == (messages, speakers)
    assert not [problem for problem in workspace.problems if problem.severity != "info"]


def test_cline_task(data_folder: Path) -> None:
    task = opened(data_folder, "cline/derived/task/api_conversation_history.json")
    assert [source.format for source in task.sources] == ["cline"]
    messages = task.conversations[0].messages
    assert (len(messages), sum(message.excluded for message in messages)) == (6, 2)
    shown = opened(data_folder, "cline/derived/task/ui_messages.json")
    assert [message.content for message in shown.conversations[0].messages] == ["fix", "ok?"]
    assert "api_conversation_history.json" in shown.problems[0].message


def test_langchain_files(data_folder: Path) -> None:
    workspace = opened(data_folder, "langchain/derived/messages_to_dict.json")
    system, removed, removal = 1, 1, 1
    assert len(workspace.conversations[0].messages) == 5 - system - removed - removal
    assert workspace.characters[0].system_prompt == "sys"
    constructed = opened(data_folder, "langchain/derived/dumps_constructor.json")
    assert [len(chat.messages) for chat in constructed.conversations] == [1]
    assert "OPENAI_API_KEY" not in repr(workspace_value(constructed))


# Trace, and how many messages Langfuse itself does not find: the one that is an object and no list, and the system
# prompt that the answer of the Responses API repeats.
_TRACES = (
    ("beeai-2025-08-01", 0),
    ("google-gemini-2025-08-01", 0),
    ("langgraph-python-2025-08-22", 0),
    ("claude-agent-2025-12-22", 1),
    ("openai-agents-2025-09-30", 1),
)


@pytest.mark.parametrize(("name", "beyond"), _TRACES)
def test_langfuse_traces(data_folder: Path, name: str, beyond: int) -> None:
    """As many messages as Langfuse itself finds in the calls; a system prompt that all share is a character."""
    workspace = opened(data_folder, f"langfuse/{name}.trace.json")
    observations = loads((data_folder / f"langfuse/{name}.trace.json").read_bytes())["observations"]
    expected = loads((data_folder / f"langfuse/{name}.chatml.json").read_bytes())
    calls = {one["id"] for one in observations if one["type"] == "GENERATION" and one["id"] in expected}
    assert {chat.id for chat in workspace.conversations} == calls
    sides = [side for call in calls for side in expected[call].values() if side["success"]]
    system_prompts = len(calls) * len(workspace.characters)
    found = sum(len(chat.messages) for chat in workspace.conversations)
    assert found + system_prompts == sum(len(side["data"]) for side in sides) + beyond


def test_anthropic_file(data_folder: Path) -> None:
    workspace = opened(data_folder, "anthropic_messages/derived/messages_request.json")
    assert [source.format for source in workspace.sources] == ["anthropic"]
    result_of_a_tool = 1
    assert [len(chat.messages) for chat in workspace.conversations] == [3 + result_of_a_tool]
    assert (len(workspace.tools), workspace.characters[0].system_prompt, workspace.problems) == (1, "sys", ())


def test_questions_to_memory_bank(data_folder: Path) -> None:
    files = ("memory_bank_en.json", "probing_questions_en.jsonl")
    workspace = load_workspace([data_folder / "memorybank" / name for name in files])
    assert {probe.conversation for probe in workspace.probes} == {chat.id for chat in workspace.conversations}


@pytest.mark.parametrize("name", ["ultrachat_200k_columns", "wildchat_columns"])
def test_parquet_files(data_folder: Path, name: str) -> None:
    workspace = opened(data_folder, f"parquet/derived/{name}.parquet")
    assert [source.format for source in workspace.sources] == ["rows"]
    assert len(workspace.conversations) == 155
    assert workspace.problems == ()


# File, messages that can be used (None: the file is refused), and words of a problem.
_MALFORMED = (
    ("deep_nesting_100k.json", None, "nested deeper"),
    ("double_encoded.json", 1, "inside a string"),
    ("duplicate_keys.json", 1, "stands twice"),
    ("empty.json", None, "is empty"),
    ("huge_int.json", 1, "5,000 digits"),
    ("lone_surrogate.json", 2, "half a character"),
    ("some_bad_lines.jsonl", 2, "not valid JSON"),
    ("trailing_comma.json", None, "not valid JSON"),
    ("truncated.json", None, "cut off"),
    ("u2028_in_line.jsonl", 2, ""),
    ("utf8_bom.json", 8, "byte order mark"),
    ("wrong_types.json", 2, "expected system"),
    ("yaml_norway.yaml", None, "id, name, version, created"),
    ("zip_bomb_50MB_from_50KB.zip", None, "unpacks from"),
)


@pytest.mark.parametrize(("name", "messages", "words"), _MALFORMED)
def test_malformed_files(data_folder: Path, name: str, messages: int | None, words: str) -> None:
    workspace = opened(data_folder, f"malformed/derived/{name}")
    assert [len(chat.messages) for chat in workspace.conversations] == ([] if messages is None else [messages])
    assert bool(words) == bool(workspace.problems)
    assert any(words in problem.message for problem in workspace.problems) == bool(words)
    if messages is None:
        assert [problem.severity for problem in workspace.problems] == ["error"]


def test_no_two_formats_are_equally_sure(data_folder: Path) -> None:
    for path in sorted(path for path in data_folder.rglob("*") if path.is_file()):
        source = FileSource(str(path), path.read_bytes())
        sure = sorted(sureness_of(source), reverse=True)
        assert len(sure) < 2 or sure[0][0] > sure[1][0], (path.name, sure[:2])


def sureness_of(source: FileSource) -> list[tuple[float, str]]:
    """How sure each format is, of those that are at all."""
    found: list[tuple[float, str]] = []
    for kind in built_in_formats():
        with suppress(UnreadableError):
            found.append((sureness(kind, source), kind.name))
    return [answer for answer in found if answer[0] > 0]


def test_invalid_export_names_the_place(data_folder: Path) -> None:
    (problem,) = opened(data_folder, "chatgpt/redacted_2023_invalid_json.json").problems
    assert problem.place == "line 1, column 38"


def test_the_whole_folder_opens_and_can_be_written(data_folder: Path) -> None:
    workspace = load_workspace([data_folder])
    assert {"openai", "chatgpt", "sillytavern", "card", "chorus", "locomo", "world_info"} <= {
        source.format for source in workspace.sources
    }
    assert not any(" failed: " in problem.message for problem in workspace.problems)
    repr(workspace_value(workspace)).encode()
