"""The models as choices: a line of figures for each, in columns. No Qt here."""

from collections.abc import Iterable, Iterator

from inspector.assembly.cost import NO_PRICE, price_text
from inspector.gui.parts.choices import Choice
from inspector.tokens.models.table import ModelRow


def model_choices(rows: Iterable[ModelRow]) -> Iterator[Choice]:
    """Yield the choice of each model: name, maker, window, prices of a million tokens in and out, and tokenizer."""
    for row in rows:
        prices = f"{price_text(row.price_in)} / {price_text(row.price_out)}"
        known = row.price_in is not None or row.price_out is not None
        tokenizer = row.tokenizer if row.exact_tokenizer else f"≈ {row.tokenizer}"
        cells = (row.name, row.maker, f"{row.context_window:,}", prices if known else NO_PRICE, tokenizer)
        yield Choice(f"model:{row.name}", cells, row.name, " ".join(row.aliases), _tip(row))


def _tip(row: ModelRow) -> str:
    facts = f"facts of {row.date}" if row.date else "undated facts"
    aliases = f"\nalso called {', '.join(row.aliases)}" if row.aliases else ""
    return f"{row.name}{aliases}\n{facts}, from {row.source}" if row.source else f"{row.name}{aliases}\n{facts}"
