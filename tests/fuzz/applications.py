"""Documents of the formats of applications, as their tests have them, by format and name of file."""

from typing import Any

from tests.formats.agents.agent_examples import ARTEFACT, CLINE_SHOWN, CURSOR_TEXT
from tests.formats.agents.agent_examples import EXAMPLES as AGENTS
from tests.formats.agents.test_aider import HISTORY, INPUT
from tests.formats.agnai.test_agnai import BOOK, CHARACTER, CHAT
from tests.formats.apps.test_app_exports import EXAMPLES as APPS
from tests.formats.apps.test_app_exports import VARIANTS
from tests.formats.apps.test_prompt_texts import MESSENGER, TEXTS
from tests.formats.character_ai.test_cai_tools import EXPORT as CAI_TOOLS
from tests.formats.chat_logs.test_headed_markdown import HEADED
from tests.formats.chatbox.test_chatbox import EXPORT as CHATBOX
from tests.formats.chatwise.test_chatwise import CHAT as CHATWISE
from tests.formats.chorus.test_chorus_reading_export import MARKDOWN, TEXT
from tests.formats.claude.test_anthropic_api import ANSWER, REQUEST
from tests.formats.glaze.test_glaze import BACKUP as GLAZE
from tests.formats.grok.test_grok import EXPORT as GROK
from tests.formats.jan.test_jan import MESSAGES, THREAD
from tests.formats.librechat.test_librechat import FLAT, TREE
from tests.formats.lobechat.test_lobechat import BACKUP, TOPIC
from tests.formats.lobechat.test_lobechat import EXPORT as LOBECHAT
from tests.formats.marinara.test_marinara import CHARACTER as MARINARA
from tests.formats.marinara.test_marinara import LOREBOOK as MARINARA_LORE
from tests.formats.marinara.test_marinara import OLD_PROFILE, PERSONA, PROFILE, RECALL
from tests.formats.novelai.test_novelai import LOREBOOK, SCENARIO, STORY
from tests.formats.openai.test_role_text import ROLE_TEXT
from tests.formats.risu.test_risu import ALL, LORE, MODULE, SINGLE
from tests.formats.searched.test_searched import RECORDS as SEARCHED_RECORDS
from tests.formats.searched.test_searched import ROWS as SEARCHED_ROWS
from tests.formats.searched.test_searched import SEARCHED
from tests.formats.traces.test_traced_spans import GEN_AI, OPEN_INFERENCE, PARTS, otlp, printed, row
from tests.formats.vercel.test_ai_sdk import CORE, OLD_UI, UI
from tests.formats.whisperengine.test_whisperengine_characters import CDL
from tests.formats.whisperengine.test_whisperengine_characters import FILES as WHISPERENGINE_FOLDER
from tests.formats.whisperengine.test_whisperengine_logs import LOG, RUN

APPLICATIONS: dict[str, dict[str, Any]] = {
    **AGENTS,
    "antigravity_artefact": {"task.json": ARTEFACT},
    "cline_shown": {"ui_messages.json": CLINE_SHOWN},
    "searched": {"state.json": SEARCHED, "rows.jsonl": SEARCHED_ROWS, "records.json": SEARCHED_RECORDS},
    "role_text": {"chat.json": ROLE_TEXT, "turns.jsonl": ROLE_TEXT["messages"]},
    "headed_markdown": {f"{name}.md": text for name, text in HEADED.items()},
    "cursor_text": {"transcript.txt": CURSOR_TEXT},
    "chorus_export": {"talk.md": MARKDOWN, "talk.txt": TEXT},
    "anthropic": {
        "body.json": REQUEST,
        "log.jsonl": [{"request": REQUEST, "response": ANSWER}, {"custom_id": "a", "params": REQUEST}],
        "results.jsonl": [{"custom_id": "a", "result": {"message": ANSWER}}, ["create", REQUEST]],
        "chat.json": REQUEST["messages"],
    },
    "spans": {
        "otlp.json": otlp(GEN_AI),
        "printed.jsonl": [printed(OPEN_INFERENCE), printed(GEN_AI)],
        "rows.json": {"data": [row(OPEN_INFERENCE)]},
        "parts.json": PARTS,
    },
    "ai_sdk": {"ui.json": UI, "old_ui.json": OLD_UI, "core.jsonl": CORE, "chat.json": {"id": "c", "messages": UI}},
    "grok": {"grok.json": GROK},
    "messenger": {"message_1.json": MESSENGER},
    **{kind: {f"{kind}_{n}.txt": text for n, text in enumerate(texts)} for kind, texts in TEXTS.items()},
    **{
        kind: {
            f"{kind}.json": value,
            **{f"{kind}_{n}.json": one for n, (of, one) in enumerate(VARIANTS) if of == kind},
        }
        for kind, value in APPS.items()
    },
    "risu": {"chat.json": SINGLE, "chats.json": ALL, "lore.json": LORE, "module.json": MODULE},
    "novelai": {"world.lorebook": LOREBOOK, "a.scenario": SCENARIO, "a.story": STORY},
    "agnai": {"book.json": BOOK, "chat.json": CHAT, "mara.json": CHARACTER},
    "librechat": {"flat.json": FLAT, "tree.json": TREE},
    "jan": {"messages.jsonl": MESSAGES, "thread.json": THREAD},
    "cai_tools": {"cai.json": CAI_TOOLS},
    "chatbox": {"chatbox.json": CHATBOX},
    "lobechat": {"sessions.json": LOBECHAT, "backup.json": BACKUP, "topic.json": TOPIC},
    "chatwise": {"chat-1.json": CHATWISE},
    "glaze": {"backup.glz": GLAZE},
    "marinara": {
        "mara.json": MARINARA,
        "ann.json": PERSONA,
        "coast.json": MARINARA_LORE,
        "storm.json": RECALL,
        "profile.json": PROFILE,
        "old_profile.json": OLD_PROFILE,
    },
    "aider": {"aider.chat.history.md": HISTORY, "aider.input.history": INPUT},
    "whisperengine_prompts": {"prompt.json": LOG},
    "whisperengine_run": {"run.json": RUN},
    "whisperengine_cdl": {"mara.json": CDL, "mara.yaml": CDL},
    "whisperengine_character": {f"file{n}.txt": text.decode() for n, text in enumerate(WHISPERENGINE_FOLDER)},
}
"""The documents of each format by the names of their files; texts stand for themselves."""
