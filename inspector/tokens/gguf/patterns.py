"""Patterns that cut texts into words before byte pairs are merged, by their names in GGUF files.

The names are llama.cpp's (`tokenizer.ggml.pre`); the patterns are those of the models' own tokenizer.json files. Each
pattern in turn cuts the text: every match is a word, and so is every stretch between matches.
"""

from dataclasses import dataclass
from itertools import chain


@dataclass(frozen=True, slots=True)
class Cutting:
    """Patterns in order of use, for the regular expressions of the `tokenizers` library.

    `normalizes` means texts are brought to NFC first, `takes_whole_words` means a word that is a token is not put
    together from pairs.
    """

    patterns: tuple[str, ...]
    normalizes: bool = False
    takes_whole_words: bool = False


_ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}%s]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}%s]"
_EDGE = r"[^\r\n\p{L}\p{N}]?"
_GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def _plain(digits: str, letters: str = r"\p{L}") -> str:
    """Return the pattern of cl100k and its kin: letters after at most one mark, digits, runs of marks, white space."""
    return rf"{_ENDINGS}|{_EDGE}[{letters}]+|{digits}| ?[^\s{letters}\p{{N}}]+[\r\n]*|{_SPACES}"


def _by_case(digits: str, endings: str, breaks: str = r"[\r\n/]*", without: str = "") -> str:
    """Return the pattern of o200k and its kin: words beginning anew at a capital."""
    upper, lower = _UPPER % without, _LOWER % without
    words = f"{_EDGE}{upper}*{lower}+{endings}|{_EDGE}{upper}+{lower}*{endings}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+{breaks}|{_SPACES}"


_ONE_DIGIT, _THREE_DIGITS = r"\p{N}", r"\p{N}{1,3}"
_CL100K = _plain(_THREE_DIGITS)
_O200K = _by_case(_THREE_DIGITS, f"{_ENDINGS}?")
_QWEN_2 = _plain(_ONE_DIGIT)
# Escaped, because tools that normalise Unicode change some of them.
_LETTERS_WITH_CASE = (
    r"\x{41}-\x{5A}\x{61}-\x{7A}\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}"
    r"\x{295}-\x{2AF}\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}"
    r"\x{38E}-\x{3A1}\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}"
    r"\x{13A0}-\x{13F5}\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}"
    r"\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}"
    r"\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}"
    r"\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}"
    r"\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}"
    r"\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}"
    r"\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}"
    r"\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}"
    r"\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}"
    r"\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}\x{1E900}-\x{1E943}"
)
_HAN = "[一-龥ࠀ-一가-퟿]+"

_DEEPSEEK_LLM = (
    *(r"[\r\n]", rf"\s?[{_LETTERS_WITH_CASE}]+", r"\s?[!-/:-~！-／：-～‘-‟　-。]+"),
    *(r"\s+$", _HAN, _ONE_DIGIT),
)
_DEEPSEEK_3 = (
    _THREE_DIGITS,
    "[一-龥぀-ゟ゠-ヿ]+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|"
    + _SPACES,
)
_KIMI = "[\\p{Han}]+|" + _by_case(_THREE_DIGITS, f"{_ENDINGS}?", r"[\r\n]*", without=r"&&[^\p{Han}]")

_BY_NAMES = {
    ("gpt-2", "phi-2", "mpt", "olmo", "jais", "exaone4", "trillion", "granite-docling", "a.x-4.0", "mellum"): Cutting(
        (_GPT_2,)
    ),
    ("smollm", "starcoder", "refact", "codeshell", "exaone", "minerva-7b", "mellum2"): Cutting((_ONE_DIGIT, _GPT_2)),
    ("command-r",): Cutting((_ONE_DIGIT, _GPT_2), normalizes=True),
    ("falcon",): Cutting((r"[\p{P}\$\+<=>\^~\|`]+", _GPT_2, "[0-9][0-9][0-9]")),
    ("llama-bpe", "llama3", "llama-v3", "falcon3", "lfm2", "glm4", "chatglm-bpe"): Cutting(
        (_CL100K,), takes_whole_words=True
    ),
    ("dbrx", "smaug-bpe"): Cutting((_CL100K,)),
    ("qwen2", "deepseek-r1-qwen"): Cutting((_QWEN_2,), normalizes=True),
    ("stablelm2", "hunyuan", "solar-open", "grok-2", "megrez"): Cutting((_QWEN_2,)),
    ("qwen35",): Cutting((_plain(_ONE_DIGIT, r"\p{L}\p{M}"),), normalizes=True),
    ("deepseek-llm",): Cutting(_DEEPSEEK_LLM),
    ("deepseek-coder",): Cutting((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _HAN, _ONE_DIGIT)),
    ("deepseek-v3", "hunyuan-dense", "joyai-llm"): Cutting(_DEEPSEEK_3),
    ("gpt-4o", "llama4", "kanana2"): Cutting((_O200K,)),
    ("minimax-m2",): Cutting((_O200K,), normalizes=True),
    ("tekken",): Cutting((_by_case(_ONE_DIGIT, ""),), takes_whole_words=True),
    ("kimi-k2",): Cutting((_KIMI,)),
}
CUTTINGS = dict(chain.from_iterable(((name, cutting) for name in names) for names, cutting in _BY_NAMES.items()))
"""The cuttings by name."""
