"""Which lore entries are active, and why, as SillyTavern's World Info has it."""

import pytest
from lore_scenes import active, entry, scanned

from inspector.model import LoreEntry
from inspector.retrieval.lore.book import LoreBook
from inspector.retrieval.lore.outcome import Cause
from inspector.retrieval.lore.settings import LoreSettings

RECURSIVE = LoreSettings(recursive=True)


@pytest.mark.parametrize(
    ("lore", "expected"),
    [
        (LoreEntry("a", "x", keys=("Kraken",)), True),
        (LoreEntry("b", "x", keys=("whale", "KRAKEN")), True),
        (LoreEntry("c", "x", keys=("whale",)), False),
        (LoreEntry("d", "x", keys=("whale",), constant=True), True),
        (LoreEntry("e", "x", constant=True, enabled=False), False),
        (LoreEntry("f", "x", keys=("kraken",), enabled=False), False),
        (LoreEntry("g", "x", keys=("", "  ")), False),
        (LoreEntry("h", "x"), False),
        (LoreEntry("i", "x", keys=("straße",)), True),
        (LoreEntry("j", "x", keys=("rake",)), True),
    ],
    ids=lambda value: value.id if isinstance(value, LoreEntry) else "",
)
def test_a_plain_entry_is_active_when_a_key_is_said(lore: LoreEntry, expected: bool) -> None:
    assert scanned([lore], "the KRAKEN woke", "in the Strasse")[lore.id].active is expected


def test_nothing_said_leaves_only_constant_entries() -> None:
    assert active([entry("a", "kraken"), entry("b", constant=True)]) == {"b"}


def test_four_messages_are_read_unless_the_entry_says_otherwise() -> None:
    entries = [entry(f"d{depth}", "kraken", activation={"scanDepth": depth}) for depth in (0, 4, 5, 5000)]
    said = ("a kraken", "one", "two", "three", "four")
    assert active([*entries, entry("plain", "kraken")], *said) == {"d5", "d5000"}
    assert active([*entries, entry("plain", "kraken")], *said[:-1]) == {"d4", "d5", "d5000", "plain"}
    assert LoreBook(entries).reach == 1000


def test_the_key_and_its_place_are_told() -> None:
    found = scanned([entry("e", "whale", "Kraken")], "no", "  The great KRAKEN woke", "and slept")["e"]
    assert found.fired is not None
    place = found.fired.place
    assert (found.fired.key, place.piece.id, place.piece.text[place.start : place.end]) == ("Kraken", "m1", "KRAKEN")
    assert found.why == "key ‘Kraken’ in message m1"
    assert found.sentence == "Its key ‘Kraken’ occurs in message m1."


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        (0, {"any", "all"}),  # AND ANY: one of them at least
        (1, {"none", "any"}),  # NOT ALL: one of them at least is missing
        (2, {"none"}),  # NOT ANY
        (3, {"all"}),  # AND ALL
    ],
)
def test_secondary_keys(logic: int, expected: set[str]) -> None:
    says = {"none": "a dragon", "any": "a dragon on ice", "all": "a dragon on ice in snow"}
    lore = entry("e", "dragon", secondary_keys=("ice", "snow"), activation={"selectiveLogic": logic})
    assert {name for name, text in says.items() if active([lore], text)} == expected


def test_secondary_keys_count_only_for_selective_entries() -> None:
    lore = entry("e", "dragon", secondary_keys=("ice",), activation={"selective": False})
    assert active([lore], "a dragon") == {"e"}


def test_what_a_secondary_key_kept_out_is_told() -> None:
    found = scanned([entry("e", "dragon", secondary_keys=("ice",))], "a dragon")["e"]
    assert found.why == "not: secondary key missing"
    assert found.sentence == "Its key ‘dragon’ occurs in message m0, but none of its secondary keys does."


@pytest.mark.parametrize(
    ("settings", "said", "expected"),
    [
        ({}, "the krakens", True),
        ({"matchWholeWords": True}, "the krakens", False),
        ({"matchWholeWords": True}, "krakens, (Kraken)!", True),
        ({"matchWholeWords": True}, "kraken", True),
        ({"caseSensitive": True}, "the Kraken", False),
        ({"caseSensitive": True}, "the kraken", True),
    ],
)
def test_case_and_whole_words(settings: dict[str, bool], said: str, expected: bool) -> None:
    assert bool(active([entry("e", "kraken", activation=settings)], said)) is expected


def test_several_words_are_found_inside_words_too() -> None:
    assert active([entry("e", "old kraken", activation={"matchWholeWords": True})], "bold krakens") == {"e"}


def test_settings_for_all_hold_where_an_entry_says_nothing() -> None:
    entries = [entry("a", "kraken"), entry("b", "kraken", activation={"matchWholeWords": False})]
    assert active(entries, "krakens", settings=LoreSettings(whole_words=True)) == {"b"}


def test_patterns_may_say_where_a_message_begins() -> None:
    entries = [entry("begins", r"/\x01the/i"), entry("spans", "/woke[^]*slept/"), entry("ends", "/slept$/")]
    assert active(entries, "slept", "The kraken woke") == {"begins", "spans", "ends"}


def test_placeholders_in_keys_are_the_names() -> None:
    assert active([entry("a", "{{char}}"), entry("b", "{{USER}} sails"), entry("c", "{{other}}")], "nova sails") == {
        "a"
    }


def test_keys_may_be_looked_for_in_the_character() -> None:
    lore = entry("e", "guardian", activation={"matchCharacterDescription": True, "scanDepth": 1})
    found = scanned([lore], "hello", parts={"description": "the Guardian of the glade", "scenario": "a glade"})["e"]
    assert found.why == "key ‘guardian’ in the character's description"
    assert not active([entry("e", "guardian")], "hello", parts={"description": "the guardian"})


def test_probability_is_told_and_not_rolled() -> None:
    entries = [
        entry("rare", "tide", activation={"probability": 5}),
        entry("never", "tide", activation={"probability": 0}),
        entry("unused", "tide", activation={"probability": 0, "useProbability": False}),
    ]
    found = scanned(entries, "tide")
    assert {name for name, what in found.items() if what.active} == {"rare", "unused"}
    assert (found["rare"].probability, found["rare"].notes) == (5, ("would be rolled with 5 %",))
    assert found["never"].why == "not: probability 0 %"


def test_a_delay_is_a_number_of_messages() -> None:
    entries = [entry("now", "tide", activation={"delay": 2}), entry("later", constant=True, activation={"delay": 3})]
    found = scanned(entries, "low", "tide")
    assert (found["now"].active, found["later"].why) == (True, "not: waits for 3 messages")


def test_what_depends_on_earlier_generations_is_told() -> None:
    found = scanned([entry("e", "tide", activation={"sticky": 3, "cooldown": 5})], "tide")["e"]
    assert found.notes == (
        "its stickiness of 3 messages is not simulated",
        "its cooldown of 5 messages is not simulated",
    )


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"names": ["nova"], "isExclude": False}, True),
        ({"names": ["Mara"], "isExclude": False}, False),
        ({"names": ["Nova"], "isExclude": True}, False),
        ({"names": ["Mara"], "isExclude": True}, True),
        ({"names": [], "tags": ["elf"], "isExclude": False}, True),
        ({"names": [], "tags": ["orc"], "isExclude": False}, False),
        ({"names": [], "tags": []}, True),
    ],
)
def test_character_filter(wanted: dict[str, object], expected: bool) -> None:
    lore = entry("e", constant=True, activation={"characterFilter": wanted})
    assert bool(active([lore], characters=("Nova",), tags=("Elf",))) is expected


def test_a_filter_that_cannot_be_judged_lets_the_entry_in_and_says_so() -> None:
    lore = entry("e", constant=True, activation={"characterFilter": {"names": ["Nova"]}})
    found = scanned([lore])["e"]
    assert found.active
    assert found.notes == ("its character filter is not judged, as no character is chosen",)


def test_entries_for_other_ways_of_generating_are_out() -> None:
    entries = [entry(name, constant=True, activation={"triggers": [name]}) for name in ("normal", "swipe")]
    assert active(entries) == {"normal"}


def test_entries_by_relevance_need_a_score_or_a_key() -> None:
    by_relevance = {"vectorized": True}
    entries = [
        *(entry(f"r{score}", activation=by_relevance, score=score) for score in (0.24, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)),
        entry("keyed", "tide", activation=by_relevance),
        entry("plain", score=0.9),
    ]
    found = scanned(entries, "tide")
    assert {name for name, what in found.items() if what.active} == {"r0.4", "r0.5", "r0.6", "r0.7", "r0.8", "keyed"}
    assert found["r0.6"].why == "relevance 0.60"
    assert found["keyed"].notes == ("by relevance too, for which no score is recorded",)


def test_active_entries_are_read_where_recursion_is_on() -> None:
    entries = [
        entry("e1", "tide", content="The tide wakes the Kraken."),
        entry("e2", "kraken", content="It lives near Reef."),
        entry("e3", "reef"),
        entry("e4", "moon"),
    ]
    assert active(entries, "tide") == {"e1"}
    found = scanned(entries, "tide", settings=RECURSIVE)
    assert [what.level for what in found.values()] == [0, 1, 2, 0]
    assert found["e3"].why == "recursion from entry e2 by key ‘reef’"
    assert not found["e4"].active


def test_a_book_may_be_recursive_by_itself() -> None:
    own = {"recursiveScanning": True}
    entries = [
        entry("e1", "tide", content="kraken", activation=own),
        entry("e2", "kraken", activation=own),
        entry("other", "kraken"),
        entry("never", "kraken", activation={"recursiveScanning": False}),
    ]
    assert active(entries, "tide") == {"e1", "e2"}
    assert active(entries, "tide", settings=RECURSIVE) == {"e1", "e2", "other"}


def test_recursion_can_be_refused_and_ended() -> None:
    entries = [
        entry("e1", "tide", content="kraken"),
        entry("out", "kraken", activation={"excludeRecursion": True}),
        entry("ends", "kraken", content="reef", activation={"preventRecursion": True}),
        entry("after", "reef"),
    ]
    assert active(entries, "tide", settings=RECURSIVE) == {"e1", "ends"}


def test_steps_of_the_recursion_open_one_after_the_other() -> None:
    entries = [
        entry("e1", "tide", content="calm"),
        entry("first", "tide", content="kraken", activation={"delayUntilRecursion": True}),
        entry("third", "kraken", activation={"delayUntilRecursion": 3}),
        entry("second", "tide", activation={"delayUntilRecursion": 2}),
    ]
    found = scanned(entries, "tide", settings=RECURSIVE)
    assert {name: what.level for name, what in found.items()} == {"e1": 0, "first": 1, "second": 3, "third": 5}
    assert scanned(entries[1:2], "tide", settings=RECURSIVE)["first"].why == "not: waits for recursion"


def test_the_number_of_scans_can_be_limited() -> None:
    entries = [entry(f"e{number}", f"k{number}", content=f"k{number + 1}") for number in range(6)]
    assert active(entries, "k0", settings=LoreSettings(recursive=True, max_steps=3)) == {"e0", "e1", "e2"}


def test_older_messages_are_read_for_a_smallest_number_of_activations() -> None:
    entries = [entry(name, name) for name in ("tide", "reef", "gull")]
    said = ("gull", "-", "reef", "-", "tide")
    fewest = LoreSettings(depth=1, min_activations=2)
    assert active(entries, *said, settings=LoreSettings(depth=1)) == {"tide"}
    assert active(entries, *said, settings=fewest) == {"tide", "reef"}
    assert active(entries, *said, settings=LoreSettings(depth=1, min_activations=9)) == {"tide", "reef", "gull"}
    for most, expected in ((3, {"tide", "reef"}), (4, {"tide", "reef", "gull"})):  # it reads one message more
        limited = LoreSettings(depth=1, min_activations=9, min_activations_depth=most)
        assert active(entries, *said, settings=limited) == expected


def test_active_entries_are_not_read_with_older_messages() -> None:
    entries = [
        entry("e1", "tide", content="kraken"),
        entry("out", "kraken", activation={"excludeRecursion": True}),
        entry("in", "kraken"),
    ]
    settings = LoreSettings(depth=1, min_activations=9, recursive=True)
    assert active(entries, "-", "-", "tide", settings=settings) == {"e1", "in"}


def test_entries_of_higher_order_come_first_in_the_budget() -> None:
    entries = [
        entry("low", constant=True, order=1),
        entry("high", constant=True, order=9),
        entry("free", constant=True, order=0, activation={"ignoreBudget": True}),
    ]
    settings = LoreSettings(budget_percent=10, budget_cap=0)
    found = scanned(entries, costs=(40, 50, 70), window=900, settings=settings)
    assert {name for name, what in found.items() if what.active} == {"high", "free"}
    assert found["low"].why == "not: budget"
    assert "lorebook budget of 90 tokens" in found["low"].sentence
    assert active(entries, costs=(40, 50, 70), window=920, settings=settings) == {"low", "high", "free"}
    assert active(entries, costs=(40, 50, 70), window=None, settings=settings) == {"low", "high", "free"}
    capped = LoreSettings(budget_percent=10, budget_cap=50)
    assert active(entries, costs=(40, 50, 70), window=920, settings=capped) == {"free"}


def test_after_the_first_that_does_not_fit_none_does() -> None:
    entries = [entry(name, constant=True, order=order) for name, order in (("a", 3), ("b", 2), ("c", 1))]
    settings = LoreSettings(budget_percent=10)
    assert active(entries, costs=(10, 100, 1), window=1000, settings=settings) == {"a"}


def test_a_book_may_have_a_budget_of_its_own() -> None:
    own = {"tokenBudget": 50, "world": "isles"}
    entries = [entry("a", constant=True, activation=own), entry("b", constant=True, activation=own)]
    other = entry("other", constant=True, activation={"tokenBudget": 50, "world": "towns"})
    assert active([*entries, other, entry("free", constant=True)], costs=(30, 30, 40, 500)) == {"a", "other", "free"}


def test_settings_of_another_kind_count_as_not_given() -> None:
    odd = {"selectiveLogic": "x", "probability": None, "group": 5, "scanDepth": [], "characterFilter": 3, "delay": "z"}
    assert active([entry("e", "tide", activation=odd)], "tide") == {"e"}


def test_decorators_that_are_not_read_are_told() -> None:
    found = scanned([entry("e", "tide", activation={"decorators": ("keep_activate_after_match",)})], "tide")["e"]
    assert found.notes == ("not read: @@keep_activate_after_match",)


@pytest.mark.parametrize(
    ("lore", "cause"),
    [
        (entry("e", "whale"), Cause.NO_KEY),
        (entry("e"), Cause.KEYLESS),
        (entry("e", "tide", enabled=False), Cause.DISABLED),
    ],
)
def test_causes(lore: LoreEntry, cause: Cause) -> None:
    assert scanned([lore], "tide")["e"].cause == cause


def test_the_sentence_says_how_far_was_read() -> None:
    entries = [entry("e", "whale"), entry("f", "whale", activation={"scanDepth": 1})]
    found = scanned(entries, "tide")
    assert found["e"].sentence == "No key of this lorebook entry occurs in the newest four messages."
    assert found["f"].sentence == "No key of this lorebook entry occurs in the newest message."
