"""The loaded files: frozen records without behaviour, and their owners (`belonging`).

Imports the standard library and msgspec only.
"""

from inspector.model.character import Character, Component, Profile
from inspector.model.conversation import Branches, Conversation, Message, MessageTree, Role, ToolCall
from inspector.model.lorebook import Lorebook, LoreEntry
from inspector.model.memory import Memory, MemorySet
from inspector.model.passage import Attachment, Document, Passage, PastSummary, SkippedFile, Tool
from inspector.model.probe import Probe
from inspector.model.record import MOST_TOKENS, Owners, changed
from inspector.model.workspace import Problem, Severity, Source, Workspace

__all__ = [
    "MOST_TOKENS",
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
    "Severity",
    "SkippedFile",
    "Source",
    "Tool",
    "ToolCall",
    "Workspace",
    "changed",
]
