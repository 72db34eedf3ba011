"""What a prompt costs: hand-computed figures, how they are written, and what holds for every price."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import measured, planned_answer
from inspector.assembly.cost import price_source, price_text, prompt_cost
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.figures import UNKNOWN_PRICE, dollars
from inspector.model import Conversation, Message, Workspace
from inspector.pages.report import markdown_report
from inspector.plugins import policies
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow


def row(price_in: float | None, price_cached: float | None = None) -> ModelRow:
    return ModelRow(
        "m", "Maker", 8192, None, "estimate:words", "chatml", "", price_in=price_in, price_cached=price_cached
    )


@pytest.mark.parametrize(
    ("tokens", "cached", "dollars"),
    [(0, 0, 0.0), (1_000_000, 0, 2.5), (4_920, 0, 0.0123), (1_000_000, 400_000, 2.0), (1_000, 1_000, 0.00125)],
)
def test_gpt_4o(tokens: int, cached: int, dollars: float) -> None:
    """2.5 and, from the cache, 1.25 US dollars per million tokens."""
    assert prompt_cost(load_models().find("gpt-4o").row, tokens, cached) == pytest.approx(dollars)


def test_without_a_price_there_is_no_cost() -> None:
    assert prompt_cost(None, 5) is None
    assert prompt_cost(row(None), 5) is None


def test_without_a_price_of_the_cache_cached_tokens_cost_as_others() -> None:
    assert prompt_cost(row(3.0), 100, 60) == prompt_cost(row(3.0), 100)
    assert prompt_cost(row(3.0, 0.0), 100, 100) == 0.0


@given(st.floats(0, 1000), st.floats(0, 1), st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_cheaper_cache_never_costs_more(price: float, share: float, tokens: int, cached: int) -> None:
    cached = min(cached, tokens)
    with_cache, without = (prompt_cost(row(price, price * share), tokens, count) for count in (cached, 0))
    assert with_cache is not None
    assert without is not None
    assert 0 <= with_cache <= without * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(
    ("cost", "exact", "text"),
    [
        (0.0123, True, "$0.0123"),
        (0.0123, False, "≈ $0.0123"),
        (0.00009, True, "< $0.0001"),
        (0.00009, False, "≈ < $0.0001"),
        (0.0001, True, "$0.0001"),
        (0.0, True, "$0.00"),
        (12.345, True, "$12.35"),
        (1234.5, True, "$1,234.50"),
        (None, True, UNKNOWN_PRICE),
        (None, False, UNKNOWN_PRICE),
    ],
)
def test_how_a_cost_is_written(cost: float | None, exact: bool, text: str) -> None:
    assert dollars(cost, estimated=not exact) == text


@pytest.mark.parametrize(("price", "text"), [(None, "–"), (3.0, "3.00"), (0.075, "0.075"), (12.5, "12.50")])
def test_prices_have_the_digits_that_they_need(price: float | None, text: str) -> None:
    assert price_text(price) == text


def test_whose_price_it_is() -> None:
    said = price_source(load_models().find("gpt-4o").row)
    assert said.startswith("gpt-4o: $2.50 per million tokens, litellm ")
    assert said[-10:].startswith("20")
    assert price_source(row(0.5)) == "m: $0.50 per million tokens"
    assert price_source(row(None)) == price_source(None) == UNKNOWN_PRICE


@pytest.mark.parametrize(("model", "price"), [("gpt-4o", 2.5), ("llama-3.1-8b", None)])
def test_a_report_says_what_the_prompt_costs_where_that_is_known(model: str, price: float | None) -> None:
    conversation = Conversation("c", tuple(Message(f"m{number}", "user", "word " * 200) for number in range(20)))
    pipeline = Pipeline(Workspace(conversations=(conversation,)), policies()[0], load_presets())
    answer = measured(
        pipeline, planned_answer(pipeline, pipeline.case(Scenario(model=model, tokenizer="estimate:words")))
    )
    report = markdown_report(answer)
    if price is None:
        assert "The prompt costs" not in report
    else:
        dollars = price * answer.ledger.total / 1_000_000
        assert f"The prompt costs ≈ ${dollars:.4f} (gpt-4o: $2.50 per million tokens, litellm" in report
