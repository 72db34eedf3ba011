"""Recall along knobs: at the end what each setting recalls alone, by all probes; intervals from block to block."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.basis import Share
from inspector.analysis.recall.along import RecallAlong, recall_along
from inspector.analysis.recall.ask import mean_of, recall
from inspector.analysis.recommend.blocks import asked_of, find_probes
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe

PROBES = (
    Probe("old", ("m1", "m4", "k1"), "c1", query="w"),
    *(Probe(f"new-{n}", (f"m{n}",), "c1") for n in range(9)),
    Probe("other", ("m0", "k3"), "c2", at=1),
)


def test_at_last_every_setting_recalls_what_it_does_alone(pipeline: Pipeline, scenario: Scenario) -> None:
    plain = replace(scenario, conversation=None)
    settings = [replace(plain, context_window=window) for window in (20, 60, 100)]
    told = list(recall_along(pipeline, settings, asked_of([find_probes(pipeline, plain, PROBES)])))
    steps = [step for step in told if isinstance(step, RecallAlong)]
    shares = [step for step in told if isinstance(step, Share)]
    assert isinstance(told[0], Share), "how many were asked is known before any recall"
    assert {share.of for share in shares} == {len(PROBES)}
    assert [share.done for share in shares] == sorted({share.done for share in shares})
    assert shares[-1].done == len(PROBES)
    assert [step.asked for step in steps] == sorted(step.asked for step in steps)
    assert len(steps) > 1
    assert steps[-1].asked == steps[-1].of == len(PROBES)
    alone = [mean_of(recall(pipeline, one, PROBES).found).columns["recall_with_memories"] for one in settings]
    assert steps[-1].means.tolist() == pytest.approx(alone)


def test_a_setting_that_is_refused_has_no_recall(pipeline: Pipeline, scenario: Scenario) -> None:
    refused = replace(scenario, conversation=None, parameters={"memory_share": "much"})
    *_, last = recall_along(pipeline, [refused], asked_of([find_probes(pipeline, scenario, PROBES)]))
    assert isinstance(last, RecallAlong)
    assert np.isnan(last.means).all()
    assert last.interval(0) is None


def test_an_interval_is_around_the_mean_over_probes_and_needs_two_blocks() -> None:
    known = RecallAlong(np.array([[8.0, 1.0]]), np.array([10, 10]), np.array([True]), 20)
    low, high = known.interval(0) or (1.0, 0.0)
    assert low <= known.means[0] <= high
    assert (low, high) == pytest.approx((0.0, 1.0), abs=1e-6), "two blocks that differ tell next to nothing"
    alike = RecallAlong(np.array([[5.0, 10.0]]), np.array([10, 20]), np.array([True]), 30)
    assert alike.interval(0) == pytest.approx((0.5, 0.5))
    alone = RecallAlong(np.array([[8.0, 0.0]]), np.array([10, 0]), np.array([True]), 20)
    assert alone.interval(0) is None
