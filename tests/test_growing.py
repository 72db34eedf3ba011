"""What grows while others read it: its version says so to everybody who has seen anything of what was added."""

import threading

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
    with pytest.raises(ValueError, match="half-way"), counts.growing():
        raise ValueError("half-way")
    assert counts.version > before


def test_counts_that_do_not_fit_their_texts_are_refused() -> None:
    counts = TokenCounts(ESTIMATORS["estimate:words"])
    places = counts.places(["one", "two"])
    with pytest.raises(ValueError, match="1 counts for 2 texts"):
        counts.add(places, [1])
    assert counts.missing(places).tolist() == places.tolist()


def test_texts_keep_their_places_and_counts_while_others_come() -> None:
    """Arrays are replaced by longer ones while somebody else writes."""
    counts = TokenCounts(ESTIMATORS["estimate:words"])
    halves = [[f"{half} {number}" for number in range(20_000)] for half in ("a", "b")]

    def count(half: list[str]) -> None:
        for start in range(0, len(half), 50):
            counts.add(counts.places(half[start : start + 50]), list(range(start, start + 50)))

    threads = [threading.Thread(target=count, args=(half,)) for half in halves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for half in halves:
        found, known = counts.at(counts.places(half))
        assert known.all()
        assert found.tolist() == list(range(20_000))


def test_who_has_seen_what_was_added_sees_the_version_that_says_so() -> None:
    """Half-way through adding, another thread finds something, and then asks for the version."""
    grown, values = Growing(), list[int]()
    before, has_seen, seen = grown.version, threading.Event(), list[tuple[int, int]]()

    def look() -> None:
        found = values[-1]
        has_seen.set()
        seen.append((found, grown.version))

    looking = threading.Thread(target=look)
    with grown.growing():
        values.append(7)
        looking.start()
        assert has_seen.wait(60)
    looking.join()
    assert seen == [(7, before + 1)]


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
