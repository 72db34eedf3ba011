"""Recall on LoCoMo: how many of the turns that answer a question are among the first few that its words retrieve.

A question of the data set is the query, the turns of its conversation are what is searched, and the turns that it
names as evidence are what is needed. Questions that name no turn, or one that is not there, are left out.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from rich.table import Table

from inspector.formats import load_workspace
from inspector.retrieval.similarity import Measure, Similarity
from inspector.retrieval.vectors.choice import EMBEDDER_NAMES, choose_embedder
from inspector.retrieval.vectors.embedding import TextVectors, embed_texts

DEPTHS = (5, 10, 25, 50)

_CHECKOUT = Path(__file__).resolve().parent.parent.parent
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a conversation and the rows of the turns that answer it."""

    query: str
    needed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Talk:
    """The texts of a conversation's turns, and the questions about it."""

    texts: tuple[str, ...]
    questions: tuple[Question, ...]


def recall_table() -> Table | str:
    """Recall by method and depth, or a sentence that says why there is none."""
    folder = Path(os.environ.get("PROMPT_INSPECTOR_DATA", _CHECKOUT.parent / "shared" / "data")) / "locomo"
    files = sorted(folder.glob("*.json"))
    if not files:
        return "No LoCoMo file is here: recall is not measured."
    talks = [talk for file in files for talk in talks_of(file)]
    questions, turns = (sum(map(len, sizes)) for sizes in zip(*((t.questions, t.texts) for t in talks), strict=True))
    table = Table(title=f"LoCoMo: recall of the evidence turns, {questions:,} questions, {turns:,} turns")
    table.add_column("retrieved")
    for name, _ in _measures():
        table.add_column(name, justify="right")
    measured = [recall_of(talks, measure) for _, measure in _measures()]
    for place, depth in enumerate(DEPTHS):
        table.add_row(str(depth), *(f"{100 * recall[place]:.1f} %" for recall in measured))
    return table


def talks_of(file: Path) -> Iterator[Talk]:
    """Every conversation of a LoCoMo file with its questions."""
    samples = {sample["sample_id"]: sample for sample in orjson.loads(file.read_bytes())}
    for conversation in load_workspace([str(file)]).conversations:
        rows = {message.id: row for row, message in enumerate(conversation.messages)}
        asked = tuple(_questions(samples[conversation.id]["qa"], rows))
        yield Talk(tuple(message.content for message in conversation.messages), asked)


def _questions(asked: list[dict[str, Any]], rows: dict[str, int]) -> Iterator[Question]:
    for question in asked:
        needed = {turn for text in question.get("evidence", ()) for turn in _TURN.findall(text)}
        if needed and needed <= rows.keys():
            yield Question(question["question"], frozenset(rows[turn] for turn in needed))


def _measures() -> Iterator[tuple[str, Measure]]:
    """BM25, and each embedder that can be had here, alone and with it."""
    yield "BM25", Measure("lexical")
    for name in EMBEDDER_NAMES[1:]:
        if (embedder := choose_embedder(name).embedder) is not None:
            vectors = TextVectors(embedder)
            yield name, Measure("embedding", vectors)
            yield f"{name} and BM25", Measure("hybrid", vectors)


def recall_of(talks: list[Talk], measure: Measure) -> list[float]:
    """For each depth the mean over all questions of the share of their evidence that is retrieved."""
    shares = np.array([share for talk in talks for share in _shares(talk, measure)])
    return shares.mean(axis=0).tolist()


def _shares(talk: Talk, measure: Measure) -> Iterator[list[float]]:
    if measure.vectors is not None:
        _embed(measure.vectors, [*talk.texts, *(question.query for question in talk.questions)])
    similarity = Similarity(talk.texts, np.full(len(talk.texts), np.nan))
    for question in talk.questions:
        order = np.argsort(-similarity.to_query(question.query, measure).values, kind="stable")
        found = np.isin(order[: DEPTHS[-1]], list(question.needed))
        yield [float(found[:depth].sum()) / len(question.needed) for depth in DEPTHS]


def _embed(vectors: TextVectors, texts: list[str]) -> None:
    missing = vectors.missing(texts)
    for chunk in embed_texts(missing, vectors.embedder):
        vectors.add(missing[chunk.start : chunk.start + len(chunk.vectors)], chunk.vectors)
