"""What a prompt costs: hand-computed figures, how they are written, and what holds for every price."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import measured, planned_answer
from inspector.assembly.cost import price_source, price_text, prompt_cost, prompt_costs
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.figures import UNKNOWN_PRICE, dollars
from inspector.model import Conversation, Message, Workspace
from inspector.pages.report import markdown_report
from inspector.plugins import policies
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.prices import PriceList, Prices, Rates, Tier, cost
from inspector.tokens.models.table import ModelRow


def row(price_in: float | None) -> ModelRow:
    return ModelRow("m", "Maker", 8192, None, "estimate:words", "chatml", "", price_in=price_in)


@pytest.mark.parametrize(("tokens", "dollars"), [(0, 0.0), (1_000_000, 2.5), (4_920, 0.0123)])
def test_gpt_4o(tokens: int, dollars: float) -> None:
    """2.5 US dollars per million tokens."""
    assert prompt_cost(load_models().find("gpt-4o").row, tokens) == pytest.approx(dollars)


def test_without_a_price_there_is_no_cost() -> None:
    assert prompt_cost(None, 5) is None
    assert prompt_cost(row(None), 5) is None
    assert np.isnan(prompt_costs(None, np.array([5]))).all()


@given(st.lists(st.integers(0, 400_000), max_size=9), st.lists(st.integers(1, 300_000), max_size=3, unique=True))
def test_many_prompts_cost_what_each_does(tokens: list[int], limits: list[int]) -> None:
    tiers = tuple(Tier(limit, Rates(number + 2.0)) for number, limit in enumerate(sorted(limits)))
    prices = Prices(PriceList(Rates(1.5), tiers))
    found = prompt_costs(prices, np.array(tokens, np.int64))
    assert found.tolist() == pytest.approx([cost(prices, each) for each in tokens])


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
    assert said.startswith("gpt-4o: $2.50 per million tokens, models.dev ")
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
        assert f"The prompt costs ≈ ${dollars:.4f} (gpt-4o: $2.50 per million tokens, models.dev" in report
