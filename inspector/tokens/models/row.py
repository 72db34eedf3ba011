"""One row of the model table: what is known of a model, with date and source."""

from dataclasses import dataclass

MOST_TOKENS = 2_000_000_000  # numbers in the window are of 32 bits


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model. Windows are in tokens, prices in US dollars per million tokens; None is "not known".

    `max_input` is how many tokens a prompt may have where that is fewer than the window (gpt-5: 272,000 of 400,000).
    `tokenizer` is what `tokenizer: auto` asks for; `exact_tokenizer` says whether that is the model's own.
    `date` is the day of the facts, "" where they are undated, and `source` where they are from; the window and prices
    of one model differ between hosts, so a source names the host whose they are.
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
    """The most tokens that a prompt may have: the smaller of the maker's own limit of the input and of what the
    longest reply leaves of the window. None for models whose window is the only limit."""
    if row.max_input is None:
        return None
    left = row.context_window - (row.max_output or 0)
    return min(row.max_input, left) if left > 0 else row.max_input
