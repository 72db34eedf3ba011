"""A random walk over the window: wherever it stops, it shows what the command line makes of the same scenario."""

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inspector.gui.main_window import MainWindow
from inspector.gui.session import assembling
from inspector.plugins import TOKENIZER_GROUP
from inspector.tokens.cache import CountCache
from tests.examples import rounds
from tests.soak.moves import Moves
from tests.soak.walk import Walk
from tests.soak.workspaces import opened_paths

MOVES = rounds(160, 60)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[CountCache]:
    with closing(CountCache(tmp_path / "fresh.sqlite")) as made:
        yield made


@pytest.mark.parametrize(("seed", "most_at_once"), [(1, assembling.MOST_AT_ONCE), (2, assembling.MOST_AT_ONCE), (3, 0)])
def test_what_is_shown_after_any_edits_is_what_a_fresh_assembly_gives(
    opened: Callable[..., MainWindow],
    install: Callable[..., None],
    cache: CountCache,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    most_at_once: int,
) -> None:
    monkeypatch.setattr(assembling, "MOST_AT_ONCE", most_at_once)
    monkeypatch.setattr(assembling, "MOST_RENEWED_AT_ONCE", most_at_once)
    install(TOKENIZER_GROUP, slow="tests.soak.slow_tokenizer:make")
    choose, openings = random.Random(seed), opened_paths(tmp_path, seed)
    window = opened(*openings[-2])
    moves = Moves(window.session, choose, window.open_paths, openings)
    walk = Walk(window.session, moves.move, choose, cache)
    for _ in range(MOVES):
        walk.step()
    moves.stop()
    walk.compare()
    assert walk.findings.differences == []
