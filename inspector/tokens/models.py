"""The model table: what is known of each model, with date and source, and how a name is looked up in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from inspector.resources import resource


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `tokenizer` is what `tokenizer: auto` asks for; `exact_tokenizer` says whether that is the model's own.
    `date` is the day of the facts and `source` where they are from.
    """

    name: str
    maker: str
    context_window: int
    max_output: int | None
    tokenizer: str
    chat_format: str
    family: str
    aliases: tuple[str, ...] = ()
    exact_tokenizer: bool = False
    date: str = ""
    source: str = ""
    price_in: float | None = None
    price_out: float | None = None
    price_cached: float | None = None


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """The row that a name leads to, and how it was found; `row` is None when `how` is "unknown"."""

    row: ModelRow | None
    how: Literal["exact", "alias", "prefix", "unknown"]


class ModelTable:
    """All rows, looked up by name."""

    def __init__(self, rows: tuple[ModelRow, ...]) -> None:
        self.rows = rows
        self._names = {_plain(row.name): row for row in rows}
        self._aliases = {_plain(alias): row for row in rows for alias in row.aliases}

    def find(self, name: str) -> ModelMatch:
        """The row for a model's name as people and files write it: `openai/gpt-4o`, `gpt-4o-2024-08-06`, `GPT-4o`."""
        for wanted in _without_vendors(_plain(name)):
            if wanted in self._names:
                return ModelMatch(self._names[wanted], "exact")
            if wanted in self._aliases:
                return ModelMatch(self._aliases[wanted], "alias")
        known = self._names | self._aliases
        for wanted in _without_vendors(_plain(name)):
            prefixes = [prefix for prefix in known if _begins(wanted, prefix)]
            if prefixes:
                return ModelMatch(known[max(prefixes, key=len)], "prefix")
        return ModelMatch(None, "unknown")


def _plain(name: str) -> str:
    return name.strip().casefold()


def _begins(name: str, prefix: str) -> bool:
    """Whether the name is the prefix with more parts: gpt-4-0613 begins with gpt-4, gpt-4o does not."""
    return name.startswith(prefix) and (len(name) == len(prefix) or not name[len(prefix)].isalnum())


def _without_vendors(name: str) -> Iterator[str]:
    """The name, then the name without one vendor prefix after the other: openrouter/openai/gpt-4o, us.anthropic.…"""
    yield name
    while "/" in name:
        name = name.split("/", 1)[1]
        yield name
    while "." in name and name.split(".", 1)[0].isalpha():
        name = name.split(".", 1)[1]
        yield name


@lru_cache(maxsize=1)
def load_models() -> ModelTable:
    """The shipped model table."""
    import msgspec

    rows = msgspec.yaml.decode(resource("models.yaml").read_bytes(), type=list[ModelRow])
    return ModelTable(tuple(rows))
