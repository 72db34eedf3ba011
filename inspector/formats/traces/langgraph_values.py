"""The values that LangGraph saves: MessagePack with objects of Python as extensions, or JSON.

langchain-ai/langgraph, `libs/checkpoint/langgraph/checkpoint/serde/jsonplus.py` (`dumps_typed`, `_msgpack_default`);
langchain-ai/langgraphjs, `libs/checkpoint/src/serde/jsonplus.ts`. No object is created, and no module imported: of an
object only its fields or its argument are read. Pickled values are not read, since reading them may run code.
"""

import base64
import json
from collections.abc import Mapping
from typing import Any

import msgspec

_CONSTRUCTED = (0, 1, 2, 3, 4, 5)
"""Extensions of a module, a name, the argument or fields of an object, and sometimes a method."""
_ARRAY, _SNAPSHOT = 6, 7
_PICKLED = b"\x80"


class NotReadError(ValueError):
    """The reason why a value is not read."""


def value_of(kind: str, data: bytes) -> Any:
    """Return a saved value; `kind` is that of its column `type`, "" in files of versions without one.

    Raise NotReadError for a damaged, encrypted or pickled value.
    """
    kind = kind or _kind_of(data)
    if kind == "null":
        return None
    if kind not in ("json", "msgpack"):
        raise NotReadError(_reason(kind))
    try:
        return _json(data) if kind == "json" else _packed(data)
    except (ValueError, RecursionError) as error:
        raise NotReadError(f"is damaged {kind}: {error}") from None


def _kind_of(data: bytes) -> str:
    if not data:
        return "null"
    return "pickle" if data.startswith(_PICKLED) else "json"


def _reason(kind: str) -> str:
    if kind == "pickle":
        return "is pickled; that is not read, as it may run code"
    if "+" in kind:
        return f"is encrypted ({kind})"
    return f"expected msgpack or json, found the type {kind[:40]}"


def _packed(data: bytes) -> Any:
    return msgspec.msgpack.decode(data, ext_hook=_extension)


def _extension(code: int, data: memoryview) -> Any:
    """Return the fields or the argument of an object; of an array only its type and shape."""
    held = _packed(bytes(data))
    if code == _SNAPSHOT:
        return held
    if code == _ARRAY and isinstance(held, list):
        return held[:2]
    if code in _CONSTRUCTED and isinstance(held, list) and len(held) > 2:
        return held[2]
    raise ValueError(f"an extension of the unknown type {code}")


def _json(data: bytes) -> Any:
    return json.loads(data, object_hook=_opened)


def _opened(held: dict[str, Any]) -> Any:
    """Return the argument or the fields of an object of the second layout; those of the first are messages."""
    if held.get("lc") != 2 or "type" not in held:
        return held
    if held.get("kwargs"):
        return held["kwargs"]
    given = held.get("args")
    return given[0] if isinstance(given, list) and len(given) == 1 else given


def plain(value: Any) -> Any:
    """Return a value as JSON has it: keys of text, and base64 for bytes."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value
