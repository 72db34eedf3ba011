"""Real lorebooks: each expectation was made by reading the keys of the entries."""

from pathlib import Path

import pytest
from lore_scenes import active, scanned

from inspector.formats.cards import card
from inspector.formats.lore import world_info
from inspector.model import LoreEntry
from inspector.reading.source import FileSource
from inspector.retrieval.lore.settings import LoreSettings

WHOLE_WORDS = LoreSettings(whole_words=True)


def entries_of(file: Path) -> tuple[LoreEntry, ...]:
    source = FileSource(str(file), file.read_bytes())
    kind = card if file.suffix == ".png" else world_info
    return kind.load(source).lorebooks[0].entries


# Keys: 0 eldoria, wood, forest, magical forest; 1 shadowfang, beast, monster …; 2 glade, safe haven, refuge;
# 3 power, magic, ability.
@pytest.mark.parametrize(
    ("said", "expected", "whole"),
    [
        (("Where are we?",), set(), set()),
        (("Tell me of Eldoria.",), {"0"}, {"0"}),
        (("A wooden chair.",), {"0"}, set()),  # wood is inside of wooden
        (("The Shadowfangs came.",), {"1"}, set()),
        (("A monster!",), {"1"}, {"1"}),
        (("Is this a safe haven?",), {"2"}, {"2"}),
        (("unsafe havens",), {"2"}, {"2"}),  # two words are found inside words too
        (("Your ABILITY heals the glade.",), {"2", "3"}, {"2", "3"}),
        (("In the forest.", "1", "2", "3"), {"0"}, {"0"}),
        (("In the forest.", "1", "2", "3", "4"), set(), set()),  # the fifth newest is not read
    ],
)
def test_eldoria(data_folder: Path, said: tuple[str, ...], expected: set[str], whole: set[str]) -> None:
    entries = entries_of(data_folder / "st_worldinfo/Eldoria.json")
    assert active(entries, *said) == expected
    assert active(entries, *said, settings=WHOLE_WORDS) == whole


def test_eldoria_by_recursion(data_folder: Path) -> None:
    # 3 says glade, haven, magic and beast of nothing; its "glade" wakes 2, whose "Eldoria" wakes 0 and "beast" wakes 1.
    entries = entries_of(data_folder / "st_worldinfo/Eldoria.json")
    found = scanned(entries, "What is your ability?", settings=LoreSettings(recursive=True))
    assert {name: what.level for name, what in found.items()} == {"0": 2, "1": 2, "2": 1, "3": 0}
    assert found["2"].why == "recursion from entry 3 by key ‘glade’"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Rain fell on the empty harbour all night.", set()),
        ("We met the Eternal Scribe on the road to Temara.", {"Mathenemes", "Temara"}),
        ("他們在泰瑪拉看見靈猴。", {"Temara", "Linghou"}),
        ("She kept her natal treasure close.", {"Natal Treasure"}),
        ("The Spirit Monkey laughed.", set()),  # the key is Spirit Monkeys
        ("Foundation  Building is hard.", set()),  # the key has one space
        ("The children sleep.", {"Ren"}),  # Ren is inside of children
        ("A canada goose.", {"Ada"}),
    ],
)
def test_a_book_of_329_entries(data_folder: Path, said: str, expected: set[str]) -> None:
    entries = entries_of(data_folder / "scribe_lorebook/malkuth_scribe_lorebook.json")
    assert len(entries) == 329
    titles = {entry.id: entry.title for entry in entries}
    assert {titles[name] for name in active(entries, said)} == expected
    inside = {"The children sleep.", "A canada goose."}
    whole = active(entries, said, settings=WHOLE_WORDS)
    # Letters of other scripts are no letters of words in SillyTavern's patterns, so they always stand alone.
    assert {titles[name] for name in whole} == (set() if said in inside else expected)


def test_every_feature(data_folder: Path) -> None:
    # 0 /sw(or|0)d/i; 1 dragon, not any of fire; 7 dragon, and all of ice and snow; 9 constant; 12 x, disabled;
    # 13 y, delay 4; 14 comma, string
    entries = entries_of(data_folder / "st_worldinfo/derived/all_features.json")
    assert active(entries, "a SWORD") == {"0", "9"}
    assert active(entries, "a sw0d") == {"0", "9"}
    assert active(entries, "a dragon") == {"1", "9"}
    assert active(entries, "a dragon of fire") == {"9"}
    assert active(entries, "a dragon of ice in the snow") == {"1", "7", "9"}
    assert active(entries, "x, a long string") == {"9", "14"}
    assert active(entries, "y") == {"9"}
    timed = scanned(entries, "1", "2", "3", "y")["13"]
    assert (timed.active, timed.probability) == (True, 25)
    assert "would be rolled with 25 %" in timed.notes


def test_the_book_of_a_card(data_folder: Path) -> None:
    entries = entries_of(data_folder / "character_cards/default_Seraphina.png")
    by_key = {entry.keys[0]: entry.id for entry in entries}
    assert active(entries, "Tell me of Eldoria.") == {by_key["eldoria"]}
    assert active(entries, "Good morning.") == set()
