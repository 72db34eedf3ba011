"""The contents of the window's reference: everything listed by the command line, and the filter fields."""

from collections.abc import Iterator, Mapping

from inspector.analysis.reference import (
    Article,
    finding_articles,
    format_values,
    listed_articles,
    policy_articles,
    preset_articles,
    reason_articles,
    tokenizer_values,
)
from inspector.assembly.preset import Preset
from inspector.gui.table.filter_fields import FIELDS
from inspector.plugins import BUILT_IN, FORMAT_GROUP, TOKENIZER_GROUP, formats, plug_ins


def all_articles(policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> Iterator[Article]:
    """Yield every article, kind by kind."""
    tokenizers = plug_ins(TOKENIZER_GROUP)
    yield from policy_articles(policies, presets)
    yield from preset_articles(presets)
    yield from reason_articles(policies, presets)
    yield from finding_articles()
    yield from listed_articles("Format", format_values(formats()[0], plug_ins(FORMAT_GROUP).origin))
    yield from listed_articles("Tokenizer", tokenizer_values(tokenizers.found, tokenizers.origin, BUILT_IN))
    yield from _field_articles()


def _field_articles() -> Iterator[Article]:
    for name, field in FIELDS.items():
        operators = ": < <= > >=" if field.ordered else ":"
        facts = (("written", f"{name}:VALUE"), ("takes", field.takes), ("operators", operators))
        yield Article("Filter field", name, f"{name}: and {field.takes}", (), facts)
