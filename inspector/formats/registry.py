"""Which formats there are, and which of them a file has. Modules of formats are imported when first asked for."""

from functools import cache
from importlib import import_module

from inspector.formats.format import Format
from inspector.formats.source import FileSource

BUILT_IN = (
    "inspector.formats.native:FORMAT",
    "inspector.formats.openai:FORMAT",
    "inspector.formats.chatgpt:FORMAT",
    "inspector.formats.sillytavern:FORMAT",
    "inspector.formats.world_info:FORMAT",
    "inspector.formats.card:FORMAT",
    "inspector.formats.chorus:FORMAT",
    "inspector.formats.chorus_database:FORMAT",
    "inspector.formats.chorus_backup:FORMAT",
    "inspector.formats.locomo:FORMAT",
    "inspector.formats.chroma:FORMAT",
    "inspector.formats.qdrant:FORMAT",
    "inspector.formats.mem0:FORMAT",
    "inspector.formats.zep:FORMAT",
    "inspector.formats.memory_bank:FORMAT",
    "inspector.formats.brain_export:FORMAT",
    "inspector.formats.letta:FORMAT",
    "inspector.formats.memory_table:FORMAT",
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
