"""Recommended settings: cells a second on one core, each a policy's decision, its recall and its planned total."""

from collections.abc import Iterator

from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.measure import gathered
from inspector.analysis.recommend.settings import settings_to_try
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from tests.bench.measure import Row, timed
from tests.bench.texts import pipeline_of, workspace_of

MESSAGES, MEMORIES, PROBES, WINDOW, REPLY = 600, 200, 10, 4_096, 400


def rows() -> Iterator[Row]:
    """Seconds a cell of all settings of a window and some questions about one chat, everything counted before."""
    workspace = workspace_of(MESSAGES, MEMORIES)
    pipeline, (conversation,) = pipeline_of(workspace), workspace.conversations
    step = MESSAGES // PROBES
    asked = conversation.messages[::step]
    probes = [Probe(message.id, (message.id,), conversation.id, query=message.content) for message in asked]
    settings = settings_to_try(pipeline, Scenario(context_window=WINDOW), REPLY)
    chats = OpenChats(pipeline)
    gathered(chats, settings, probes[:1])
    took, cells = timed(lambda: gathered(chats, settings, probes)), len(settings) * len(probes)
    yield Row(
        f"recommend, {cells:,} cells, {MESSAGES} messages, {MEMORIES} memories: {cells / took:,.0f} cells a second",
        took / cells,
    )
