"""Listings merged into a person's own rows: new, changed, the same, and what is left alone."""

from dataclasses import replace

from inspector.tokens.models.files import Entry, entry_of
from inspector.tokens.models.importing import (
    HOST,
    OTHER_MAKER,
    OWN_ROW,
    SECOND_NAME,
    Difference,
    Import,
    import_listing,
)
from inspector.tokens.models.listing import ListedModel, Listing
from inspector.tokens.models.table import ModelRow, ModelTable

KNOWN = ModelRow(
    "gpt-9", "OpenAI", 500_000, 100_000, "embedded:o200k_base", "openai", "gpt-9", ("gpt-nine",), True,
    "2026-01-01", "models.dev 1 (openai)", 1.5, 6.0, 0.15, 300_000,
)  # fmt: skip
LISTED = ListedModel("gpt-9", "openai", 500_000, 300_000, 100_000, 1.5, 6.0, 0.15)
TABLE = ModelTable((KNOWN,))


def imported(
    *models: ListedModel, own: tuple[Entry, ...] = (), kind: str = "models.dev", **keywords: tuple[str, ...]
) -> Import:
    return import_listing(Listing(kind, models, {}), TABLE, own, "2026-02-03", **keywords)


def test_the_same_facts_write_nothing() -> None:
    assert imported(LISTED) == Import((), (), (), 1, {})


def test_changed_facts_keep_what_the_listing_does_not_know() -> None:
    result = imported(replace(LISTED, price_in=1.0, context_window=600_000))
    (change,) = result.changed
    assert change.name == "gpt-9"
    assert change.differences == (Difference("context_window", 500_000, 600_000), Difference("price_in", 1.5, 1.0))
    row = replace(KNOWN, context_window=600_000, price_in=1.0, date="2026-02-03", source="models.dev (openai)")
    assert result.entries == (entry_of(row),)


def test_a_new_model_counts_as_its_relative_and_not_exactly() -> None:
    result = imported(replace(LISTED, name="gpt-9-turbo", max_input=None, context_window=1000, max_output=5000))
    assert result.new == ("gpt-9-turbo",)
    (entry,) = result.entries
    assert (entry["tokenizer"], entry["chat_format"], entry["family"]) == ("embedded:o200k_base", "openai", "gpt-9")
    assert (entry["exact_tokenizer"], entry["context_window"]) == (False, 1000)
    assert (entry["max_output"], entry["aliases"]) == (None, [])


def test_a_new_model_without_a_relative_is_estimated() -> None:
    listed = (replace(LISTED, name="new-1", provider=maker) for maker in ("anthropic", "xai"))
    one, other = (imported(model).entries[0] for model in listed)
    assert (one["tokenizer"], one["maker"]) == ("estimate:ibex-claude", "Anthropic")
    assert (other["tokenizer"], other["maker"]) == ("estimate:ibex", "xAI")


def test_a_dated_name_of_the_same_facts_is_not_a_new_model() -> None:
    assert imported(replace(LISTED, name="gpt-9-2026-01-01")) == Import((), (), (), 1, {})


def test_hosts_are_left_out_unless_they_are_asked_for() -> None:
    host = replace(LISTED, provider="somehost", context_window=8192, max_input=None, max_output=None)
    assert imported(host).skipped == {HOST: 1}
    result = imported(host, LISTED, providers=("somehost",))
    assert result.skipped == {HOST: 1}
    assert result.entries[0]["context_window"] == 8192
    assert result.entries[0]["source"] == "models.dev (somehost)"


def test_a_maker_that_lists_anothers_model_does_not_change_it() -> None:
    assert imported(replace(LISTED, provider="alibaba", context_window=1)).skipped == {OTHER_MAKER: 1}


def test_the_models_own_name_wins_over_its_other_names() -> None:
    other = replace(LISTED, name="gpt-nine", price_in=9.0)
    for models in ((LISTED, other), (other, LISTED)):
        assert imported(*models) == Import((), (), (), 1, {SECOND_NAME: 1})


def test_rows_that_a_person_wrote_are_left_alone_and_those_of_an_import_are_replaced() -> None:
    mine: Entry = {"name": "GPT-9", "context_window": "64000"}
    news = replace(LISTED, price_in=2.0)
    result = imported(news, own=(mine,))
    assert (result.entries, result.skipped) == ((mine,), {OWN_ROW: 1})
    earlier: Entry = {"name": "gpt-9", "context_window": "64000", "source": "litellm (openai)"}
    result = imported(news, own=({"name": "other", "context_window": "5"}, earlier))
    assert [entry["name"] for entry in result.entries] == ["other", "gpt-9"]
    assert result.entries[1]["price_in"] == 2.0


def test_a_listing_that_knows_prompts_only_keeps_the_window() -> None:
    """litellm says for gpt-5 that a prompt may have 272,000 tokens; its window is 400,000."""
    listed = replace(LISTED, context_window=None)
    assert imported(listed, kind="litellm").same == 1
    shorter = imported(replace(listed, max_input=200_000), kind="litellm")
    assert shorter.changed[0].differences == (Difference("max_input", 300_000, 200_000),)
    longer = imported(replace(listed, max_input=900_000), kind="litellm")
    assert longer.changed[0].differences[0] == Difference("context_window", 500_000, 900_000)
    new = imported(replace(listed, name="else", max_input=900_000), kind="litellm")
    assert (new.entries[0]["context_window"], new.entries[0]["max_input"]) == (900_000, None)


def test_what_a_listing_does_not_say_stays() -> None:
    listed = replace(LISTED, max_output=None, price_in=None, price_out=None, price_cached=None)
    assert imported(listed).same == 1
