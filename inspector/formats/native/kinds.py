"""The kinds of our own files: the kind that a value names. Their contents are read elsewhere."""

import re
from typing import Any

from inspector.reading.source import FileSource

WORKSPACE = "prompt-inspector/workspace@1"
PROBES = "prompt-inspector/probes@1"
_KIND = re.compile(r"prompt-inspector/([a-z]+)@\d+$")


def native_kind(value: Any) -> str:
    """Return the word after `prompt-inspector/` in the `format` of a value (`workspace`, `scenario`, …), else ""."""
    name = value.get("format") if isinstance(value, dict) else None
    match = _KIND.match(name) if isinstance(name, str) else None
    return match[1] if match else ""


def other_native_kind(source: FileSource) -> str:
    """Return the kind of a native file that is not a workspace, such as `scenario` or `inspection`, else ""."""
    kind = native_kind(source.sample)
    return "" if kind == "workspace" else kind
