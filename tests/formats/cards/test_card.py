"""Character cards in every wrapping, and the chunks of a PNG."""

import io
import json
import struct
import zipfile
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.cards import card
from inspector.model import Character, Workspace
from inspector.reading.png import SIGNATURE, text_chunks
from inspector.reading.source import FileSource, UnreadableError

FIELDS: dict[str, Any] = {
    "name": "Ines",
    "description": "A keeper of {{user}}'s lighthouse.",
    "personality": "patient",
    "scenario": "a storm",
    "first_mes": "Come in, <USER>.",
    "mes_example": "<START>\n{{char}}: Mind the step.",
}
V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        **FIELDS,
        "creator_notes": "made on a rainy day",
        "system_prompt": "{{original}} Be brief.",
        "post_history_instructions": "Stay in the tower.",
        "alternate_greetings": ["Ahoy.", "Who is there?"],
        "extensions": {"depth_prompt": {"prompt": "It still rains.", "depth": 4, "role": "system"}, "world": "Coast"},
        "character_book": {
            "name": "Tower",
            "entries": [
                {
                    "id": 3,
                    "keys": ["lamp"],
                    "content": "The lamp is lit.",
                    "insertion_order": 2,
                    "position": "before_char",
                },
                {"keys": ["rope"], "content": "Rope.", "enabled": False, "extensions": {"position": 4, "depth": 1}},
            ],
        },
    },
}
V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "data": {**V2["data"], "name": "Ines III", "group_only_greetings": ["All!"]},
}


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes) -> bytes:
    return SIGNATURE + chunk(b"IHDR", bytes(13)) + chunk(b"IDAT", b"pixels") + b"".join(chunks) + chunk(b"IEND", b"")


def text_chunk(keyword: str, text: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode() + b"\0" + text)


def packed(value: Any) -> bytes:
    return b64encode(json.dumps(value).encode())


def opened(data: bytes, path: str = "Ines.png") -> Workspace:
    source = FileSource(path, data)
    assert card.sniff(source) >= 0.7
    return card.load(source)


def character_in(data: bytes) -> Character:
    (character,) = opened(data).characters
    return character


def contents(character: Character) -> dict[str, str]:
    return {piece.type: piece.content for piece in character.components}


def test_a_v2_card_becomes_a_character_and_a_lorebook() -> None:
    workspace = opened(json.dumps(V2).encode(), "Ines.json")
    (character,) = workspace.characters
    assert (character.id, character.name, character.greeting) == ("Ines", "Ines", "Come in, <USER>.")
    assert character.system_prompt == "{{original}} Be brief."
    assert list(contents(character).items()) == [
        ("description", "A keeper of {{user}}'s lighthouse."),
        ("personality", "patient"),
        ("scenario", "a storm"),
        ("example", "<START>\n{{char}}: Mind the step."),
        ("depth_prompt", "It still rains."),
        ("post_history_instructions", "Stay in the tower."),
    ]
    assert [piece.type for piece in character.components if piece.required] == [
        "description",
        "personality",
        "scenario",
    ]
    (lorebook,) = workspace.lorebooks
    assert (lorebook.id, lorebook.title) == ("Ines", "Tower")
    assert [(entry.id, entry.position, entry.enabled) for entry in lorebook.entries] == [
        ("3", "before_char", True),
        ("1", "at_depth", False),
    ]


def test_notes_of_the_creator_never_enter() -> None:
    assert "rainy day" not in repr(opened(json.dumps(V2).encode()))


def test_further_greetings_are_counted() -> None:
    places = {problem.place: problem.message for problem in opened(json.dumps(V3).encode()).problems}
    assert "2 further greetings" in places["$.data.alternate_greetings"]
    assert "1 further greeting is" in places["$.data.group_only_greetings"]


def test_a_lorebook_of_its_own_is_named() -> None:
    bare = {"spec": "chara_card_v2", "data": {**FIELDS, "extensions": {"world": "Coast"}}}
    (problem,) = opened(json.dumps(bare).encode()).problems
    assert "Coast" in problem.message
    assert problem.severity == "info"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(json.dumps(FIELDS).encode(), id="V1 JSON"),
        pytest.param(png(text_chunk("chara", packed(FIELDS))), id="V1 PNG"),
        pytest.param(png(text_chunk("Chara", packed({**FIELDS, "data": FIELDS}))), id="keyword in capitals"),
        pytest.param(png(text_chunk("chara", json.dumps(FIELDS).encode())), id="JSON without base64"),
        pytest.param(png(text_chunk("chara", packed(FIELDS).rstrip(b"="))), id="without padding"),
        pytest.param(png(text_chunk("chara", b"\n".join([packed(FIELDS)[:40], packed(FIELDS)[40:]]))), id="wrapped"),
        pytest.param(png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(packed(FIELDS)))), id="zTXt"),
        pytest.param(png(chunk(b"iTXt", b"chara\0\0\0en\0Karte\0" + packed(FIELDS))), id="iTXt"),
        pytest.param(png(chunk(b"iTXt", b"chara\0\1\0\0\0" + zlib.compress(packed(FIELDS)))), id="iTXt compressed"),
    ],
)
def test_every_wrapping_gives_the_same_character(data: bytes) -> None:
    character = character_in(data)
    assert character.name == "Ines"
    assert contents(character)["scenario"] == "a storm"


def test_ccv3_wins_over_its_copy_for_older_programs() -> None:
    assert character_in(png(text_chunk("chara", packed(V2)), text_chunk("ccv3", packed(V3)))).name == "Ines III"


def test_a_broken_ccv3_falls_back_to_the_copy() -> None:
    workspace = opened(png(text_chunk("chara", packed(V2)), text_chunk("ccv3", b"???")))
    assert workspace.characters[0].name == "Ines"
    assert workspace.problems[0].place.startswith("chunk ccv3")
    assert workspace.problems[0].severity == "warning"


def test_data_wins_over_a_copy_beside_it() -> None:
    assert character_in(json.dumps({**FIELDS, **V2, "name": "Old Ines"}).encode()).name == "Ines"


def test_pygmalion_keys() -> None:
    value = {
        "char_name": "Ines",
        "char_persona": "d",
        "world_scenario": "s",
        "char_greeting": "g",
        "example_dialogue": "e",
    }
    character = character_in(json.dumps(value).encode())
    assert contents(character) == {"description": "d", "scenario": "s", "example": "e"}
    assert (character.name, character.greeting) == ("Ines", "g")


def test_plain_text_chunks_are_a_v1_card() -> None:
    texts = {"name": "Ines", "personality": "pátient", "scenario": "a storm", "first_message": "Come in."}
    character = character_in(png(*(text_chunk(keyword, text.encode()) for keyword, text in texts.items())))
    assert (character.name, character.greeting) == ("Ines", "Come in.")
    assert contents(character)["personality"] == "pátient"
    latin = character_in(png(text_chunk("name", b"Ines"), text_chunk("personality", "pátient".encode("latin-1"))))
    assert contents(latin)["personality"] == "pátient"


def charx(value: Any) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("card.json", json.dumps(value))
        archive.writestr("assets/icon/main.png", b"")
    return buffer.getvalue()


def test_charx_also_behind_a_jpeg() -> None:
    assert character_in(charx(V3)).name == "Ines III"
    assert character_in(b"\xff\xd8\xff\xe0" + bytes(50) + b"\xff\xd9" + charx(V3)).name == "Ines III"


def test_another_archive_is_left_to_others() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("conversations.json", "[]")
    source = FileSource("export.zip", buffer.getvalue())
    assert card.sniff(source) == 0
    with pytest.raises(UnreadableError, match="found none"):
        card.load(source)


@pytest.mark.parametrize("encrypted", [b"rcc||xyz", b64encode(b"rcc||rccv1||xyz")])
def test_encrypted_risu_cards_are_refused(encrypted: bytes) -> None:
    with pytest.raises(UnreadableError, match="encrypted RisuAI card"):
        card.load(FileSource("x.png", png(text_chunk("chara", encrypted))))


def test_a_cut_file_says_where() -> None:
    whole = png(text_chunk("chara", packed(V2)))
    source = FileSource("cut.png", whole[: whole.index(b"chara") + 100])
    assert card.sniff(source) == 1.0
    with pytest.raises(UnreadableError) as caught:
        card.load(source)
    assert caught.value.problem.place == f"chunk chara at byte {whole.index(b'chara') - 8}"
    assert "the file ends after 100" in caught.value.problem.message


def test_a_file_cut_behind_the_card_opens() -> None:
    whole = png(text_chunk("chara", packed(V2)), chunk(b"IDAT", bytes(100)))
    assert character_in(whole[:-90]).name == "Ines"


def name_in(data: bytes) -> str:
    """The name of the card in a file, or "" where the file is refused."""
    try:
        return card.load(FileSource("x.png", data)).characters[0].name
    except UnreadableError:
        return ""


def test_every_prefix_of_a_png_is_survived() -> None:
    whole = png(text_chunk("chara", packed(FIELDS)), chunk(b"zTXt", b"ccv3\0\0" + zlib.compress(packed(V3))))
    assert {name_in(whole[:end]) for end in range(len(whole))} == {"", "Ines", "Ines III"}


def test_chunks_are_found_before_and_after_the_pixels() -> None:
    data = SIGNATURE + text_chunk("a", b"1") + chunk(b"IDAT", b"x") + text_chunk("b", b"2") + chunk(b"IEND", b"")
    assert [(found.keyword, found.packed) for found in text_chunks(data)] == [("a", b"1"), ("b", b"2")]
    assert list(text_chunks(b"\xff\xd8 not a PNG")) == []


def test_wrong_types_are_named_and_the_rest_opens() -> None:
    data = {
        **FIELDS,
        "name": None,
        "scenario": 7,
        "character_book": [],
        "extensions": "none",
        "alternate_greetings": "x",
    }
    workspace = opened(json.dumps({"spec": "chara_card_v2", "data": data}).encode(), "cards/Old Ines.json")
    (character,) = workspace.characters
    assert character.name == "Old Ines"
    assert contents(character)["scenario"] == "7"
    assert [problem.place for problem in workspace.problems] == [
        "$.data.name",
        "$.data.scenario",
        "$.data.character_book",
    ]


@pytest.mark.parametrize("value", [{"name": "x", "description": "y"}, [FIELDS], {"first_mes": "x"}, "text", {}])
def test_what_is_no_card_is_left_to_others(value: Any) -> None:
    assert card.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


@pytest.mark.parametrize(
    ("file", "name", "entries", "greetings"),
    [
        ("character_cards/The_Awakened.png", "The Awakened", 62, 0),
        ("character_cards/content_Assistant_CapoGPT.png", "CapoGPT", 0, 0),
        ("character_cards/contest_Assistant_Amy.png", "Amy", 0, 1),
        ("character_cards/default_CodingSensei.png", "Coding Sensei", 0, 0),
        ("character_cards/default_Seraphina.png", "Seraphina", 4, 0),
        ("character_cards/derived/mara.charx", "Mara", 1, 2),
        ("character_cards/derived/v1.png", "Mara", 0, 0),
        ("character_cards/derived/v2.json", "Mara", 1, 2),
        ("character_cards/derived/v2.png", "Mara", 1, 2),
        ("character_cards/derived/v2_itxt.png", "Mara", 1, 2),
        ("character_cards/derived/v3_both.png", "Mara", 1, 2),
        ("character_cards/puro.png", "Puro", 0, 0),
        ("risuai/rika.png", "Rika", 0, 0),
    ],
)
def test_real_cards(data_folder: Path, file: str, name: str, entries: int, greetings: int) -> None:
    workspace = opened((data_folder / file).read_bytes(), file)
    (character,) = workspace.characters
    assert character.name == name
    assert character.greeting
    assert sum(len(lorebook.entries) for lorebook in workspace.lorebooks) == entries
    said = [problem.message for problem in workspace.problems if problem.place.endswith("alternate_greetings")]
    assert [int(message.split()[0]) for message in said] == ([greetings] if greetings else [])
    assert all(problem.severity == "info" for problem in workspace.problems)


def test_the_real_card_with_both_chunks_is_read_from_the_newer(data_folder: Path) -> None:
    workspace = opened((data_folder / "character_cards/derived/v3_both.png").read_bytes())
    assert any("group_only_greetings" in problem.place for problem in workspace.problems)


def test_the_real_cut_card_is_a_problem(data_folder: Path) -> None:
    with pytest.raises(UnreadableError, match="982 bytes"):
        card.load(FileSource("x.png", (data_folder / "malformed/derived/png_truncated.png").read_bytes()))


def test_a_chorus_card_is_not_a_character_card(data_folder: Path) -> None:
    source = FileSource("x.png", (data_folder / "character_cards/derived/chorus_card.png").read_bytes())
    assert card.sniff(source) == 0
