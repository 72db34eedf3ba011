"""The loaded files: frozen records without behaviour, and their owners (`workspace`).

Imports the standard library and msgspec only.
"""

from inspector.model.conversation import Branches, Conversation, Message, MessageTree, Role, ToolCall
from inspector.model.records import (
    MOST_TOKENS,
    SCORE_SCALES,
    Attachment,
    Character,
    Component,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Owners,
    Passage,
    PastSummary,
    Probe,
    Profile,
    ScoreScale,
    SkippedFile,
    Tool,
    changed,
)
from inspector.model.workspace import Problem, Severity, Source, Workspace

__all__ = [
    "MOST_TOKENS",
    "SCORE_SCALES",
    "Attachment",
    "Branches",
    "Character",
    "Component",
    "Conversation",
    "Document",
    "LoreEntry",
    "Lorebook",
    "Memory",
    "MemorySet",
    "Message",
    "MessageTree",
    "Owners",
    "Passage",
    "PastSummary",
    "Probe",
    "Problem",
    "Profile",
    "Role",
    "ScoreScale",
    "Severity",
    "SkippedFile",
    "Source",
    "Tool",
    "ToolCall",
    "Workspace",
    "changed",
]
