"""Emotional weight of a text by VADER: the strength of feelings in an English text, 0–1. Only its adapter is here.

VADER 3.3.2 (github.com/cjhutto/vaderSentiment, MIT) adds up words of a lexicon by rules for negation, emphasis and
emoji; the weight is the absolute value of its `compound`. Its weaknesses are stated wherever weights are shown
(`WEAKNESSES`): it knows English only; it is weak on grief, which people express in plain words ("my dog died yesterday
and I can't stop crying" has .04); and it takes friendly words for strong feeling: of the turns of LoCoMo's chats 70 %
are at .7 or above.

A text in another language has no weight, rather than 0. Code, addresses and markup are not read. A compound grows with
the length of a text whatever it says, so a text of more than `LONG_CODE_POINTS` gets the mean over its sentences, as
VADER's authors advise.
"""

import re
from functools import cache
from typing import Any

from inspector.retrieval.summaries.sentences import sentences

WEAKNESSES = "English only; weak on grief, and friendly small talk counts as strong feeling."

LONG_CODE_POINTS = 600
MOST_CODE_POINTS = 20_000
"""Only this much of a longer text is read."""

_UNREAD = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|`[^`\n]*`|(?:https?|ftp)://\S+|<[^<>\n]{1,200}>", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_BASIC_LATIN = re.compile(r"[A-Za-z]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAST_LATIN = 0.9
_MOST_EMOJI = 50
_SMALL_WORDS_OF_ENGLISH = (
    "the a an and of to in is it you i my me your we our they he she him his her that this these those was were are be "
    "been am not so but with for on at as or if from have has had do does did will would can could should what who "
    "when where why how there here their them us just about because i'm you're it's don't can't i've that's didn't "
    "i'll won't isn't wasn't let's we're they're he's she's i'd really very too"
)
_SMALL_WORDS_OF_OTHERS = (
    "der die das und ich ist nicht ein eine mit zu auf für von dem den du wir ihr sie es war bin habe mir mein sich "
    "le la les et je que est pas un une des pour dans vous nous ne au sur avec mon ce il elle qui suis très "
    "el los las y en por con mi se lo una muy pero como estoy tu su del al yo "
    "che di non è per sono ti gli ho molto "
    "o os um uma não em eu você muito para com meu da "
    "de het een ik niet van met voor zijn maar "
    "jag är och inte det att som på har jeg og ikke ja nie się na jest"
)
_ENGLISH = frozenset(_SMALL_WORDS_OF_ENGLISH.split())
_OTHERS = frozenset(_SMALL_WORDS_OF_OTHERS.split()) - _ENGLISH


def emotional_weight(text: str) -> float | None:
    """Return the strength of feelings in a text, 0–1; None if it is not English or has nothing to read."""
    read = _UNREAD.sub(" ", text[:MOST_CODE_POINTS]).strip()
    if not read or not _can_be_read(read):
        return None
    if len(read) <= LONG_CODE_POINTS:
        return abs(_compound(read))
    compounds = [
        _compound(read[begin : min(begin + LONG_CODE_POINTS, end)])
        for start, end in sentences(read)
        for begin in range(start, end, LONG_CODE_POINTS)
    ]
    return abs(sum(compounds) / len(compounds))


def is_english(text: str) -> bool:
    """Return whether a text is English: in Latin letters, with more small words of English than of other languages.

    A text without any such word ("Thanks!", "awful") is English if all its words are in VADER's lexicon.
    """
    letters = _LETTER.findall(text)
    if not letters or len(_BASIC_LATIN.findall(text)) < _LEAST_LATIN * len(letters):
        return False
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHERS for word in words)
    if english or other:
        return english > other
    return all(word in _analyzer().lexicon for word in words)


def _can_be_read(text: str) -> bool:
    """Return whether VADER knows the language: English, or only emoji and smileys, which it puts into words."""
    if _LETTER.search(text):
        return is_english(text)
    analyzer = _analyzer()
    return any(sign in analyzer.emojis for sign in text) or any(word in analyzer.lexicon for word in text.split())


def _compound(text: str) -> float:
    """Return VADER's sum of a text, −1 to 1. It compares all pairs of words, and counts an emoji as several."""
    emoji = [place for place, sign in enumerate(text) if sign in _analyzer().emojis]
    if len(emoji) > _MOST_EMOJI:
        more = set(emoji[_MOST_EMOJI:])
        text = "".join(sign for place, sign in enumerate(text) if place not in more)
    return float(_analyzer().polarity_scores(text)["compound"])


@cache
def _analyzer() -> Any:
    """Return the lexicon, read once, on the first request."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # type: ignore[import-untyped]

    return SentimentIntensityAnalyzer()
