"""The table of memories: a row for each in the order of decision, with its signals, and why it is in or out."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Rows, State, outcome_tone, word
from inspector.assembly.columns import Kind as ItemKind
from inspector.assembly.explain import Signal, explain
from inspector.assembly.memory_ranking import MemoryRanking, comparison_sentence, rank_memories
from inspector.assembly.numbers import number_of, numbers_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.relevance import similarity_parts
from inspector.retrieval.similarity import Origin
from inspector.tables import OUTCOME_GLYPHS, Column, Face, Kind, Table, Tone

MEMORIES_FORMAT = "prompt-inspector/memories@1"
_PROMPT_WORDS = {Action.KEPT: "in", Action.DROPPED: "out", Action.TRUNCATED: "cut"}
_SOURCES = {
    Origin.RECORDED: "recorded",
    Origin.EMBEDDING: "embedding",
    Origin.LEXICAL: "BM25",
    Origin.HYBRID: "hybrid",
    Origin.FUSED: "fused",
}


def signal_words(signals: tuple[Signal, ...]) -> str:
    """Return the terms of a score, such as `0.52 similarity × 0.40 = 0.208`, a line each, and their sum."""
    lines = [
        f"{signal.name} {signal.value:.3f} × {signal.weight:g} = {signal.part:.3f}"
        + ("" if signal.known else " (not known)")
        for signal in signals
    ]
    return "\n".join([*lines, f"score {sum(signal.part for signal in signals):.3f}"]) if lines else ""


def _is_out(ranking: MemoryRanking, row: int) -> bool:
    return int(ranking.assembly.action[row]) == Action.DROPPED


def _muted_when_out(ranking: MemoryRanking, row: int) -> Tone | None:
    return "muted" if _is_out(ranking, row) else None


def _muted(ranking: MemoryRanking, row: int) -> Tone:
    return "muted"


def _action_color(ranking: MemoryRanking, row: int) -> Tone | None:
    if _is_later(ranking, row):
        return "muted"
    action = Action(int(ranking.assembly.action[row]))
    return None if action == Action.KEPT else outcome_tone(action)


def _why_color(ranking: MemoryRanking, row: int) -> Tone | None:
    return None if _is_out(ranking, row) else "muted"


def _why_tooltip(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    return explain(ranking.assembly, row) + (f"\n{_like_tooltip(ranking, row)}" if like else "")


def _signals(ranking: MemoryRanking, row: int) -> str:
    return signal_words(ranking.signals(row)).replace("\n", "; ")


def _similarity(ranking: MemoryRanking, row: int) -> str:
    similarity, _ = ranking.similarity(row)
    return "" if similarity is None else f"{similarity:.3f} {_SOURCES[Origin(ranking.origin(row))]}"


def _similarity_tooltip(ranking: MemoryRanking, row: int) -> str:
    similarity, source = ranking.similarity(row)
    if similarity is None:
        return "How similar it is to the query is not known."
    parts = ranking.similarity_words(row).replace(" + ", "\n+ ")
    return f"{similarity:.4f}, {source}" + (f"\n= {parts}" if parts else "")


def _prompt(ranking: MemoryRanking, row: int) -> str:
    if _is_later(ranking, row):
        return "not yet"
    action = Action(int(ranking.assembly.action[row]))
    return f"{OUTCOME_GLYPHS.get(word(action), '')} {_PROMPT_WORDS.get(action, word(action))}".lstrip()


def _is_later(ranking: MemoryRanking, row: int) -> bool:
    """Return whether a memory does not exist yet at the replayed turn."""
    return int(ranking.assembly.candidates.state[row]) == State.NOT_YET


def _like(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    more = f" +{len(like) - 1}" if len(like) > 1 else ""
    return f"≈ {number_of(ranking.assembly.candidates, like[0])}{more}" if like else ""


def _like_tooltip(ranking: MemoryRanking, row: int) -> str:
    like = ranking.like(row)
    return f"It says nearly the same as {', '.join(numbers_of(ranking.assembly.candidates, like))}." if like else ""


def _kind(ranking: MemoryRanking, row: int) -> str:
    return word(ItemKind(int(ranking.assembly.candidates.kind[row])))


def _has_likes(ranking: MemoryRanking) -> bool:
    return ranking.duplicates is not None and len(ranking.duplicates.grouped) > 0


def _similarities(ranking: MemoryRanking) -> NDArray:
    """Return the similarities by row; messages, which are compared elsewhere, only where some are listed."""
    candidates = ranking.assembly.candidates
    if not (candidates.kind[ranking.rows] == ItemKind.MESSAGE).any():
        return candidates.similarity
    return np.where(candidates.kind == ItemKind.MESSAGE, candidates.message_likeness.values, candidates.similarity)


MEMORY_COLUMNS: tuple[Column[MemoryRanking], ...] = (
    Column(
        "rank",
        "Rank",
        "Its place in the order of decision",
        MemoryRanking.rank,
        lambda ranking: ranking.places,
        Kind.COUNT,
        absent="",
        digits=6,
        tone=_muted_when_out,
        tooltip=lambda ranking, row: f"{ranking.assembly.candidates.ids[row]}: {_kind(ranking, row)}",
    ),
    Column(
        "in_prompt",
        "In",
        "Whether it is in the prompt",
        lambda ranking, row: bool(ranking.assembly.in_prompt[row]),
        lambda ranking: ranking.assembly.action,
        words=_prompt,
        digits=5,
        tone=_action_color,
        tooltip=_why_tooltip,
    ),
    Column(
        "why",
        "Why",
        "Why it is in the prompt, or why not",
        MemoryRanking.why,
        lambda ranking: ranking.fates,
        digits=18,
        tone=_why_color,
        tooltip=_why_tooltip,
    ),
    Column(
        "reason",
        "Reason",
        "The code of why",
        lambda ranking, row: ranking.assembly.reason_of(row).code,
        faces=Face.FILES,
    ),
    Column(
        "short_by",
        "Short by",
        "How many tokens more the budget would have needed",
        lambda ranking, row: ranking.short_by(row) or None,
        kind=Kind.TOKENS,
        faces=Face.FILES,
    ),
    Column(
        "score",
        "Score",
        "Its score in the ranking",
        MemoryRanking.score,
        lambda ranking: ranking.assembly.score,
        Kind.NUMBER,
        absent="",
        digits=5,
        yields=1,
        tone=_muted_when_out,
        shown=lambda ranking: ranking.is_scored,
    ),
    Column(
        "signals",
        "Signals",
        "The parts of the score: each signal times its weight. Faint if it was not ranked: its score would be this",
        _signals,
        faces=Face.WINDOW,
        digits=12,
        tooltip=lambda ranking, row: signal_words(ranking.signals(row)),
        shown=lambda ranking: bool(ranking.terms),
    ),
    Column(
        "similarity",
        "Similarity",
        "How similar it is to the query, 0 to 1, and where that comes from",
        lambda ranking, row: ranking.similarity(row)[0],
        _similarities,
        words=_similarity,
        digits=15,
        yields=3,
        tone=_muted_when_out,
        tooltip=_similarity_tooltip,
    ),
    Column(
        "similarity_from",
        "Similarity from",
        "Where its similarity comes from",
        lambda ranking, row: ranking.similarity(row)[1] or None,
        faces=Face.FILES,
    ),
    Column(
        "tokens",
        "Tokens",
        "The tokens of the whole memory; ≈ marks an estimate",
        lambda ranking, row: int(ranking.assembly.candidates.tokens[row]),
        lambda ranking: ranking.assembly.candidates.tokens,
        Kind.TOKENS,
        estimated=lambda ranking, row: bool(ranking.assembly.candidates.estimated[row]),
        digits=5,
        yields=2,
        tone=_muted_when_out,
    ),
    Column(
        "kind",
        "Kind",
        "The kind of the item",
        _kind,
        lambda ranking: ranking.assembly.candidates.kind,
        digits=8,
        yields=5,
        tone=_muted,
        shown=lambda ranking: ranking.is_mixed,
    ),
    Column(
        "id",
        "#",
        "Its number",
        lambda ranking, row: ranking.assembly.candidates.ids[row],
        words=lambda ranking, row: number_of(ranking.assembly.candidates, row),
        digits=8,
        yields=6,
        tone=_muted,
    ),
    Column(
        "nearly_the_same",
        "Like",
        "A memory that says nearly the same",
        lambda ranking, row: tuple(ranking.assembly.candidates.ids[other] for other in ranking.like(row)),
        kind=Kind.IDS,
        words=_like,
        digits=9,
        yields=4,
        tone=lambda ranking, row: "summarized",
        tooltip=_like_tooltip,
        shown=_has_likes,
    ),
    Column(
        "text",
        "Text",
        "How it begins",
        lambda ranking, row: ranking.assembly.candidates.texts[row],
        kind=Kind.EXCERPT,
        faces=Face.FILES | Face.WINDOW,
        digits=14,
        stretches=True,
        tone=_muted_when_out,
        tooltip=lambda ranking, row: ranking.assembly.candidates.texts[row],
    ),
)


def rows_with_lines(ranking: MemoryRanking) -> Rows:
    """Return the rows in the order of decision, with −1, −2, … for the lines between them."""
    places = [line.place for line in ranking.lines]
    return np.insert(ranking.rows, places, -1 - np.arange(len(places)))


def caption(ranking: MemoryRanking, row: int) -> str:
    """Return the caption of the line at a row below zero."""
    return ranking.lines[-1 - row].caption if -1 - row < len(ranking.lines) else ""


MEMORIES: Table[MemoryRanking] = Table(MEMORY_COLUMNS, lambda ranking: rows_with_lines(ranking).tolist(), caption)


def ranking_of(pipeline: Pipeline, answer: Answer) -> MemoryRanking:
    """Return the ranking of the memories of an answer."""
    assembly = answer.assembly
    policy = None if assembly.error else answer.case.policy
    return rank_memories(assembly, policy, pipeline.known.duplicates.known(assembly.candidates))


def memories_value(ranking: MemoryRanking, answer: Answer, trouble: str) -> dict[str, Any]:
    """Return the ranking as a JSON value: an item for each memory, in the order of decision, and the lines between
    them.
    """
    candidates, error = ranking.assembly.candidates, ranking.assembly.error
    return {
        "format": MEMORIES_FORMAT,
        "status": answer.status,
        "error": None if error is None else {"code": error.code, "message": error.message},
        "policy": answer.case.policy_name,
        "query": candidates.query,
        "similarity": candidates.measure.way,
        "compared": comparison_sentence(ranking, trouble),
        "score_scales": {one.id: one.score_scale for one in answer.case.chosen.parts.memory_sets if one.score_scale},
        "lines": [{"before": line.place, "caption": line.caption} for line in ranking.lines],
        "items": list(_item_values(ranking)),
    }


def _item_values(ranking: MemoryRanking) -> Iterator[dict[str, Any]]:
    for row, record in zip(ranking.rows.tolist(), MEMORIES.records(ranking), strict=True):
        parts, words = similarity_parts(ranking.assembly.candidates, row)
        signals = [
            {"name": signal.name, "weight": signal.weight, "value": signal.value, "part": signal.part}
            for signal in ranking.signals(row)
        ]
        yield {**record, "signals": signals, "similarity_parts": parts or None, "words_found": list(words)}
