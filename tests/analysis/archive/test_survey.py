"""The survey of an archive: exact where all chats are known, an estimate with an interval before, in any order."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random

import pytest

from inspector.analysis.archive.agenda import Agenda, Progress
from inspector.analysis.archive.figures import WINDOWS
from inspector.analysis.archive.overview import Looked, overview
from inspector.analysis.archive.survey import ratio_estimate, share_estimate, survey
from inspector.analysis.archive.survey_text import survey_lines, survey_value
from inspector.analysis.basis import Basis
from inspector.assembly.answer import complete_answer
from inspector.assembly.columns import Action
from inspector.assembly.edits import choose_conversation
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.plugins import policies
from tests.archives import write_chat

CHATS = 24


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """Chats of 4 to 50 messages."""
    folder = tmp_path_factory.mktemp("archive")
    for chat in range(CHATS):
        write_chat(Path(folder, f"chat-{chat:02d}.json"), 40 * chat, 4 + 2 * chat)
    return Pipeline(load_workspace([str(folder)]), policies()[0], load_presets())


SETTING = Scenario(policy="ratio", tokenizer="estimate:words", context_window=1500)


@pytest.fixture(scope="module")
def rows(archive: Pipeline) -> list[Looked]:
    return list(overview(Basis(archive, SETTING)))


def test_all_chats_together_are_what_each_is_alone(archive: Pipeline, rows: list[Looked]) -> None:
    found = survey(rows, CHATS)
    whole = dropped = items = 0
    for chat in archive.workspace.conversations:
        answer = complete_answer(archive, choose_conversation(SETTING, archive.workspace, chat.id).scenario)
        left_out = answer.assembly.action == Action.DROPPED
        whole += not left_out.any() and answer.status == "ok"
        dropped += int(answer.assembly.candidates.tokens[left_out].sum())
        items += int(answer.assembly.candidates.tokens.sum())
    assert 0 < whole < CHATS
    assert (found.whole, found.items, found.is_complete) == (whole, items, True)
    assert found.fitting.low == found.fitting.value == found.fitting.high == whole / CHATS
    assert found.dropped.low == found.dropped.value == pytest.approx(dropped / items)
    assert found.prompts.count == CHATS
    assert sum(one.chats for one in found.lengths) == CHATS


def test_the_parts_of_the_average_window_are_all_of_it(rows: list[Looked]) -> None:
    found = survey(rows, CHATS)
    assert {part.name for part in found.parts} >= {"history", "reserve", "free"}
    assert sum(part.share for part in found.parts) == pytest.approx(1)
    assert sum(part.tokens for part in found.parts) == pytest.approx(found.window)


def test_a_chat_fits_in_a_window_where_its_prompt_there_leaves_nothing_out(
    archive: Pipeline, rows: list[Looked]
) -> None:
    found = survey(rows, CHATS)
    assert [one.window for one in found.fits] == sorted({*WINDOWS, 1500})
    for one in found.fits[:3]:
        setting = replace(SETTING, context_window=one.window)
        again = survey(list(overview(Basis(archive, setting))), CHATS)
        assert (one.chats, one.is_now) == (again.whole, one.window == 1500)


def test_chats_that_exceed_their_window_are_those_longer_than_it(rows: list[Looked]) -> None:
    found = survey(rows, CHATS)
    assert 0 < sum(one.over for one in found.lengths) < CHATS
    for one in found.lengths:
        assert one.over == (one.chats if one.first > found.room else 0 if one.last <= found.room else one.over)


def test_intervals_shrink_to_the_truth(rows: list[Looked]) -> None:
    order = list(Agenda(range(CHATS)))
    mixed = [rows[row] for row in order]
    widths = []
    for number in (6, 12, 18, CHATS):
        share = survey(mixed[:number], CHATS).fitting
        widths.append(share.high - share.low)
        assert 0 <= share.low <= share.value <= share.high <= 1
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0


@pytest.mark.parametrize("looked", [40, 60, 100, 160])
def test_intervals_hold_the_truth_in_95_of_100(looked: int) -> None:
    """Samples without putting back, of 200 chats, over all shares that there can be."""
    held = [_held(holding, looked, 200) for holding in range(1, 200)]
    assert sum(held) / len(held) == pytest.approx(0.95, abs=0.005)


def _held(holding: int, looked: int, of_all: int) -> float:
    """How often the interval has the truth in it."""
    found = 0.0
    for count in range(max(0, looked - (of_all - holding)), min(holding, looked) + 1):
        share = share_estimate(count, looked, of_all)
        if share.low <= holding / of_all <= share.high:
            found += comb(holding, count) * comb(of_all - holding, looked - count) / comb(of_all, looked)
    return found


def test_ratios_hold_the_truth_in_95_of_100() -> None:
    choose = Random(6)
    pairs = [(choose.randrange(size), size) for size in (choose.randrange(100, 5_000) for _ in range(300))]
    truth = sum(part for part, _ in pairs) / sum(whole for _, whole in pairs)
    held = 0
    for _ in range(400):
        parts, wholes = zip(*choose.sample(pairs, 60), strict=True)
        share = ratio_estimate(parts, wholes, 300)
        held += share.low <= truth <= share.high
    assert held / 400 >= 0.92


def test_nothing_is_known_before_the_first() -> None:
    found = survey([], 5)
    assert (found.looked, found.fitting.low, found.fitting.high, found.fits, found.is_complete) == (0, 0, 1, (), False)
    assert list(survey_lines(found)) == []


def test_refused_chats_are_counted_apart(rows: list[Looked]) -> None:
    found = survey([*rows[:3], Looked(3, None, None, "refused")], 4)
    assert (found.looked, found.refused, found.is_complete) == (3, 1, True)
    assert found.fitting.low == found.fitting.high


def test_findings_are_counted_by_chats(rows: list[Looked]) -> None:
    found = {one.kind.code: one.chats for one in survey(rows, CHATS).findings}
    assert found["budget_unused"] == sum("budget_unused" in _codes(row) for row in rows)


def _codes(row: Looked) -> Sequence[str]:
    assert row.figures is not None
    return [kind.code for kind in row.figures.kinds]


def test_an_estimate_is_written_as_one(rows: list[Looked]) -> None:
    first, *_ = survey_lines(survey(rows[:5], CHATS))
    assert "≈ 100.0 %" in first
    assert "5 of 24 looked at" in first
    assert "≈" not in next(iter(survey_lines(survey(rows, CHATS))))
    assert survey_value(survey(rows, CHATS))["fits"][0] == {
        "window": 1500,
        "chats": survey(rows, CHATS).whole,
        "share": survey(rows, CHATS).whole / CHATS,
        "is_now": True,
    }


def test_an_agenda_takes_every_row_once_and_those_asked_for_first() -> None:
    agenda = Agenda(range(50))
    first = next(agenda)
    agenda.ask_first([7, 9, first])
    asked = [7, 9] if first not in (7, 9) else [row for row in (7, 9) if row != first]
    assert [next(agenda) for _ in asked] == asked
    agenda.ask_first([7])
    rest = list(agenda)
    assert sorted([first, *asked, *rest]) == list(range(50))
    assert rest != sorted(rest)
    assert next(iter(Agenda(range(50)))) == first


def test_rows_are_looked_at_in_the_order_of_an_agenda(archive: Pipeline, rows: list[Looked]) -> None:
    agenda = Agenda(range(CHATS))
    agenda.ask_first([20, 3])
    looked = list(overview(Basis(archive, SETTING), rows=agenda))
    assert [one.row for one in looked[:2]] == [20, 3]
    assert sorted(one.row for one in looked) == list(range(CHATS))
    assert sorted(looked, key=lambda one: one.row) == rows


def test_what_is_left_of_an_agenda_is_looked_at_later(archive: Pipeline) -> None:
    agenda = Agenda(range(CHATS))
    begun = overview(Basis(archive, SETTING), rows=agenda)
    before = [next(begun).row for _ in range(4)]
    del begun  # paused
    assert len(agenda) == CHATS - 4
    assert sorted([*before, *(one.row for one in overview(Basis(archive, SETTING), rows=agenda))]) == [*range(CHATS)]


def test_progress_says_how_long_still() -> None:
    progress = Progress(done=244, of_all=1450, fresh=20, seconds=4.0)
    assert (progress.each_second, progress.seconds_left) == (5.0, (1450 - 244) / 5)
    assert progress.share == pytest.approx(0.168, abs=0.001)
    assert Progress(0, 10, 0, 0.0).seconds_left is None
    assert Progress(0, 0, 0, 0.0).share == 1


def test_the_smallest_window_is_found_by_halving(archive: Pipeline, rows: list[Looked]) -> None:
    """As by trying each of them."""
    for row in (rows[2], rows[10], rows[-1]):
        chosen = choose_conversation(SETTING, archive.workspace, archive.workspace.conversations[row.row].id).scenario
        whole = [
            not (
                complete_answer(archive, replace(chosen, context_window=window)).assembly.action == Action.DROPPED
            ).any()
            for window in WINDOWS
        ]
        assert row.figures is not None
        assert row.figures.fits_from == WINDOWS[bisect_left(whole, True)]
