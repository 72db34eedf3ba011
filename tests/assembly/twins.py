"""Twins of policies: the same rules once more, as slow and obvious loops over items, written from their description.

They know nothing of the program's columns, ledgers and kernels. Tokens are words.
"""

from collections.abc import Callable, Mapping, Sequence
from math import floor
from typing import Any

from inspector.model import Character, Component, LoreEntry, Memory, Message, PastSummary, Workspace

Decision = tuple[str, int, str]
Decisions = dict[str, Decision]

TYPE_PRIORITY = {"core": 100, "explicit": 90, "fact": 80, "project": 75, "experience": 70}
DAY = 86_400


class Case:
    """What takes part: open items by kind, and what was decided before any policy saw the others."""

    def __init__(self, found: Workspace, pinned: Sequence[str], excluded: Sequence[str], at: int | None) -> None:
        self.decisions: Decisions = {}
        self.character: Character | None = next(iter(found.characters), None)
        stored = [memory for memories in found.memory_sets for memory in memories.memories]
        messages = [message for conversation in found.conversations for message in conversation.messages]
        later = messages[at:] if at is not None else []
        for message in later:
            self.decisions[message.id] = ("dropped", 0, "not_yet")
        self._pinned, self._excluded = pinned, excluded
        self.messages = self._open([message for message in messages if message not in later])
        self.memories = self._open(stored)
        self.lore = self._open(sorted((e for book in found.lorebooks for e in book.entries), key=lambda e: e.order))
        self.others = self._open([*found.passages, *found.summaries, *found.documents])

    def _open(self, items: Sequence[Any]) -> list[Any]:
        taking_part = []
        for item in items:
            if getattr(item, "excluded", False) or item.id in self._excluded:
                self.decisions[item.id] = ("dropped", 0, "excluded")
            else:
                taking_part.append(item)
        return taking_part

    def is_pinned(self, item: Any) -> bool:
        return getattr(item, "pinned", False) or item.id in self._pinned

    def decide(self, item: Any, action: str, spent: int, reason: str) -> None:
        assert item.id not in self.decisions
        self.decisions[item.id] = (action, spent, reason)

    def active_lore(self) -> list[LoreEntry]:
        spoken = " ".join(message.content for message in self.messages[-4:]).lower()
        active = []
        for entry in self.lore:
            called = entry.constant or any(key.lower() in spoken for key in entry.keys)
            if (entry.enabled and called) or self.is_pinned(entry):
                active.append(entry)
            else:
                self.decide(entry, "dropped", 0, "filtered")
        return active


def words_in(text: str) -> int:
    return len(text.split())


def cost(item: Any) -> int:
    text = item.summary if isinstance(item, PastSummary) else item.content
    return words_in(text) if item.tokens is None else item.tokens


def system_text(case: Case) -> int:
    """Keep the system text; its cost."""
    character = case.character
    if character is None:
        return 0
    total = 0
    if character.system_prompt or not character.components:
        total = words_in(character.system_prompt) if character.system_tokens is None else character.system_tokens
        case.decisions[character.id] = ("kept", total, "always")
    for component in character.components:
        if is_on(component):
            case.decide(component, "kept", cost(component), "always")
            total += cost(component)
        else:
            case.decide(component, "dropped", 0, "filtered")
    return total


def is_on(component: Component) -> bool:
    if not component.content.strip():
        return False
    return component.required if component.condition == "error" else component.condition is True


def naive(case: Case) -> Decisions:
    system_text(case)
    for entry in case.active_lore():
        case.decide(entry, "kept", cost(entry), "within_budget")
    for item in (*case.memories, *case.others, *case.messages):
        case.decide(item, "kept", cost(item), "pinned" if case.is_pinned(item) else "within_budget")
    return case.decisions


class RatioTwin:
    """The policy ratio, step by step."""

    def __init__(self, case: Case, window: int, parameters: Mapping[str, Any], now: float | None) -> None:
        self.case, self.window, self.now = case, window, now
        self.set = parameters
        self.refusal: str | None = None

    def decide(self) -> Decisions:
        memory_share, history_share, reserve_share = (self.set[f"{n}_share"] for n in ("memory", "history", "reserve"))
        if not 0.95 - 1e-9 <= memory_share + history_share + reserve_share <= 1.05 + 1e-9:
            return self._refuse("shares_do_not_sum")
        system = system_text(self.case)
        if system > self.set["system_limit"] * self.window and self.set["system_overflow"] == "error":
            return self._refuse("system_prompt_too_large")
        available = max(0, self.window - system)
        if self.set["adaptive"]:
            t = min(max((len(self.case.messages) - 20) / 180, 0), 1)
            shift = 0.10 * (2 * t - 1)
            memory_share = min(max(memory_share - shift, 0.05), 0.90)
            history_share = min(max(history_share + shift, 0.05), 0.90)
        self._share_out(floor(available * memory_share), floor(available * history_share))
        for item in self.case.others:
            self.case.decide(item, "dropped", 0, "filtered")
        return self.case.decisions

    def _refuse(self, code: str) -> Decisions:
        self.refusal = code
        return {}

    def _share_out(self, memory_limit: int, history_limit: int) -> None:
        lore = self.case.active_lore()
        ranked = self._ranked()
        pinned = [memory for memory in self.case.memories if self.case.is_pinned(memory)]
        borrow, loan_to_memory, loan_to_history = self.set["borrow"], 0, 0
        if borrow in ("history", "both"):
            used = self._pack_memories(pinned, ranked, lore, memory_limit, lambda *_: None)
            loan_to_history = max(0, memory_limit - used)
        used = self._pack_history(history_limit + loan_to_history)
        if borrow in ("memories", "both"):
            loan_to_memory = max(0, history_limit - used)
        self._pack_memories(pinned, ranked, lore, memory_limit + loan_to_memory, self.case.decide)

    def _ranked(self) -> list[Memory]:
        others = [memory for memory in self.case.memories if not self.case.is_pinned(memory)]
        by_similarity = sorted(others, key=lambda m: (m.similarity is None, -(m.similarity or 0)))
        considered = by_similarity[: self.set["memory_candidates"]]
        for memory in others:
            if memory not in considered:
                self.case.decide(memory, "dropped", 0, "not_retrieved")
        return sorted((m for m in others if m in considered), key=lambda memory: -self._score(memory))

    def _score(self, memory: Memory) -> float:
        kind = TYPE_PRIORITY.get(memory.type, 50)
        priority = kind if memory.priority is None else memory.priority
        recency = 0.0
        if memory.time is not None and self.now is not None and self.set["half_life_days"] > 0:
            age = max(0.0, self.now - memory.time.timestamp()) / DAY
            recency = 0.5 ** (age / self.set["half_life_days"])
        weights = [self.set[f"{name}_weight"] for name in ("similarity", "priority", "recency", "type")]
        signals = (memory.similarity or 0.0, priority / 100, recency, kind / 100)
        return sum(weight * signal for weight, signal in zip(weights, signals, strict=True))

    def _pack_memories(
        self,
        pinned: Sequence[Memory],
        ranked: Sequence[Memory],
        lore: Sequence[LoreEntry],
        limit: int,
        decide: Callable[[Any, str, int, str], None],
    ) -> int:
        used = 0
        for memory in pinned:
            used += cost(memory)
            decide(memory, "kept", cost(memory), "pinned")
        used += stop_packer(ranked, cost, limit - used, decide)
        left = max(0, limit - used)
        inside = 0
        for entry in lore:
            if self.case.is_pinned(entry):
                inside += cost(entry)
                decide(entry, "kept", cost(entry), "pinned")
        others = [entry for entry in lore if not self.case.is_pinned(entry)]
        return used + inside + stop_packer(others, cost, left - inside, decide)

    def _pack_history(self, limit: int) -> int:
        guaranteed = self._guaranteed()
        forms = {message.id: self._form(message, place, guaranteed) for place, message in enumerate(self.case.messages)}
        messages = [message for message in self.case.messages if message.id not in self.case.decisions]
        used = 0
        for message in messages:
            action, spent, reason = forms[message.id]
            if self.case.is_pinned(message) or message.id in guaranteed:
                plain = "pinned" if self.case.is_pinned(message) else "guaranteed"
                self.case.decide(message, action, spent, reason or plain)
                used += spent
        older = [message for message in reversed(messages) if message.id not in self.case.decisions]
        stopped = False
        for message in older:
            action, spent, reason = forms[message.id]
            if stopped:
                self.case.decide(message, "dropped", 0, "after_stop")
            elif used + spent > limit:
                self.case.decide(message, "dropped", 0, "over_budget")
                stopped = True
            else:
                self.case.decide(message, action, spent, reason or "within_budget")
                used += spent
        return used

    def _guaranteed(self) -> set[str]:
        users = [place for place, message in enumerate(self.case.messages) if message.role == "user"]
        exchanges = self.set["min_exchanges"]
        if exchanges == 0:
            return set()
        first = users[-exchanges] if len(users) >= exchanges else 0
        return {message.id for message in self.case.messages[first:]}

    def _form(self, message: Message, place: int, guaranteed: set[str]) -> tuple[str, int, str]:
        """Action, cost and reason (none: the packer's) of a message if it is kept; old filler is decided here."""
        newer = len(self.case.messages) - 1 - place
        if self.set["selective"] and not self._is_preserved(message, newer, guaranteed):
            if newer >= self.set["discard_after"]:
                self.case.decide(message, "dropped", 0, "old_filler")
                return "dropped", 0, "old_filler"
            if message.filler:
                self.case.decide(message, "dropped", 0, "filler")
                return "dropped", 0, "filler"
            text = f"[Earlier: {message.summary or message.content[:100] + '...'}]"
            if not (self.set["only_if_shorter"] and words_in(text) >= cost(message)):
                return "summarized", words_in(text), "summary" if message.summary else "preview"
        cap = self.set["message_cap"]
        if cap and cost(message) > cap:
            return "truncated", min(cap, words_in(message.content)), "cut"
        return "kept", cost(message), ""

    def _is_preserved(self, message: Message, newer: int, guaranteed: set[str]) -> bool:
        if message.id in guaranteed or self.case.is_pinned(message) or message.key_moment:
            return True
        if newer < self.set["recent_messages"]:
            return True
        weight = message.emotional_weight
        return weight is not None and weight >= self.set["emotional_threshold"]


def stop_packer(
    items: Sequence[Any], cost_of: Callable[[Any], int], limit: int, decide: Callable[[Any, str, int, str], None]
) -> int:
    used, stopped = 0, False
    for item in items:
        if stopped:
            decide(item, "dropped", 0, "after_stop")
        elif used + cost_of(item) > limit:
            decide(item, "dropped", 0, "over_budget")
            stopped = True
        else:
            decide(item, "kept", cost_of(item), "within_budget")
            used += cost_of(item)
    return used
