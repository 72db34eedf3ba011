"""The twin of WhisperEngine's presets: what its published code does, as slow and obvious loops."""

from dataclasses import replace
from typing import Any

from test_adaptive import AdaptiveTwin, Piece
from twins import Decisions, cost, words_in

from inspector.assembly.policies.whisperengine.components import _NOTICE as COMPONENT_NOTICE
from inspector.assembly.policies.whisperengine.emergency import NOTICE
from inspector.model import Message, PastSummary

MARK = "... [system prompt truncated due to size]"


class WhisperTwin(AdaptiveTwin):
    """The two presets, step by step, as the published code takes them."""

    def decide(self) -> Decisions:
        stays = self._stage_one()
        self.text = "\n\n".join(piece.text for piece in stays)
        read = (
            self._read()
            if self.set["prepare_history"]
            else [(message, *_whole(message)) for message in self.case.messages]
        )
        inside = sum(entry[2] for entry in read if entry[0].role == "system")
        told = [entry for entry in read if entry[0].role != "system"]
        system, limit = words_in(self.text) + inside, self.set["max_tokens"]
        fits = system + sum(entry[2] for entry in told) <= limit
        if not fits and system >= limit:
            self._emergency(stays, read)
        else:
            for piece in stays:
                self._keep(piece, piece.text)
            self._messages(read, told, limit - system, fits)
        for item in self.case.others:
            if not isinstance(item, PastSummary):
                self.case.decide(item, "dropped", 0, "filtered")
        return self.case.decisions

    def _stage_one(self) -> list[Piece]:
        pieces = []
        for piece in sorted(self._pieces(), key=lambda piece: piece.priority):
            if piece.is_on and piece.text.strip():
                pieces.append(piece)
            else:
                self.case.decisions[piece.id] = ("dropped", 0, "filtered")
        budget, self.reasons = self.set["system_budget"], {}
        if budget and sum(map(self._charge, pieces)) > budget:
            required = [piece for piece in pieces if piece.required]
            optional = [piece for piece in pieces if not piece.required]
            used = sum(map(self._charge, required))
            if used > budget and self.set["required_overflow"] == "cut":
                required, used = self._walk(required, budget), budget + 1
                self.reasons |= {piece.id: "within_budget" for piece in required if not piece.pinned}
            else:
                self.reasons |= {piece.id: "guaranteed" for piece in required}
            pieces = required
            for piece in optional:
                if used + self._charge(piece) <= budget:
                    pieces.append(piece)
                    used += self._charge(piece)
                else:
                    self.case.decisions[piece.id] = ("dropped", 0, "over_budget")
        return [piece for piece in pieces if not self._is_repeated(piece, pieces)]

    def _charge(self, piece: Piece) -> int:
        parts = self.case.character.components if self.case.character else ()
        things = [*parts, *self.case.memories, *self.case.lore, *self.case.others]
        recorded = {thing.id: thing.tokens for thing in things}
        if self.case.character:
            recorded[self.case.character.id] = self.case.character.system_tokens
        tokens = recorded.get(piece.id)
        return len(piece.text) // 4 if tokens is None or piece.is_cut else tokens

    def _walk(self, required: list[Piece], budget: int) -> list[Piece]:
        used, taken = sum(self._charge(piece) for piece in required if piece.pinned), []
        for piece in required:
            left = budget - used
            if piece.pinned:
                taken.append(piece)
            elif left > 0 and self._charge(piece) <= left:
                taken.append(piece)
                used += self._charge(piece)
            elif left < 500:
                self.case.decisions[piece.id] = ("dropped", 0, "over_budget")
            else:
                name = "core_system" if piece.is_prompt else "note"
                head, tail = int(4 * left * 0.5), int(4 * left * 0.3)
                text = f"{piece.text[:head]}\n\n[{name}{COMPONENT_NOTICE}\n\n{piece.text[-tail:]}"
                taken.append(replace(piece, text=text, cost=words_in(text), is_cut=True))
                used += len(text) // 4
        return taken

    def _keep(self, piece: Piece, part: str, notice: str = "") -> None:
        if not part:
            self.case.decisions[piece.id] = ("dropped", 0, "emergency")
        elif part != piece.text:
            self.case.decisions[piece.id] = ("truncated", words_in(part), "emergency")
        elif piece.is_cut:
            self.case.decisions[piece.id] = ("truncated", piece.cost, "cut")
        else:
            plain = "always" if piece.is_prompt else "within_budget"
            reason = self.reasons.get(piece.id, plain)
            reason = "always" if piece.is_prompt and reason == "guaranteed" else reason
            self.case.decisions[piece.id] = ("kept", piece.cost, "pinned" if piece.pinned else reason)

    def _read(self) -> list[tuple[Message, str, int, str, str]]:
        """Message, text, cost, action and reason ("" for the packer's) of what is read."""
        earlier, current = list(self.case.messages), []
        if earlier and earlier[-1].role == "user":
            current = [earlier.pop()]
        commands, is_answer_next = set(), False
        for place, message in enumerate(earlier):
            if len(earlier) - place > self.set["history_messages"]:
                continue
            if message.content.startswith("!"):
                commands.add(message.id)
                is_answer_next = True
            elif message.role == "assistant" and is_answer_next:
                commands.add(message.id)
                is_answer_next = False
            elif message.role == "user":
                is_answer_next = False
        read = []
        for place, message in enumerate(earlier):
            newer = len(earlier) - 1 - place
            if not self.case.is_pinned(message):
                if newer >= self.set["history_messages"]:
                    self.case.decide(message, "dropped", 0, "not_retrieved")
                    continue
                if message.id in commands:
                    self.case.decide(message, "dropped", 0, "filtered")
                    continue
            text = message.content
            if newer >= self.set["history_full"]:
                text = self._shortened(text, 500)
            elif newer >= 3:
                text = self._shortened(text, 400)
            is_cut = text != message.content
            if self.set["time_prefix"] and message.time:
                text = message.time.strftime("[%Y-%m-%d %H:%M] ") + text
            if text == message.content:
                read.append((message, *_whole(message)))
            else:
                read.append((message, text, words_in(text), *(("truncated", "cut") if is_cut else ("kept", ""))))
        return read + [(message, *_whole(message)) for message in current]

    def _shortened(self, text: str, limit: int) -> str:
        if len(text) <= limit:
            return text
        if self.set["cut_keeps"] == "beginning":
            return text[:limit] + "..."
        head = int(0.6 * (limit - 3))
        return text[:head].rstrip() + "..." + text[-(limit - 3 - head) :].lstrip()

    def _messages(self, read: list[Any], told: list[Any], available: int, fits: bool) -> None:
        used = sum(spent for message, _, spent, _, _ in told if self.case.is_pinned(message))
        newest = [message.id for message, *_ in told][max(0, len(told) - self.set["min_recent"]) :]
        sure = {entry[0].id for entry in read if entry[0].role == "system" or self.case.is_pinned(entry[0]) or fits}
        used += sum(entry[2] for entry in told if entry[0].id in newest and entry[0].id not in sure)
        for message, _, spent, action, reason in reversed(read):
            if message.id in sure:
                plain = "always" if message.role == "system" else "within_budget"
                plain = "pinned" if self.case.is_pinned(message) else plain
                self.case.decide(message, action, spent, reason or plain)
            elif message.id in newest:
                self.case.decide(message, action, spent, reason or "guaranteed")
            elif used + spent <= available:
                self.case.decide(message, action, spent, reason or "within_budget")
                used += spent
            else:
                self.case.decide(message, "dropped", 0, "over_budget")

    def _emergency(self, stays: list[Piece], read: list[Any]) -> None:
        start = 0
        for piece in stays:
            self._keep(piece, self._left_of(self.text, start, start + len(piece.text)))
            start += len(piece.text) + 2
        first = [entry[0].id for entry in read if entry[0].role == "system"][: 0 if stays else 1]
        for message, text, spent, action, reason in read:
            if message.id in first:
                part = self._left_of(text, 0, len(text), spent, is_message=True)
                if part != text:
                    action, spent, reason = "truncated", words_in(part), "emergency"
                plain = "pinned" if self.case.is_pinned(message) else "always"
                self.case.decide(message, action, spent, reason or plain)
            elif self.case.is_pinned(message):
                self.case.decide(message, action, spent, reason or "pinned")
            else:
                self.case.decide(message, "dropped", 0, "emergency")
        self.text = self._left_of(self.text, 0, len(self.text), is_message=True) if stays else ""

    def _left_of(self, whole: str, start: int, end: int, tokens: int | None = None, *, is_message: bool = False) -> str:
        """What an emergency leaves of a part of a system message, one code point after the other."""
        is_new = self.set["cut_keeps"] == "both_ends"
        size = self.set["emergency_cut"] if is_new else self.set["max_tokens"]
        head, tail = (int(0.6 * 4 * size), int(0.2 * 4 * size)) if is_new else (4 * size, 0)
        tokens = words_in(whole) if tokens is None else tokens
        if tokens <= size or len(whole) <= head + tail:
            return whole[start:end]
        before = "".join(whole[place] for place in range(start, end) if place < head)
        after = "".join(whole[place] for place in range(start, end) if place >= len(whole) - tail)
        notice = NOTICE if is_new else MARK
        return before + (notice if is_message or (before and after) else "") + after


def _whole(message: Message) -> tuple[str, int, str, str]:
    return message.content, cost(message), "kept", ""
