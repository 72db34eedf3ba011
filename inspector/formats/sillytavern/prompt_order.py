"""The prompts of a preset of SillyTavern for chat completion, in its order: which are on, and which have a place here.

Source: `public/scripts/PromptManager.js` of SillyTavern 1.19 (`INJECTION_POSITION`, `getPromptOrderForCharacter`), and
its order for all characters, of the dummy character 100001.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.reading.values import as_text, as_truth, as_whole, mapping, objects

_ALL_CHARACTERS = 100001
_IN_CHAT = 1
_USUAL_ORDER = 100
_DEFAULT = (
    *("main", "worldInfoBefore", "personaDescription", "charDescription", "charPersonality", "scenario"),
    *("enhanceDefinitions", "nsfw", "worldInfoAfter", "dialogueExamples", "chatHistory", "jailbreak"),
)
_OFF = frozenset(("enhanceDefinitions",))
"""The prompts that are off by default."""
_PLACED = frozenset(("main", "jailbreak"))
"""The prompts with a text of the preset that have a place here."""


@dataclass(frozen=True, slots=True)
class PromptOrder:
    """The prompts of a preset by their identifiers, and the order of these: each with whether it is on."""

    prompts: Mapping[str, Mapping[str, Any]]
    order: tuple[tuple[str, bool], ...]

    def text(self, name: str) -> str:
        """Return the text of a prompt, "" if it is off."""
        return as_text(self.prompts.get(name, {}).get("content")) if dict(self.order).get(name, True) else ""

    @property
    def in_chat(self) -> Sequence[Mapping[str, Any]]:
        """The prompts that are on and stand among the messages, in order."""
        return [prompt for name, prompt in self._own() if name not in _DEFAULT and _is_in_chat(prompt)]

    @property
    def switches(self) -> Mapping[str, Any]:
        """The parameters that follow from what is on: without examples, none is sent."""
        return {"strip_examples": True} if not dict(self.order).get("dialogueExamples", True) else {}

    @property
    def not_followed(self) -> Iterator[str]:
        """The prompts and switches without a counterpart, in words."""
        for name, prompt in self._own():
            called = f"the prompt {as_text(prompt.get('name')).strip() or name}"
            if name not in _PLACED and not (name not in _DEFAULT and _is_in_chat(prompt)):
                yield called
            elif as_whole(prompt.get("injection_order", _USUAL_ORDER)) != _USUAL_ORDER or prompt.get(
                "injection_trigger"
            ):
                yield f"the order or trigger of {called.removeprefix('the prompt ')}"
        known = [name for name, _ in self.order if name in _DEFAULT]
        if known != [name for name in _DEFAULT if name in known]:
            yield "the order of the prompts"
        off = [name for name, is_on in self.order if not is_on and name in _DEFAULT and name not in _OFF]
        yield from (f"{name} (switched off)" for name in off if name in self._markers() and name != "dialogueExamples")

    def _own(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the prompts that are on and have a text."""
        for name, is_on in self.order:
            prompt = self.prompts.get(name, {})
            if is_on and not prompt.get("marker") and as_text(prompt.get("content")).strip():
                yield name, prompt

    def _markers(self) -> frozenset[str]:
        return frozenset(_DEFAULT) - _PLACED - {"nsfw", "enhanceDefinitions"}


def order_of(value: Mapping[str, Any]) -> PromptOrder:
    """Return the prompts and their order for all characters, else the last order; the default without any."""
    prompts = {as_text(prompt.get("identifier")): prompt for prompt in objects(value.get("prompts"))}
    orders = objects(value.get("prompt_order"))
    own = [each for each in orders if as_whole(each.get("character_id")) == _ALL_CHARACTERS] or orders[-1:]
    listed = objects(own[0].get("order")) if own else ()
    order = tuple((as_text(each.get("identifier")), as_truth(each.get("enabled"), default=True)) for each in listed)
    return PromptOrder(prompts, order or tuple((name, name not in _OFF) for name in _DEFAULT))


def _is_in_chat(prompt: Mapping[str, Any]) -> bool:
    return as_whole(mapping(prompt).get("injection_position")) == _IN_CHAT
