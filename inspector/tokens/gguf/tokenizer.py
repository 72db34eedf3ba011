"""`gguf:FILE`: the tokenizer, the chat template and the context length in a GGUF file's header; no weights are read.

The tokenizer is rebuilt for Hugging Face's library: byte pairs with the words of `patterns.py`, or the pieces and
scores of SentencePiece, with merges found in the same way as in transformers.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.gguf.file import GgufHeader, read_gguf
from inspector.tokens.gguf.patterns import CUTTINGS
from inspector.tokens.huggingface import HuggingfaceTokenizer, added_tokens, expanded, ready_backend
from inspector.tokens.model_folder import ModelFolder, specials_of
from inspector.tokens.tokenizer import TokenizerUnavailableError, library_call
from inspector.tokens.vocabulary_limits import added_fault, splitting_fault, vocabulary_fault

_UNKNOWN, _CONTROL, _USER_DEFINED = 2, 3, 4
_MARKS = (_CONTROL, _USER_DEFINED)
_SPACE = "▁"


class UnknownGgufTokenizerError(TokenizerUnavailableError):
    """The file is valid, but this program cannot count like its tokenizer; `names` are its names for its model."""

    def __init__(self, message: str, names: tuple[str, ...]) -> None:
        super().__init__(message)
        self.names = names


@lru_cache
def gguf_tokenizer(place: str) -> HuggingfaceTokenizer:
    """Return the tokenizer of a file, always the same object for the same path.

    Raises TokenizerUnavailableError with the file and its fault; UnknownGgufTokenizerError is a subclass.
    """
    header = read_gguf(expanded(place))
    backend = ready_backend(_backend(header))
    content = backend.to_str().encode()
    kind = header.text("tokenizer.ggml.pre") or header.text("tokenizer.ggml.model")
    fingerprint = f"gguf:{kind}@{blake2b(content, digest_size=16).hexdigest()}"
    return HuggingfaceTokenizer(f"gguf:{place}", fingerprint, backend, content, _model(header, added_tokens(backend)))


def model_names(header: GgufHeader) -> tuple[str, ...]:
    """Return the names of the model in the file, the most exact first, then its architecture."""
    keys = ("general.name", "general.basename", "general.architecture")
    return tuple(name for name in (header.values.get(key) for key in keys) if isinstance(name, str) and name)


def _model(header: GgufHeader, added: Mapping[str, bool]) -> ModelFolder:
    """Return chat template and context length; faults in them do not keep the tokenizer from counting."""
    try:
        template = _chat_template(header, added)
        length = header.integer(f"{header.text('general.architecture')}.context_length")
    except TokenizerUnavailableError as problem:
        return ModelFolder(problems=(f"{problem}.",))
    return ModelFolder(template, length if length and length > 0 else None)


def _chat_template(header: GgufHeader, added: Mapping[str, bool]) -> ChatTemplate | None:
    source = header.text("tokenizer.chat_template") or header.text("tokenizer.chat_template.default")
    if not source:
        return None
    tokens = header.texts("tokenizer.ggml.tokens")
    places = (header.integer(f"tokenizer.ggml.{mark}_token_id") for mark in ("bos", "eos"))
    bos, eos = ("" if place is None or not 0 <= place < len(tokens) else tokens[place] for place in places)
    return ChatTemplate(str(header.path), source, specials_of(added, source), bos, eos)


def _backend(header: GgufHeader) -> Any:
    """Return the tokenizer as an object of the library."""
    from tokenizers import AddedToken

    tokens = header.texts("tokenizer.ggml.tokens")
    if not tokens:
        raise TokenizerUnavailableError(f"{header.path} holds no tokenizer")
    if len(set(tokens)) < len(tokens):
        raise TokenizerUnavailableError(f"{header.path} is not usable: a token occurs twice in tokenizer.ggml.tokens")
    kinds = _kinds(header, len(tokens))
    marked = {token: kind for token, kind in zip(tokens, kinds, strict=True) if kind in _MARKS and token}
    if fault := vocabulary_fault(tokens) or added_fault(marked):
        raise TokenizerUnavailableError(f"{header.path} is not usable: {fault}")
    with library_call(f"{header.path} is not usable"):
        backend = _of_its_kind(header, tokens, kinds)
        for kind, add in ((_CONTROL, backend.add_special_tokens), (_USER_DEFINED, backend.add_tokens)):
            marks = (token for token, of_kind in marked.items() if of_kind == kind)
            add([AddedToken(mark, normalized=False, special=kind == _CONTROL) for mark in marks])
    return backend


def _kinds(header: GgufHeader, count: int) -> list[int]:
    """Return the kind of each token, normal if the file does not say."""
    kinds = header.numbers("tokenizer.ggml.token_type")
    if kinds is None:
        return [1] * count
    if len(kinds) != count:
        raise TokenizerUnavailableError(f"{header.path} is not usable: {count:,} tokens, but {len(kinds):,} types")
    return kinds.tolist()


def _of_its_kind(header: GgufHeader, tokens: list[str], kinds: list[int]) -> Any:
    kind = header.text("tokenizer.ggml.model")
    if kind == "gpt2":
        return _byte_pairs(header, tokens)
    if kind == "llama":
        if fault := splitting_fault(tokens):
            raise TokenizerUnavailableError(f"{header.path} is not usable: {fault}")
        merges = list(merges_by_score(tokens, _scores(header, len(tokens))))
        unknown = next((token for token, of_kind in zip(tokens, kinds, strict=True) if of_kind == _UNKNOWN), None)
        return _pieces(tokens, merges, unknown, header.values.get("tokenizer.ggml.add_space_prefix", True))
    if kind == "gemma4":
        return _pieces(tokens, _pairs(header), "<unk>" if "<unk>" in tokens else None, with_space=False)
    raise _unknown(header, f"a tokenizer of the kind {kind!r}")


def _unknown(header: GgufHeader, what: str) -> UnknownGgufTokenizerError:
    return UnknownGgufTokenizerError(f"{header.path} has {what}, which this program does not know", model_names(header))


def _byte_pairs(header: GgufHeader, tokens: list[str]) -> Any:
    """Return the library's object for byte pairs over words, each byte written as a letter as GPT-2 does it."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    name = header.text("tokenizer.ggml.pre")
    if name not in CUTTINGS:
        raise _unknown(header, f"the pre-tokenizer {name!r}" if name else "no name for its pre-tokenizer")
    cutting = CUTTINGS[name]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    backend = Tokenizer(models.BPE(vocabulary, _pairs(header), ignore_merges=cutting.takes_whole_words))
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in cutting.patterns]
    letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.pre_tokenizer = pre_tokenizers.Sequence([*cuts, letters])
    backend.decoder = decoders.ByteLevel()
    if cutting.normalizes:
        backend.normalizer = normalizers.NFC()
    return backend


def _pairs(header: GgufHeader) -> list[tuple[str, str]]:
    """Return the merges; a space separates the two halves, and the first half may begin with a space."""
    pairs = []
    for merge in header.texts("tokenizer.ggml.merges"):
        middle = merge.find(" ", 1)
        if middle < 0:
            what = f"the merge {merge[:80]!r} has no two halves"
            raise TokenizerUnavailableError(f"{header.path} is not usable: {what}")
        pairs.append((merge[:middle], merge[middle + 1 :]))
    return pairs


def _pieces(tokens: list[str], merges: list[tuple[str, str]], unknown: str | None, with_space: bool) -> Any:
    """Return the library's object for SentencePiece's byte pairs.

    The text is not cut into words, its spaces become a letter, and text in no piece is spelled in bytes.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    vocabulary = {token: number for number, token in enumerate(tokens)}
    backend = Tokenizer(models.BPE(vocabulary, merges, unk_token=unknown, fuse_unk=True, byte_fallback=True))
    spaces = normalizers.Replace(" ", _SPACE)
    backend.normalizer = normalizers.Sequence([normalizers.Prepend(_SPACE), spaces]) if with_space else spaces
    if not with_space:
        backend.pre_tokenizer = pre_tokenizers.Split(Regex(r"\n+"), "isolated")
    backend.decoder = decoders.Sequence([decoders.Replace(_SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    return backend


def _scores(header: GgufHeader, count: int) -> list[float]:
    scores = header.numbers("tokenizer.ggml.scores")
    if scores is None or len(scores) != count:
        found = "none" if scores is None else f"{len(scores):,}"
        raise TokenizerUnavailableError(f"{header.path} is not usable: {count:,} tokens, but {found} scores")
    return scores.tolist()


def merges_by_score(tokens: Sequence[str], scores: Sequence[float]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of tokens that join to a third, the best token first, as SentencePiece merges neighbours."""
    vocabulary = set(tokens)
    for _score, token in sorted(zip(scores, tokens, strict=True), key=lambda entry: -entry[0]):
        for middle in range(1, len(token)):
            if token[:middle] in vocabulary and token[middle:] in vocabulary:
                yield token[:middle], token[middle:]
