"""Programs whose files no reader opens: how such a file is recognized, and what to export from that program instead.

Each entry names its source: the repository and path, or the maker's page, of its marks and of the export.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """A program by the texts that are in the head of each of its files: those, the file in words, and how to export.

    `source` is where the marks and the export are found.
    """

    marks: tuple[bytes, ...]
    file: str
    export: str
    source: str


_AS_LINES = "copy the chat as `Name: text` lines, or save it as a table with name, time and text"
_CHERRY = "export its topics as Markdown in Cherry Studio (Export, in the menu of a topic)"
_OF_A_FLOW = "save the messages of its runs as a table of prompts and answers"
_BODIES = "save the bodies of its requests and answers as JSON"
PROGRAMS: tuple[Program, ...] = (
    Program(
        (b"CREATE TABLE", b"threads", b"data_type", b"summary"),
        "the threads of Zed",
        "run `agent: open active thread as markdown` in Zed, and save that",
        "zed-industries/zed: crates/agent/src/db.rs; zed.dev/docs/ai/agent-panel",
    ),
    Program(
        (b'"method"', b'"session/update"', b'"sessionUpdate"'),
        "a log of what an agent sent to an editor (Agent Client Protocol)",
        "open the session that the agent keeps; of Grok Build, chat_history.jsonl in the same folder",
        "agentclientprotocol.com/protocol/schema; xAI's sessions by Dicklesworthstone/cross_agent_session_resumer",
    ),
    Program(
        (b"CREATE TABLE", b"trajectory_meta", b"step_payload"),
        "a database of Antigravity",
        "open the folder of the chat below `brain`, where its transcript is",
        "specstoryai/getspecstory: specstory-cli/docs/ANTIGRAVITY-FORMAT.md",
    ),
    Program(
        (b'"artifactType"', b"ARTIFACT_TYPE_"),
        "the description of an artefact of Antigravity",
        "open the Markdown file of that name, or the folder",
        "Sinity/polylogue: polylogue/sources/parsers/antigravity.py",
    ),
    Program((b'"zerver_',), "an export of Zulip", _AS_LINES, "zulip/zulip: zerver/lib/export.py"),
    Program(
        (b"window.YTD.",),
        "a part of an archive of X without direct messages",
        "open direct-messages.js and direct-messages-group.js of the archive",
        "timhutton/twitter-archive-parser: parser.py",
    ),
    Program(
        (b"CREATE TABLE", b"chat_message_join"),
        "the database of Messages (Apple)",
        _AS_LINES,
        "chirag-panjabi/open-chat-exporter: src/adapters/imessage/IMessageChatDbAdapter.ts",
    ),
    Program(
        (b"CREATE TABLE", b"message_media", b"jid_row_id"),
        "the database of WhatsApp",
        "export the chat in WhatsApp (Export chat)",
        "KnugiHK/WhatsApp-Chat-Exporter: Whatsapp_Chat_Exporter/android_handler.py",
    ),
    Program(
        (b"CREATE TABLE", b"ZWAMESSAGE", b"ZWACHATSESSION"),
        "the database of WhatsApp",
        "export the chat in WhatsApp (Export chat)",
        "chirag-panjabi/open-chat-exporter: src/adapters/whatsapp/WhatsAppIosChatStorageDbAdapter.ts",
    ),
    Program(
        (b'"appName"', b'"Cherry Studio"', b'"appVersion"'),
        "the description of a backup of Cherry Studio from version 6 on, whose chats are in the store of a browser",
        _CHERRY,
        "CherryHQ/cherry-studio: src/main/services/BackupManager.ts",
    ),
    Program(
        (b"CREATE TABLE", b"siblings_group_id", b"searchable_text"),
        "the database of Cherry Studio from version 2 on",
        _CHERRY,
        "CherryHQ/cherry-studio: src/main/data/db/schemas/message.ts",
    ),
    Program(
        (b'"connections"', b'"nodes"', b"n8n-nodes-"),
        "a workflow of n8n, no chat",
        _OF_A_FLOW,
        "n8n-io/n8n: packages/nodes-base",
    ),
    Program(
        (b'"edges"', b'"nodes"', b'"sourceHandle"'),
        "a flow of Langflow or Flowise, no chat",
        _OF_A_FLOW,
        "docs.langflow.org/concepts-flows-import; FlowiseAI/Flowise: flowData",
    ),
    Program(
        (b"app:", b"kind: app", b"mode: ", b"icon_background"),
        "an app of Dify, no chat",
        _OF_A_FLOW,
        "langgenius/dify: api/services/app_dsl_service.py (as exported apps have it)",
    ),
    Program(
        (b'"evalId"', b'"results"', b'"promptIdx"'),
        "the results of promptfoo",
        "save the prompts in its results as JSON",
        "promptfoo/promptfoo: src/types/index.ts",
    ),
    Program(
        (b'"log"', b'"creator"', b'"entries"', b'"startedDateTime"'),
        "a record of a browser's requests (HAR), no chat",
        _BODIES,
        "w3c.github.io/web-performance/specs/HAR/Overview.html",
    ),
    Program(
        (b'"_postman_id"', b"schema.getpostman.com/json/collection"),
        "a collection of Postman, no chat",
        _BODIES,
        "schema.getpostman.com/json/collection/v2.1.0",
    ),
)


def program_of(head: bytes) -> str:
    """Return what a file is and how to export from its program, by the head of the file; "" if it is not known."""
    found = next((one for one in PROGRAMS if all(mark in head for mark in one.marks)), None)
    return f"is {found.file}, which this program does not read; {found.export}" if found else ""
