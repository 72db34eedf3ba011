"""Search over a workspace: titles and texts, ranked by an index where there is one, and found without it too."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model import Conversation, Lorebook, LoreEntry, Memory, MemorySet, Message, Workspace
from inspector.retrieval.search import find as find_module
from inspector.retrieval.search.find import Found, Search, home_of
from inspector.retrieval.search.words import folded, words_of
from inspector.steps import AbandonedError, while_wanted

HARBOUR = (
    "We sailed past the coral reef at dawn",
    "The harbour light was out, and nobody noticed it in the harbour",
    "Tell me more about the harbour",
    "蓝色的珊瑚礁和一艘船",
    "Ein Café in Zürich, straße",
    'C++ and don\'t AND (this OR that) NEAR* "quoted"',
)


def talk(name: str, texts: tuple[str, ...], title: str = "") -> Conversation:
    return Conversation(name, tuple(Message(f"{name}{n}", "user", text) for n, text in enumerate(texts)), title)


WORKSPACE = Workspace(
    (talk("a", HARBOUR, "Harbour talks"), talk("b", ("Nothing here", "A reef of words"), "Old thread"), talk("c", ())),
    memory_sets=(MemorySet("k", (Memory("k0", "Likes the harbour"), Memory("k1", "Tea")), conversations=("b",)),),
)


def built(workspace: Workspace = WORKSPACE) -> Search:
    search = Search(workspace)
    assert list(search.build())[-1:] == [1.0]
    return search


@pytest.fixture(params=["with an index", "without one"])
def search(request: pytest.FixtureRequest) -> Iterator[Search]:
    made = built() if request.param == "with an index" else Search(WORKSPACE)
    yield made
    made.close()


def ids(found: Found) -> list[tuple[str, list[str]]]:
    return [(group.holder.id, [place.thing.id for place in group.places]) for group in found.groups]


def test_places_are_grouped_by_conversation_and_those_of_titles_come_first(search: Search) -> None:
    assert ids(search.find("harbour")) == [("a", ["a1", "a2"]), ("k", ["k0"])]
    assert ids(search.find("talks")) == [("a", [])]
    assert ids(search.find("thread REEF")) == []
    assert sorted(ids(search.find("reef"))) == [("a", ["a0"]), ("b", ["b1"])]


def test_all_words_have_to_be_there_in_any_order_and_in_quotes_as_they_stand(search: Search) -> None:
    assert ids(search.find("dawn coral")) == [("a", ["a0"])]
    assert ids(search.find('"coral reef"')) == [("a", ["a0"])]
    assert ids(search.find('"reef coral"')) == []
    assert ids(search.find("harbour coral")) == []


def test_parts_of_words_and_scripts_without_spaces_are_found(search: Search) -> None:
    assert ids(search.find("珊瑚")) == [("a", ["a3"])]
    assert ids(search.find("arbour noti")) == [("a", ["a1"])]


@pytest.mark.parametrize("query", ["C++", "don't", "(this", "NEAR*", "OR that)", '"quoted', "AND (", "++ c"])
def test_what_people_type_is_never_a_command(search: Search, query: str) -> None:
    assert ids(search.find(query)) == [("a", ["a5"])]


@pytest.mark.parametrize("query", ["", "   ", '""', '"', "nowhere", "**", "^", "a:b NOT -", "\0", "\ud800"])
def test_what_is_nowhere_is_not_found(search: Search, query: str) -> None:
    assert search.find(query).total == 0


def test_accents_are_passed_over_where_there_is_an_index() -> None:
    search = built()
    assert ids(search.find("cafe zurich")) == [("a", ["a4"])]
    (place,) = search.find("cafe").groups[0].places
    assert [place.excerpt.text[start:end] for start, end in place.excerpt.marks] == ["Café"]
    search.close()


def test_the_best_comes_first() -> None:
    search = built(Workspace((talk("a", ("reef and much more of it", "other", "words")), talk("b", ("reef reef",)))))
    assert [name for name, _ in ids(search.find("reef"))] == ["b", "a"]
    search.close()


def test_no_more_than_asked_for_is_listed_and_all_are_counted(search: Search) -> None:
    found = search.find("e", most=2)
    assert (found.listed, sum(len(group.places) for group in found.groups)) == (2, 2)
    assert found.total >= 2


def test_every_batch_is_found_and_says_how_far_it_is() -> None:
    texts = tuple(f"number{n} here" for n in range(2_500))
    search = Search(Workspace((talk("a", texts[:1_500]), talk("b", ()), talk("c", texts[1_500:]))))
    assert list(search.build()) == [0.4, 0.8, 1.0]
    assert ids(search.find("number2499")) == [("c", ["c999"])]
    assert ids(search.find("umber1499")) == [("a", ["a1499"])]
    search.close()


def test_an_index_that_is_left_early_is_closed_and_everything_is_found(recwarn: pytest.WarningsRecorder) -> None:
    search = Search(Workspace((talk("a", ("word",) * 3_000),)))
    making = search.build()
    next(making)
    making.close()
    assert search.find("word").total == 3_000
    assert not recwarn.list


class WaitsError(Exception):
    pass


def test_an_index_waits_while_something_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search(WORKSPACE)

    def wait(_: float) -> None:
        raise WaitsError

    def rows(words: tuple[str, ...]) -> list[int]:
        with pytest.raises(WaitsError):
            next(search.build())
        return []

    monkeypatch.setattr(find_module, "sleep", wait)
    monkeypatch.setattr(search, "_rows", rows)
    assert search.find("reef").total == 0
    assert list(search.build()) == [1.0]
    search.close()


def test_without_fts5_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(find_module, "WordIndex", refuse)
    search = Search(WORKSPACE)
    assert list(search.build()) == []
    assert ids(search.find("coral")) == [("a", ["a0"])]


def test_a_search_that_nobody_wants_ends() -> None:
    with while_wanted(lambda: False), pytest.raises(AbandonedError):
        Search(WORKSPACE).find("coral")


def test_nothing_is_found_in_nothing() -> None:
    search = Search(Workspace())
    assert list(search.build()) == []
    assert search.find("word") == Found(("word",), (), 0, 0)
    search.close()


def test_memories_lead_to_the_conversation_that_they_belong_to() -> None:
    first, second = (Conversation(name, (), origin="file") for name in ("one", "two"))
    found = Workspace((first, second))
    assert home_of(found, second) is second
    assert home_of(found, MemorySet("k", (), conversations=("two",))) is second
    assert home_of(found, MemorySet("k", (), origin="file")) is first
    assert home_of(found, MemorySet("k", (), origin="elsewhere")) is None


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=8))
def test_an_index_takes_any_text_and_any_query(texts: list[str], query: str) -> None:
    workspace = Workspace((talk("a", tuple(texts)),))
    search = Search(workspace)
    list(search.build())
    with_index, without = search.find(query), Search(workspace).find(query)
    assert with_index.total >= without.total
    for group in with_index.groups:
        for place in group.places:
            assert all(0 <= start < end <= len(place.excerpt.text) for start, end in place.excerpt.marks)
    search.close()


WORDS = (
    "Straße",
    "STRASSE",
    "Café",
    "cafe",
    "C++",
    "o’clock",
    "it's",
    "珊瑚",
    "İzmir",
    "a\0b",
    "",
    "reef",
    "ﬁn",
    "fin",
)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=12), st.sampled_from(WORDS))
def test_what_is_found_is_what_a_plain_scan_finds(texts: list[str], query: str) -> None:
    """With stretches of two texts or of few characters, and with more than may be kept."""
    workspace = Workspace((talk("a", tuple(texts)), talk("b", tuple(texts[:3]))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find_module, "_STRETCH", 2)
        patch.setattr(find_module, "_STRETCH_CHARACTERS", 6)
        patch.setattr(find_module, "_MOST_KEPT", 20)
        search = Search(workspace)
        found = {row for row, _ in _rows_of(search.find(query), workspace)}
        assert found == {row for row, text in _rows(workspace) if query and _holds(text, query)}
        list(search.build())
        assert found <= {row for row, _ in _rows_of(search.find(query), workspace)}
        search.close()


def _rows(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.id, message.content) for chat in workspace.conversations for message in chat.messages]


def _rows_of(found: Found, workspace: Workspace) -> list[tuple[str, str]]:
    named = {place.thing.id for group in found.groups for place in group.places}
    return [row for row in _rows(workspace) if row[0] in named]


def _holds(text: str, query: str) -> bool:
    words = words_of(query)
    return all(folded(word) in folded(text) for word in words) or all(
        folded(word.casefold()) in folded(text.casefold()) for word in words
    )


def test_the_number_of_places_does_not_depend_on_the_index_or_on_how_many_are_listed() -> None:
    workspace = Workspace((talk("a", tuple(f"reef {n} coral-reefs shipwrecked" for n in range(300))),))
    search = Search(workspace)
    assert [search.find(query).total for query in ("reef", "eef", "wreck")] == [300] * 3
    list(search.build())
    assert [search.find(query, most=5).total for query in ("reef", "eef", "wreck")] == [300] * 3
    search.close()


def test_the_first_place_of_every_conversation_is_found_without_limit() -> None:
    chats = (talk("a", ("no", "the reef", "a reef")), talk("b", ("reefs",)), talk("c", ("nothing",)))
    notes = MemorySet("m", (Memory("n0", "the reef"),))
    search = built(Workspace(chats, memory_sets=(notes,)))
    found = search.find_first("reef")
    assert [(group.holder.id, [place.thing.content for place in group.places]) for group in found.groups] == [
        ("a", ["the reef"]),
        ("b", ["reefs"]),
    ]
    assert search.find_first("  ").groups == ()
    search.close()


def test_a_word_does_not_reach_from_one_text_into_the_next() -> None:
    search = Search(Workspace((talk("a", ("one", "two")),)))
    for query in ("one\0two", "e\0t", "onetwo"):
        assert search.find(query).total == 0
    assert search.find("\0").total == 0


def test_entries_of_lorebooks_are_found_by_title_keys_and_content() -> None:
    entries = (
        LoreEntry("e0", "Grey stones, wet ropes.", title="The old quay", keys=("pier", "landing")),
        LoreEntry("e1", "A lamp burns there."),
    )
    books = (Lorebook("w", entries, "World", origin="lore.json"), Lorebook("v", (LoreEntry("e0", "A pier"),)))
    search = built(Workspace(WORKSPACE.conversations, lorebooks=books))
    for query in ("quay", "landing", "ropes", "QUAY ropes"):
        assert ids(search.find(query)) == [("w", ["e0"])], query
    assert sorted(ids(search.find("pier"))) == [("v", ["e0"]), ("w", ["e0"])]
    assert home_of(WORKSPACE, books[0]) is None
    search.close()


FILLED_TO_THE_END = """
import atexit, threading, time
from inspector.retrieval.search.index import WordIndex

atexit.register(time.sleep, 0.5)  # the thread goes on for so long
index, texts = WordIndex(), [" ".join(f"w{n * 31 % 9973 + k}" for k in range(3000)) for n in range(400)]
threading.Thread(target=index.add, args=(0, texts), daemon=True).start()
time.sleep(0.05)
"""


def test_an_interpreter_that_ends_closes_no_index_that_a_thread_still_fills() -> None:
    done = subprocess.run([sys.executable, "-c", FILLED_TO_THE_END], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
