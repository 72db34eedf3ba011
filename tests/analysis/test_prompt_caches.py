"""Prompt caches of providers: golden replays, worked examples by hand, and what holds for any requests."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.caching.money import Spending, cost_with_cache
from inspector.analysis.caching.schemes import Scheme, scheme_of
from inspector.analysis.caching.use import PromptCache, Request, Use, uses
from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.tables import replay_value
from inspector.analysis.replay.words import (
    cache_sentence,
    lane_figures,
    lane_figures_at,
    prefix_sentence,
    summary_sentence,
    summary_sentences,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import policies
from inspector.tokens.models.prices import Prices, cost, plain_prices, prices_of
from inspector.tokens.models.table import ModelRow
from tests.facts import facts

_LISTED = json.loads((Path(__file__).parent.parent / "tokens" / "litellm_rows.json").read_text("utf-8"))
_START = datetime.fromisoformat("2026-01-01T08:00:00+00:00")
_CLAUDE = Scheme("breakpoint", 1_024, 300, "a breakpoint", write=1.25)
_BLOCKS = Scheme("blocks", 1_024, 600, "blocks", step=128)


def _prices(name: str) -> Prices:
    found = prices_of(_LISTED[name])
    assert found is not None
    return found


def _row(name: str, maker: str) -> ModelRow:
    return ModelRow(name, maker, 200_000, None, "estimate:words", "chatml", "")


def _scheme(name: str, maker: str) -> Scheme:
    found = scheme_of(_row(name, maker), plain_prices(3.0, 15.0, 0.3))
    assert found is not None
    return found


def _told(requests: Sequence[tuple[int, int, float]]) -> list[Request]:
    return [Request(tokens, tokens, shared, at) for tokens, shared, at in requests]


def test_every_golden_replay_is_equal(data_folder: Path) -> None:
    golden = facts(data_folder, "cache_replays.jsonl")
    assert len(golden) >= 8
    for row in golden:
        prices = _prices(row["model"])
        scheme = scheme_of(_row(row["model"], "OpenAI" if "gpt" in row["model"] else "Anthropic"), prices)
        assert scheme is not None
        told = scheme.kind, scheme.minimum, scheme.lifetime, scheme.step
        assert told == (row["scheme"], row["minimum"], row["lifetime_s"], row["step"]), row["name"]
        asked = [(each["tokens"], each["shared_with_previous"], each["at_s"]) for each in row["prompts"]]
        found = list(uses(scheme, _told(asked)))
        expected = [(each["fresh"], each["read"], each["write"]) for each in row["expect"]["requests"]]
        assert [(use.fresh, use.read, use.written) for use in found] == expected, row["name"]
        spent = sum(cost_with_cache(prices, scheme, use) or nan for use in found)
        without = sum(cost(prices, tokens) or nan for tokens, *_ in asked)
        assert spent == pytest.approx(row["expect"]["dollars"], abs=1e-9), row["name"]
        assert without == pytest.approx(row["expect"]["dollars_without_cache"], abs=1e-9), row["name"]


def test_a_growing_chat_reads_each_prompt_before() -> None:
    """1,500, 1,900, 2,300 and 2,700 tokens a minute apart: 3 US dollars a million, 3.75 to write, 0.3 to read."""
    asked = [(1_500, 0, 0), (1_900, 1_500, 60), (2_300, 1_900, 120), (2_700, 2_300, 180)]
    found = list(uses(_CLAUDE, _told(asked)))
    assert [use.read for use in found] == [0, 1_500, 1_900, 2_300]
    assert [use.written for use in found] == [1_500, 400, 400, 400]
    by_hand = (2_700 * 3.75 + 5_700 * 0.3) / 1_000_000
    spent = sum(cost_with_cache(_prices("claude-sonnet-4-5"), _CLAUDE, use) or nan for use in found)
    assert spent == pytest.approx(by_hand)
    assert by_hand == pytest.approx(0.011835)


def test_a_sliding_window_is_written_again_each_time_and_costs_a_quarter_more() -> None:
    """Four prompts of 6,000 tokens that share only 776: 0.090 US dollars with the cache, 0.072 without it."""
    found = list(uses(_CLAUDE, _told([(6_000, 776 if at else 0, at) for at in (0, 60, 120, 180)])))
    assert found == [Use(0, 0, 6_000)] * 4
    prices = _prices("claude-sonnet-4-5")
    spending = Spending(
        sum(cost(prices, 6_000) or nan for _ in found),
        sum(cost_with_cache(prices, _CLAUDE, use) or nan for use in found),
    )
    assert spending.without == pytest.approx(4 * 6_000 * 3 / 1_000_000)
    assert spending.cached == pytest.approx(4 * 6_000 * 3.75 / 1_000_000)
    assert spending.change == pytest.approx(0.25)


def test_an_entry_is_found_only_within_the_blocks_that_are_looked_at() -> None:
    scheme = replace(_CLAUDE, reach=20)
    for added, read in ((20, 2_000), (21, 0)):
        asked = [Request(2_000, 2_000, 0, 0.0, 5), Request(5_000, 5_000, 2_000, 60.0, 5 + added)]
        assert [use.read for use in uses(scheme, asked)] == [0, read]
    claude = _scheme("claude-sonnet-4-5", "Anthropic")
    assert claude.reach == 20
    assert _scheme("gpt-5", "OpenAI").reach is None


def test_a_beginning_is_kept_for_an_hour_at_most_however_often_it_is_read() -> None:
    """Every five minutes the same 2,048 tokens: written at 0, read until minute 60, gone at 65, and read again."""
    scheme = _scheme("gpt-5", "OpenAI")
    asked = [(2_048, 2_048 if minute else 0, minute * 60.0) for minute in range(0, 80, 5)]
    read = [use.read for use in uses(scheme, _told(asked))]
    assert read == [0, *[2_048] * 12, 0, *[2_048] * 2]


def test_a_replay_counts_the_blocks_of_content_of_each_prompt() -> None:
    """An answer and nine rounds of two messages are 19 blocks since the last prompt, ten rounds are 21."""
    for rounds, reads in ((9, True), (10, False)):
        steps = [Message(f"s{n}", "tool" if n % 2 else "user", "result " * 9) for n in range(2 * rounds)]
        said = [Message("u", "user", "word " * 2_000), Message("a", "assistant", "yes"), *steps]
        talk = Conversation("c", (*said, Message("b", "assistant", "done")))
        pipeline = Pipeline(Workspace((talk,)), policies()[0], load_presets())
        made = replay(pipeline, Scenario(policy="naive", model="claude-sonnet-4-5"))
        assert made.scheme is not None
        assert bool(made.read[made.is_sent][1] > 0) == reads


def test_without_a_price_of_writing_the_share_of_the_scheme_is_taken() -> None:
    listed = plain_prices(3.0, 15.0, 0.3)
    assert listed is not None
    assert cost_with_cache(listed, _CLAUDE, Use(0, 0, 6_000)) == pytest.approx(0.0225)
    assert cost_with_cache(listed, _BLOCKS, Use(0, 0, 6_000)) == pytest.approx(0.018)


def test_a_tier_is_chosen_by_what_is_read_and_written_too() -> None:
    prices = _prices("gpt-5.5")
    assert cost_with_cache(prices, _BLOCKS, Use(72_000, 200_001, 0)) == pytest.approx(0.72 + 0.200001)
    assert cost_with_cache(prices, _BLOCKS, Use(71_999, 200_001, 0)) == pytest.approx(0.359995 + 0.1000005)


def test_an_entry_is_read_until_its_life_ends_and_lives_anew_from_then() -> None:
    asked = [(2_000, 0, 0), (2_000, 2_000, 300), (2_000, 2_000, 600), (2_000, 2_000, 901)]
    assert [use.read for use in uses(_CLAUDE, _told(asked))] == [0, 2_000, 2_000, 0]
    endless = replace(_CLAUDE, lifetime=None)
    assert [use.read for use in uses(endless, _told(asked))] == [0, 2_000, 2_000, 2_000]


def test_after_a_branch_the_older_entry_inside_the_common_beginning_is_read() -> None:
    asked = [(1_500, 0, 0), (3_000, 1_500, 10), (2_800, 2_000, 20), (3_300, 2_800, 30)]
    assert [use.read for use in uses(_CLAUDE, _told(asked))] == [0, 1_500, 1_500, 2_800]


def test_the_beginning_of_the_reply_is_never_kept() -> None:
    first, second = uses(_CLAUDE, [Request(1_503, 1_500, 0), Request(1_903, 1_900, 1_500)])
    assert (first, second) == (Use(3, 0, 1_500), Use(3, 1_500, 400))


@pytest.mark.parametrize(
    ("name", "maker", "kind", "minimum", "lifetime"),
    [
        ("gpt-4o", "OpenAI", "blocks", 1_024, 600),
        ("gpt-5.5-pro", "OpenAI", "blocks", 1_024, 600),
        ("gpt-5.6", "OpenAI", "breakpoint", 1_024, 1_800),
        ("gpt-6.1-sol", "OpenAI", "breakpoint", 1_024, 1_800),
        ("gpt-35-turbo", "OpenAI", "blocks", 1_024, 600),
        ("claude-opus-5-5", "Anthropic", "breakpoint", 512, 300),
        ("claude-sonnet-5-5", "Anthropic", "breakpoint", 512, 300),
        ("claude-fable-5", "Anthropic", "breakpoint", 512, 300),
        ("claude-sonnet-5", "Anthropic", "breakpoint", 1_024, 300),
        ("claude-opus-4-8", "Anthropic", "breakpoint", 1_024, 300),
        ("claude-opus-4-7", "Anthropic", "breakpoint", 2_048, 300),
        ("claude-opus-4-6", "Anthropic", "breakpoint", 4_096, 300),
        ("claude-haiku-4-5-20251001", "Anthropic", "breakpoint", 4_096, 300),
        ("claude-opus-4-20250514", "Anthropic", "breakpoint", 1_024, 300),
        ("gemini-2.5-pro", "Google", "blocks", 4_096, None),
        ("grok-4", "xAI", "blocks", 128, None),
    ],
)
def test_each_provider_has_its_rule(name: str, maker: str, kind: str, minimum: int, lifetime: float | None) -> None:
    scheme = _scheme(name, maker)
    assert (scheme.kind, scheme.minimum, scheme.lifetime) == (kind, minimum, lifetime)


def test_a_listed_minimum_and_a_listed_breakpoint_are_taken() -> None:
    prices = plain_prices(3.0, 15.0, 0.3)
    assert prices is not None
    listed = scheme_of(_row("gemini-2.5-pro", "Google"), replace(prices, cache_minimum=2_048))
    assert listed is not None
    assert listed.minimum == 2_048
    marked = scheme_of(_row("sora-next", "OpenAI"), replace(prices, breakpoints=True))
    assert marked is not None
    assert marked.kind == "breakpoint"


def test_no_rule_is_taken_for_another_maker_or_without_a_price_of_reading() -> None:
    assert scheme_of(_row("mistral-large", "Mistral AI"), plain_prices(3.0, 15.0, 0.3)) is None
    assert scheme_of(_row("gpt-4", "OpenAI"), plain_prices(30.0, 60.0, None)) is None
    assert scheme_of(None, None) is None


_SCHEMES = st.builds(
    Scheme,
    st.sampled_from(["breakpoint", "blocks"]),
    st.integers(1, 2_000),
    st.sampled_from([None, 60.0, 300.0]),
    st.just(""),
    st.sampled_from([1, 64, 128]),
)


@st.composite
def _requests(draw: st.DrawFn) -> list[Request]:
    found, at, before = [], 0.0, 0
    for _ in range(draw(st.integers(1, 12))):
        kept, at = draw(st.integers(0, 6_000)), at + draw(st.floats(0, 700))
        shared = draw(st.integers(0, min(kept, before)))
        found.append(Request(kept + draw(st.integers(0, 9)), kept, shared, draw(st.sampled_from([at, at, nan]))))
        before = kept
    return found


@given(_SCHEMES, _requests())
def test_every_token_is_fresh_read_or_written(scheme: Scheme, requests: list[Request]) -> None:
    for request, use in zip(requests, uses(scheme, requests), strict=True):
        assert min(use.fresh, use.read, use.written) >= 0
        assert use.tokens == request.tokens
        assert use.read <= request.shared
        assert use.read + use.written <= request.kept
        if request.kept < scheme.minimum:
            assert use == Use(request.tokens, 0, 0)
        if scheme.kind == "blocks":
            assert not use.written
            assert not use.read or (use.read - scheme.minimum) % scheme.step == 0


@given(_requests())
def test_a_rule_without_a_surcharge_never_costs_more(requests: list[Request]) -> None:
    prices = plain_prices(3.0, 15.0, 0.3)
    assert prices is not None
    for use in uses(_BLOCKS, requests):
        assert (cost_with_cache(prices, _BLOCKS, use) or 0) <= (cost(prices, use.tokens) or 0) + 1e-12


def test_looking_changes_nothing() -> None:
    cache = PromptCache(_CLAUDE).after(Request(2_000, 2_000, 0, 0))
    request = Request(2_500, 2_500, 2_000, 100)
    assert cache.use(request) == cache.use(request) == Use(0, 2_000, 500)


# A whole conversation. Each message is 400 words, counted as 400 tokens and the marks around them.


def _chat(minutes: float | None, messages: int) -> Workspace:
    said = (
        Message(
            f"m{number}",
            ("user", "assistant")[number % 2],
            " ".join(f"w{number}x{place}" for place in range(400)),
            time=None if minutes is None else _START + timedelta(minutes=minutes * number),
        )
        for number in range(messages)
    )
    return Workspace((Conversation("c", tuple(said)),))


def _replayed(policy: str, window: int, model: str, minutes: float | None = 0.5, messages: int = 24) -> Replay:
    scenario = Scenario(policy=policy, model=model, context_window=window, tokenizer="estimate:words")
    return replay(Pipeline(_chat(minutes, messages), policies()[0], load_presets()), scenario)


def _by_hand(found: Replay, price: float) -> tuple[float, float]:
    """The cost without and with a breakpoint at the end of each prompt, from the sizes of the prompts alone."""
    sent = np.flatnonzero(found.is_sent)
    alone = with_cache = 0.0
    kept_before = 0
    for place in sent.tolist():
        total, shared = int(found.totals[place]), int(found.shared[place])
        kept = int(found.read[place] + found.written[place])
        read = kept_before if shared == kept_before else 0
        alone += total * price
        with_cache += (read * 0.1 + (kept - read) * 1.25 + (total - kept)) * price
        kept_before = kept
    return alone / 1e6, with_cache / 1e6


def test_a_chat_that_only_grows_saves_with_claude() -> None:
    found = _replayed("naive", 100_000, "claude-sonnet-4-5")
    spending = found.spending()
    assert spending is not None
    assert not found.is_broken.any()
    assert spending.cached is not None
    assert spending.cached < spending.without
    assert (spending.without, spending.cached) == pytest.approx(_by_hand(found, 3.0))
    assert " % less" in summary_sentence(found)
    assert "read from it" in prefix_sentence(found, len(found) - 2)


def test_a_sliding_window_costs_more_with_claude_and_is_called_a_loss() -> None:
    found = _replayed("ratio", 6_000, "claude-sonnet-4-5")
    spending = found.spending()
    assert spending is not None
    assert spending.cached is not None
    assert (spending.without, spending.cached) == pytest.approx(_by_hand(found, 3.0))
    assert spending.cached > spending.without
    for sentence in (summary_sentence(found), lane_figures(found)[2]):
        assert " with the cache: " in sentence
        assert " % more" in sentence
    value = replay_value(moments_of(found))
    assert value["cache_change"] == pytest.approx(spending.cached / spending.without - 1)
    assert value["cache_change"] > 0
    assert value["cache"]["scheme"] == "breakpoint"


def test_the_same_window_costs_no_more_with_blocks() -> None:
    found = _replayed("ratio", 6_000, "gpt-4o")
    spending = found.spending()
    assert spending is not None
    assert spending.cached is not None
    assert spending.cached <= spending.without
    assert not found.written.any()
    assert not found.read[-5:].any(), "the window slides, and its beginning is another each time"


def test_a_prompt_below_the_minimum_costs_the_same() -> None:
    found = _replayed("naive", 6_000, "claude-sonnet-4-5", messages=2)
    assert found.totals.max() < 1_024
    assert "the same" in summary_sentence(found)


def test_a_pause_longer_than_the_life_of_the_cache_costs_the_saving() -> None:
    quick, slow = (_replayed("naive", 100_000, "claude-sonnet-4-5", minutes) for minutes in (0.5, 60))
    assert quick.read.any()
    assert not slow.read.any()
    spent = slow.spending()
    assert spent is not None
    assert spent.change == pytest.approx(0.25, abs=0.01)


def test_without_times_the_cache_is_taken_as_alive_and_said_so() -> None:
    found = _replayed("naive", 100_000, "claude-sonnet-4-5", None)
    assert found.assumes_alive
    assert found.read.any()
    assert "without a time" in cache_sentence(found)
    assert "no times: taken as still kept" in summary_sentence(found)
    assert replay_value(moments_of(found))["cache"]["times_assumed"]


def test_a_model_without_a_known_rule_has_no_cost_with_a_cache() -> None:
    found = _replayed("naive", 6_000, "mistral-large-2411")
    spending = found.spending()
    assert spending is not None
    assert (spending.cached, spending.change) == (None, None)
    assert "the rule of its cache is not known" in summary_sentence(found)
    assert [replay_value(moments_of(found))[key] for key in ("cost_cached", "cache_change", "cache")] == [None] * 3
    assert {turn["read"] for turn in replay_value(moments_of(found))["turns"]} <= {None}


def test_all_turns_say_where_the_prefix_breaks_and_by_which_rule() -> None:
    found = _replayed("ratio", 6_000, "claude-sonnet-4-5")
    place = int(np.flatnonzero(found.is_broken & found.is_sent)[0])
    _, first, rule = summary_sentences(found)
    assert first.startswith(f"The prefix first breaks at turn {int(found.turns[place])}: ")
    assert first.removesuffix(".").rpartition(": ")[2] in prefix_sentence(found, place)
    assert rule == cache_sentence(found)
    assert len(summary_sentences(_replayed("naive", 6_000, "mistral-large-2411"))) == 1


def test_a_turn_tells_what_it_reads_beside_what_it_shares() -> None:
    found = _replayed("naive", 6_000, "claude-sonnet-4-5")
    last = len(found) - 1
    assert lane_figures_at(found, last)[1].endswith(" read from the cache")
    assert found.paid[last] == found.cached_costs[last]
    other = _replayed("naive", 6_000, "mistral-large-2411")
    assert lane_figures_at(other, last)[1].endswith(" here")
    assert other.paid[last] == other.costs[last]
