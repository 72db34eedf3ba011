"""Listings merged into a person's own rows: new, changed, the same, and what is left alone."""

from dataclasses import replace

from inspector.tokens.models.files import Entry, entry_of
from inspector.tokens.models.importing import OWN_ROW, Import, import_listing
from inspector.tokens.models.listed import ListedModel, Listing
from inspector.tokens.models.merging import HOST, OTHER_MAKER, SECOND_NAME, Difference, merge_listing
from inspector.tokens.models.table import ModelRow, ModelTable

KNOWN = ModelRow(
    "gpt-9", "OpenAI", 500_000, 100_000, "embedded:o200k_base", "openai", "gpt-9", ("gpt-nine",), True,
    "2026-01-01", "models.dev 1 (openai)", 1.5, 6.0, 0.15, 300_000,
)  # fmt: skip
LISTED = ListedModel("gpt-9", "openai", 500_000, 300_000, 100_000, 1.5, 6.0, 0.15)
TABLE = ModelTable((KNOWN,))


def imported(
    *models: ListedModel, own: tuple[Entry, ...] = (), kind: str = "models.dev", providers: tuple[str, ...] = ()
) -> Import:
    return import_listing(Listing(kind, models, {}), TABLE, own, "2026-02-03", providers)


def test_the_same_facts_write_nothing() -> None:
    assert imported(LISTED) == Import((), (), (), 1, {})


def test_changed_facts_keep_what_the_listing_does_not_know() -> None:
    result = imported(replace(LISTED, price_in=1.0, context_window=600_000))
    (change,) = result.changed
    assert change.name == "gpt-9"
    assert change.differences == (Difference("context_window", 500_000, 600_000), Difference("price_in", 1.5, 1.0))
    row = replace(KNOWN, context_window=600_000, price_in=1.0, date="2026-02-03", source="models.dev (openai)")
    assert result.entries == (entry_of(row),)


def test_a_new_model_is_counted_as_its_line_is_declared() -> None:
    result = imported(replace(LISTED, name="gpt-9-turbo", max_input=None, context_window=1000, max_output=5000))
    assert result.new == ("gpt-9-turbo",)
    (entry,) = result.entries
    assert (entry["tokenizer"], entry["chat_format"], entry["family"]) == ("embedded:o200k_base", "openai", "gpt")
    assert (entry["exact_tokenizer"], entry["context_window"]) == (False, 1000)
    assert (entry["max_output"], entry["aliases"]) == (None, [])
    five, glm = (imported(replace(LISTED, name=name, provider=provider)).entries[0] for name, provider in NEW)
    assert (five["tokenizer"], five["exact_tokenizer"], five["family"]) == ("embedded:o200k_base", True, "gpt-5")
    assert (glm["tokenizer"], glm["exact_tokenizer"], glm["maker"]) == ("embedded:glm4.5", False, "Z.ai")


NEW = (("gpt-5.9", "openai"), ("glm-5.9", "zai"))


def test_the_repository_of_an_open_model_is_its_tokenizer() -> None:
    hosted = replace(LISTED, name="GLM-5.9", provider="deepinfra", repository="zai-org/GLM-5.9")
    (entry,) = imported(replace(LISTED, name="glm-5.9", provider="zai"), hosted).entries
    assert (entry["tokenizer"], entry["exact_tokenizer"]) == ("hf:zai-org/GLM-5.9", True)


def test_a_new_model_of_no_line_is_estimated() -> None:
    (entry,) = imported(replace(LISTED, name="new-1", provider="xai")).entries
    assert (entry["tokenizer"], entry["maker"], entry["family"]) == ("standin:unknown", "xAI", "")


def test_a_dated_name_of_the_same_facts_is_not_a_new_model() -> None:
    dated = replace(LISTED, name="gpt-9-2026-01-01")
    assert imported(dated) == Import((), (), (), 0, {SECOND_NAME: 1})
    assert imported(replace(dated, price_in=9.0)).new == ("gpt-9-2026-01-01",)


def test_a_mode_of_the_same_facts_is_another_name() -> None:
    grok = replace(LISTED, name="grok-9", provider="xai")
    modes = [replace(grok, name=f"grok-9-{mode}") for mode in ("reasoning", "beta-0309-non-reasoning")]
    merge = merge_listing(
        Listing("litellm", (*modes, grok, replace(grok, name="grok-9-mini")), {}), TABLE, "2026-02-03"
    )
    assert [row.name for row in merge.new] == ["grok-9", "grok-9-mini"]
    assert merge.more_names == {"grok-9": ("grok-9-reasoning", "grok-9-beta-0309-non-reasoning")}


def test_what_a_name_means_now_goes_before_what_it_meant() -> None:
    latest = replace(LISTED, name="gpt-9-latest", price_in=2.0)
    merge = merge_listing(Listing("litellm", (LISTED, latest), {}), TABLE, "2026-02-03", release="1.2")
    (row,) = merge.changed.values()
    assert (row.name, row.price_in, row.source) == ("gpt-9", 2.0, "litellm 1.2 (openai)")
    assert merge.new == ()


def test_open_models_that_no_maker_lists_are_taken_from_hosts_by_their_repositories() -> None:
    listed = [
        replace(LISTED, name=name.rpartition("/")[2], provider="deepinfra", repository=name)
        for name in ("Qwen/Qwen3.9-27B-Instruct-FP8", "Qwen/Qwen3.9-27B-Turbo", "someone/Qwen3.9-9B", "openai/gpt-9")
    ]
    merge = merge_listing(Listing("litellm", tuple(listed), {}), TABLE, "2026-02-03", hosts=("deepinfra",))
    assert [(row.name, row.maker) for row in merge.new] == [("qwen3.9-27b", "Alibaba")]


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
    other = replace(LISTED, name="gpt-nine")
    for models in ((LISTED, other), (other, LISTED)):
        assert imported(*models) == Import((), (), (), 1, {SECOND_NAME: 1})
    assert imported(LISTED, replace(other, price_in=9.0)).new == ("gpt-nine",), "with other facts it is another model"


def test_rows_that_a_person_wrote_are_left_alone_and_those_of_an_import_are_replaced() -> None:
    mine: Entry = {"name": "GPT-9", "context_window": "64000"}
    news = replace(LISTED, price_in=2.0)
    result = imported(news, own=(mine,))
    assert (result.entries, result.skipped) == ((mine,), {OWN_ROW: 1})
    earlier: Entry = {"name": "gpt-9", "context_window": "64000", "source": "litellm (openai)"}
    result = imported(news, own=({"name": "other", "context_window": "5"}, earlier))
    assert [entry["name"] for entry in result.entries] == ["other", "gpt-9"]
    assert result.entries[1]["price_in"] == 2.0


def test_a_listing_that_does_not_know_windows_keeps_those_of_the_table() -> None:
    listed = replace(LISTED, context_window=None, max_input=None, price_in=2.0)
    assert imported(listed).changed[0].differences == (Difference("price_in", 1.5, 2.0),)
    old = replace(listed, context_window=64_000, knows_windows=False)
    assert imported(old).changed[0].differences == (Difference("price_in", 1.5, 2.0),)
    assert imported(replace(old, name="gpt-10")).entries[0]["context_window"] == 64_000
    assert imported(replace(listed, name="gpt-10")).new == ()


def test_what_a_listing_does_not_say_stays() -> None:
    listed = replace(LISTED, max_output=None, price_in=None, price_out=None, price_cached=None)
    assert imported(listed).same == 1
