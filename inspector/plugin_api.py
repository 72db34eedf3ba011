"""Everything that a plug-in needs, to import from one place: names here stay, the modules behind them may move.

`inspector.testing` has the checks for authors of plug-ins.
"""

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import (
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_all,
    keep_system_text,
    leave_out,
    memories_by_similarity,
    split_current,
    split_kind,
    split_pinned,
    standard_layout,
)
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.ledger import Ledger
from inspector.assembly.policy import PolicyError, Traits, param
from inspector.assembly.reasons import Reason
from inspector.formats.chat_layout import ChatLayout
from inspector.formats.format import Format
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Conversation, Memory, MemorySet, Message, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError
from inspector.tokens.tokenizer import (
    Tokenizer,
    TokenizerUnavailableError,
    TokenSpans,
    longest_prefix,
    spans_of_bytes,
    spans_of_ranges,
)

__all__ = [
    "Assembly",
    "Candidates",
    "ChatLayout",
    "ContextWindow",
    "Conversation",
    "FileSource",
    "FindingKind",
    "Format",
    "Kind",
    "Ledger",
    "Memory",
    "MemorySet",
    "Message",
    "PolicyError",
    "Problem",
    "Reason",
    "Section",
    "TokenSpans",
    "Tokenizer",
    "TokenizerUnavailableError",
    "Traits",
    "TurnLayout",
    "UnreadableError",
    "Workspace",
    "active_lore",
    "drop_unplaced",
    "fill_lore",
    "keep_all",
    "keep_system_text",
    "leave_out",
    "longest_prefix",
    "memories_by_similarity",
    "param",
    "spans_of_bytes",
    "spans_of_ranges",
    "split_current",
    "split_kind",
    "split_pinned",
    "standard_layout",
]
