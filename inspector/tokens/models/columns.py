"""The models as a table: their facts, and how each matches a name that is asked for."""

from collections.abc import Callable, Sequence

from inspector.figures import figures
from inspector.tables import Column, Face, Kind, Table, Value
from inspector.tokens.models.prices import prices_told
from inspector.tokens.models.table import ModelRow

Listed = Sequence[tuple[ModelRow, str]]
"""Rows of the model table, each with how it matches a name; "" where none is asked for."""
_WIDEST = 24


def _fact(key: str) -> Callable[[Listed, int], Value]:
    return lambda listed, row: getattr(listed[row][0], key)


def _file(key: str, help: str) -> Column[Listed]:
    return Column(key, key, help, _fact(key), faces=Face.FILES)


def _tokens(key: str, title: str, help: str, yields: int = 0) -> Column[Listed]:
    return Column(key, title, help, _fact(key), kind=Kind.TOKENS, yields=yields)


def _price(key: str, title: str, of: str, yields: int = 0) -> Column[Listed]:
    help = f"US dollars per million tokens {of}"
    return Column(key, title, help, _fact(key), kind=Kind.MONEY, words=_price_words(key), yields=yields)


def _price_words(key: str) -> Callable[[Listed, int], str]:
    """A price without needless zeros, which a long table has no room for."""

    def words(listed: Listed, row: int) -> str:
        price = getattr(listed[row][0], key)
        return figures(None) if price is None else f"{price:,.6f}".rstrip("0").rstrip(".")

    return words


def _short_tokenizer(listed: Listed, row: int) -> str:
    name = listed[row][0].tokenizer
    return name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"


_MATCH: Column[Listed] = Column("match", "Match", "How it matches the name", lambda listed, row: listed[row][1])
MODEL_COLUMNS: tuple[Column[Listed], ...] = (
    Column("name", "Name", "Its name", _fact("name"), stretches=True, least=24),
    Column("maker", "Maker", "Who made it", _fact("maker"), stretches=True, yields=1),
    _tokens("context_window", "Window", "Tokens of its context window"),
    _tokens("max_output", "Output", "Tokens of its longest reply", 2),
    Column("tokenizer", "Tokenizer", "The tokenizer that counts for it", _fact("tokenizer"), words=_short_tokenizer),
    _file("chat_format", "The form in which messages are written for it"),
    _file("family", "The family of models that it is of"),
    _file("aliases", "Its other names"),
    _file("exact_tokenizer", "Whether the tokenizer is its own"),
    Column("date", "Date", "The day of these facts", _fact("date"), yields=4),
    _file("source", "Where these facts are from"),
    _price("price_in", "In", "of a prompt"),
    _price("price_out", "Out", "of a reply"),
    _price("price_cached", "Cached", "that are read from a cache of prompts", 3),
    Column(
        "prices",
        "Prices",
        "Those of longer requests, of writing to a cache and of batches, in US dollars per million tokens",
        lambda listed, row: prices_told(listed[row][0].prices) if listed[row][0].prices else None,
        faces=Face.FILES,
    ),
    _file("max_input", "Tokens of the longest prompt, where that is shorter than the window"),
)


def _columns(listed: Listed) -> tuple[Column[Listed], ...]:
    return (_MATCH, *MODEL_COLUMNS) if any(how for _, how in listed) else MODEL_COLUMNS


MODELS: Table[Listed] = Table(_columns, lambda listed: range(len(listed)))
