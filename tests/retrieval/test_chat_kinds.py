"""The kind of a chat decides the weights of `auto`, by the chat's own shape alone, and every part can be set."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.relevance.kinds import (
    LONG_REPLY,
    SHORT_REPLY,
    WITH_ASSISTANT,
    Sides,
    settings_of_kind,
)
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.relevance.surroundings import Surroundings
from inspector.retrieval.similarity import Measure, Similarity

QUESTION = "Which pump leaks"


def sides(asked: Sequence[int], replied: Sequence[int]) -> Sides:
    """A question of so many characters and its reply, in turns."""
    sizes = [size for pair in zip(asked, replied, strict=True) for size in pair]
    return Sides(np.arange(len(sizes)) % 2 == 1, np.log(np.array(sizes, np.float64)))


@pytest.mark.parametrize(
    ("asked", "replied", "degree"),
    [
        (120, 130, 0.0),
        (1_900, 2_000, np.log2(2_000 / 1_900)),
        (40, SHORT_REPLY, 0.0),
        (40, 1_000, 0.5),
        (40, LONG_REPLY, 1.0),
        (40, 20_000, 1.0),
        (5_000, 2_000, 0.0),
    ],
)
def test_only_long_replies_to_shorter_messages_are_those_of_an_assistant(
    asked: int, replied: int, degree: float
) -> None:
    assert sides([asked] * 3, [replied] * 3).assistance == pytest.approx(degree)


def test_a_talk_of_one_side_or_without_texts_has_no_assistant() -> None:
    assert Sides(np.ones(3, np.bool_), np.full(3, 8.0)).assistance == 0.0
    assert Sides(np.zeros(3, np.bool_), np.full(3, 8.0)).assistance == 0.0
    assert Sides(np.array([False, True]), np.full(2, np.nan)).assistance == 0.0
    assert Sides(np.empty(0, np.bool_), np.empty(0)).assistance == 0.0


def test_messages_without_text_do_not_count() -> None:
    whole = sides([50, 60], [3_000, 1_000])
    silent = Sides(np.append(whole.is_reply, [True, False]), np.append(whole.logarithms, [np.nan, np.nan]))
    assert silent.assistance == whole.assistance > 0


@given(st.lists(st.tuples(st.integers(1, 9_000), st.integers(1, 9_000)), min_size=1, max_size=20), st.integers(1, 500))
def test_longer_replies_never_lower_the_degree(pairs: list[tuple[int, int]], more: int) -> None:
    asked, replied = zip(*pairs, strict=True)
    before = sides(asked, replied).assistance
    after = sides(asked, [size + more for size in replied]).assistance
    assert 0 <= before <= after + 1e-12 <= 1 + 1e-12


def test_weights_move_from_the_usual_ones_to_those_of_an_assistant() -> None:
    assert settings_of_kind(AS_MEASURED, 0.0) is AS_MEASURED
    whole, half = (settings_of_kind(AS_MEASURED, degree) for degree in (1.0, 0.5))
    for name, weight in WITH_ASSISTANT.items():
        assert getattr(whole, name) == pytest.approx(weight)
        assert getattr(half, name) == pytest.approx((weight + getattr(AS_MEASURED, name)) / 2)
    others = {field.name for field in fields(RelevanceSettings)} - WITH_ASSISTANT.keys()
    assert all(getattr(whole, name) == getattr(AS_MEASURED, name) for name in others)
    assert whole.trouble() == ""


@pytest.mark.parametrize("name", WITH_ASSISTANT)
def test_a_weight_set_by_the_user_stays_and_all_of_them_can(name: str) -> None:
    own = replace(AS_MEASURED, **{name: 0.0})
    assert getattr(settings_of_kind(own, 1.0), name) == 0.0
    other = next(each for each in WITH_ASSISTANT if each != name)
    assert getattr(settings_of_kind(own, 1.0), other) == pytest.approx(WITH_ASSISTANT[other])
    off = replace(AS_MEASURED, by_kind=False)
    assert settings_of_kind(off, 1.0) == off


def talk(replied: int) -> Similarity:
    filler = " ".join(["valve"] * (replied // 6))
    texts = (QUESTION, f"The pump leaks. {filler}", "And the roof", f"No. {filler}", "Thanks", f"Fine. {filler}")
    around = Surroundings(
        is_talk=True,
        sides=Sides(np.arange(len(texts)) % 2 == 1, np.log([float(len(text)) for text in texts])),
    )
    return Similarity(texts, np.full(len(texts), np.nan), around)


def test_only_auto_weighs_by_kind_and_only_where_the_chat_has_an_assistant() -> None:
    long, short = talk(6_000), talk(6)
    for similarity, is_other in ((long, True), (short, False)):
        auto, fused = (similarity.to_query(QUESTION, Measure(way)).values for way in ("auto", "fused"))
        assert (auto.tolist() != fused.tolist()) == is_other
    off = Measure("auto", settings=RelevanceSettings(by_kind=False))
    assert long.to_query(QUESTION, off).values.tolist() == long.to_query(QUESTION, Measure("fused")).values.tolist()
    whole = replace(AS_MEASURED, **WITH_ASSISTANT)
    given = long.to_query(QUESTION, Measure("fused", settings=whole)).values
    assert long.to_query(QUESTION, Measure("auto")).values == pytest.approx(given)


def test_the_kind_is_that_of_the_messages_that_exist() -> None:
    long = talk(6_000)
    assert long.assistance(Measure("auto"), np.arange(6)) == 1.0
    assert long.assistance(Measure("auto"), np.array([0, 2, 4])) == 0.0, "no reply yet"
    assert long.assistance(Measure("auto"), np.arange(1)) == 0.0
    assert long.assistance(Measure("fused"), np.arange(6)) == 0.0
    first, alone = np.arange(2), talk(6_000)
    among = long.to_query(QUESTION, Measure("auto"), among=first).values
    texts = alone.compared("auto")[:2]
    around = Surroundings(is_talk=True, sides=Sides(np.array([False, True]), np.log([float(len(t)) for t in texts])))
    only = Similarity(texts, np.full(2, np.nan), around).to_query(QUESTION, Measure("auto")).values
    assert among == pytest.approx(only)


def test_the_share_of_length_holds_long_texts_back() -> None:
    texts = ("the pump leaks here", "the pump leaks here " + "and so on and on " * 80, "nothing of it")
    similarity = Similarity(texts, np.full(3, np.nan))
    ratios = []
    for length in (0.0, 0.3, 0.9):
        found = similarity.to_query("pump", Measure("lexical", settings=RelevanceSettings(length=length))).values
        ratios.append(found[1] / found[0])
    assert ratios[0] == pytest.approx(1.0)
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[2] < 0.5


@pytest.mark.parametrize(("length", "trouble"), [(1.0, False), (1.01, True), (-0.1, True), (float("nan"), True)])
def test_a_share_of_length_is_at_most_all_of_it(length: float, trouble: bool) -> None:
    assert bool(RelevanceSettings(length=length).trouble()) is trouble
