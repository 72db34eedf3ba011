"""Known answers without a model: the share of their words in the prompts, which also counts summaries.

A word counts if it is anywhere in the texts of the prompt. Texts are normalised as in the evaluation script of SQuAD
1.1 (Rajpurkar et al. 2016; rajpurkar.github.io/SQuAD-explorer): lower case, no punctuation, no articles; and for other
languages as in that of MLQA (Lewis et al. 2020; facebookresearch/MLQA, mlqa_evaluation_v1.py): no punctuation of
Unicode, and each character of a script without spaces as a word. Common words are in any prompt: the share of the other
questions' answers in the same prompt says how much of it is chance.
"""

import string
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from inspector.assembly.decisions import Assembly
from inspector.assembly.rendered_prompt import PromptMessage, prompt_messages
from inspector.model import Probe
from inspector.retrieval.lexical import spaced

_ARTICLES = frozenset(("a", "an", "the"))
_PUNCTUATION = frozenset(string.punctuation)


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """The share of the words of a known answer in a prompt, 0 to 1, and the mean share of the other questions' answers
    (None without others).
    """

    own: float
    others: float | None


class KnownAnswers:
    """The known answers of probes, by their words; false if none has a word."""

    def __init__(self, probes: Iterable[Probe]) -> None:
        answers = [probe.answer for probe in probes if probe.answer]
        self._words = {answer: answer_words(answer) for answer in answers}
        counted = [self._words[answer] for answer in answers if self._words[answer]]
        self._number = len(counted)
        self._worths: dict[str, float] = {}
        for words in counted:
            for word in words:
                self._worths[word] = self._worths.get(word, 0.0) + 1 / len(words)
        self._of_message: dict[str, frozenset[str]] = {}

    def __bool__(self) -> bool:
        return self._number > 0

    def share_in(self, assembly: Assembly, probe: Probe) -> AnswerShare | None:
        """Return the shares for a probe and its prompt, 0 without a prompt; None if it has no answer."""
        words = self._words.get(probe.answer)
        if not words:
            return None
        there = frozenset[str]().union(*map(self._known_in, prompt_messages(assembly)))
        own = len(words & there) / len(words)
        if self._number == 1:
            return AnswerShare(own, None)
        others = (fsum(self._worths[word] for word in there) - own) / (self._number - 1)
        return AnswerShare(own, min(max(others, 0.0), 1.0))

    def share_told(self, texts: Iterable[str], probe: Probe) -> float | None:
        """Return the share of the words of the answer of a probe in some texts; None if it has no answer."""
        words = self._words.get(probe.answer)
        if not words:
            return None
        there = frozenset[str]().union(*map(answer_words, texts))
        return len(words & there) / len(words)

    def _known_in(self, message: PromptMessage) -> frozenset[str]:
        """Return the words of any answer in a message; those of single items are in many prompts and remembered."""
        found = self._of_message.get(message.content)
        if found is None:
            found = answer_words(message.content) & self._worths.keys()
            if len(message.rows) == 1:
                self._of_message[message.content] = found
        return found


def answer_words(text: str) -> frozenset[str]:
    """Return the normalised words of a text."""
    removed = {ord(each): None for each in set(text) if _is_punctuation(each)}
    return frozenset(spaced(text.lower().translate(removed)).split()) - _ARTICLES


def _is_punctuation(character: str) -> bool:
    return character in _PUNCTUATION or unicodedata.category(character).startswith("P")


def mean_answers(shares: Sequence[AnswerShare | None]) -> dict[str, int | float | None]:
    """Return the number of answers and their mean shares, by the names used in rows; None for the means of none."""
    own = [share.own for share in shares if share is not None]
    others = [share.others for share in shares if share is not None and share.others is not None]
    return {"answers": len(own), "answer_words": _mean(own), "other_answer_words": _mean(others)}


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
