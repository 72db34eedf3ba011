"""Documents of frameworks, traces, evaluations and sets with questions, by the names of their formats."""

import json
from typing import Any

from tests.formats.chat_logs.test_messenger_exports import EXPORTS, LINKEDIN, X
from tests.formats.datasets.test_beam import BATCHES, QUESTIONS
from tests.formats.datasets.test_realtalk import CHAT
from tests.formats.frameworks.test_agent_frameworks import ADK, ITEMS, PYDANTIC, STORED
from tests.formats.frameworks.test_dspy_smolagents import DSPY, PRINTED, STEPS, TYPED
from tests.formats.frameworks.test_framework_histories import EVENTS, EXTENSIONS, KERNEL, PYTHON, STORES
from tests.formats.frameworks.test_haystack_autogen import AGENT, HAYSTACK, TEAM, UNDERLINED
from tests.formats.frameworks.test_makers_bodies import COHERE, DOCUMENTED
from tests.formats.frameworks.test_recorded_runs import ANSWER, LOG, REQUEST, SESSION, TRAJECTORY, entry
from tests.formats.traces.test_saved_streams import STREAMS, text_of

_FILES = {"signal": "data.jsonl", "mattermost": "export.jsonl"}
ABILITIES = {"abstention": QUESTIONS["abstention"], "knowledge_update": QUESTIONS["knowledge_update"][:1]}
FRAMEWORKS: dict[str, dict[str, Any]] = {
    "llama_index": {"store.json": STORES["a store"]},
    "semantic_kernel": {"history.json": KERNEL, "python.json": {"messages": PYTHON}, "extensions.json": EXTENSIONS},
    "realtime": {"events.jsonl": list(EVENTS)},
    "atif": {"trajectory.json": TRAJECTORY},
    "inspect_ai": {"log.json": LOG},
    "lhar": {"session.lhar.jsonl": [SESSION, entry(REQUEST, ANSWER)]},
    "realtalk": {"Chat_1.json": {**CHAT, "qa": CHAT["qa"][:1]}},
    "beam": {"chat.json": BATCHES, "probing_questions.json": ABILITIES},
    "pydantic_ai": {"history.json": PYDANTIC},
    "adk": {"session.json": ADK},
    "openai_list": {"items.json": ITEMS, "stored.json": STORED},
    "linkedin": {"messages.csv": LINKEDIN},
    **{name: {_FILES.get(name, "messages.json"): value} for name, value in EXPORTS.items()},
    "x_archive": {
        "messages.json": X,
        "direct-messages.js": f"window.YTD.direct_messages.part0 = {json.dumps(X)}",
    },
    "haystack": {"messages.json": HAYSTACK, "underlined.json": UNDERLINED},
    "autogen": {"agent.json": AGENT, "team.json": TEAM},
    "streams": {
        **{f"{api}.jsonl": events for api, events in STREAMS.items()},
        **{f"{api}.sse": text_of(events) for api, events in STREAMS.items()},
    },
    "cohere": {"request.json": COHERE["a request"][0], "documents.json": DOCUMENTED},
    "dspy": {"history.json": DSPY, "typed.jsonl": [TYPED, TYPED], "printed.txt": PRINTED},
    "smolagents": {"steps.json": STEPS, "run.json": {"output": "2", "steps": STEPS}},
}
