"""Tokenizer comparisons: figures that can be made by hand, and decisions that agree with single assemblies."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share
from inspector.analysis.tokenizers.ask import (
    DEFAULT_CONTENDERS,
    RULES,
    TokenizerComparison,
    tokenizer_comparisons,
)
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Workspace, changed
from inspector.plugins import policies
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError, load_tokenizer
from inspector.tokens.content_kinds import ContentKind
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.tokenizer import TokenizerUnavailableError

TEXTS = (
    "We sailed past the coral reef at dawn",
    "今天我們去台北，吃小籠包，喝珍珠奶茶。",
    "def first(x):\n    return x[0]",
    "🎉🎉🎉",
    '{"a": [1, 2]}',
    "",
    "Was it cold?",
)
EXACT = Scenario(model="gpt-4o", policy="ratio", context_window=10_000)
NAMES = ("embedded:cl100k_base", "estimate:chorus", "estimate:brain", "estimate:brain-0.1")


def pipeline_of(*messages: Message) -> Pipeline:
    return Pipeline(Workspace(conversations=(Conversation("c1", messages),)), policies()[0], load_presets())


def spoken(*texts: str, **fields: object) -> Pipeline:
    said = [Message(f"m{n}", "assistant" if n % 2 else "user", text) for n, text in enumerate(texts)]
    return pipeline_of(*(changed(message, **fields) for message in said))


def compared(pipeline: Pipeline, scenario: Scenario, names: tuple[str, ...] | None = NAMES) -> TokenizerComparison:
    *_, last = tokenizer_comparisons(Basis(pipeline, scenario), names)
    assert isinstance(last, TokenizerComparison)
    return last


def tokens_of(comparison: TokenizerComparison, place: int) -> list[int]:
    tokens = comparison.columns[place].tokens
    assert tokens is not None
    return tokens.tolist()


def test_every_column_holds_what_its_tokenizer_counts() -> None:
    comparison = compared(spoken(*TEXTS), EXACT)
    assert [column.name for column in comparison.columns] == ["embedded:o200k_base", *NAMES]
    assert [column.exact for column in comparison.columns] == [True, True, False, False, False]
    for place, column in enumerate(comparison.columns):
        assert tokens_of(comparison, place) == load_tokenizer(column.name).count(TEXTS).tolist()
    assert tokens_of(comparison, 2) == [max(1, len(text) // 4) if text else 0 for text in TEXTS]
    assert tokens_of(comparison, 4) == [len(text.encode()) // 4 for text in TEXTS]


def test_errors_of_a_kind_are_those_of_its_texts() -> None:
    comparison = compared(spoken(*TEXTS), EXACT)
    assert [kind.name for kind in comparison.kinds_present] == ["PROSE", "CODE", "CJK", "EMOJI", "JSON", "OTHER"]
    true, rough = (np.array(tokens_of(comparison, place)) for place in (0, 2))
    prose = comparison.errors(2, ContentKind.PROSE)
    assert prose is not None
    off = rough[[0, 6]] - true[[0, 6]]
    assert (prose.items, prose.total, prose.compared) == (2, int(rough[[0, 6]].sum()), int(true[[0, 6]].sum()))
    assert prose.mean_absolute_error == np.abs(off).mean()
    assert prose.bias == off.sum() / true[[0, 6]].sum()
    overall = comparison.errors(2)
    assert overall is not None
    assert overall.items == 7
    assert overall.total == rough.sum()
    assert overall.worst == int(np.argmax(np.abs(rough - true)))
    nothing = comparison.errors(2, ContentKind.OTHER)
    assert nothing is not None
    assert (nothing.total, nothing.bias, nothing.worst, nothing.mean_absolute_error) == (0, None, None, 0.0)
    own = comparison.errors(0)
    assert own is not None
    assert (own.bias, own.worst) == (0.0, None)


def test_kinds_add_up_to_the_whole() -> None:
    comparison = compared(spoken(*TEXTS), EXACT)
    for place in range(len(comparison.columns)):
        parts = [comparison.errors(place, kind) for kind in comparison.kinds_present]
        whole = comparison.errors(place)
        assert whole is not None
        found = [part for part in parts if part is not None]
        assert sum(part.total for part in found) == whole.total
        assert sum(part.items for part in found) == whole.items
        assert sum(part.mean_absolute_error * part.items for part in found) == pytest.approx(
            whole.mean_absolute_error * whole.items
        )


def test_shares_are_of_the_reference_and_nan_where_it_counts_nothing() -> None:
    comparison = compared(
        spoken("ab", "", "x" * 80), replace(EXACT, tokenizer="estimate:brain-0.1"), ("estimate:chorus",)
    )
    assert tokens_of(comparison, 0) == [0, 0, 20]
    assert tokens_of(comparison, 1) == [1, 0, 20]
    shares = comparison.shares(1)
    assert shares is not None
    assert np.isnan(shares[0])
    assert shares[1:].tolist() == [0.0, 0.0]


def test_the_reference_is_the_scenarios_own_where_exact_and_else_the_first_exact_one() -> None:
    pipeline = spoken(*TEXTS)
    own = compared(pipeline, replace(EXACT, tokenizer="embedded:llama3"))
    assert own.reference is own.columns[0]
    rough = replace(EXACT, tokenizer="estimate:words")
    other = compared(pipeline, rough, ("estimate:chorus", "embedded:cl100k_base", "embedded:llama3"))
    assert other.reference is not None
    assert (other.reference.name, other.base) == ("embedded:cl100k_base", 2)
    none = compared(pipeline, rough, ("estimate:chorus",))
    assert none.reference is None
    assert none.columns[none.base].name == "estimate:words"
    assert none.errors(1) is not None, "differences are there nevertheless"


def test_flips_are_the_items_that_single_assemblies_decide_otherwise(pipeline: Pipeline) -> None:
    scenario = Scenario(conversation="c1", model="gpt-4o", context_window=150, parameters={"min_exchanges": 1})
    comparison = compared(pipeline, scenario, ("estimate:chorus", "estimate:words"))
    alone = []
    for name in ("auto", "estimate:chorus", "estimate:words"):
        single = replace(scenario, tokenizer=name)
        make_all(pipeline, single)
        alone.append(pipeline.assemble(pipeline.case(single)).action)
    for place in (1, 2):
        flips = comparison.flips(place)
        assert flips is not None
        assert flips.tolist() == np.flatnonzero(alone[place] != alone[0]).tolist()
    assert comparison.disputed == np.count_nonzero((alone[1] != alone[0]) | (alone[2] != alone[0])) > 0
    assert comparison.dissent.tolist() == [sum(int(one[row] != alone[0][row]) for one in alone) for row in range(15)]
    own = comparison.flips(0)
    assert own is not None
    assert not len(own)


def test_recorded_tokens_take_part_in_decisions_and_not_in_counts() -> None:
    recorded = compared(spoken(*TEXTS, tokens=500), EXACT)
    assert [tokens_of(recorded, place) for place in range(5)] == [
        tokens_of(compared(spoken(*TEXTS), EXACT), place) for place in range(5)
    ]
    tight = compared(spoken(*TEXTS, tokens=500), replace(EXACT, context_window=2_000))
    assert tight.disputed == 0, "what is recorded is the same under every tokenizer"


def test_where_the_policy_refuses_its_parameters_counts_are_compared_and_no_decisions() -> None:
    comparison = compared(spoken(*TEXTS), replace(EXACT, parameters={"nonsense": 1}))
    assert tokens_of(comparison, 0) == load_tokenizer("embedded:o200k_base").count(TEXTS).tolist()
    assert [comparison.flips(place) for place in range(5)] == [None] * 5
    assert comparison.disputed == 0


def test_without_names_it_is_the_usual_ones_that_count_in_different_ways() -> None:
    pipeline = spoken(*TEXTS)
    names = [column.name for column in compared(pipeline, EXACT, None).columns]
    assert names == list(DEFAULT_CONTENDERS)
    qwen = [column.name for column in compared(pipeline, replace(EXACT, tokenizer="embedded:qwen3"), None).columns]
    assert qwen[:2] == ["embedded:qwen3", "embedded:o200k_base"]
    assert "embedded:qwen2.5" not in qwen, "it counts as qwen3 does"
    rough = compared(pipeline, Scenario(model="deepseek-v3", tokenizer="estimate:scribe"), None)
    assert [column.name for column in rough.columns[:2]] == ["estimate:scribe", "embedded:deepseek_v3"]
    assert rough.base == 1, "the model's own tokenizer stays the reference while an estimate is in use"
    assert "estimate:brain-0.1" not in [column.name for column in rough.columns]


def test_a_name_is_taken_once_and_auto_is_the_models_own() -> None:
    scenario = replace(EXACT, tokenizer="estimate:words")
    comparison = compared(spoken(*TEXTS), scenario, ("auto", "estimate:words", "embedded:o200k_base"))
    assert [column.name for column in comparison.columns] == ["estimate:words", "embedded:o200k_base"]


def test_columns_appear_one_after_the_other_and_known_ones_at_once() -> None:
    pipeline = spoken(*TEXTS)
    steps = list(tokenizer_comparisons(Basis(pipeline, EXACT), NAMES))
    pictures = [step for step in steps if isinstance(step, TokenizerComparison)]
    counted = [[column.tokens is not None for column in picture.columns] for picture in pictures]
    assert [sum(row) for row in counted] == [0, 1, 2, 3, 4, 5]
    assert counted[1] == [True, False, False, False, False], "first the reference"
    assert pictures[0].errors(1) is None
    assert pictures[1].flips(1) is None
    rough = replace(EXACT, tokenizer="estimate:words")
    first = [
        step
        for step in tokenizer_comparisons(Basis(spoken(*TEXTS), rough), NAMES)
        if isinstance(step, TokenizerComparison)
    ][1]
    known = [column.name for column in first.columns if column.tokens is not None]
    assert known == ["embedded:cl100k_base"], "the reference comes first wherever it stands"
    shares = [step.part for step in steps if isinstance(step, Share) and step.what == f"Counting with {NAMES[0]}"]
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    (again,) = tokenizer_comparisons(Basis(pipeline, EXACT), NAMES)
    assert isinstance(again, TokenizerComparison)
    assert again.errors(3) == pictures[-1].errors(3)


def test_whoever_stops_half_way_keeps_what_is_counted(tmp_path: Path) -> None:
    texts = [f"word {number} and more" for number in range(10_000)]
    cache = CountCache(tmp_path / "counts.sqlite")
    pipeline = spoken(*texts)
    steps = tokenizer_comparisons(Basis(pipeline, EXACT, cache), ("estimate:words",))
    for step in steps:
        if isinstance(step, Share) and step.part > 0:
            break
    steps.close()  # type: ignore[attr-defined]
    counts = pipeline.known.counts(load_tokenizer("embedded:o200k_base"))
    assert 1_000 <= 10_000 - len(counts.missing(counts.places(texts))) < 10_000
    fresh = spoken(*texts)
    *_, last = tokenizer_comparisons(Basis(fresh, EXACT, cache), ("estimate:words",))
    assert isinstance(last, TokenizerComparison)
    assert tokens_of(last, 1) == [4] * 10_000


def test_names_that_nobody_has_are_refused() -> None:
    with pytest.raises(UnknownTokenizerError, match="unknown tokenizer 'embedded:llama9'; did you mean"):
        compared(spoken(*TEXTS), EXACT, ("embedded:llama9",))
    with pytest.raises(TokenizerUnavailableError):
        compared(spoken(*TEXTS), EXACT, ("hf:nobody/has-this",))


def test_a_workspace_without_texts_compares_nothing() -> None:
    comparison = compared(Pipeline(Workspace(), policies()[0], load_presets()), EXACT)
    errors = comparison.errors(1)
    assert errors is not None
    assert (errors.items, errors.total, errors.bias, errors.worst) == (0, 0, None, None)
    assert comparison.kinds_present == ()


def test_every_estimator_has_its_rule_in_words() -> None:
    assert set(RULES) == set(ESTIMATORS)


def test_real_files_are_compared(data_folder: Path) -> None:
    from inspector.formats import load_workspace

    file = data_folder / "sillytavern" / "derived" / "ja_persona.jsonl"
    pipeline = Pipeline(load_workspace([str(file)]), policies()[0], load_presets())
    comparison = compared(pipeline, EXACT)
    japanese, bytes_of = comparison.errors(2, ContentKind.CJK), comparison.errors(4, ContentKind.CJK)
    assert japanese is not None
    assert bytes_of is not None
    assert japanese.items > 500
    assert japanese.bias is not None
    assert bytes_of.bias is not None
    assert japanese.bias < -0.5, "a quarter of the characters is far too few for Japanese"
    assert abs(bytes_of.bias) < 0.1
