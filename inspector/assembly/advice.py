"""Advice: the text for a kind of finding, filled with the parameters declared by the policy of a case.

`{name}` or `{name=value}` stands for a parameter, `{policy:name=value}` for a parameter of this policy and its
variants, and a key of `SIZES` for all parameters declared to set this size; commas separate several names. The [clause]
around a name, or else its whole sentence, is left out if the policy has none of the parameters. Rules for findings do
not belong here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

SIZES = {
    "prompt": "the limit of the prompt",
    "history": "the limit of the conversation",
    "memory": "the limit of memories",
    "reply": "the tokens kept free for the reply",
    "newest": "the number of newest messages always kept",
}
"""The sizes set by parameters of policies, with the words for each."""
_CLAUSE = re.compile(r"\[([^\[\]]*)\]")
_NAMES = re.compile(r"\{([^{}]*)\}")
_SENTENCES = re.compile(r"(?<=\.) ")


@dataclass(frozen=True, slots=True)
class Declared:
    """The parameters of a policy with the sizes they set ("" for none), and the names of its class and base classes."""

    sizes: Mapping[str, str]
    kinds: frozenset[str]


def advice_text(advice: str, declared: Declared | None) -> str:
    """Return the advice for a policy, or for policies in general where `declared` is None."""
    if "{" not in advice:
        return advice

    def words(name: str) -> str:
        return _words_in_general(name) if declared is None else _words_for(name, declared)

    whole = _CLAUSE.sub(lambda clause: _filled(clause[1], words), advice)
    return " ".join(filter(None, (_filled(sentence, words) for sentence in _SENTENCES.split(whole))))


def _filled(text: str, words: Callable[[str], str]) -> str:
    """Fill the names in a text with words; return "" if no word is known for one of them."""
    parts = _NAMES.split(text)
    for place in range(1, len(parts), 2):
        found = [word for name in parts[place].split(", ") if (word := words(name))]
        if not found:
            return ""
        parts[place] = " or ".join(filter(None, (", ".join(found[:-1]), found[-1])))
    return "".join(parts)


def _words_in_general(name: str) -> str:
    return SIZES.get(name) or name.rpartition(":")[2]


def _words_for(name: str, declared: Declared) -> str:
    if name in SIZES:
        setting = [parameter for parameter, size in declared.sizes.items() if size == name]
        return f"{SIZES[name]} ({', '.join(setting)})" if setting else ""
    kind, _, value = name.rpartition(":")
    is_declared = value.partition("=")[0] in declared.sizes and (not kind or kind in declared.kinds)
    return value if is_declared else ""
