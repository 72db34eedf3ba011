"""The files of the shipped model table: written as they are, and renewed from a listing without losing a row."""

from dataclasses import replace
from pathlib import Path

from inspector.resources import resource
from inspector.tokens.models.listed import ListedModel, Listing
from inspector.tokens.models.merging import merge_listing
from inspector.tokens.models.prices import PriceList, Prices, Rates, Tier
from inspector.tokens.models.table import ModelRow, ModelTable
from tests.models.shipped import OTHERS, renewed, shipped_files, written

GPT = ModelRow(
    "gpt-5.5", "OpenAI", 1_050_000, 128_000, "embedded:o200k_base", "openai", "gpt-5", ("gpt-5.5-mini", "five"), True,
    "2026-01-01", "models.dev 1 (openai)", 5.0, 30.0, 0.5, 922_000,
)  # fmt: skip
OPEN = ModelRow("llama-3.1-8b", "Meta", 131_072, None, "embedded:llama3.1", "llama3.1", "llama3.1", (), True)
LISTED = ListedModel("gpt-5.5", "openai", 1_050_000, None, 128_000, 5.0, 30.0, 0.5)
TIERED = Prices(PriceList(Rates(5.0, 30.0, 0.5, 6.25), (Tier(272_000, Rates(10.0, 45.0)),)), breakpoints=True)


def test_the_shipped_files_are_written_as_they_are(tmp_path: Path) -> None:
    folder = resource("models")
    files = shipped_files(folder)
    assert sum(map(len, files.values())) > 600
    for name, rows in files.items():
        assert written(rows) == (folder / f"{name}.json").read_text(encoding="utf-8"), name
    (tmp_path / "one.json").write_text(written([replace(GPT, prices=TIERED)]), encoding="utf-8")
    assert shipped_files(tmp_path) == {"one": (replace(GPT, prices=TIERED),)}


def test_a_listing_renews_its_rows_adds_new_ones_on_top_and_keeps_the_others() -> None:
    files = {"openai": (GPT,), "meta": (OPEN,), OTHERS: ()}
    listed = (
        replace(LISTED, price_in=4.0, prices=TIERED),
        replace(LISTED, name="gpt-5.5-mini", price_in=1.0),
        replace(LISTED, name="grok-9", provider="xai"),
        replace(LISTED, name="grok-9-beta-reasoning", provider="xai"),
        replace(LISTED, name="of-no-line", provider="xai"),
    )
    table = ModelTable((GPT, OPEN))
    after = renewed(files, merge_listing(Listing("litellm", listed, {}), table, "2026-02-03", release="1.2"))
    mini, gpt = after["openai"]
    assert (mini.name, mini.price_in, mini.aliases) == ("gpt-5.5-mini", 1.0, ())
    assert (gpt.name, gpt.price_in, gpt.prices, gpt.aliases) == ("gpt-5.5", 4.0, TIERED, ("five",))
    assert (gpt.date, gpt.source, gpt.max_input) == ("2026-02-03", "litellm 1.2 (openai)", 922_000)
    assert after["meta"] == (OPEN,)
    assert [(row.name, row.aliases) for row in after[OTHERS]] == [("grok-9", ("grok-9-beta-reasoning",))]
