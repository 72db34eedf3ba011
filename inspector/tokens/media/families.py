"""The families of models with their rules for media: a table, to which a newcomer adds a row.

A row is found by the whole name of a model, never by a beginning of it: another version, size or tier is another row.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector.tokens.media.anthropic import ClaudePatches
from inspector.tokens.media.gemini import FlatPages, GeminiTiles
from inspector.tokens.media.grids import GeminiGrid, GemmaGrid, GridPages
from inspector.tokens.media.open_models import BestGrid, Canvas, Cells, Fixed, MarkedRows
from inspector.tokens.media.openai import Level, Patches, Tiles
from inspector.tokens.media.rules import PageRule, PictureRule, TimeRule
from inspector.tokens.media.timed import PerClip, PerSecond, PicturedPages


@dataclass(frozen=True, slots=True)
class Family:
    """A row of the table: the names of its models, and the rules it has.

    `names` are patterns of whole names in lower case with dashes. `beside` is the tokens of the marks that the chat
    template writes around a picture, which its rule leaves out.
    """

    maker: str
    names: tuple[str, ...]
    picture: PictureRule | None = None
    beside: int = 0
    pages: PageRule | None = None
    sound: TimeRule | None = None
    film: TimeRule | None = None
    pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(rf"(?:{'|'.join(self.names)}){_TAIL}"))


_DATES = r"\d{8}|\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{4}"
_KINDS = r"preview|latest|exp|instruct|chat|thinking|it|hf|gguf|mlx|dynamic"
_QUANTISED = r"i?q\d(?:-(?:k|[sml]|x+s|nl|0|1))*|awq|gptq|fp8|bf16|int[48]|[48]bit|bnb|qat"
_TAIL = rf"(?:[-@](?:{_DATES}|{_KINDS}|{_QUANTISED}|v\d+-\d|00\d))*(?:\.gguf)?"
"""Endings that name no other model: dates, kinds of training, quantisation."""
_SIZE = r"(?:-e?\d+(?:\.\d+)?b(?:-a\d+(?:\.\d+)?b)?)?"
_GPT_4O = r"(?:gpt-4o|chatgpt-4o)"
_GEMINI_KINDS = r"(?:pro|flash|flash-lite|ultra)"
_OF_1536 = Level(1_536, 2_048)
_OF_2500 = Level(2_500, 2_048)
_OF_10000 = Level(10_000, 6_000)
_UNLIMITED = 65_535


def _openai(names: str, picture: PictureRule) -> Family:
    return Family("OpenAI", (names,), picture, pages=PicturedPages(picture))


def _claude(names: Iterable[str], picture: ClaudePatches) -> Family:
    return Family("Anthropic", tuple(names), picture, pages=PicturedPages(picture))


_GEMINI_2 = Family(
    "Google",
    (rf"gemini-2\.[05]-{_GEMINI_KINDS}",),
    GeminiTiles(),
    pages=FlatPages(258),
    sound=PerSecond(32, "Google's page on tokens"),
    film=PerSecond(263, "Google's page on tokens: a frame of 258 a second, and sound", least=258),
)
_GEMINI_3 = Family(
    "Google",
    (rf"gemini-(?:[3-9]|\d\d)(?:\.\d+)?-{_GEMINI_KINDS}(?:-preview-customtools)?",),
    GeminiGrid({"low": 280, "medium": 560, "high": 1_120, "ultra_high": 2_240}, "high"),
    pages=GridPages(560),
    sound=PerSecond(25, "Google's page on media resolution"),
    film=PerSecond(95, "Google's page on media resolution: a frame of 70 a second, and sound of 25", least=60),
)
FAMILIES: tuple[Family, ...] = (
    _openai(rf"{_GPT_4O}|gpt-4\.1|gpt-4\.5|gpt-4-turbo(?!-preview)", Tiles(85, 170)),
    _openai("gpt-4o-mini", Tiles(2_833, 5_667)),
    _openai("o1(?!-preview)|o1-pro|o3", Tiles(75, 150)),
    _openai("gpt-5", Tiles(70, 140)),
    _openai("computer-use", Tiles(65, 129)),
    _openai(r"gpt-4\.1-mini", Patches(1.62, _OF_1536, low_is_high=True)),
    _openai(r"gpt-4\.1-nano", Patches(2.46, _OF_1536, low_is_high=True)),
    _openai(r"o4-mini|codex-mini", Patches(1.72, _OF_1536, low_is_high=True)),
    # The guide says 1.62 and 2.46 for the first two; bills say otherwise.
    _openai("gpt-5-mini", Patches(1.2, _OF_1536, low_is_high=True)),
    _openai("gpt-5-nano", Patches(1.5, _OF_1536, low_is_high=True)),
    _openai(r"gpt-5\.2|gpt-5\.3-codex|gpt-5(?:\.1)?-codex-mini", Patches(1.2, _OF_1536, low_is_high=True)),
    _openai(r"gpt-5\.4", Patches(1.2, _OF_2500, _OF_10000)),
    _openai(r"gpt-5\.5", Patches(1.2, _OF_2500, _OF_10000, auto_is_original=True)),
    _openai(
        "gpt-6-astra",
        Patches(1.2, Level(2_500, _UNLIMITED), Level(30_000, _UNLIMITED), auto_is_original=True, refused=True),
    ),
    Family(
        "OpenAI",
        (rf"{_GPT_4O}(?:-mini)?-(?:audio|realtime)", "gpt-(?:audio|realtime)(?:-mini)?"),
        sound=PerSecond(10, "OpenAI's page on the Realtime API"),
    ),
    _claude(
        (r"claude-3(?:[-.][57])?-(?:opus|sonnet|haiku)", r"claude-(?:opus|sonnet|haiku)-4(?:[-.][0-6])?(?:-fast)?"),
        ClaudePatches(1_568, 1_568),
    ),
    _claude(
        (
            r"claude-(?:opus|sonnet|haiku)-4[-.][789](?:-fast)?",
            r"claude-(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d\d)(?:[-.]\d)?(?:-fast)?",
        ),
        ClaudePatches(2_576, 4_784),
    ),
    _GEMINI_2,
    _GEMINI_3,
    Family("Alibaba", (rf"qwen-?2(?:\.5)?-?vl{_SIZE}",), Cells(28, 4 * 28**2, 16_384 * 28**2), beside=2),
    Family(
        "Alibaba",
        (rf"qwen-?3-?vl{_SIZE}", rf"qwen-?3\.[56]{_SIZE}"),
        Cells(32, 65_536, 16_384 * 32**2),
        beside=2,
    ),
    Family("Z.ai", (r"glm-4\.[56]v(?:-flash)?",), Cells(28, 112**2 // 2, 5_880_000, enlarges=True), beside=2),
    Family(
        "Google",
        (r"gemma-?3(?:-(?:4|12|27)b)?",),
        Fixed(256, "256 for a picture of any size (without pan and scan)"),
        beside=4,
    ),
    Family(
        "Google",
        (rf"gemma-?3n{_SIZE}",),
        Fixed(256, "256 for a picture of any size"),
        beside=4,
        sound=PerClip(188, "models/gemma3n of transformers"),
    ),
    Family(
        "Google",
        (rf"gemma-?4{_SIZE}",),
        GemmaGrid(),
        beside=2,
        sound=PerSecond(25, "models/gemma4 of transformers: one per 40 ms", most=750),
    ),
    Family("Mistral AI", ("pixtral-12b",), MarkedRows(16, 1_024)),
    Family("Mistral AI", (r"mistral-small-?3\.[12](?:-24b)?", "mistral-small-250[36]"), MarkedRows(28, 1_540)),
    Family(
        "Mistral AI",
        (rf"voxtral-(?:mini|small){_SIZE}",),
        sound=PerSecond(12.5, "frames of mistral-common, padded to 30 seconds", clip=30),
    ),
    Family("Shanghai AI Lab", (rf"internvl-?(?:2|2[-._]5|3|3[-._]5){_SIZE}",), BestGrid(), beside=2),
    Family(
        "Meta",
        (r"(?:meta-)?llama-?3\.2-(?:11b-|90b-)?vision(?:-11b|-90b)?",),
        Fixed(1, "1: the picture goes in by cross-attention, not by the window"),
    ),
    Family("Meta", (r"(?:meta-)?llama-?4(?:-scout|-maverick)?(?:-17b-\d+e)?",), Canvas(), beside=2),
)


def plain_name(name: str) -> str:
    """Return a model's name as the patterns have it: lower case, with dashes, without a host or maker before it."""
    last = name.strip().casefold().replace("\\", "/").rstrip("/").rpartition("/")[2]
    return re.sub(r"[_ :]+", "-", last)


def family_of(name: str, maker: str = "") -> Family | None:
    """Return the row of a model's name, None if the table has none; with a maker, only a row of that maker."""
    plain = plain_name(name)
    rows = (row for row in FAMILIES if row.pattern.fullmatch(plain) and maker in ("", row.maker))
    return next(rows, None)
