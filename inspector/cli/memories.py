"""prompt-inspector memories: every memory with its rank, its score, and why it is in the prompt or not."""

from typing import Any

import click

from inspector.assembly.answer import Answer
from inspector.assembly.memory_ranking import (
    MemoryRanking,
    comparison_sentence,
    prompt_sentence,
    rank_memories,
    ranking_sentence,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.relevance import similarity_parts
from inspector.assembly.retrieval_findings import embedding_trouble
from inspector.cli.asking import open_asked
from inspector.cli.loading import answer_for, named_failures
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.output import print_json, say
from inspector.cli.sections import SectionedCommand

MEMORIES_FORMAT = "prompt-inspector/memories@1"
_QUERY_CODE_POINTS = 100


@click.command(cls=SectionedCommand, short_help="Say how memories are ranked, and why each is in or out.")
@paths_argument
@scenario_options
@format_option
def memories(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """List the memories of PATHS in the order in which the policy took them: rank, score, similarity and why."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        answer = answer_for(pipeline, scenario)
        ranking = memory_ranking(pipeline, answer)
        trouble = embedding_trouble(answer.case, answer.assembly.candidates)
    if answer_format == "json":
        print_json(memories_value(ranking, answer, trouble))
    else:
        _print(ranking, answer, trouble)


def memory_ranking(pipeline: Pipeline, answer: Answer) -> MemoryRanking:
    """What became of the memories of an answer."""
    assembly = answer.assembly
    policy = None if assembly.error else answer.case.policy
    return rank_memories(assembly, policy, pipeline.known.duplicates.known(assembly.candidates))


def memories_value(ranking: MemoryRanking, answer: Answer, trouble: str) -> dict[str, Any]:
    """The ranking as one JSON value: an item for each memory, in the order of decision, and the lines between them."""
    candidates, error = ranking.assembly.candidates, ranking.assembly.error
    return {
        "format": MEMORIES_FORMAT,
        "status": answer.status,
        "error": None if error is None else {"code": error.code, "message": error.message},
        "policy": answer.case.policy_name,
        "query": candidates.query,
        "similarity": candidates.measure.way,
        "compared": comparison_sentence(ranking, trouble),
        "lines": [{"before": line.place, "caption": line.caption} for line in ranking.lines],
        "items": [_item_value(ranking, row) for row in ranking.rows.tolist()],
    }


def _item_value(ranking: MemoryRanking, row: int) -> dict[str, Any]:
    assembly = ranking.assembly
    similarity, source = ranking.similarity(row)
    parts, words = similarity_parts(assembly.candidates, row)
    return {
        "id": assembly.candidates.ids[row],
        "rank": ranking.rank(row),
        "in_prompt": bool(assembly.in_prompt[row]),
        "why": ranking.why(row),
        "reason": assembly.reason_of(row).code,
        "short_by": ranking.short_by(row) or None,
        "score": ranking.score(row),
        "signals": [
            {"name": signal.name, "weight": signal.weight, "value": signal.value, "part": signal.part}
            for signal in ranking.signals(row)
        ],
        "similarity": similarity,
        "similarity_from": source or None,
        "similarity_parts": parts or None,
        "words_found": list(words),
        "tokens": int(assembly.candidates.tokens[row]),
        "nearly_the_same": list(ranking.like(row)),
        "text": assembly.candidates.texts[row],
    }


def _print(ranking: MemoryRanking, answer: Answer, trouble: str) -> None:
    from inspector.cli.tables import MOST_ROWS, print_rows

    error = ranking.assembly.error
    if error is not None:
        say(f"error {error.code}: {error.message}")
    if not len(ranking):
        say("There are no memories here.")
        return
    query = " ".join(ranking.assembly.candidates.query.split())
    say(f"Query: {query[:_QUERY_CODE_POINTS]}{'…' if len(query) > _QUERY_CODE_POINTS else ''}")
    say(comparison_sentence(ranking, trouble))
    if sentence := ranking_sentence(ranking, answer.case.policy_name):
        say(sentence)
    rows = _rows(ranking, MOST_ROWS)
    print_rows(rows, list(rows[0]))
    if len(ranking) > MOST_ROWS:
        say(f"… and {len(ranking) - MOST_ROWS:,} more (--format json lists all)")
    for line in ranking.lines:
        if line.place >= MOST_ROWS:
            say(f"after rank {line.place:,}: {line.caption}")
    say(f"{prompt_sentence(ranking)}.")


def _rows(ranking: MemoryRanking, most: int) -> list[dict[str, Any]]:
    """The first rows, with the lines between them as rows of their own."""
    captions = {line.place: line.caption for line in ranking.lines}
    listed: list[dict[str, Any]] = []
    for place, row in enumerate(ranking.rows[:most].tolist()):
        shown = _row(ranking, row)
        if place in captions:
            listed.append({**dict.fromkeys(shown, ""), "why": f"── {captions[place]}"})
        listed.append(shown)
    return listed


def _row(ranking: MemoryRanking, row: int) -> dict[str, Any]:
    similarity, source = ranking.similarity(row)
    score, rank, like = ranking.score(row), ranking.rank(row), ranking.like(row)
    return {
        "rank": "" if rank is None else f"{rank:,}",
        "item": ranking.assembly.candidates.ids[row],
        "prompt": "in" if ranking.assembly.in_prompt[row] else "✕ out",
        "score": "" if score is None else f"{score:.3f}",
        "similarity": "" if similarity is None else f"{similarity:.3f}",
        "from": source,
        "tokens": f"{int(ranking.assembly.candidates.tokens[row]):,}",
        "like": f"≈ {like[0]}" if like else "",
        "why": ranking.why(row),
    }
