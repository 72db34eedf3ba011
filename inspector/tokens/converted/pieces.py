"""SentencePiece models converted for the library `tokenizers`, to count exactly as SentencePiece does.

A model lists its pieces with scores, which determine the order of merges. Its own rules prepare the text: characters to
normalise, spaces to leave out, and the space before every text.

A difference of the library remains: if a model normalises a character, a separate accent or vowel sign after it may be
lost. Models like T5 then count a token less, in one of a thousand texts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.tokens.converted.marks import AddedMark, add_marks, with_marks
from inspector.tokens.converted.sentencepiece import ModelKind, Piece, PieceKind, SentencePieceModel, read_sentencepiece
from inspector.tokens.converted.settings import TokenizerSettings
from inspector.tokens.tokenizer import TokenizerUnavailableError

_SPACE = "▁"
# So unlikely that a text is cut into such a piece only if there is no other cut.
_NEVER = -1e6
_MARKS = (PieceKind.CONTROL, PieceKind.UNKNOWN, PieceKind.USER_DEFINED)


def pieces_backend(file: Path, settings: TokenizerSettings, same_ids: bool) -> tuple[Any, str]:
    """Return the library's object for a model file, and a sentence if it may cut some texts otherwise, else "".

    `same_ids` means the folder's other files use the ids of the model, which some classes shift. Raises
    TokenizerUnavailableError with the unusable file, the place in it and the expected content.
    """
    from tokenizers import normalizers

    added = _placed(settings, same_ids)
    model = _renamed(read_sentencepiece(file), added, file)
    marks = [*_own_marks(model, {mark.text for mark in added if mark.special}), *added]
    backend, remark = (_unigram if model.kind == ModelKind.UNIGRAM else _byte_pairs)(model, marks, file)
    steps = _steps(model)
    backend.normalizer = normalizers.Sequence([*steps, normalizers.Prepend(""), backend.normalizer])
    normalise = backend.normalizer.normalize_str
    add_marks(backend, [_findable(mark, normalise(mark.text)) for mark in marks])
    # Only now: adding a mark runs it through all steps, and marks must get no space before them.
    if model.add_dummy_prefix and settings.flag("add_prefix_space", True):
        backend.normalizer[len(steps)].prepend = _SPACE
    return backend, remark


def _findable(mark: AddedMark, normalised: str) -> AddedMark:
    """Return the mark, looked for in the raw text if normalisation would change it."""
    return mark if normalised == mark.text.replace(" ", _SPACE) else replace(mark, normalized=False)


def _own_marks(model: SentencePieceModel, special: set[str]) -> list[AddedMark]:
    """Return the model's control, unknown and user-defined pieces as marks; user-defined ones are special only if in
    `special`.

    User-defined pieces are looked for in the normalised text, as SentencePiece does, whatever the folder says.
    """
    found = []
    for number, piece in enumerate(model.pieces):
        if piece.kind in _MARKS:
            hidden = piece.kind != PieceKind.USER_DEFINED or piece.text in special
            found.append(AddedMark(piece.text, number, hidden, normalized=not hidden))
    return found


def _placed(settings: TokenizerSettings, same_ids: bool) -> list[AddedMark]:
    """Return the added tokens of the folder. By the older rule, the default, the stretches between them are separate
    texts.

    By the newer rule they are looked for in the normalised text, which has the space before it only once.
    """
    inside = not settings.flag("legacy", True)
    return [
        replace(mark, normalized=inside and not mark.special, number=mark.number if same_ids else None)
        for mark in settings.marks
    ]


def _renamed(model: SentencePieceModel, marks: Iterable[AddedMark], file: Path) -> SentencePieceModel:
    """Return the model with some pieces replaced by the folder's texts for their ids, as marks."""
    pieces = list(model.pieces)
    places = {piece.text: number for number, piece in enumerate(pieces)}
    for mark in marks:
        if mark.number is not None and mark.number < len(pieces) and mark.text not in places:
            kind = pieces[mark.number].kind
            pieces[mark.number] = Piece(mark.text, 0.0, kind if kind == PieceKind.UNKNOWN else PieceKind.CONTROL)
    with_marks({piece.text: number for number, piece in enumerate(pieces)}, marks, file)
    return replace(model, pieces=tuple(pieces))


def _byte_pairs(model: SentencePieceModel, marks: Sequence[AddedMark], file: Path) -> tuple[Any, str]:
    from tokenizers import models

    numbers = {piece.text: number for number, piece in enumerate(model.pieces)}
    scores = {piece.text: piece.score for piece in model.pieces}
    marked = {piece.text for piece in model.pieces if piece.kind != PieceKind.NORMAL}
    merges = _merges(scores, marked)
    vocabulary = with_marks(numbers, marks, file)
    unknown, in_bytes = model.pieces[model.unknown].text, model.byte_fallback
    inside = models.BPE(vocabulary, merges, unk_token=unknown, fuse_unk=True, byte_fallback=in_bytes)
    return _with_spaces(inside), _told_of_ties({left + right for left, right in merges}, scores, file)


def _told_of_ties(made: Iterable[str], scores: Mapping[str, float], file: Path) -> str:
    """Return a remark if merged pieces have equal scores, else "".

    SentencePiece then takes the leftmost in the text, the library the first in its list. For runs of a single letter,
    such as spaces, the result is the same.
    """
    various = [text for text in made if len(set(text)) > 1]
    alike = len(various) - len({scores[text] for text in various})
    if not alike:
        return ""
    return f"In {file} some pieces have the score of another one ({alike:,}), so that texts may be cut otherwise."


def _unigram(model: SentencePieceModel, marks: Sequence[AddedMark], file: Path) -> tuple[Any, str]:
    """Return the library's object for the scored vocabulary, with special marks renamed so that no text is cut into
    them.

    The library looks for every piece in a text, SentencePiece only for those that are not special. A space, which no
    normalised text holds, keeps the special ones from matching. The names of bytes must stay, and never make the best
    cut.
    """
    from tokenizers import models

    special = {mark.text for mark in marks if mark.special}
    entries = [_entry(piece, special) for piece in model.pieces]
    more = {mark.number: mark.text for mark in marks if mark.number is not None and mark.number >= len(entries)}
    for number, text in sorted(more.items()):
        if number != len(entries):
            what = f"the added token {text!r} has the id {number:,}, expected {len(entries):,}, the next one"
            raise TokenizerUnavailableError(f"{file.parent} is not usable: {what}")
        entries.append(_entry(Piece(text, 0.0, PieceKind.CONTROL), special))
    return _with_spaces(models.Unigram(entries, unk_id=model.unknown, byte_fallback=model.byte_fallback)), ""


def _with_spaces(inside: Any) -> Any:
    """Return the library's object for such a model, whose normaliser only turns spaces into SentencePiece's letter."""
    from tokenizers import Tokenizer, normalizers

    backend = Tokenizer(inside)
    backend.normalizer = normalizers.Replace(" ", _SPACE)
    return backend


def _merges(scores: Mapping[str, float], never: Collection[str]) -> list[tuple[str, str]]:
    """Return the pairs of pieces that join to a third, best first; no piece in `never` takes part.

    Of equal scores, the pair with the longer left piece comes first, then the order in the model decides.
    """
    made = {text: score for text, score in scores.items() if text not in never}
    pairs = [
        (text[:place], text[place:])
        for text in made
        for place in range(1, len(text))
        if text[:place] in made and text[place:] in made
    ]
    return sorted(pairs, key=lambda pair: (made["".join(pair)], len(pair[0]), len(pair[1])), reverse=True)


def _entry(piece: Piece, special: set[str]) -> tuple[str, float]:
    if piece.kind == PieceKind.BYTE:
        return piece.text, _NEVER
    if piece.kind != PieceKind.NORMAL and piece.text in special:
        return f" {piece.text}", 0.0
    return piece.text, piece.score


def _steps(model: SentencePieceModel) -> list[Any]:
    """Return the normalisers to run before spaces become letters."""
    from tokenizers import Regex, normalizers

    steps: list[Any] = [normalizers.Precompiled(model.charsmap)] if model.charsmap else []
    if model.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Replace(Regex(rf"\A +|[ {_SPACE}]+\z"), "")]
    return steps
