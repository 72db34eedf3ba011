"""Programs whose files no reader opens: how such a file is recognized, and what to export from that program instead.

The keys and tables are those in the programs' own sources and documents: continuedev/continue (`core/index.d.ts`),
zed-industries/zed (`crates/agent/src/db.rs`), charmbracelet/crush (`internal/db/migrations`), block/goose
(`crates/goose/src/session`), zulip/zulip (`zerver/lib/export.py`), docs.mattermost.com (bulk loading), the archive of
X, CherryHQ/cherry-studio (backup), langgenius/dify, n8n-io/n8n, FlowiseAI/Flowise, promptfoo/promptfoo, and the
schemas of the databases of messengers.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """A program by the texts that are in the head of each of its files: those, the file in words, and how to export."""

    marks: tuple[bytes, ...]
    file: str
    export: str


_TO_JSON = "export the chat as JSON with the roles and texts of its messages"
PROGRAMS: tuple[Program, ...] = (
    Program(
        (b'"workspaceDirectory"', b'"history"', b'"contextItems"'),
        "a session of Continue",
        "share the session as Markdown in Continue (/share)",
    ),
    Program(
        (b"CREATE TABLE", b"threads", b"data_type", b"summary"),
        "the threads of Zed",
        "open the thread in Zed as Markdown, and save that",
    ),
    Program(
        (b"CREATE TABLE", b"prompt_tokens", b"completion_tokens", b"parts", b"finished_at"),
        "a database of Crush",
        _TO_JSON,
    ),
    Program((b'"working_dir"', b'"accumulated_total_tokens"'), "a session of Goose", "run goose session export"),
    Program((b'"zerver_',), "an export of Zulip", "export the topic as a table with name, time and text"),
    Program(
        (b'{"type":"version","version":1',),
        "a bulk export of Mattermost",
        "export the channel as a table with name, time and text",
    ),
    Program((b"CREATE TABLE", b"chat_message_join"), "the database of Messages (Apple)", "export the chat as text"),
    Program(
        (b"CREATE TABLE", b"message_media", b"jid_row_id"),
        "the database of WhatsApp",
        "export the chat in WhatsApp (Export chat)",
    ),
    Program((b"CREATE TABLE", b"ZWAMESSAGE"), "the database of WhatsApp", "export the chat in WhatsApp (Export chat)"),
    Program(
        (b'"localStorage"', b'"indexedDB"'),
        "a backup of Cherry Studio",
        "export the topic as Markdown or JSON in Cherry Studio",
    ),
    Program(
        (b'"connections"', b'"nodes"', b'"n8n-nodes-'),
        "a workflow of n8n, no chat",
        "export an execution's messages as JSON",
    ),
    Program((b'"chatflow"',), "a chat flow of Flowise, no chat", "export the messages of the flow as JSON in Flowise"),
    Program((b'"edges"', b'"nodes"', b'"sourceHandle"'), "a flow of Langflow, Flowise or Dify, no chat", _TO_JSON),
    Program((b"kind: app", b"dsl", b"model_config"), "an app of Dify, no chat", "export its logs in Dify"),
    Program((b'"evalId"', b'"results"', b'"promptIdx"'), "the results of promptfoo", "export the prompts as JSON"),
    Program(
        (b'"creator"', b'"entries"', b'"startedDateTime"'),
        "a record of a browser's requests (HAR), no chat",
        "save the bodies of requests as JSON",
    ),
    Program((b'"_postman_id"',), "a collection of Postman, no chat", "save the bodies of requests as JSON"),
)


def program_of(head: bytes) -> str:
    """Return what a file is and how to export from its program, by the head of the file; "" if it is not known."""
    found = next((one for one in PROGRAMS if all(mark in head for mark in one.marks)), None)
    return f"is {found.file}, which this program does not read; {found.export}" if found else ""
