"""The twin of the Chorus presets: their published behaviour as slow and obvious loops over items. Tokens are words."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.model import Conversation, Memory, Message, PastSummary, Workspace

Decision = tuple[str, int, str]

TYPES = {
    "chorus-2026.02": {
        "core": (0.45, 1.5),
        "explicit": (0.55, 1.2),
        "fact": (0.50, 1.0),
        "project": (0.55, 1.1),
        "experience": (0.50, 0.95),
        "story": (0.55, 0.9),
        "relationship": (0.60, 1.05),
    },
    "chorus-2026.01": {"core": (0.45, 1.5), "explicit": (0.55, 1.2), "fact": (0.50, 1.0), "ephemeral": (0.60, 0.8)},
}
ERRORS = (
    "Sorry, I encountered an error communicating with my brain:",
    "Sorry, I encountered an error rebuilding my memory.",
    "Sorry, something went wrong",
    "Connection error: HTTPConnectionPool",
)
FILLERS = ["ok", "okay", "thanks", "thank you", "got it", "sure", "alright", "yes", "yeah", "yep", "yup", "no", "nope"]
FILLERS += ["cool", "nice", "great", "awesome", "uh", "um", "hmm", "hm"]


def count(text: str) -> int:
    return len(text.split())


class ChorusTwin:
    """One assembly; `decisions` maps each id to action, tokens spent and reason."""

    def __init__(
        self, found: Workspace, window: int, preset: str, values: Mapping[str, Any], query: str | None
    ) -> None:
        self.found, self.window, self.set, self.preset = found, window, values, preset
        self.late = preset == "chorus-2026.02"
        self.conversation: Conversation = found.conversations[0]
        self.decisions: dict[str, Decision] = {}
        self.limits: dict[str, int] = {}
        self.selects = self._selects()
        self.query = query
        if query is None:
            self.query = next((m.content for m in reversed(self._read()) if m.role == "user"), "")

    def decide(self) -> dict[str, Decision]:
        prompt = self.found.characters[0].system_prompt
        self.decisions["nova"] = ("kept", count(prompt), "always")
        documents = self._documents() if self.late else 0
        available = self.window - count(prompt) - documents
        for section, share in (("memory", "memory_share"), ("history", "history_share")):
            self.limits[section] = int(available * self.set[share])
        lent = 0
        if self.late:
            self.limits["documents"] = int(available * self.set["document_share"])
            self.limits["summaries"] = int(available * self.set["context_share"])
            lent = self.limits["summaries"] - self._summaries(self.limits["summaries"])
        else:
            for thing in (*self.found.summaries, *self.found.documents):
                self.decisions[thing.id] = ("dropped", 0, "filtered")
        self._memories(self.limits["memory"] + lent)
        self._history(self.limits["history"])
        return self.decisions

    def _drop(self, item: Any, reason: str) -> None:
        assert item.id not in self.decisions
        self.decisions[item.id] = ("dropped", 0, reason)

    def _documents(self) -> int:
        lines = [
            "",
            "=== RELEVANT DOCUMENT EXCERPTS ===",
            "",
            "The following information from uploaded documents may be relevant to this conversation:",
            "",
        ]
        for number, document in enumerate(self.found.documents, 1):
            self.decisions[document.id] = ("kept", count(document.content), "within_budget")
            lines.append(f"[Excerpt {number} from {document.title}]")
            lines += [f"(Pages: {document.pages})"] if document.pages else []
            lines += [document.content, ""]
        lines += ["=== END DOCUMENT EXCERPTS ===", ""]
        return count("\n".join(lines)) if self.found.documents else 0

    def _summaries(self, limit: int) -> int:
        if not self.query:
            for summary in self.found.summaries:
                self._drop(summary, "not_retrieved")
            return 0
        usual, recalling = self.set["summary_thresholds"]
        threshold = recalling if "you remember" in self.query.lower() else usual
        ranked = sorted(self.found.summaries, key=lambda summary: -(summary.similarity or 0))
        taken: list[PastSummary] = []
        for place, summary in enumerate(ranked):
            if place >= 6:
                self._drop(summary, "not_retrieved")
            elif summary.id == self.conversation.id:
                self._drop(summary, "filtered")
            elif (summary.similarity or 0) < threshold:
                self._drop(summary, "below_threshold")
            elif len(taken) == self.set["summary_cap"]:
                self._drop(summary, "not_retrieved")
            else:
                taken.append(summary)
        while limit != 0 and taken and count(self._block(taken)) > limit:
            self._drop(taken.pop(), "over_budget")
        for summary in taken:
            self.decisions[summary.id] = ("kept", count(summary.summary), "within_budget")
        return count(self._block(taken))

    def _block(self, taken: Sequence[PastSummary]) -> str:
        lines = ["**RELEVANT PAST CONVERSATIONS:**", "(You may reference these if relevant to the current topic)", ""]
        for number, summary in enumerate(taken, 1):
            lines += [f'--- Past Conversation {number}: "{summary.title or "Untitled"}" ---', summary.summary]
            lines += [f"Tone: {summary.tone}"] if summary.tone else []
            lines += [f"Topics: {', '.join(summary.topics[:5])}"] if summary.topics else []
            lines += [f"Open Questions: {', '.join(summary.open_questions[:5])}"] if summary.open_questions else []
            lines.append("")
        return "\n".join(lines) if taken else ""

    def _memories(self, limit: int) -> None:
        stored = list(self.found.memory_sets[0].memories)
        if not self.query:
            for memory in stored:
                self._drop(memory, "not_retrieved")
            return
        near = sorted(stored, key=lambda memory: -(memory.similarity or 0))[: self.set["memory_candidates"]]
        passed = []
        for memory in stored:
            if memory not in near:
                self._drop(memory, "not_retrieved")
            elif self._is_filtered(memory):
                self._drop(memory, "filtered")
            elif (memory.similarity or 0) < TYPES[self.preset][memory.type or "fact"][0]:
                self._drop(memory, "below_threshold")
            else:
                passed.append(memory)
        self._pack_memories(sorted(passed, key=lambda memory: -self._score(memory)), limit)

    def _is_filtered(self, memory: Memory) -> bool:
        kind = memory.type or "fact"
        if kind not in TYPES[self.preset]:
            return True
        needs_approval = kind != "core" if self.late else kind == "fact"
        if needs_approval and (memory.status or "approved") not in ("approved", "auto_approved"):
            return True
        if self.late and memory.durability == "ephemeral":
            return True
        if self.late and (memory.source or "web") != (self.conversation.source or "web"):
            return True
        thread = self.conversation.thread_id
        return kind not in ("core", "fact") and thread != "" and memory.thread_id != thread

    def _score(self, memory: Memory) -> float:
        priority = memory.priority / 100 if memory.priority else 0.5
        return 0.5 * (memory.similarity or 0) + 0.3 * priority + 0.15 * TYPES[self.preset][memory.type or "fact"][1]

    def _pack_memories(self, ranked: Sequence[Memory], limit: int) -> None:
        used = taken = 0
        full = False
        for memory in ranked:
            charge = len(memory.content) // 4
            if full:
                self._drop(memory, "after_stop")
            elif limit <= 0 or used + charge > limit:
                self._drop(memory, "over_budget")
                full = True
            elif taken == self.set["memory_cap"]:
                used += charge
                self._drop(memory, "over_budget")
            else:
                used, taken = used + charge, taken + 1
                self.decisions[memory.id] = ("kept", count(memory.content), "within_budget")

    def _selects(self) -> bool:
        messages = self.conversation.messages
        if self.late:
            messages = messages[max(0, len(messages) - self.set["message_limit"]) :]
        above = int(self.window * 0.75) if self.set["selective_above"] == -1 else self.set["selective_above"]
        said = sum(count(f"MessageRole.{message.role.upper()}: {message.content}") for message in messages)
        return bool(self.set["selective"]) and said > above

    def _read(self) -> list[Message]:
        messages, most = list(self.conversation.messages), self.set["message_limit"]
        if self.late:
            return messages[max(0, len(messages) - most) :]
        return messages if self.selects else messages[:most]

    def _history(self, limit: int) -> None:
        read = self._read()
        for message in self.conversation.messages:
            if message not in read:
                self._drop(message, "not_retrieved")
        forms = self._selected(read) if self.selects else self._prepared(read)
        whole = "".join(f"<|{message.role}|>\n{text}<|end|>\n" for message, text, _, _ in forms)
        if count(whole) <= limit:
            for message, text, action, reason in forms:
                self.decisions[message.id] = (action, count(text), reason or "within_budget")
            return
        self._pack_history(forms, limit)

    def _pack_history(self, forms: Sequence[tuple[Message, str, str, str]], limit: int) -> None:
        used, full, kept = 0, False, []
        for message, text, action, reason in reversed(forms):
            charge = count(text) + self.set["message_charge"]
            if not full and used + charge <= limit:
                used += charge
                kept.append((message, (action, count(text), reason or "within_budget")))
                continue
            if not full and not kept:
                kept.append((message, (action, count(text), reason or "guaranteed")))
            else:
                self._drop(message, "after_stop" if full else "over_budget")
            full = True
        while self.late and self.set["trailing_user"] and kept and kept[0][0].role != "user":
            self._drop(kept.pop(0)[0], "trailing")
        self.decisions.update({message.id: decision for message, decision in kept})

    def _prepared(self, read: Sequence[Message]) -> list[tuple[Message, str, str, str]]:
        forms = []
        for message in read:
            text, action, reason = message.content, "kept", ""
            if message.metadata.get("chorus_role") == "scene_capture":
                self._drop(message, "filtered")
                continue
            if self.late and message.role == "assistant":
                stripped = text.strip()
                if any(stripped.startswith(error) or stripped.endswith(error) for error in ERRORS):
                    self._drop(message, "filtered")
                    continue
                for error in ERRORS:
                    if error in text:
                        text, action, reason = text.split(error)[0].strip(), "truncated", "cut"
            name = message.metadata.get("username") or message.metadata.get("user_name")
            if self.late and message.role == "user" and name and (self.conversation.source or "web") != "web":
                text = f"{name} ({self.conversation.source.capitalize()}): {text}"
            if self.late and not text.strip():
                self._drop(message, "filtered")
                continue
            forms.append((message, text, action, reason))
        return forms

    def _selected(self, read: Sequence[Message]) -> list[tuple[Message, str, str, str]]:
        recent = self.set["recent_messages"]
        if recent == -1:
            recent = min(max(int(int(int(self.window * 0.75) * 0.2) / 50), 10), 100)
        linked = [m.source_messages[0] for m in self.found.memory_sets[0].memories if len(m.source_messages) == 1]
        forms = []
        for place, message in enumerate(read):
            stays = len(read) <= recent or place >= len(read) - recent or place == 0
            stays = stays or (message.emotional_weight or 0) >= 0.7
            stays = stays or (message.role == "user" and message.id in linked)
            bare = message.content.strip().lower()
            if stays:
                forms.append((message, message.content, "kept", ""))
            elif message.filler or (message.filler is None and (bare[:-1] if bare.endswith(".") else bare) in FILLERS):
                self._drop(message, "filler")
            elif message.summary:
                forms.append((message, f"[Earlier: {message.summary}]", "summarized", "summary"))
            else:
                dots = "..." if len(message.content) > 100 else ""
                forms.append((message, f"[Earlier: {message.content[:100]}{dots}]", "summarized", "preview"))
        return forms
