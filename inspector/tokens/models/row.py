"""A row of the model table: the known facts about a model, with date and source."""

from dataclasses import dataclass

MOST_TOKENS = 2_000_000_000  # the window shows 32-bit numbers


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The facts about a model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `max_input` is the longest prompt in tokens if shorter than the window (gpt-5: 272,000 of 400,000). `tokenizer` is
    the name used by `tokenizer: auto`; `exact_tokenizer` says whether it is the model's own. `date` is the day of the
    facts, "" if undated, and `source` their origin; the window and prices of a model differ between hosts, so a source
    names its host.
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
    max_input: int | None = None


def input_limit(row: ModelRow) -> int | None:
    """Return the longest prompt in tokens: the smaller of the maker's input limit and the window less the longest
    reply. None for models limited only by their window.
    """
    if row.max_input is None:
        return None
    left = row.context_window - (row.max_output or 0)
    return min(row.max_input, left) if left > 0 else row.max_input
