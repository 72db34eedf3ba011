"""Which formats there are, and which of them a file has. Modules of formats are imported when first asked for."""

from functools import cache
from importlib import import_module

from inspector.formats.format import Format
from inspector.reading.source import FileSource

BUILT_IN = (
    "inspector.formats.native.workspace:FORMAT",
    "inspector.formats.openai.chats:FORMAT",
    "inspector.formats.chatgpt.export:FORMAT",
    "inspector.formats.sillytavern.chats:FORMAT",
    "inspector.formats.lore.world_info:FORMAT",
    "inspector.formats.cards.card:FORMAT",
    "inspector.formats.chorus.character:FORMAT",
    "inspector.formats.chorus.database:FORMAT",
    "inspector.formats.chorus.backup:FORMAT",
    "inspector.formats.datasets.locomo:FORMAT",
    "inspector.formats.memories.chroma:FORMAT",
    "inspector.formats.memories.qdrant:FORMAT",
    "inspector.formats.memories.mem0:FORMAT",
    "inspector.formats.memories.zep:FORMAT",
    "inspector.formats.memories.memory_bank:FORMAT",
    "inspector.formats.agents.brain:FORMAT",
    "inspector.formats.agents.letta:FORMAT",
    "inspector.formats.memories.table:FORMAT",
)


def _load_object(name: str) -> Format:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


@cache
def formats() -> tuple[Format, ...]:
    """The built-in formats, in the order in which they are asked when two are equally sure."""
    return tuple(_load_object(name) for name in BUILT_IN)


def rank_formats(source: FileSource, among: tuple[Format, ...] | None = None) -> list[tuple[float, Format]]:
    """The formats that may be this file's, the surest first, each with its confidence in 0–1."""
    candidates = formats() if among is None else among
    ranked = [(sureness, found) for found in candidates if (sureness := found.sniff(source)) > 0]
    return sorted(ranked, key=lambda pair: -pair[0])
