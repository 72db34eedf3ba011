"""The presets of WhisperEngine against their twin on random cases, and what their words promise."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from building import answer_to, chat, codes, decisions, kept, words, workspace
from cases import outside, workspaces
from hypothesis import given, settings
from hypothesis import strategies as st
from test_adaptive import AdaptiveTwin, Piece
from test_exact_ledger import EXACT, assert_adds_up
from test_exact_ledger import workspaces as exact_workspaces
from twins import Case, Decisions, cost, words_in

from inspector.assembly.columns import Section
from inspector.assembly.explain import explain
from inspector.assembly.policies.whisperengine.components import _NOTICE as COMPONENT_NOTICE
from inspector.assembly.policies.whisperengine.emergency import NOTICE
from inspector.assembly.policies.whisperengine.engine import WhisperEngine
from inspector.assembly.policy import parameter_values
from inspector.assembly.presets import load_presets
from inspector.assembly.render import prompt_messages
from inspector.model import Character, Component, Message, PastSummary, Workspace

NEW, OLD = "whisperengine-2025.11", "whisperengine-2025.10"
MARK = "... [system prompt truncated due to size]"


class WhisperTwin(AdaptiveTwin):
    """The two presets, step by step, as shipped.md tells them."""

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


@st.composite
def long_workspaces(draw: st.DrawFn) -> Workspace:
    """Random cases with messages and components of up to some thousand code points, and commands."""
    found = draw(workspaces())
    factor = draw(st.sampled_from([1, 60, 300]))

    def longer(message: Message) -> Message:
        mark = draw(st.sampled_from(["", "", "", "!"]))
        return replace(message, content=mark + " ".join([message.content] * draw(st.sampled_from([1, factor]))))

    conversation = found.conversations[0]
    characters = tuple(
        replace(
            character,
            components=tuple(
                replace(part, content=" ".join([f"{number}{part.content}"] * factor), required=draw(st.booleans()))
                for number, part in enumerate(character.components)
            ),
        )
        for character in found.characters
    )
    conversation = replace(conversation, messages=tuple(map(longer, conversation.messages)))
    return replace(found, conversations=(conversation,), characters=characters)


parameters = st.fixed_dictionaries(
    {
        "system_budget": st.sampled_from([0, 3, 20, 600, 900, 1500, 20_000]),
        "max_tokens": st.sampled_from([0, 1, 7, 30, 200, 8000]),
        "min_recent": st.integers(0, 3),
        "memory_chars": st.sampled_from([500, 5]),
        "emergency_cut": st.sampled_from([0, 1, 4, 20, 16_000]),
        "prepare_history": st.sampled_from([True, True, False]),
        "history_messages": st.sampled_from([0, 4, 30]),
        "history_full": st.sampled_from([0, 2, 5, 10]),
    }
)


def decides_like_its_twin(found: Workspace, preset: str, chosen: dict[str, Any], around: dict[str, Any]) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    shipped = load_presets()["adaptive", preset].parameters
    twin = WhisperTwin(case, {**parameter_values(WhisperEngine()), **shipped, **chosen})
    expected = twin.decide()
    answer = answer_to(found, policy="adaptive", preset=preset, query="", parameters=chosen, **around)
    assert decisions(answer) == expected
    messages = prompt_messages(answer.assembly)
    system = [message.content for message in messages if set(message.rows).isdisjoint(_messages(answer))]
    assert "".join(system) == twin.text


@settings(max_examples=150, deadline=None)
@given(long_workspaces(), st.sampled_from([NEW, OLD]), parameters, outside)
def test_whisperengine_decides_like_its_twin(
    found: Workspace, preset: str, chosen: dict[str, Any], around: dict[str, Any]
) -> None:
    decides_like_its_twin(found, preset, chosen, around)


long_parts = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 4000), st.sampled_from([True, True, False])), min_size=1, max_size=6
)


@settings(max_examples=100, deadline=None)
@given(long_parts, st.sampled_from([NEW, NEW, OLD]), parameters, st.sampled_from([500, 600, 900, 1500]))
def test_long_components_are_cut_like_the_twin_does(
    found: list[tuple[int, int, bool]], preset: str, chosen: dict[str, Any], budget: int
) -> None:
    components = tuple(
        Component(f"c{number}", "note", (f"{number} w" * length)[:length], priority, required)
        for number, (priority, length, required) in enumerate(found)
    )
    case = workspace(chat(3, 2, 1), character=Character("nova", components=components))
    nothing_else: dict[str, Any] = {"at": None, "pinned": (), "excluded": ()}
    decides_like_its_twin(case, preset, {**chosen, "system_budget": budget}, nothing_else)


def _messages(answer: Any) -> set[int]:
    return set(range(answer.assembly.candidates.items.first_message, len(answer.assembly.candidates)))


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@settings(max_examples=60, deadline=None)
@given(exact_workspaces(), st.sampled_from([NEW, OLD]), parameters, st.sampled_from([0, 60, 10**9]))
def test_the_ledger_of_whisperengine_adds_up(
    counted: dict[str, str], found: Workspace, preset: str, chosen: dict[str, Any], window: int
) -> None:
    answer = answer_to(found, policy="adaptive", preset=preset, parameters=chosen, context_window=window, **counted)
    assert_adds_up(answer)


def test_the_notices_are_as_long_as_those_of_the_real_system() -> None:
    assert (len(COMPONENT_NOTICE), len(NOTICE)) == (56, 179)
    assert f"\n\n{NOTICE.strip()}\n\n" == NOTICE


def parts(*lengths: int, required: bool = True) -> Character:
    texts = ("abcdefgh"[number] * length for number, length in enumerate(lengths))
    found = (Component(f"c{number}", "note", text, number, required) for number, text in enumerate(texts))
    return Character("nova", components=tuple(found))


def stage_one(character: Character, budget: int, preset: str = NEW, **more: Any) -> Any:
    chosen = {"system_budget": budget, "max_tokens": 10**6, **more}
    return answer_to(workspace((), character=character), policy="adaptive", preset=preset, parameters=chosen)


def test_a_required_component_over_the_budget_loses_its_middle() -> None:
    answer = stage_one(parts(400, 8000, 400), 1100)
    text = next(iter(prompt_messages(answer.assembly))).content
    middle = f"{'b' * 2000}\n\n[note{COMPONENT_NOTICE}\n\n{'b' * 1200}"
    assert text == f"{'a' * 400}\n\n{middle}\n\n{'c' * 400}"
    assert decisions(answer)["c1"][0::2] == ("truncated", "cut")
    assert {"required_over_budget", "component_cut"} <= set(codes(answer))


def test_a_required_component_is_left_out_where_under_500_tokens_are_left() -> None:
    answer = stage_one(parts(2004, 8000, 400), 1000)
    assert kept(answer) == ["c0", "c2"]
    row = answer.assembly.candidates.ids.index("c1")
    assert "had 499 left when this component, which needs 2,000," in explain(answer.assembly, row)
    assert "component_cut" not in codes(answer)
    assert kept(stage_one(parts(2004, 8000, 400), 1000, OLD)) == ["c0", "c1", "c2"]


def test_without_a_budget_every_component_stays() -> None:
    answer = stage_one(parts(400, 400, required=False), 0)
    assert kept(answer) == ["c0", "c1"]
    assert answer.assembly.budget.sections[Section.SYSTEM].limit is None


def test_a_duplicate_is_charged_before_it_goes() -> None:
    twice = (Component("c0", "note", "x" * 40, 1), Component("c1", "note", "x" * 40, 2))
    for length, said in ((40, True), (44, True), (84, False)):
        character = Character("nova", components=(*twice, Component("c2", "note", "y" * length, 3)))
        answer = stage_one(character, 20)
        assert kept(answer) == ["c0"]
        assert ("duplicates_charged" in codes(answer)) is (said and length <= 40)


DATED = tuple(
    replace(message, content=letter * 600, time=datetime(2026, 1, 1, 12, 5, tzinfo=UTC))
    for letter, message in zip("abcdefgh", chat(*[1] * 8), strict=True)
)


def test_the_history_is_shortened_in_the_middle_and_dated() -> None:
    answer = answer_to(workspace((*DATED, *chat(1))), policy="adaptive", preset=NEW, parameters={"history_full": 5})
    texts = [message.content for message in prompt_messages(answer.assembly)]
    assert texts[0] == "[2026-01-01 12:05] " + "a" * 298 + "..." + "a" * 199
    assert texts[4] == "[2026-01-01 12:05] " + "e" * 238 + "..." + "e" * 159
    assert texts[5] == "[2026-01-01 12:05] " + "f" * 600
    assert texts[8] == "w"


def test_the_older_history_keeps_the_beginning_with_dots_on_top() -> None:
    answer = answer_to(workspace((*DATED, *chat(1))), policy="adaptive", preset=OLD)
    texts = [message.content for message in prompt_messages(answer.assembly)]
    assert [texts[place] for place in (1, 2, 5)] == ["b" * 500 + "...", "c" * 400 + "...", "f" * 600]


def test_an_emergency_loses_the_current_message_and_says_so() -> None:
    character = Character("nova", system_prompt=words(9))
    answer = answer_to(
        workspace(chat(1, 1, 1), character=character), policy="adaptive", preset=NEW, parameters={"max_tokens": 9}
    )
    assert kept(answer) == ["nova"]
    assert {"emergency_truncation", "current_message_lost", "system_over_stage2"} <= set(codes(answer))
    assert "over_window" not in codes(answer)
    more = {"max_tokens": 8}
    over = answer_to(workspace(chat(1), character=character), policy="adaptive", preset=NEW, parameters=more)
    assert "over_window" in codes(over)


@pytest.mark.parametrize(
    ("preset", "tokenizer", "charged", "spent"),
    [
        (NEW, "estimate:words", [85], 1),
        (NEW, "auto", [85], 86),
        (OLD, "auto", [0], 1),
    ],
)
def test_pictures_are_charged_whatever_counts_the_text(
    preset: str, tokenizer: str, charged: list[int], spent: int
) -> None:
    found = workspace((Message("m0", "user", "abcd", images=1), *chat(1)[:0]))
    answer = answer_to(found, policy="adaptive", preset=preset, tokenizer=tokenizer)
    assert [int(answer.assembly.charges[0]) - 1] == charged
    assert decisions(answer)["m0"][1] == spent
