"""What holds of every lorebook, whatever is in it and whatever is said."""

from hypothesis import given, settings
from hypothesis import strategies as st
from lore_scenes import scanned

from inspector.model import LoreEntry
from inspector.retrieval.lore.settings import LoreSettings
from tests.examples import examples

WORDS = ("tide", "Kraken", "reef", "old reef", "月光", "ß")
TEXTS = st.lists(st.sampled_from([*WORDS, "the", "krakens", "SS", "\n"]), max_size=5).map(" ".join)
ACTIVATION = st.fixed_dictionaries(
    {},
    optional={
        "selectiveLogic": st.integers(0, 3),
        "probability": st.sampled_from([0, 30, 100]),
        "group": st.sampled_from(["", "a", "a,b"]),
        "groupWeight": st.integers(0, 3),
        "groupOverride": st.booleans(),
        "useGroupScoring": st.booleans(),
        "scanDepth": st.integers(0, 3),
        "matchWholeWords": st.booleans(),
        "excludeRecursion": st.booleans(),
        "preventRecursion": st.booleans(),
        "delayUntilRecursion": st.one_of(st.booleans(), st.integers(0, 3)),
        "ignoreBudget": st.booleans(),
        "delay": st.integers(0, 3),
    },
)
KEYS = st.lists(st.sampled_from([*WORDS, "/re+f/i", "/[/"]), max_size=3).map(tuple)


@st.composite
def books(draw: st.DrawFn) -> list[LoreEntry]:
    """Entries of different orders, so that the place in the file decides nothing."""
    count = draw(st.integers(0, 7))
    return [
        LoreEntry(
            f"e{number}",
            draw(TEXTS),
            keys=draw(KEYS),
            secondary_keys=draw(KEYS),
            constant=draw(st.booleans()),
            enabled=draw(st.booleans()),
            order=number,
            activation=draw(ACTIVATION),
        )
        for number in range(count)
    ]


SETTINGS = st.builds(
    LoreSettings,
    depth=st.integers(0, 4),
    recursive=st.booleans(),
    max_steps=st.integers(0, 3),
    min_activations=st.integers(0, 4),
    group_scoring=st.booleans(),
    budget_percent=st.sampled_from([None, 50]),
)
SAID = st.lists(TEXTS, max_size=6)


@examples(150)
@given(books(), SAID, SETTINGS, st.randoms(use_true_random=False))
def test_the_order_in_the_file_decides_nothing(
    entries: list[LoreEntry], said: list[str], rules: LoreSettings, chance: object
) -> None:
    costs = {entry.id: 10 + number for number, entry in enumerate(entries)}
    before = scanned(entries, *said, settings=rules, costs=list(costs.values()), window=60)
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    after = scanned(shuffled, *said, settings=rules, costs=[costs[entry.id] for entry in shuffled], window=60)
    assert after == before


@examples(150)
@given(books(), SAID, SETTINGS)
def test_what_is_disabled_is_out_and_what_is_constant_in(
    entries: list[LoreEntry], said: list[str], rules: LoreSettings
) -> None:
    free = [LoreEntry("free", "x", constant=True, order=-1), LoreEntry("off", "x", keys=WORDS, enabled=False)]
    found = scanned([*entries, *free], *said, settings=LoreSettings(**{**vars(rules), "budget_percent": None}))
    assert found["free"].active
    assert not any(found[entry.id].active for entry in [*entries, *free] if not entry.enabled)


@examples(150)
@given(books(), SAID, SETTINGS)
def test_a_fired_key_stands_where_it_is_said_to(entries: list[LoreEntry], said: list[str], rules: LoreSettings) -> None:
    keyed = {entry.id: (*entry.keys, *entry.secondary_keys) for entry in entries}
    for name, found in scanned(entries, *said, settings=rules).items():
        fired = [one for one in (found.fired, *found.others) if one is not None and not one.key.startswith("/")]
        at_their_places = [one.place.piece.text[one.place.start : one.place.end] for one in fired]
        assert [text.casefold() for text in at_their_places] == [one.key.casefold() for one in fired]
        assert {one.key for one in fired} <= set(keyed[name])


@settings(max_examples=100)
@given(st.lists(KEYS, max_size=5), SAID)
def test_plain_entries_are_active_when_the_newest_four_say_a_key(keys: list[tuple[str, ...]], said: list[str]) -> None:
    plain = [tuple(key for key in of if not key.startswith("/")) for of in keys]
    entries = [LoreEntry(f"e{number}", "x", keys=of) for number, of in enumerate(plain)]
    newest = "\n".join(said[-4:]).casefold()
    expected = [any(key.casefold() in newest for key in of) for of in plain]
    assert [found.active for found in scanned(entries, *said).values()] == expected
