"""Random texts for the comparison with other makers' tokenizers: seeded, and of what tokenizers stumble over.

Whoever changes what is written here changes the recorded expectations, which `make references` writes anew.
"""

from collections.abc import Callable, Sequence
from random import Random

PROSE = (
    "The harbour was quiet before the storm, and nobody spoke.",
    "She'd've told us; they're late, I'm sure it's nothing!",
    "Über Größe, naïve façades — and 3.14 reasons…",
    "Привет, как дела? Всё хорошо.",
    "Η γρήγορη αλεπού πηδάει.",
    "El niño comió 12 piñas en el jardín.",
    "Đường phố Hà Nội rất đông.",
)
CODE = (
    "def area(r: float) -> float:\n    return 3.14159 * r ** 2\n",
    "for (int i = 0; i < 10; ++i) {\n\tsum += a[i];\n}\n",
    '{"name": "look", "arguments": {"at": [1, 2.5e-3, null]}}',
    "<table><tr><td>a &amp; b</td></tr></table>",
    "SELECT * FROM t WHERE x != 'y' -- note\r\n",
    "https://example.org/a?b=c&d=%20#part",
)
SCRIPTS = (
    "日本語のテキストです。",
    "漢字和简体字混合，还有标点。",
    "한국어 문장입니다.",
    "مرحبا بالعالم، كيف الحال؟",
    "שלום עולם",
    "नमस्ते दुनिया",
    "ภาษาไทยไม่มีช่องว่าง",
    "e\u0301te\u0301 ﬁne Å ½ ① ㌔",
)
EMOJI = ("😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇺🇦🇯🇵", "👍🏽", "❤️", "🐙🌊")
SPACES = (" ", "  ", "   ", "\n", "\n\n", "\n\n\n\n", "\t", "\t\t", " \n ", "\r\n", "\u00a0", "\u3000", "\u200b")
CONTROLS = ("\x00", "\x07", "\x1b[0m", "\x7f", "\u0085", "\ufeff", "\ufffd", "▁", "Ġ", "\ue000")
DIGITS = ("0", "7", "42", "123", "1234", "1234567890", "１２３", "3.14159", "٣٤", "x2", "²")
# What is a special token to some model; spelled out in a text it is ordinary, or a token that always is one.
MARKS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|begin_of_text|>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "<|user|>",
    "<|assistant|>",
    "<|system|>",
    "[gMASK]",
    "<sop>",
    "<｜User｜>",
    "<｜end▁of▁sentence｜>",
    "<|start|>",
    "<|channel|>",
    "<|message|>",
    "<|im_sep|>",
    "<|fim_prefix|>",
    "<|im_middle|>",
    "/nothink",
    "<unused7>",
    "<arg_key>",
    "<<SYS>>",
)

_KINDS: tuple[tuple[Sequence[str], int], ...] = (
    (PROSE, 5),
    (CODE, 3),
    (SCRIPTS, 4),
    (EMOJI, 2),
    (SPACES, 6),
    (CONTROLS, 1),
    (DIGITS, 2),
)


def texts(family: str, count: int, seed: int) -> list[str]:
    """So many texts for a family, the same ones for the same seed: mixtures, and every mark once among words."""
    random = Random(f"texts {family} {seed}")
    written = [f"Say {mark} twice:{mark}{mark} ok" for mark in MARKS]
    written += [piece for kind, _ in _KINDS for piece in kind]
    while len(written) < count:
        written.append(random.choice((mixture, mixture, run, letters))(random))
    return written[:count]


def mixture(random: Random, most: int = 6) -> str:
    """Pieces of several kinds, cut anywhere, with a mark now and then."""
    pieces: list[str] = []
    for _ in range(random.randint(1, most)):
        kind = random.choices([kind for kind, _ in _KINDS], [weight for _, weight in _KINDS])[0]
        pieces.append(_cut(random, random.choice(kind)))
        if random.random() < 0.3:
            pieces.append(random.choice(SPACES))
        if random.random() < 0.08:
            pieces.append(random.choice(MARKS))
    return "".join(pieces)


def plain_text(random: Random, most: int = 3) -> str:
    """A text without marks and control characters, which may be empty, begin or end with white space."""
    kinds: tuple[Sequence[str], ...] = (PROSE, PROSE, CODE, SCRIPTS, EMOJI, DIGITS)
    pieces = [_cut(random, random.choice(random.choice(kinds))) for _ in range(random.randint(0, most))]
    edges = ("", "", "", " ", "\n", "\n\n", "  ", " \n")
    return random.choice(edges) + random.choice((" ", "\n", "")).join(pieces) + random.choice(edges)


def run(random: Random) -> str:
    """Long runs of one or two pieces of white space or digits between letters."""
    first, second = random.choice((SPACES, DIGITS)), random.choice((SPACES, EMOJI, DIGITS))
    return "a" + random.choice(first) * random.randint(1, 30) + random.choice(second) * random.randint(1, 5) + "b"


def letters(random: Random) -> str:
    """Characters from anywhere in the first planes, as no language writes them."""
    makers: tuple[Callable[[], int], ...] = (
        lambda: random.randint(0x20, 0x7E),
        lambda: random.randint(0xA0, 0x24F),
        lambda: random.randint(0x370, 0x6FF),
        lambda: random.randint(0x3040, 0x9FFF),
        lambda: random.randint(0x1F300, 0x1FAFF),
    )
    return "".join(chr(random.choice(makers)()) for _ in range(random.randint(1, 12)))


def _cut(random: Random, piece: str) -> str:
    if random.random() < 0.6:
        return piece
    first, last = sorted(random.randint(0, len(piece)) for _ in range(2))
    return piece[first:last]
