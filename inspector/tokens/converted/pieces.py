"""SentencePiece models put together for the library `tokenizers`, which has to count as SentencePiece itself does.

A model says its pieces with their scores, which say the order of merges. What it does to a text before is added by its
own rules: characters to normalise, spaces to leave out, and the space before every text.

One difference is the library's own and stays: where a model normalises a character, an accent or vowel sign that
follows it as a character of its own may be lost. Models like T5 count a token less there, in one of a thousand texts.
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
# So unlikely that no text is cut into such a piece that can be cut in any other way.
_NEVER = -1e6
_MARKS = (PieceKind.CONTROL, PieceKind.UNKNOWN, PieceKind.USER_DEFINED)


def pieces_backend(file: Path, settings: TokenizerSettings, same_ids: bool) -> tuple[Any, str]:
    """The library's object for a model file, and a sentence where it may cut some texts otherwise; "" where it cannot.

    `same_ids` says that the ids of the folder's other files are those of the model, which some classes shift.
    TokenizerUnavailableError names the file that is not usable, the place in it and what was expected.
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
    # Not before: the library takes each mark through all steps when it is added, and no mark has a space before it.
    if model.add_dummy_prefix and settings.flag("add_prefix_space", True):
        backend.normalizer[len(steps)].prepend = _SPACE
    return backend, remark


def _findable(mark: AddedMark, normalised: str) -> AddedMark:
    """The mark, looked for in the text as it came where it would be another one in the normalised text."""
    return mark if normalised == mark.text.replace(" ", _SPACE) else replace(mark, normalized=False)


def _own_marks(model: SentencePieceModel, special: set[str]) -> list[AddedMark]:
    """The pieces of the model that are looked for before others, and those of users that the folder says are special.

    What a user defined is found in the normalised text, as SentencePiece finds it, wherever the folder looks for it.
    """
    found = []
    for number, piece in enumerate(model.pieces):
        if piece.kind in _MARKS:
            hidden = piece.kind != PieceKind.USER_DEFINED or piece.text in special
            found.append(AddedMark(piece.text, number, hidden, normalized=not hidden))
    return found


def _placed(settings: TokenizerSettings, same_ids: bool) -> list[AddedMark]:
    """The added tokens of the folder. By the older rule, the default, what lies between them are texts of their own.

    By the other one they are looked for in the normalised text, which has its space before it once.
    """
    inside = not settings.flag("legacy", True)
    return [
        replace(mark, normalized=inside and not mark.special, number=mark.number if same_ids else None)
        for mark in settings.marks
    ]


def _renamed(model: SentencePieceModel, marks: Iterable[AddedMark], file: Path) -> SentencePieceModel:
    """The model with the texts that the folder has in the place of some pieces, which are then marks."""
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
    """What is to be said where pieces that are made of others have one score.

    SentencePiece then takes the leftmost in the text, the library the first in its list. For runs of one letter, such
    as spaces, both come to the same.
    """
    various = [text for text in made if len(set(text)) > 1]
    alike = len(various) - len({scores[text] for text in various})
    if not alike:
        return ""
    return f"In {file} some pieces have the score of another one ({alike:,}), so that texts may be cut otherwise."


def _unigram(model: SentencePieceModel, marks: Sequence[AddedMark], file: Path) -> tuple[Any, str]:
    """The vocabulary with its scores, in which marks are renamed so that no text is cut into one.

    The library looks for every piece in a text, SentencePiece not for those that are special. A space, which no
    normalised text holds, keeps them apart. The names of bytes have to stay, and are never the best way to cut.
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
    """The library's object for such a model. Of what is done to a text before, it only makes letters of spaces."""
    from tokenizers import Tokenizer, normalizers

    backend = Tokenizer(inside)
    backend.normalizer = normalizers.Replace(" ", _SPACE)
    return backend


def _merges(scores: Mapping[str, float], never: Collection[str]) -> list[tuple[str, str]]:
    """The pairs that make a piece out of two others, the best first, without those of which one is `never` made.

    Of one score those with the longer left piece come first, and then as the pieces stand in the model.
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
    """What the model does to a text before its spaces become letters."""
    from tokenizers import Regex, normalizers

    steps: list[Any] = [normalizers.Precompiled(model.charsmap)] if model.charsmap else []
    if model.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Replace(Regex(rf"\A +|[ {_SPACE}]+\z"), "")]
    return steps
