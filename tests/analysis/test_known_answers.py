"""Known answers: the share of their words in prompts, by hand, and against SQuAD's and a plain count."""

import json
import re
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.recall.answers import AnswerShare, KnownAnswers, answer_words, mean_answers
from inspector.analysis.recall.ask import GROUPS, recall, recall_value
from inspector.analysis.recall.probes import scenario_of
from inspector.assembly.answer import complete_answer
from inspector.assembly.marks import probes_text
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies

SAID = ("We met Ann on 7 May, 2023.", "It cost $1,000!", "The harbour was cold.", "And the pier?")
CHAT = Conversation("c1", messages=tuple(Message(f"m{n}", "user", text) for n, text in enumerate(SAID)))
PROBES = (
    Probe("day", ("m0",), "c1", answer="7 May 2023"),
    Probe("price", ("m1",), "c1", answer="1000 dollars", category="price"),
    Probe("none", ("m2",), "c1"),
)
LARGE = Scenario(policy="naive", tokenizer="estimate:words", context_window=4000)
SMALL = Scenario(policy="ratio", tokenizer="estimate:words", context_window=30)
"""Holds all but the oldest message."""


def pipeline_of(workspace: Workspace) -> Pipeline:
    return Pipeline(workspace, policies()[0], load_presets())


@pytest.fixture
def chat() -> Pipeline:
    return pipeline_of(Workspace(conversations=(CHAT,)))


def squad_words(text: str) -> set[str]:
    """The words of SQuAD's script: articles become blanks after the punctuation is gone."""
    bare = "".join(one for one in text.lower() if one not in string.punctuation)
    return set(re.sub(r"\b(a|an|the)\b", " ", bare).split())


@given(st.text(alphabet=string.ascii_letters + string.digits + string.punctuation + " \n\t", max_size=60))
def test_words_are_those_of_squad(text: str) -> None:
    assert answer_words(text) == squad_words(text)


@given(st.text(max_size=60))
def test_words_are_normal_already(text: str) -> None:
    words = answer_words(text)
    assert answer_words(" ".join(words)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The 7th of May, 2023", {"7th", "of", "may", "2023"}),
        ("“L’été” — 1.000 €", {"lété", "1000", "€"}),
        ("我在北京。", {"我", "在", "北", "京"}),
        ("An… the?", set()),
    ],
)
def test_numbers_dates_and_scripts_without_spaces_are_kept(text: str, words: set[str]) -> None:
    assert answer_words(text) == words


def test_shares_by_hand(chat: Pipeline) -> None:
    day, price, none = recall(chat, LARGE, PROBES).answers
    assert day == AnswerShare(1.0, 0.5), "of the other answer, 1000 is there, and dollars is not"
    assert price == AnswerShare(0.5, 1.0)
    assert none is None
    assert recall(chat, SMALL, PROBES).answers == (AnswerShare(0.0, 0.5), AnswerShare(0.5, 0.0), None)


def test_a_prompt_that_cannot_be_made_holds_no_answer(chat: Pipeline) -> None:
    refused = Scenario(policy="ratio", tokenizer="estimate:words", context_window=70, parameters={"memory_share": 2})
    assert recall(chat, refused, PROBES[:2]).answers == (AnswerShare(0.0, 0.0),) * 2


def test_chance_is_not_known_of_a_single_answer_nor_anything_without_answers(chat: Pipeline) -> None:
    alone = recall(chat, LARGE, PROBES[::2])
    assert alone.answers == (AnswerShare(1.0, None), None)
    assert mean_answers(alone.answers) == {"answers": 1, "answer_words": 1.0, "other_answer_words": None}
    nothing = recall(chat, LARGE, (PROBES[2], Probe("articles", ("m1",), "c1", answer="The!")))
    assert nothing.answers == (None, None)
    assert recall_value(nothing, LARGE, None)["answer_words"] is None
    assert not KnownAnswers(nothing.probes)


@given(st.lists(st.sampled_from(("cold pier", "Ann", "1,000 Ann", "", "the", "harbour rain", "May")), max_size=6))
def test_shares_are_those_counted_plainly(answers: list[str]) -> None:
    asked = tuple(Probe(f"q{n}", (f"m{n % 4}",), "c1", answer=answer) for n, answer in enumerate(answers))
    pipeline, scenario = pipeline_of(Workspace(conversations=(CHAT,))), SMALL
    known = [squad_words(answer) for answer in answers if squad_words(answer)]
    for probe, share in zip(asked, recall(pipeline, scenario, asked).answers, strict=True):
        own = squad_words(probe.answer)
        if not own:
            assert share is None
            continue
        assert share is not None
        prompt = complete_answer(pipeline, scenario_of(scenario, probe)).assembly
        there = squad_words(" ".join(message.content for message in prompt_messages(prompt)))
        others = list(known)
        others.remove(own)
        assert share.own == pytest.approx(len(own & there) / len(own))
        if others:
            assert share.others == pytest.approx(np.mean([len(one & there) / len(one) for one in others]))


def test_totals_rows_and_groups_agree_and_asking_twice_changes_nothing(chat: Pipeline) -> None:
    recalled = recall(chat, LARGE, PROBES)
    value = recall_value(recalled, LARGE, None)
    assert value == recall_value(recall(chat, LARGE, PROBES), LARGE, None)
    assert (value["answers"], value["answer_words"], value["other_answer_words"]) == (2, 0.75, 0.75)
    assert [row["answer_words"] for row in value["rows"]] == [1.0, 0.5, None]
    assert [(group["category"], group["answers"], group["answer_words"]) for group in value["categories"]] == [
        ("", 1, 1.0),
        ("price", 1, 0.5),
    ]
    assert [record["answer_words"] for record in GROUPS.records(recalled)] == [1.0, 0.5, 0.75]


def test_answers_are_written_with_the_questions_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "asked.probes.yaml"
    file.write_text(probes_text(PROBES))
    assert [probe.answer for probe in load_workspace([file]).probes] == ["7 May 2023", "1000 dollars", ""]
    lines = tmp_path / "asked.jsonl"
    lines.write_text(json.dumps({"id": "q", "evidence": ["m0"], "answer": "Ann"}))
    assert [probe.answer for probe in load_workspace([lines]).probes] == ["Ann"]
