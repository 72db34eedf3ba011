"""The sentences of a recommendation: the word for a window, the state of the table, and what is said of the gain."""

from dataclasses import replace

import pytest

from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.ceiling import Ceiling
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.rendered import Rendered
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import (
    OTHER_FILES,
    OTHER_SETTING,
    RETRIEVES_NOTHING,
    advice_sentences,
    headline,
    limit_sentences,
    rendered_sentence,
    retrieves_nothing,
    standing,
    verdict,
    window_sentences,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace
from inspector.plugins import policies

WINDOW = 4_096
NOW = Setting(Scenario(policy="ratio", context_window=WINDOW), 0.5, 0.6, 1.0, 1_000.0)
BEST = Setting(Scenario(policy="window_rag", context_window=WINDOW), 0.7, 0.8, 1.0, 3_000.0)
SHIPPED = Setting(Scenario(policy="slots", context_window=WINDOW), 0.6, 0.7, 1.0, 2_000.0)
GAINS = tuple(BlockGain(name, 10, gain, 1.0, BEST.scenario) for name, gain in (("a", 10.0), ("b", 20.0), ("c", 30.0)))
SURE = WindowAdvice(WINDOW, NOW, BEST, GAINS, (5.0, 35.0))
RENDERED = Rendered(40, 3_100.4, 3_600, 3_000.0, 500.0, 0)


def found(advice: WindowAdvice = SURE, *, is_whole: bool = True, notes: tuple[str, ...] = ()) -> Searched:
    """A search of one window with this result."""
    learning = (LearningPoint(10, 0.7), LearningPoint(20, 0.8), LearningPoint(30, 0.8))
    made = Recommendation(Terms((WINDOW,), 400), 0.04, 1_200, (), (advice,), learning, notes, is_whole)
    pipeline = Pipeline(Workspace(), policies()[0], load_presets())
    return Searched.of(pipeline, NOW.scenario, made)


@pytest.mark.parametrize(
    ("advice", "word"),
    [
        (SURE, "change"),
        (replace(SURE, interval=(-1.0, 35.0)), "may be chance"),
        (replace(SURE, interval=None, gains=()), "may be chance"),
        (replace(SURE, best=NOW), "keep"),
        (replace(SURE, interval=(-1.0, 5.0), current=replace(NOW, fits=0.5)), "change"),
    ],
    ids=["sure", "holds 0", "nothing left out", "the current one", "does not fit now"],
)
def test_the_word_for_a_window_is_certain_once_all_is_measured(advice: WindowAdvice, word: str) -> None:
    assert verdict(found(advice), 0) == word
    assert verdict(found(advice, is_whole=False), 0) == f"{word}?"
    assert verdict(replace(found(advice), in_use=0), 0) == "in use"


def test_the_state_says_by_how_many_questions_with_which_reply_and_every_note() -> None:
    assert standing(found(notes=("A note.",))) == "By 1,200 questions, with 400 tokens left for the reply. A note."
    assert standing(found(is_whole=False)) == "This is partial: by 1,200 questions so far."
    stopped = replace(found(is_whole=False), stopped=True)
    assert standing(stopped) == "The search was stopped, and this is partial: by 1,200 questions so far."


def test_the_state_of_an_old_result_says_what_it_is_about() -> None:
    assert standing(replace(found(), is_of_now=False)) == OTHER_SETTING
    assert standing(replace(found(), is_of_open=False)) == OTHER_FILES
    used = replace(found(), in_use=0, used=(WINDOW, BEST.scenario), is_of_now=False)
    assert standing(used).startswith("A setting for 4,096 tokens is in use; “now” is the one before it. By 1,200")


def test_a_setting_in_use_is_said_with_what_was_held_before() -> None:
    said = list(advice_sentences(replace(found(), in_use=0), 0))
    assert said[0] == "In use: the prompts hold 80.0 % of the needed items, and 60.0 % before."
    assert said[1].startswith(
        "On conversations unseen by the search it gains +20.0 points (+5.0 to +35.0); held on 3 of 3"
    )


def test_a_partial_result_begins_with_so_far() -> None:
    first, *_ = advice_sentences(found(is_whole=False), 0)
    whole = headline(found(is_whole=False), 0)
    assert first == f"So far: {whole[0].lower()}{whole[1:]}"


@pytest.mark.parametrize(
    ("baseline", "over", "said"),
    [
        (None, None, "instead of 60.0 %, a gain of +5.0 to +35.0 points on conversations that the search did not see."),
        (NOW, None, "instead of 60.0 %, a gain of +5.0 to +35.0 points on conversations that the search did not see."),
        (SHIPPED, None, "instead of 70.0 % (the best shipped setting that fits), and 60.0 % now."),
        (
            SHIPPED,
            (2.0, 9.0),
            "instead of 70.0 % (the best shipped setting that fits), a gain of +2.0 to +9.0 points on conversations "
            "that the search did not see, and 60.0 % now.",
        ),
    ],
    ids=["none fits", "the current one", "beside it", "with its interval"],
)
def test_the_first_sentence_stands_beside_the_best_shipped_setting(
    baseline: Setting | None, over: tuple[float, float] | None, said: str
) -> None:
    advice = replace(SURE, baseline=baseline, over_interval=over)
    assert headline(found(advice), 0) == f"Ship this: the prompts hold 80.0 % of the needed items {said}"


def test_keeping_is_said_beside_a_shipped_setting_that_is_another() -> None:
    kept = replace(SURE, best=NOW, baseline=SHIPPED)
    assert headline(found(kept), 0) == (
        "Keep the current setting, which holds 60.0 % (the best shipped setting that fits: 70.0 %): nothing better "
        "was found."
    )
    assert "shipped" not in headline(found(replace(kept, baseline=NOW)), 0)


def test_prompts_without_room_for_the_reply_are_said_now_and_then() -> None:
    tight = replace(SURE, current=replace(NOW, fits=0.25))
    assert "Now 25.0 % of the prompts leave room for the reply, then 100.0 %." in list(
        advice_sentences(found(tight), 0)
    )
    used = list(advice_sentences(replace(found(tight), in_use=0), 0))
    assert "Before 25.0 % of the prompts leave room for the reply, now 100.0 %." in used
    assert not any("leave room" in one for one in advice_sentences(found(), 0))


def test_nothing_retrieved_is_said_only_where_prompts_were_counted() -> None:
    assert not retrieves_nothing(SURE)
    assert not retrieves_nothing(replace(SURE, rendered_now=RENDERED))
    nothing = replace(SURE, rendered_now=replace(RENDERED, retrieved=0.0))
    assert retrieves_nothing(nothing)
    assert list(advice_sentences(found(nothing), 0)).count(RETRIEVES_NOTHING) == 1


def test_without_gains_the_gain_elsewhere_is_not_known() -> None:
    said = list(advice_sentences(found(replace(SURE, gains=(), interval=None)), 0))
    assert "The gain on other conversations is not known: there is nothing to leave out." in said
    kept = list(advice_sentences(found(replace(SURE, best=NOW)), 0))
    assert not any("unseen" in one for one in kept)


def test_counted_prompts_stand_beside_their_plan_and_their_window() -> None:
    assert rendered_sentence(WINDOW, RENDERED) == (
        "Counted on their texts, 40 prompts of the best setting have 3,100 tokens on average (3,000 planned); the "
        "largest has 3,600 of 4,096."
    )
    one = rendered_sentence(WINDOW, replace(RENDERED, prompts=1))
    assert one.startswith("Counted on their texts, 1 prompt of the best setting")


def test_limits_are_told_for_any_face_and_enough_questions_once() -> None:
    limited = replace(SURE, rendered=RENDERED, ceiling=Ceiling(0.9, "hybrid", 0.7))
    said = list(limit_sentences(limited))
    assert said == [
        rendered_sentence(WINDOW, RENDERED),
        "The best way of comparing (hybrid) brings 90.0 % into this window, 10.0 points of which are lost by how the "
        "room is divided.",
        "The newest messages alone, as many as fit, would hold 70.0 %: about 10.0 of the 20.0 points gained come from "
        "filling the window, the rest from comparing.",
    ]
    assert list(window_sentences(found(limited), 0))[-4:] == [*said, "About 20 questions would have chosen as well."]
    assert list(limit_sentences(SURE)) == []


def test_what_holds_the_current_setting_back_is_named_by_its_labels() -> None:
    (said,) = (
        one for one in window_sentences(found(replace(SURE, binds=("policy", "similarity"))), 0) if "back" in one
    )
    assert said == "What holds the current setting back: policy, similarity."
    assert "; mostly because “policy” is Window with retrieval instead of Ratio." in headline(
        found(replace(SURE, binds=("policy",))), 0
    )
