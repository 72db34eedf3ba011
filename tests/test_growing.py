"""What grows while others read it: its version says so to everybody who has seen anything of what was added."""

import threading
from collections.abc import Iterator

import pytest

from inspector.growing import Growing
from inspector.tokens.counting import TokenCounts
from inspector.tokens.estimate import ESTIMATORS


def test_the_version_goes_up_with_everything_that_is_added() -> None:
    grown = Growing()
    versions = [grown.version]
    for _ in range(3):
        with grown.growing():
            pass
        versions.append(grown.version)
    assert versions == sorted(set(versions))


def test_it_goes_up_even_where_adding_fails_half_way() -> None:
    counts = TokenCounts(ESTIMATORS["estimate:words"])
    before = counts.version
    with pytest.raises(ValueError, match="shorter"):
        counts.add(["one", "two"], [1])
    assert counts.missing(["one"]) == []
    assert counts.version > before


def test_who_has_seen_a_count_sees_the_version_that_says_so() -> None:
    """Half-way through adding, another thread finds a text counted, and then asks for the version."""
    counts, before = TokenCounts(ESTIMATORS["estimate:words"]), 0
    has_seen = threading.Event()
    seen: list[tuple[list[str], int]] = []

    def look() -> None:
        missing = counts.missing(["one"])
        has_seen.set()
        seen.append((missing, counts.version))

    looking = threading.Thread(target=look)

    def numbers() -> Iterator[int]:
        yield 1
        looking.start()
        has_seen.wait()
        yield from [1] * 50_000

    counts.add([f"{number}" if number else "one" for number in range(50_001)], numbers())
    looking.join()
    assert seen == [([], before + 1)]


def test_no_version_is_lost_where_many_add() -> None:
    grown, times = Growing(), 500

    def add() -> None:
        for _ in range(times):
            with grown.growing():
                pass

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert grown.version == 4 * times
