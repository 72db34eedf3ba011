"""Documents of every kind, as values: a few of each thing that a format knows."""

from typing import Any

from tests.formats.agents.agent_examples import ROO_2
from tests.fuzz.spoken_documents import SPOKEN_DOCUMENTS

CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Hi"}, {"type": "image_url", "image_url": {"url": "data:x"}}],
    },
    {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_details": [{"text": "Hm"}]},
    {"role": "tool", "tool_call_id": "1", "content": [{"type": "tool_result", "content": [{"text": "ok"}]}], "time": 1},
]
ITEMS = [
    {"type": "reasoning", "summary": [{"text": "Hm"}]},
    {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "x"}]},
    {"type": "message", "role": "user", "content": "Hi"},
]
CONTENTS = [
    {"content_type": "user_editable_context", "user_profile": "a", "user_instructions": "b"},
    {"content_type": "model_editable_context", "model_set_context": "1. [2024-01-01]. x"},
    {"content_type": "multimodal_text", "parts": ["Hi", {"content_type": "image_asset_pointer", "asset_pointer": "x"}]},
    {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]},
    {"content_type": "code", "text": "1"},
    {"content_type": "execution_output", "text": "2"},
]
NODES = {
    f"n{index}": {
        "id": f"n{index}",
        "parent": f"n{index - 1}" if index else None,
        "children": [f"n{index + 1}"],
        "message": {
            "author": {"role": "assistant" if index % 2 else "user", "name": None},
            "create_time": 1.7e9 + index,
            "content": content,
            "recipient": "python" if index % 2 else "all",
            "metadata": {"attachments": [{"name": "a"}], "model_slug": "gpt-4o"},
        },
    }
    for index, content in enumerate(CONTENTS)
}
CHAT = [
    {"user_name": "Bo", "character_name": "Ines", "chat_metadata": {"note_prompt": "n", "note_interval": 2}},
    {
        "name": "Ines",
        "is_user": False,
        "is_system": True,
        "send_date": "April 26, 2024 6:06am",
        "mes": "a",
        "extra": {
            "type": "narrator",
            "memory": "m",
            "tool_invocations": [{"id": "t", "name": "n", "parameters": "{}", "result": "r"}],
            "files": [{"name": "f", "text": "t"}],
            "media": [{"type": "image"}],
        },
        "swipe_id": 0,
        "swipes": ["a", {"message": "b"}],
        "swipe_info": [{}, {"send_date": 5, "extra": {"reasoning": "r"}}],
    },
    {"name": "Bo", "is_user": True, "send_date": 1_700_000_000_000, "mes": "Is the harbour near?"},
]
GROUP = {"id": "1", "name": "g", "members": ["a.png"], "chat_id": "c", "chats": ["c"], "activation_strategy": 0}
PERSONAS = {
    "user_avatar": "a",
    "power_user": {"personas": {"a": "A"}, "default_persona": "a", "persona_descriptions": {"a": {"description": "d"}}},
}
CHAT_PRESET = {
    "openai_max_context": 16000,
    "openai_max_tokens": 500,
    "names_behavior": 2,
    "prompts": [
        {"identifier": "main", "name": "Main", "role": "system", "content": "Be brief.", "system_prompt": True},
        {"identifier": "note", "name": "Note", "role": "user", "content": "Kindly.", "injection_position": 1},
        {"identifier": "style", "name": "Style", "role": "system", "content": "In verse."},
        {"identifier": "chatHistory", "marker": True},
    ],
    "prompt_order": [
        {
            "character_id": 100001,
            "order": [{"identifier": name, "enabled": True} for name in ("main", "style", "chatHistory", "note")],
        }
    ],
}
TEMPLATE = {
    "instruct": {"input_sequence": "<|user|>", "output_sequence": "<|bot|>", "name": "Own"},
    "context": {"story_string": "{{#if system}}{{system}}{{/if}}", "chat_start": "***"},
    "sysprompt": {"name": "Own", "content": "Be kind.", "post_history": "Answer."},
    "preset": {"temp": 1, "rep_pen": 1.1, "max_length": 4096, "genamt": 200},
}
ENTRY = {
    "uid": 1,
    "key": ["harbour", "/sea|ship/i"],
    "keysecondary": ["near"],
    "content": "@@depth 2\nThe harbour is old.",
    "order": 1,
    "position": 4,
    "role": 1,
    "depth": 3,
    "selective": True,
    "selectiveLogic": 0,
    "probability": 80,
    "useProbability": True,
    "group": "a,b",
    "groupWeight": 50,
    "sticky": 2,
    "delayUntilRecursion": 1,
    "scanDepth": 5,
    "matchWholeWords": True,
    "characterFilter": {"isExclude": False, "names": ["Ines"], "tags": []},
    "extensions": {"depth": 2, "position": 4, "useProbability": True},
}
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Ines",
        "description": "{{char}} keeps the harbour.",
        "first_mes": "Hello {{user}}",
        "alternate_greetings": ["a"],
        "mes_example": "<START>\n{{user}}: x",
        "tags": ["t"],
        "extensions": {"depth_prompt": {"prompt": "p", "depth": 4, "role": "system"}, "world": "w"},
        "character_book": {
            "name": "b",
            "scan_depth": 4,
            "token_budget": 100,
            "recursive_scanning": True,
            "entries": [
                {"keys": ["k"], "content": "c", "enabled": True, "insertion_order": 1, "use_regex": True, **ENTRY}
            ],
        },
    },
}
CHORUS = {
    "name": "Nova",
    "system_prompt": "s",
    "immersion_level": "full",
    "custom_system_prompt": False,
    "core_memories": [{"content": "c", "tags": ["t"], "embedding_priority": "low"}],
    "preferred_llm": {"model": "m", "context_window": 500, "budget_ratios": {"memory": 0.5}},
}
LOCOMO = {
    "sample_id": "s",
    "conversation": {
        "speaker_a": "A",
        "speaker_b": "B",
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "t", "img_url": ["u"], "blip_caption": "c"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    },
    "observation": {"session_1_observation": {"A": [["o", ["D1:1"]]]}},
    "session_summary": {"session_1_summary": "s"},
}
POINT = {"id": "5f2c", "payload": {"content": "Likes tea.", "memory_type": "fact", "user_id": "Ana"}, "score": 0.5}
MEM0 = {
    "id": "1",
    "memory": "Likes tea.",
    "hash": "h",
    "created_at": "2024-01-01T00:00:00Z",
    "score": 0.4,
    "user_id": "u",
}
FACT = {"uuid": "f", "fact": "Likes tea", "name": "LIKES", "valid_at": "2024-01-01T00:00:00Z", "invalid_at": None}
TURN = {"uuid": "t", "role": "Ana", "role_type": "user", "content": "Hi", "created_at": "2024-01-01T00:00:00Z"}
BANK = {
    "Ana": {"name": "Ana", "history": {"2024-01-01": [{"query": "q", "response": "r"}]}, "summary": {"2024-01-01": "s"}}
}
BRAIN = {
    "facts": [
        {"id": 1, "subject": "Ana", "predicate": "likes", "object": "tea", "confidence": 0.9, "source_episode_id": 2}
    ],
    "episodes": [{"id": 2, "role": "user", "content": "I like tea", "session_id": "s", "timestamp": 1_700_000_000}],
}
LETTA = {
    "agents": [
        {
            "id": "agent-0",
            "name": "Ines",
            "system": "Be kind.",
            "block_ids": ["block-0"],
            "messages": [
                {"id": "m", "role": "user", "content": [{"type": "text", "text": "Hi"}], "created_at": "2024-01-01"}
            ],
            "in_context_message_ids": ["m"],
            "llm_config": {"model": "gpt-4o", "context_window": 8000},
            "tool_ids": ["tool-0"],
        }
    ],
    "blocks": [{"id": "block-0", "label": "human", "value": "Likes tea.", "limit": 2000}],
    "tools": [{"id": "tool-0", "name": "look", "json_schema": {"name": "look", "parameters": {}}}],
}
TABLE = 'id,content,type,priority,created_at\n1,Likes tea.,fact,50,2024-01-01\n2,"Sails, often.",fact,,\n'
WORKSPACE: dict[str, Any] = {
    "format": "prompt-inspector/workspace@1",
    "conversations": [
        {
            "id": "c1",
            "title": "Talk",
            "model": "gpt-4o",
            "context_window": 900,
            "messages": [
                {"id": "m0", "role": "user", "content": "Is the harbour near?", "time": "2024-01-01T10:00:00Z"},
                {"id": "m1", "role": "assistant", "content": "It is.", "summary": "Yes.", "tool_calls": [CALL]},
                {"id": "m2", "role": "tool", "content": "sea", "tool_call_id": "1"},
                {"id": "m3", "role": "user", "content": "I will come.", "key_moment": True, "emotional_weight": 0.8},
            ],
            "tree": {
                "messages": ["m0", "m1", "m2", "m3", {"id": "x", "role": "user", "content": "No"}],
                "parents": ["", "m0", "m1", "m2", "m0"],
                "leaf": "m3",
            },
        }
    ],
    "memory_sets": [{"id": "s", "memories": [{"id": "k", "content": "Likes tea.", "priority": 3, "similarity": 0.5}]}],
    "characters": [
        {
            "id": "nova",
            "name": "Nova",
            "system_prompt": "Be kind.",
            "profile": {"name": "Sam", "facts": ["left-handed"]},
            "components": [{"id": "tone", "type": "style", "content": "Calm.", "priority": 1, "condition": True}],
            "preferred_llm": {"model": "gpt-4o", "context_window": 4096, "budget_ratios": {"memory": 0.3}},
        }
    ],
    "lorebooks": [
        {"id": "b", "entries": [{"id": "e", "content": "Old.", "keys": ["harbour"], "activation": {"probability": 50}}]}
    ],
    "passages": [{"id": "p", "content": "kraken", "kind": "lorebook", "score": 0.7}],
    "summaries": [{"id": "z", "summary": "Before.", "topics": ["sea"]}],
    "documents": [{"id": "d", "content": "Charts.", "pages": "1-2"}],
    "attachments": [{"path": "notes.txt", "content": "notes"}],
    "skipped": [{"path": "movie.mp4", "reason": "too large"}],
    "tools": [{"name": "look", "parameters": {"type": "object"}}],
}  # fmt: skip
TALK = {"id": "c1", "character_id": "nova", "title": "Talks", "source": "web"}
SPOKEN = {
    "id": "m1",
    "role": "USER",
    "content": "Hi",
    "metadata": "{}",
    "created_at": "2023-05-18 13:47:00",
    "emotional_weight": 0.5,
    "summary": None,
    "preserve_full_text": "true",
    "deleted_at": None,
}
KEPT = {
    "id": "k1",
    "character_id": "nova",
    "memory_type": "fact",
    "content": "Likes tea.",
    "priority": 80,
    "tags": '["drinks"]',
    "created_at": "2023-05-18",
}
CLAUDE = {
    "uuid": "c",
    "name": "Ferries",
    "chat_messages": [
        {
            "uuid": "a",
            "sender": "human",
            "created_at": "2025-06-27T10:46:02Z",
            "text": "Hi",
            "content": [{"type": "text", "text": "Hi"}, {"type": "image", "source": {"type": "base64", "data": "QQ"}}],
            "attachments": [{"file_name": "a.txt", "extracted_content": "Seven."}],
            "files": [{"file_name": "map.png"}],
            "parent_message_uuid": "00000000-0000-4000-8000-000000000000",
        },
        {
            "uuid": "b",
            "sender": "assistant",
            "parent_message_uuid": "a",
            "content": [
                {"type": "thinking", "thinking": "Hm"},
                {"type": "tool_use", "name": "search", "input": {"query": "ferry"}},
                {"type": "tool_result", "content": [{"type": "text", "text": "none"}], "is_error": True},
                {"type": "text", "text": "None."},
            ],
        },
        {"uuid": "d", "sender": "assistant", "parent_message_uuid": "a", "text": "Again."},
    ],
    "current_leaf_message_uuid": "b",
}
CLAUDE_PROJECT = {
    "uuid": "p",
    "name": "Harbour",
    "prompt_template": "Be brief.",
    "docs": [{"uuid": "x", "filename": "piers.md", "content": "Pier 1"}],
}
CLAUDE_MEMORIES = {"conversations_memory": "Sails.", "project_memories": {"p": "Asks of piers."}}
USED = {"input_tokens": 3, "cache_read_input_tokens": 9, "output_tokens": 5}
CLAUDE_CODE: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Ferries", "leafUuid": "b"},
    {"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": "Hi"}},
    {
        "type": "assistant",
        "uuid": "b",
        "parentUuid": "a",
        "sessionId": "s",
        "timestamp": "2025-06-14T11:00:00Z",
        "message": {
            "id": "x",
            "role": "assistant",
            "model": "claude",
            "content": [{"type": "thinking", "thinking": "Hm"}, {"type": "tool_use", "id": "t", "name": "Bash"}],
            "usage": USED,
        },
    },
    {
        "type": "user",
        "uuid": "c",
        "parentUuid": "b",
        "sessionId": "s",
        "toolUseResult": "ok",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
    },
    {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "d",
        "sessionId": "s",
        "compactMetadata": {"preTokens": 9},
    },
    {
        "type": "user",
        "uuid": "e",
        "parentUuid": "d",
        "sessionId": "s",
        "isCompactSummary": True,
        "message": {"role": "user", "content": "So far."},
    },
    {
        "type": "user",
        "uuid": "f",
        "parentUuid": "e",
        "sessionId": "s",
        "isSidechain": True,
        "message": {"role": "user", "content": "Look."},
    },
    {"type": "attachment", "uuid": "g", "sessionId": "s", "attachment": {"type": "queued_command", "prompt": "And?"}},
]
CODEX: list[dict[str, Any]] = [
    {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}
    for kind, payload in (
        ("session_meta", {"id": "s", "base_instructions": {"text": "Be kind."}}),
        ("turn_context", {"model": "gpt-5-codex"}),
        *(("response_item", item) for item in (*ITEMS, {"type": "local_shell_call", "action": {"command": ["ls"]}})),
        ("event_msg", {"type": "user_message", "message": "Hi"}),
        ("event_msg", {"type": "token_count", "info": {"last_token_usage": USED, "model_context_window": 9_000}}),
        ("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        ("compacted", {"message": "So far.", "replacement_history": ITEMS[-1:]}),
    )
]
PARTS = [
    {"text": "Hi"},
    {"text": "Hm", "thought": True},
    {"inlineData": {"mimeType": "image/png", "data": "QQ"}},
    {"functionCall": {"name": "look", "args": {"at": "sea"}}},
    {"functionResponse": {"name": "look", "response": {"output": "waves"}}},
    {"executableCode": {"code": "1"}},
    {"codeExecutionResult": {"output": "2"}},
]
GEMINI: dict[str, Any] = {
    "model": "models/gemini-3-pro",
    "systemInstruction": {"parts": [{"text": "Be kind."}]},
    "contents": [{"role": "user", "parts": PARTS}, {"role": "model", "parts": PARTS}],
    "tools": [{"functionDeclarations": [{"name": "look"}]}],
    "candidates": [{"content": {"role": "model", "parts": PARTS[:1]}}] * 2,
    "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 1},
}
AI_STUDIO = {
    "runSettings": {"model": "models/gemini-3-pro"},
    "systemInstruction": {"text": "Be kind."},
    "chunkedPrompt": {
        "chunks": [
            {"role": "user", "text": "Hi", "tokenCount": 1, "createTime": "2026-08-01T10:00:01Z"},
            {"role": "user", "driveImage": {"id": "x"}},
            {"role": "model", "text": "Hm", "isThought": True, "parts": PARTS[1:2]},
            {"role": "model", "text": "Ho", "parts": PARTS, "id": "a"},
        ],
        "pendingInputs": [{"text": "And"}],
    },
}
CLI_HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "2026-08-01T10:00:00.000Z", "summary": "Sea"}
CLI_TURNS = [
    {"id": "a", "type": "user", "content": [{"text": "Hi"}], "timestamp": "2026-08-01T10:00:01.000Z"},
    {"id": "i", "type": "info", "content": "Signed in"},
    {
        "id": "b",
        "type": "gemini",
        "content": "Ho",
        "model": "gemini-3-pro",
        "thoughts": [{"subject": "Sea", "description": "Waves"}],
        "tokens": {"input": 5, "output": 1},
        "toolCalls": [{"id": "c", "name": "look", "args": {}, "result": PARTS[4:5]}],
    },
]
CLI_MARKS = [{"$rewindTo": "b"}, {"$set": {"messages": CLI_TURNS[:1]}}]
ACTIVITY = {
    "header": "Gemini Apps",
    "title": "Prompted Hi",
    "time": "2026-02-02T07:24:02.806Z",
    "products": ["Gemini Apps"],
    "safeHtmlItem": [{"html": "<p>Ho</p>"}, {"html": "<ul><li>Ha</li></ul>"}],
    "subtitles": [{"name": "Attached 1 file."}],
    "imageFile": "a.png",
}

DETAILS = (
    '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> hm\n</details>\n'
    '<details type="tool_calls" id="t" name="f" arguments="&quot;{}&quot;" result="&quot;r&quot;"></details>\nHo'
)
OPEN_WEBUI = {
    "models": ["m"],
    "params": {"system": "Be kind.", "num_ctx": 4096},
    "files": [{"type": "file", "file": {"filename": "f", "data": {"content": "Words"}}}],
    "history": {
        "currentId": "b",
        "messages": {
            "u": {"parentId": None, "childrenIds": ["a", "b"], "role": "user", "content": "Hi", "timestamp": 1.7e9},
            "a": {"parentId": "u", "role": "assistant", "content": DETAILS, "usage": {"prompt_tokens": 1}},
            "b": {"parentId": "u", "role": "assistant", "content": "Ho", "files": [{"type": "image", "url": "data:x"}]},
        },
    },
}

LLAMACPP: list[dict[str, Any]] = [
    {"id": "r", "type": "root", "role": "system", "content": "", "parent": None},
    {"id": "u", "parent": "r", "role": "user", "content": "Hi", "timestamp": 1.6e12},
    {"id": "a", "parent": "u", "role": "assistant", "content": "Ho", "reasoningContent": "Hm", "toolCalls": "[]"},
    {"id": "b", "parent": "u", "role": "user", "content": "", "extra": [{"type": "TEXT", "name": "n", "content": "x"}]},
]

STEPS = [
    {"type": "contentBlock", "content": [{"type": "text", "text": "Hm"}], "style": {"type": "thinking"}},
    {
        "type": "contentBlock",
        "content": [
            {"type": "text", "text": "Ho", "tokensCount": 1},
            {"type": "toolCallRequest", "callId": "t", "name": "f", "parameters": {}},
            {"type": "toolCallResult", "callId": "t", "content": "r"},
        ],
        "shouldIncludeInContext": False,
        "genInfo": {"stats": {"promptTokensCount": 1}},
    },
]
LMSTUDIO = {
    "name": "T",
    "messages": [
        {"versions": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}], "currentlySelected": 0},
        {"versions": [{"role": "assistant", "steps": STEPS[:number]} for number in (1, 2)], "currentlySelected": 1},
    ],
    "perChatPredictionConfig": {"fields": [{"key": "llm.prediction.systemPrompt", "value": "Be kind."}]},
    "lastUsedModel": {"identifier": "m", "instanceLoadTimeConfig": {"fields": []}},
}

PAIRS = {
    "internal": [["<|BEGIN-VISIBLE-CHAT|>", "Hello"], ["Hi", "Ho"]],
    "visible": [["", "Hello"], ["Hi", "Ho"]],
    "metadata": {
        "user_1": {"timestamp": "Mar 01, 2024 10:01", "attachments": [{"name": "n", "content": "Words"}]},
        "assistant_1": {
            "versions": [{"content": "Old"}, {"content": "Ho"}],
            "current_version_index": 1,
            "tool_sequence": [{"tool_calls": [CALL]}, {"role": "tool", "tool_call_id": "1", "content": "ok"}],
        },
    },
}

STORY: dict[str, Any] = {
    "gamestarted": True,
    "prompt": "\nAna: Hi [<|p|data:x|p|>]",
    "memory": "Kind.",
    "authorsnote": "slow",
    "actions": ["\nNova: Ho", "\n> look", "{{[INPUT]}}x{{[OUTPUT]}}y"],
    "worldinfo": [{"key": "sea", "keyanti": "lake", "content": "Wide.", "probability": 50}],
    "savedsettings": {"opmode": 3, "chatname": "Ana", "chatopponent": "Nova||$||Bo", "max_context_length": 8192},
}

TREE = {
    "message_tree_id": "t",
    "prompt": {
        "message_id": "t",
        "text": "Hi",
        "role": "prompter",
        "replies": [
            {"message_id": name, "text": "Ho", "role": "assistant", "rank": rank, "deleted": False, "replies": []}
            for rank, name in enumerate("ab")
        ],
    },
}
PREFERRED = {"prompt": "Hi", "chosen": MESSAGES[1:3], "rejected": "\n\nHuman: Hi\n\nAssistant: No"}

LANGCHAIN: list[dict[str, Any]] = [
    {"type": "human", "data": {"content": "Hi", "id": "1"}},
    {"type": "ai", "data": {"content": "Ho", "tool_calls": [{"id": "t", "name": "f", "args": {}}]}},
    {"lc": 1, "type": "constructor", "id": ["a", "ToolMessage"], "kwargs": {"content": "r", "tool_call_id": "t"}},
    {"type": "remove", "data": {"id": "1"}},
]

DOCUMENTS: dict[str, dict[str, Any]] = {
    **SPOKEN_DOCUMENTS,
    "native": {"a.workspace.json": WORKSPACE, "a.workspace.yaml": WORKSPACE},
    "openai": {
        "messages.json": MESSAGES,
        "request.json": {
            "model": "m",
            "messages": MESSAGES,
            "tools": [{"type": "function", "function": {"name": "look"}}],
            "choices": [{"message": MESSAGES[2]}],
        },
        "responses.json": {"model": "m", "instructions": "x", "input": ITEMS, "output": ITEMS},
        "finetune.jsonl": [{"messages": MESSAGES}] * 2,
        "preferred.jsonl": [
            {"input": {"messages": MESSAGES}, "preferred_output": MESSAGES[1:2], "non_preferred_output": []}
        ]
        * 2,
    },
    "chatgpt": {"conversations.json": [{"title": "T", "mapping": NODES, "current_node": "n5", "id": "c"}]},
    "claude": {"conversations.json": [CLAUDE], "projects.json": [CLAUDE_PROJECT], "memories.json": [CLAUDE_MEMORIES]},
    "claude_code": {"session.jsonl": CLAUDE_CODE},
    "codex": {"rollout.jsonl": CODEX},
    "gemini": {"body.json": GEMINI, "history.json": GEMINI["contents"]},
    "aistudio": {"prompt.json": AI_STUDIO},
    "gemini_cli": {
        "session.json": {**CLI_HEAD, "messages": CLI_TURNS},
        "session.jsonl": [CLI_HEAD, *CLI_TURNS, *CLI_MARKS],
    },
    "gemini_activity": {"My Activity.json": [ACTIVITY]},
    "sillytavern": {"chat.jsonl": CHAT, "group.json": GROUP, "settings.json": PERSONAS},
    "sillytavern_preset": {"preset.json": CHAT_PRESET, "chatml.json": TEMPLATE},
    "world_info": {"world.json": {"entries": {"1": ENTRY, "2": {**ENTRY, "uid": 2}}}},
    "card": {"card.json": CARD},
    "chorus": {"nova.yaml": CHORUS},
    "locomo": {"locomo.json": [LOCOMO]},
    "qdrant": {"points.json": {"result": {"points": [POINT]}}, "points.jsonl": [POINT] * 2},
    "mem0": {"mem0.json": {"results": [MEM0]}},
    "zep": {"edges.json": {"edges": [FACT]}, "thread.json": {"messages": [TURN]}},
    "memory_bank": {"bank.json": BANK},
    "brain_export": {"brain.json": BRAIN},
    "letta": {"agent.af": LETTA},
    "langfuse": {
        "trace.json": {
            "trace": {"id": "t"},
            "observations": [
                {
                    "id": "g",
                    "type": "GENERATION",
                    "input": MESSAGES,
                    "output": {"output": ITEMS},
                    "startTime": "2025-01-01",
                },
                {"id": "h", "type": "GENERATION", "input": {"messages": LANGCHAIN}, "output": "Ho"},
            ],
        }
    },
    "recorded": {
        "requests.jsonl": [
            {
                "time": "2026-01-02T03:04:05+00:00",
                "path": path,
                "request": request,
                "response": {"output": ITEMS, "message": MESSAGES[-1]},
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
                "status": 200,
                "seconds": 1.5,
            }
            for path, request in (
                ("/v1/chat/completions", {"model": "m", "messages": MESSAGES}),
                ("/v1/responses", {"model": "m", "input": ITEMS}),
                ("/v1beta/models/m:generateContent", GEMINI),
                ("/api/chat", {"model": "m", "messages": MESSAGES}),
            )
        ]
    },
    "langchain": {
        "messages.json": LANGCHAIN,
        "runs.jsonl": [{"id": "r", "inputs": {"messages": [LANGCHAIN]}, "outputs": {"generations": [[{"text": "x"}]]}}]
        * 2,
    },
    "cline": {
        "api_conversation_history.json": [
            {"role": "user", "content": [{"type": "text", "text": "<task>fix</task>"}], "ts": 1, "condenseParent": "s"},
            {"role": "user", "content": "x", "isSummary": True, "condenseId": "s", "ts": 2, "truncationParent": "t"},
            {"role": "user", "content": "y", "isTruncationMarker": True, "truncationId": "t", "ts": 3},
        ],
        "version_2.json": ROO_2,
    },
    "alpaca": {"rows.json": [{"instruction": "a", "input": "b", "output": "c", "history": [["d", "e"]]}] * 2},
    "preferences": {"rows.jsonl": [PREFERRED, {"chosen": "Ho", "rejected": "No"}]},
    "fastchat": {
        "log.jsonl": [
            {"tstamp": 1, "model": "m", "state": {"conv_id": "c", "messages": [["USER", "Hi"], ["ASSISTANT", None]]}}
        ]
        * 2
    },
    "oasst": {
        "trees.jsonl": [TREE] * 2,
        "rows.json": [
            {
                "message_id": str(number),
                "parent_id": str(number // 2) if number else None,
                "text": "x",
                "role": "assistant",
            }
            for number in range(6)
        ],
    },
    "kobold": {
        f"story{mode}.json": {**STORY, "savedsettings": {**STORY["savedsettings"], "opmode": mode}}
        for mode in range(1, 5)
    },
    "text_generation_webui": {
        "log.json": PAIRS,
        "character.yaml": {"name": "Mara", "greeting": "Hello!", "context": "Kind.", "example_dialogue": "x"},
    },
    "lmstudio": {"talk.conversation.json": LMSTUDIO},
    "llamacpp": {
        "tree.json": {"conv": {"id": "c", "name": "T", "currNode": "a"}, "messages": LLAMACPP},
        "session.jsonl": [
            {"type": "session", "harness": "llama.app", "id": "c", "name": "T"},
            *({"type": "message", "message": record} for record in LLAMACPP[1:]),
        ],
    },
    "open_webui": {"export.json": [{"id": "c", "title": "T", "chat": OPEN_WEBUI}]},
    "memory_table": {
        "table.csv": TABLE,
        "table.tsv": TABLE.replace(",", "\t"),
        "memories.yaml": {"memories": [{"content": "Likes tea.", "tags": ["a"]}, "Sails."]},
    },
    "other": {"empty.json": "", "notes.txt": "Once upon a time.\n", "deep.json": "[" * 100_000 + "]" * 100_000},
}
"""The documents of each format by the names of their files; texts stand for themselves."""
