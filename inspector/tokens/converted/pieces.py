"""SentencePiece models put together for the library `tokenizers`, which has to count as SentencePiece itself does.

The converters of transformers give the vocabulary and the order of its merges. What a model does to a text before is
added here by its own rules: characters to normalise, spaces to leave out, and the space before every text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.tokens.converted.converters import merges_of_pieces, sentencepiece_backend
from inspector.tokens.converted.marks import AddedMark, add_marks, with_marks
from inspector.tokens.converted.sentencepiece import ModelKind, Piece, PieceKind, SentencePieceModel, read_sentencepiece
from inspector.tokens.converted.settings import TokenizerSettings
from inspector.tokens.tokenizer import TokenizerUnavailableError

_SPACE = "▁"
# So unlikely that no text is cut into such a piece that can be cut in any other way.
_NEVER = -1e6
_MARKS = {PieceKind.CONTROL: True, PieceKind.UNKNOWN: True, PieceKind.USER_DEFINED: False}


def pieces_backend(file: Path, settings: TokenizerSettings, same_ids: bool) -> tuple[Any, str]:
    """The library's object for a model file, and a sentence where it may cut some texts otherwise; "" where it cannot.

    `same_ids` says that the ids of the folder's other files are those of the model, which some classes shift.
    TokenizerUnavailableError names the file that is not usable, the place in it and what was expected.
    """
    marks = _placed(settings, same_ids)
    model = _renamed(read_sentencepiece(file), marks, file)
    marks += [
        AddedMark(piece.text, number, _MARKS[piece.kind], normalized=not _MARKS[piece.kind])
        for number, piece in enumerate(model.pieces)
        if piece.kind in _MARKS
    ]
    backend, remark = (_unigram if model.kind == ModelKind.UNIGRAM else _byte_pairs)(model, marks, file)
    with_space = model.add_dummy_prefix and settings.flag("add_prefix_space", True)
    inside = [mark.text for mark in marks if mark.normalized] if with_space else []
    backend.normalizer = _normalizer(model, bool(with_space), inside, backend.normalizer)
    add_marks(backend, marks)
    return backend, remark


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
    numbers = {piece.text: number for number, piece in enumerate(model.pieces)}
    scores = {piece.text: piece.score for piece in model.pieces}
    marked = {piece.text for piece in model.pieces if piece.kind != PieceKind.NORMAL}
    merges = merges_of_pieces(numbers, scores, marked)
    vocabulary = with_marks(numbers, marks, file)
    backend = sentencepiece_backend(model, model.pieces[model.unknown].text, vocabulary, merges)
    return backend, _told_of_ties({left + right for left, right in merges}, scores, file)


def _told_of_ties(made: Iterable[str], scores: Mapping[str, float], file: Path) -> str:
    """What is to be said where pieces that are made of others have one score.

    SentencePiece then takes the leftmost in the text, the library the first in its list. For runs of one letter, such
    as spaces, both come to the same.
    """
    various = [text for text in made if len(set(text)) > 1]
    alike = len(various) - len({scores[text] for text in various})
    if not alike:
        return ""
    return f"In {file}, {alike:,} pieces have the score of another one, so that some texts may be cut otherwise."


def _unigram(model: SentencePieceModel, marks: Sequence[AddedMark], file: Path) -> tuple[Any, str]:
    """The vocabulary with its scores, in which marks are renamed so that no text is cut into one.

    The library looks for every piece in a text, SentencePiece not for those that are special. A space, which no
    normalised text holds, keeps them apart. The names of bytes have to stay, and are never the best way to cut.
    """
    special = {mark.text for mark in marks if mark.special}
    entries = [_entry(piece, special) for piece in model.pieces]
    more = {mark.number: mark.text for mark in marks if mark.number is not None and mark.number >= len(entries)}
    for number, text in sorted(more.items()):
        if number != len(entries):
            what = f"the added token {text!r} has the id {number:,}, expected {len(entries):,}, the next one"
            raise TokenizerUnavailableError(f"{file.parent} is not usable: {what}")
        entries.append(_entry(Piece(text, 0.0, PieceKind.CONTROL), special))
    return sentencepiece_backend(model, entries[model.unknown][0], entries), ""


def _entry(piece: Piece, special: set[str]) -> tuple[str, float]:
    if piece.kind == PieceKind.BYTE:
        return piece.text, _NEVER
    if piece.kind != PieceKind.NORMAL and piece.text in special:
        return f" {piece.text}", 0.0
    return piece.text, piece.score


def _normalizer(model: SentencePieceModel, with_space: bool, inside: Sequence[str], escape: Any) -> Any:
    """The steps of the model, and the last one of the converter.

    `inside` are the marks that are looked for in the normalised text. The library normalises them too, each like a
    text: none of them alone gets the space before it.
    """
    from tokenizers import Regex, normalizers

    steps: list[Any] = [normalizers.Precompiled(model.charsmap)] if model.charsmap else []
    if model.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Replace(Regex(rf"\A +|[ {_SPACE}]+\z"), "")]
    if with_space:
        normalised = map(normalizers.Sequence(steps).normalize_str, inside)
        alone = "|".join("".join(f"\\x{{{ord(letter):x}}}" for letter in text) for text in normalised)
        steps.append(normalizers.Replace(Regex(rf"\A(?!(?:{alone})\z)" if alone else r"\A"), _SPACE))
    return normalizers.Sequence([*steps, escape])
