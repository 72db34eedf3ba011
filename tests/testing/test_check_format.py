"""check_format passes what is built in, on small files and on real ones, and refuses formats that break one rule."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import FileSource, Format, built_in_formats
from inspector.formats.native.write import save_workspace
from inspector.model import Conversation, Memory, MemorySet, Message, Problem, Workspace, changed
from inspector.resources import samples_folder
from inspector.testing import check_format
from inspector.testing.workspaces import EVERYTHING
from tests.examples import cases
from tests.formats.agents.agent_examples import ARTEFACT, CLINE_SHOWN, CURSOR_TEXT
from tests.formats.agents.agent_examples import EXAMPLES as AGENTS
from tests.formats.agents.test_aider import HISTORY as AIDER
from tests.formats.agents.test_aider import INPUT as AIDER_INPUT
from tests.formats.agents.test_brain_export import EXPORT
from tests.formats.agents.test_cline import TASK
from tests.formats.agents.test_letta import FILE
from tests.formats.agnai.test_agnai import BOOK as AGNAI_BOOK
from tests.formats.agnai.test_agnai import CHARACTER as AGNAI_CHARACTER
from tests.formats.agnai.test_agnai import CHAT as AGNAI_CHAT
from tests.formats.apps.test_app_exports import EXAMPLES as APPS
from tests.formats.apps.test_prompt_texts import MESSENGER
from tests.formats.apps.test_prompt_texts import TEXTS as PROMPT_TEXTS
from tests.formats.character_ai.test_cai_tools import EXPORT as CAI_TOOLS
from tests.formats.chat_logs.test_headed_markdown import HEADED
from tests.formats.chat_logs.test_messenger_exports import EXPORTS as MESSENGERS
from tests.formats.chat_logs.test_messenger_exports import LINKEDIN
from tests.formats.chorus.test_chorus_reading_export import MARKDOWN as CHORUS_MARKDOWN
from tests.formats.chorus.test_chorus_reading_export import TEXT as CHORUS_TEXT
from tests.formats.chorus.test_chorus_stores import backup, database
from tests.formats.claude.test_claude_export import CLAUDE, MEMORIES, PROJECT
from tests.formats.claude.test_claude_sessions import SESSION
from tests.formats.codex.test_codex import OLD, ROLLOUT
from tests.formats.datasets.test_locomo import SAMPLE
from tests.formats.datasets.test_training_sets import INSTRUCTIONS, TREES
from tests.formats.datasets.test_training_sets import LOG as SERVER_LOG
from tests.formats.datasets.test_training_sets import PAIRS as PREFERENCES
from tests.formats.datasets.test_training_sets import ROWS as OASST_ROWS
from tests.formats.gemini.test_gemini import ACTIVITY, BODY, CLI, STUDIO
from tests.formats.grok.test_grok import EXPORT as GROK
from tests.formats.jan.test_jan import MESSAGES as JAN_MESSAGES
from tests.formats.jan.test_jan import THREAD as JAN_THREAD
from tests.formats.kobold.test_kobold import STORY
from tests.formats.librechat.test_librechat import FLAT as LIBRECHAT
from tests.formats.librechat.test_librechat import TREE as LIBRECHAT_TREE
from tests.formats.llamacpp.test_llamacpp import SESSION as LLAMA_SESSION
from tests.formats.llamacpp.test_llamacpp import TREE
from tests.formats.lmstudio.test_lmstudio import CHAT as LMSTUDIO
from tests.formats.memories.test_chroma import Folder
from tests.formats.memories.test_mem0 import ITEM
from tests.formats.memories.test_memory_bank import ANA
from tests.formats.memories.test_memory_table import ROWS
from tests.formats.memories.test_qdrant import POINTS
from tests.formats.memories.test_zep import FACT, TURN
from tests.formats.novelai.test_novelai import ENCODED as ENCODED_STORY
from tests.formats.novelai.test_novelai import LOREBOOK, SCENARIO
from tests.formats.novelai.test_novelai import STORY as NOVELAI_STORY
from tests.formats.open_webui.test_open_webui import EXPORT as OPEN_WEBUI
from tests.formats.openai.test_role_text import ROLE_TEXT
from tests.formats.risu.test_risu import ALL as RISU_CHATS
from tests.formats.risu.test_risu import LORE as RISU_LORE
from tests.formats.risu.test_risu import MODULE as RISU_MODULE
from tests.formats.risu.test_risu import SINGLE as RISU_CHAT
from tests.formats.searched.test_searched import RECORDS as SEARCHED_RECORDS
from tests.formats.searched.test_searched import ROWS as SEARCHED_ROWS
from tests.formats.searched.test_searched import SEARCHED
from tests.formats.text_generation_webui.test_text_generation_webui import LOG as PAIRS
from tests.formats.traces.test_langchain import CONSTRUCTED, RUN
from tests.formats.traces.test_langchain import MESSAGES as LANGCHAIN
from tests.formats.traces.test_langchain import PLAIN as STATE
from tests.formats.traces.test_langfuse import TRACE
from tests.formats.traces.test_requests_kept import RECORDED
from tests.formats.whisperengine.test_whisperengine_characters import CDL, SECTIONS
from tests.formats.whisperengine.test_whisperengine_characters import FILES as WHISPERENGINE_FOLDER
from tests.formats.whisperengine.test_whisperengine_logs import LOG as PROMPT_LOG
from tests.formats.whisperengine.test_whisperengine_logs import RUN as RUN_LOG
from tests.fuzz.documents import CARD, CHAT, CHAT_PRESET, CHORUS, ENTRY, GROUP, PERSONAS, TEMPLATE
from tests.fuzz.frameworks import FRAMEWORKS
from tests.fuzz.made import made_files
from tests.fuzz.spoken_documents import SPOKEN_DOCUMENTS

BUILT_IN = {known.name: known for known in built_in_formats()}
MESSAGES = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi \ud83d\ude00"}]
NODE = {
    "id": "a",
    "parent": None,
    "children": [],
    "message": {
        "id": "a",
        "author": {"role": "user"},
        "create_time": 1.7e9,
        "content": {"content_type": "text", "parts": ["Hi"]},
    },
}
SMALL: dict[str, list[Any]] = {
    "probes": [{"format": "prompt-inspector/probes@1", "probes": [{"id": "q", "evidence": ["m1"], "at": 3}]}],
    "openai": [MESSAGES, {"model": "m", "messages": MESSAGES, "tools": [{"type": "function"}]}],
    "chatgpt": [[{"title": "T", "mapping": {"a": NODE}, "current_node": "a", "conversation_id": "c"}]],
    "claude": [[CLAUDE], CLAUDE, [PROJECT], [MEMORIES]],
    "claude_code": [SESSION[0]],
    "codex": [OLD],
    "gemini": [BODY, BODY["contents"]],
    "aistudio": [STUDIO],
    "gemini_cli": [CLI],
    "gemini_activity": [ACTIVITY],
    "sillytavern": [GROUP, PERSONAS],
    "sillytavern_preset": [CHAT_PRESET, TEMPLATE, {"temp": 1, "rep_pen": 1.1, "max_length": 4096, "genamt": 200}],
    "world_info": [{"entries": {"1": ENTRY}}],
    "card": [CARD],
    "chorus": [CHORUS],
    "locomo": [[SAMPLE], SAMPLE],
    "qdrant": [{"result": {"points": POINTS}}],
    "mem0": [{"results": [ITEM]}],
    "zep": [{"edges": [FACT]}, {"messages": [TURN]}],
    "memory_bank": [{"Ana": ANA}],
    "brain_export": [EXPORT],
    "open_webui": [OPEN_WEBUI, OPEN_WEBUI[0]["chat"]],
    "grok": [GROK],
    "librechat": [LIBRECHAT, LIBRECHAT_TREE],
    "jan": [JAN_THREAD],
    "cai_tools": [CAI_TOOLS],
    "novelai": [LOREBOOK, SCENARIO, NOVELAI_STORY, ENCODED_STORY],
    "agnai": [AGNAI_BOOK, AGNAI_CHAT, AGNAI_CHARACTER],
    "risu": [RISU_CHAT, RISU_CHATS, RISU_LORE, RISU_MODULE],
    "whisperengine_prompts": [PROMPT_LOG],
    "whisperengine_run": [RUN_LOG],
    "whisperengine_cdl": [CDL, SECTIONS],
    "llamacpp": [TREE, [TREE, TREE]],
    "lmstudio": [LMSTUDIO],
    "text_generation_webui": [PAIRS],
    "kobold": [STORY],
    "alpaca": [INSTRUCTIONS],
    "preferences": [PREFERENCES],
    "fastchat": [SERVER_LOG],
    "oasst": [TREES, OASST_ROWS],
    "cline": [TASK],
    "cline_shown": [CLINE_SHOWN],
    "searched": [SEARCHED, SEARCHED_ROWS, SEARCHED_RECORDS],
    "role_text": [ROLE_TEXT, ROLE_TEXT["messages"]],
    "antigravity_artefact": [ARTEFACT],
    "langchain": [LANGCHAIN, STATE, CONSTRUCTED, [RUN]],
    "langfuse": [TRACE],
    "recorded": RECORDED,
    "letta": [FILE, json.dumps(FILE)],
    "memory_table": [ROWS, {"id": "s", "memories": ROWS}],
    "messenger": [MESSENGER],
    "x_archive": [MESSENGERS["x_archive"]],
    "snapchat": [MESSENGERS["snapchat"]],
    "mattermost": [MESSENGERS["mattermost"]],
    **{name: [value] for name, value in APPS.items()},
}
"""Files of each format as JSON values."""

LINES: dict[str, list[Any]] = {
    "openai": [{"messages": MESSAGES}] * 3,
    "sillytavern": CHAT,
    "memory_table": ROWS,
    "claude_code": SESSION,
    "codex": ROLLOUT,
    "llamacpp": LLAMA_SESSION,
    "alpaca": INSTRUCTIONS,
    "preferences": PREFERENCES,
    "fastchat": SERVER_LOG,
    "oasst": TREES,
    "jan": JAN_MESSAGES,
}
"""Files of a format as lines of JSON."""

REAL = {
    "openai": ("openai_messages/derived/finetune.jsonl", "openai_messages/derived/messages_all_parts.json"),
    "chatgpt": ("chatgpt/derived/edge_tree.json", "chatgpt/derived/export_sharded.zip"),
    "claude": ("claude_ai/derived/conversations.json", "claude_ai/derived/projects.json"),
    "claude_code": ("claude_code/edge_cases.jsonl", "claude_code/simonw_sample_session.jsonl"),
    "codex": ("codex/derived/rollout-2026-01-02T03-04-05.jsonl",),
    "aistudio": ("gemini_aistudio/owi_aistudio_example.json", "gemini_aistudio/polylogue_aistudio-drive.json"),
    "gemini_cli": ("gemini_cli/polylogue_gemini-cli-session.json",),
    "sillytavern": ("sillytavern/derived/Melanie - 2023-05-08@13h56m00s.jsonl",),
    "world_info": ("st_worldinfo/Eldoria.json", "lorebook_v3/derived/book.json"),
    "card": ("character_cards/default_Seraphina.png", "character_cards/derived/mara.charx"),
    "chorus": ("chorus/aria.yaml", "character_cards/derived/chorus_card.png"),
    "chorus_database": ("chorus/derived/chorus.db",),
    "chorus_backup": ("chorus/derived/nova_backup_20251101_090000.zip",),
    "chorus_export": (
        "chorus/derived/First talks_20251101_090000.md",
        "chorus/derived/First talks_20251101_090000.txt",
    ),
    "locomo": ("locomo/locomo5.json",),
    "chroma": ("chroma/derived/locomo_conv26/chroma.sqlite3",),
    "qdrant": ("qdrant/derived/scroll.json",),
    "mem0": ("mem0/derived/get_all.json",),
    "zep": ("zep/derived/graph_edges.json",),
    "memory_bank": ("memorybank/memory_bank_en.json",),
    "brain_export": ("brainos/derived/brain_export.json",),
    "grok": ("grok/owi_grok_example.json",),
    "aider": ("aider/derived/aider.chat.history.md",),
    "novelai": ("novelai/derived/world.lorebook",),
    "agnai": ("agnai/derived/memory_book.json",),
    "risu": ("risuai/derived/chat.json", "risuai/derived/lorebook.json"),
    "whisperengine_prompts": ("whisperengine_runs/derived/elena_20251016_142233_user1.json",),
    "whisperengine_run": ("whisperengine_runs/llama-3.3-70b_emotion_rep2.json",),
    "whisperengine_cdl": ("whisperengine_cdl/elena.json", "whisperengine_cdl/jake.json"),
    "whisperengine_character": (
        "whisperengine_v2_characters/elena_background.yaml",
        "whisperengine_v2_characters/elena_character.md",
        "whisperengine_v2_characters/elena_evolution.yaml",
    ),
    "open_webui": ("open_webui/owi_webui-json.json", "open_webui/owi_converted_chatgpt.json"),
    "llamacpp": ("llamacpp/derived/conversation_old.json", "llamacpp/derived/sts_session.jsonl"),
    "lmstudio": ("lmstudio/derived/1709251200000.conversation.json",),
    "text_generation_webui": (
        "text_generation_webui/derived/20240301-10-00-00.json",
        "text_generation_webui/Example.yaml",
    ),
    "kobold": ("koboldai/sample_story.json", "koboldai/derived/saved_story_chat.json"),
    "oasst": ("oasst/en_100_tree.jsonl", "oasst/test_generic_data.json"),
    "cline": ("cline/derived/task/api_conversation_history.json",),
    "langchain": ("langchain/derived/messages_to_dict.json", "langchain/derived/dumps_constructor.json"),
    "langfuse": ("langfuse/langgraph-python-2025-08-22.trace.json",),
    "letta": ("letta_af/memgpt_agent.af", "letta_af/loop.af"),
    "slack": ("slack/derived/export.zip",),
    "irc": ("irc/derived/rome.log.txt",),
    "kdconv": ("kdconv/film_dev_zh.json",),
    "real_persona_chat": ("real_persona_chat/GPT-4_ja.json",),
    "mt_bench": ("mt_bench/question.jsonl", "mt_bench/japanese_mt_bench_question.jsonl"),
}


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", SMALL)
def test_every_format_of_json_keeps_the_rules(name: str, tmp_path: Path) -> None:
    values = [json.dumps(value) for value in SMALL[name]]
    if name in LINES:
        values.append("\n".join(map(json.dumps, LINES[name])))
    files = [written(tmp_path / f"{number}.json", value.encode()) for number, value in enumerate(values)]
    assert check_format(BUILT_IN[name], *files) is None


def test_native_workspaces_keep_the_rules(tmp_path: Path) -> None:
    save_workspace(EVERYTHING, tmp_path / "everything.json")
    sample = samples_folder() / "multilingual.workspace.yaml"
    assert check_format(BUILT_IN["native"], tmp_path / "everything.json", sample) is None


def test_stores_and_archives_keep_the_rules(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Likes tea.", "mood": ["calm", "glad"]}, 1)
    folder.opened()
    check_format(BUILT_IN["chroma"], tmp_path / "store" / "chroma.sqlite3")
    check_format(BUILT_IN["chorus_database"], database(tmp_path / "chorus.db"))
    check_format(BUILT_IN["open_webui"], written(tmp_path / "webui.db", made_files()["open_webui"][-1].data))
    check_format(BUILT_IN["chorus_backup"], written(tmp_path / "backup.zip", backup().data))


TEXTS: dict[str, list[bytes]] = {
    "linkedin": [LINKEDIN.encode()],
    "cursor_text": [CURSOR_TEXT.encode()],
    "headed_markdown": [text.encode() for text in HEADED.values()],
    "whisperengine_character": WHISPERENGINE_FOLDER,
    "aider": [AIDER.encode(), AIDER_INPUT.encode()],
    "chorus_export": [CHORUS_MARKDOWN.encode(), CHORUS_TEXT.encode()],
    **{name: [text.encode() for text in texts] for name, texts in PROMPT_TEXTS.items()},
}
"""Files of formats of text or YAML, as bytes."""


@pytest.mark.parametrize("name", TEXTS)
def test_every_format_of_text_keeps_the_rules(name: str, tmp_path: Path) -> None:
    files = [written(tmp_path / str(number), content) for number, content in enumerate(TEXTS[name])]
    assert check_format(BUILT_IN[name], *files) is None


@pytest.mark.parametrize("name", SPOKEN_DOCUMENTS)
def test_logs_and_sets_of_dialogues_keep_the_rules(name: str, tmp_path: Path) -> None:
    files = [written(tmp_path / file.name, file.data) for file in made_files()[name]]
    assert check_format(BUILT_IN[name], *files) is None


RECORDS = (
    *("rows", "cursor", "llm_log", "ai_sdk", "anthropic", "spans"),
    *("chatbox", "lobechat", "chatwise", "backyard", "glaze", "marinara"),
    *("grok_cli", "hermes", "langgraph", *AGENTS),
    *FRAMEWORKS,
)
"""Formats of records of programs, of which the fuzzer has files."""


@pytest.mark.parametrize("name", RECORDS)
def test_records_of_programs_keep_the_rules(name: str, tmp_path: Path) -> None:
    known = BUILT_IN[name]
    made = [file for file in made_files()[name] if known.sniff(FileSource(file.name, file.data)) > 0]
    files = [written(tmp_path / file.name, file.data) for file in made]
    assert files
    assert check_format(BUILT_IN[name], *files) is None


def test_every_format_is_checked() -> None:
    stores = {"native", "chroma", "chorus_database", "chorus_backup"}
    assert {*SMALL, *TEXTS, *SPOKEN_DOCUMENTS, *RECORDS, *stores} == set(BUILT_IN)


@pytest.mark.parametrize("name", cases(REAL, ["openai", "chatgpt", "sillytavern"]))
def test_every_format_keeps_the_rules_on_real_files(name: str, data_folder: Path) -> None:
    assert check_format(BUILT_IN[name], *(data_folder / file for file in REAL[name])) is None


HEAD = b"# chat log\n"
LOG = HEAD + b"user: Hi\nassistant: Hello\n\xff\nuser: Bye\n"


def sniff(source: FileSource) -> float:
    return 0.9 if source.data.startswith(HEAD) else 0.0


def load(source: FileSource) -> Workspace:
    lines = source.text.splitlines()[1:]
    talks = [(number, *line.partition(": ")) for number, line in enumerate(lines) if ": " in line]
    messages = (Message(f"m{number}", role, text) for number, role, _, text in talks if role in ("user", "assistant"))
    bad = (source.problem(f"line {number + 2}", "no turn") for number, line in enumerate(lines) if ": " not in line)
    return Workspace((Conversation("log", tuple(messages)),), problems=tuple(bad))


SOUND = Format("chatlog", "Chat log", sniff, load)
CALLS = count()


def loading(**changes: Any) -> Callable[[FileSource], Workspace]:
    """A load whose workspace has these lists instead."""
    return lambda source: changed(load(source), **changes)


def talk(*ids: Any, **fields: Any) -> tuple[Conversation, ...]:
    return (Conversation("c", tuple(Message(id_, "user", "Hi", **fields) for id_ in ids)),)


def only_whole(otherwise: Callable[[FileSource], Any]) -> Callable[[FileSource], Any]:
    """A load that does something else with a piece of the file."""
    return lambda source: load(source) if source.data == LOG else otherwise(source)


def raising(source: FileSource) -> Any:
    raise ZeroDivisionError("no lines at all")


def refusing(source: FileSource) -> Any:
    raise source.unreadable("", "not today")


def refusing_otherwise(source: FileSource) -> Any:
    raise FileSource("other.log", b"").unreadable("", "not this")


def changing_lists(source: FileSource) -> float:
    if source.shape == "json" and source.sample == []:
        source.json.append("me")
    return sniff(source)


def changing_bytes(source: FileSource) -> float:
    source.data = source.data.strip()
    return sniff(source)


def load_changing_bytes(source: FileSource) -> Workspace:
    source.data += b"user: One more\n"
    return load(FileSource(source.path, source.data))


BROKEN: dict[str, dict[str, Any]] = {
    "has a name and a title": {"title": " "},
    "a built-in format has this name": {"name": "native"},
    r"sniff failed: ZeroDivisionError: no lines at all \(an empty file\)": {"sniff": raising},
    r"sniff failed: UnreadableError: .*\(.*JSON": {
        "sniff": lambda source: 0.5 if source.shape == "json" and source.json else sniff(source)
    },
    "sniff failed: ValueError: sniff answered 1.5": {"sniff": lambda source: sniff(source) + 0.6},
    "sniff failed: ValueError: sniff answered None": {"sniff": lambda source: None},
    "sniff failed: ValueError: sniff answered nan": {"sniff": lambda source: float("nan")},
    "sniff answered 0 for a file of its own": {"sniff": lambda source: 0},
    "sniff gave another answer": {"sniff": lambda source: sniff(source) and 0.5 + next(CALLS) % 2 / 10},
    "sniff changed the json": {"sniff": changing_lists},
    "sniff changed the bytes": {"sniff": changing_bytes},
    "load refused a file of its own": {"load": refusing},
    r"load raised ZeroDivisionError: no lines at all; .*\(.*the first .* bytes": {"load": only_whole(raising)},
    "load changed the bytes": {"load": load_changing_bytes},
    "load returned list": {"load": lambda source: []},
    "load returned NoneType": {"load": only_whole(lambda source: None)},
    "conversations of its workspace is no tuple": {"load": loading(conversations=[])},
    "load gave another workspace": {"load": lambda source: Workspace(talk(f"m{next(CALLS)}"))},
    "the id a is there twice in conversations": {"load": loading(conversations=(Conversation("a", ()),) * 2)},
    "the id a is there twice in the conversation c": {"load": loading(conversations=talk("a", "b", "a"))},
    "the id a is there twice in the memory set s": {
        "load": loading(memory_sets=(MemorySet("s", (Memory("a", ""),) * 2),))
    },
    "an id in the conversation c is 5": {"load": loading(conversations=talk(5))},
    "an id in the conversation c is ''": {"load": loading(conversations=talk(""))},
    "a problem names the file 'other.log'": {"load": loading(problems=(Problem("other.log", "", "odd"),))},
    "a problem names the file 'other.log', .*not this": {"load": only_whole(refusing_otherwise)},
    "a problem has no message": {"load": lambda source: changed(load(source), problems=(source.problem("", " "),))},
    "another severity": {"load": lambda source: changed(load(source), problems=(source.problem("", "odd", "bad"),))},  # type: ignore[arg-type]
    "is not a Problem": {"load": loading(problems=("odd",))},
    r"opened again, workspace.conversations\[0\].messages\[0\].metadata": {
        "load": loading(conversations=talk("a", metadata={"a": (1,)}))
    },
    "opened again, it has the problem": {"load": loading(conversations=talk("a", tokens="many"))},
    "cannot be saved and opened again: UnicodeEncodeError": {"load": loading(conversations=talk("a", name="\ud83d"))},
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path / "chat.log", LOG)


def test_what_the_broken_ones_are_made_from_is_sound(log: Path) -> None:
    assert check_format(SOUND, log) is None


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_format_that_breaks_a_rule_is_refused(sentence: str, log: Path) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_format(replace(SOUND, **BROKEN[sentence]), log)


def test_a_format_has_to_be_one_and_to_be_shown_a_file(log: Path) -> None:
    with pytest.raises(AssertionError, match="is not a Format"):
        check_format("chatlog", log)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="name at least one file"):
        check_format(SOUND)


def test_a_format_may_not_be_less_sure_than_a_built_in_one(tmp_path: Path) -> None:
    file = written(tmp_path / "chat.json", json.dumps(MESSAGES).encode())
    whole = Workspace(talk("a"))
    mine = Format("mine", "Mine", lambda source: 0.85 if source.data == file.read_bytes() else 0, lambda source: whole)
    with pytest.raises(AssertionError, match="the format openai is as sure or surer"):
        check_format(mine, file)
    assert check_format(replace(mine, sniff=lambda source: mine.sniff(source) and 0.9), file) is None


def test_a_format_that_writes_into_the_file_is_refused(log: Path) -> None:
    def writing(source: FileSource) -> Workspace:
        log.write_bytes(LOG + b"\n")
        return load(source)

    with pytest.raises(AssertionError, match="the file is another one after it was loaded"):
        check_format(replace(SOUND, load=writing), log)
