"""The reference is made from the declarations, so that no code of an answer is without an article."""

from pathlib import Path

import orjson

from inspector.analysis.reference import declared_reasons, finding_articles, policy_articles, reason_articles
from inspector.assembly.presets import load_presets
from inspector.plugins import policies

_GOLDEN = Path(__file__).resolve().parent.parent / "golden"
_CONTRACT = """
always within_budget guaranteed pinned summary preview cut over_budget after_stop not_retrieved below_threshold
filtered duplicate filler old_filler emergency trailing middle_out excluded not_yet
"""


def golden_codes() -> set[str]:
    """Every reason that the recorded answers have."""
    lines = (line for file in sorted(_GOLDEN.glob("*.jsonl")) for line in file.read_bytes().splitlines())
    return {code for line in lines for code in orjson.loads(line)["expect"].get("reasons", {}).values()}


def test_every_reason_of_an_answer_has_an_article() -> None:
    codes = {article.name for article in reason_articles(policies()[0], load_presets())}
    assert set(_CONTRACT.split()) <= codes
    assert golden_codes() <= codes


def test_the_sentences_of_reasons_name_no_figure_of_a_case() -> None:
    articles = list(reason_articles(policies()[0], load_presets()))
    assert all(sentence and "{" not in sentence for article in articles for _, sentence in article.facts)
    labels = {label for article in articles for label, _ in article.facts}
    assert {reason.label for reason in declared_reasons(policies()[0], load_presets())} == labels


def test_a_policy_says_what_it_does_and_what_each_parameter_is_for() -> None:
    articles = {article.name: article for article in policy_articles(policies()[0], load_presets())}
    assert articles["Ratio"].summary.startswith("Gives memories")
    assert dict(articles["Ratio"].facts)["history_share"]
    assert dict(articles["Ratio: Borrowing"].facts)["both"]


def test_a_finding_says_what_one_can_do() -> None:
    assert all(article.summary and article.paragraphs for article in finding_articles())
