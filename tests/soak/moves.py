"""Random moves of a session: every verb on a scenario, undo, redo, the baseline, work beside it, other files."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from inspector.analysis.sides import sides_of
from inspector.analysis.tokenizers.ask import tokenizer_comparisons
from inspector.assembly import edits
from inspector.assembly.choices import ScenarioError
from inspector.assembly.contenders import Contender
from inspector.assembly.message_class import OVERRIDES
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.assembly.side_choice import NOW, Beside, policy_choice
from inspector.gui.screens.details.item_search import ItemSearch
from inspector.gui.session.session import Session
from inspector.plugins import policies
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.similarity import WAYS
from inspector.tokens.choice import UnknownTokenizerError

TOKENIZERS = (
    *("auto", "slow:o200k_base", "slow:cl100k_base", "slow:llama3", "embedded:qwen2.5", "embedded:o200k_base"),
    *("estimate:chorus", "estimate:words", "nobody:knows"),
)
COMPARED = ("slow:llama3", "embedded:gemma3", "estimate:chorus")
MODELS = (None, "gpt-4o", "gpt-4", "claude-sonnet-4-5", "qwen3-8b", "llama-3.1-8b", "gemma-3-4b", "no-such-model")
WINDOWS = (None, 0, 60, 500, 2_000, 4_096, 8_192, 100_000)
TEXTS = (None, "", "harbour", "the keel of the boat", "promise 14.05.2026", "  ", "东京 晴れ")
_REFUSED = 0.02
"""How often a value is one that a policy cannot take."""


class _Nobody:
    """Looks at nothing that a search finds."""

    def show_keeping(self, row: int, keeping: object) -> None:
        """Look away."""

    def show_changes(self, row: int, changes: object) -> None:
        """Look away."""

    def show_cancelled(self, row: int) -> None:
        """Look away."""


class Moves:
    """Does random things to a session, the same for the same seed as far as threads let it.

    `open_paths` opens files in place of what is open; `openings` are the files that are opened together.
    """

    def __init__(
        self,
        session: Session,
        choose: random.Random,
        open_paths: Callable[[Sequence[str]], None],
        openings: Sequence[tuple[str, ...]],
    ) -> None:
        self._session, self._choose = session, choose
        self._open_paths, self._openings = open_paths, openings
        self._presets = tuple(session.pipeline.choices.presets)
        # Those that greet have an item more, and a shoot-out of different items is refused.
        self._comparable = [(policy, preset) for policy, preset in self._presets if policy != "window_rag"]
        self._search = ItemSearch(session, _Nobody(), session)
        session.assembly_changed.connect(self._search.stop)  # as the details do it
        self._gestures = 0
        self._moves: dict[Callable[[], None], int] = {
            self._edit: 60,
            self._drag: 12,
            self._undo: 12,
            self._pin: 2,
            self._look_beside: 6,
            self._cancel: 1,
            self._reload: 1,
            self._open: 1,
        }

    def move(self) -> None:
        """Do one thing."""
        self._choose.choices(list(self._moves), list(self._moves.values()))[0]()

    def stop(self) -> None:
        """Look for nothing any more."""
        self._search.stop()

    def _edit(self) -> None:
        verb, *terms = self._any_edit()
        self._session.edit(verb, *terms)

    def _drag(self) -> None:
        self._gestures += 1
        for _ in range(self._choose.randrange(1, 8)):
            self._session.drag(f"gesture {self._gestures}", edits.set_parameters, self._parameters())

    def _undo(self) -> None:
        stack = self._session.undo_stack
        stack.setIndex(min(max(stack.index() + self._choose.choice((-9, -3, -1, -1, 1, 1, 4)), 0), stack.count()))

    def _pin(self) -> None:
        self._choose.choice((self._session.pin_baseline, self._session.clear_baseline))()

    def _look_beside(self) -> None:
        session = self._session
        policies = [policy_choice(Contender(*pair)) for pair in self._choose.sample(self._comparable, 4)]
        compare = partial(sides_of, choices=(NOW, *policies), beside=Beside())
        count = partial(tokenizer_comparisons, names=COMPARED)
        row = self._choose.randrange(max(1, len(self._ids())))
        is_there = session.answer is not None and not session.trouble and row < len(self._ids())
        self._choose.choice(
            (
                lambda: session.ask("side_by_side", compare, lambda found: None, awaited=True),
                lambda: session.ask("tokenizers", count, lambda found: None, awaited=True),
                lambda: self._search.begin(row if is_there else None),
                self._search.stop,
            )
        )()

    def _cancel(self) -> None:
        """Cancel, and ask for something else: until then what was not counted stays estimated."""
        self._session.cancel_work()
        self._session.edit(edits.use_window, self._choose.randrange(100, 9_000))
        self._session.edit(edits.use_window, self._choose.randrange(9_000, 20_000))

    def _reload(self) -> None:
        self._session.reload()

    def _open(self) -> None:
        self._open_paths(self._choose.choice(self._openings))

    def _ids(self) -> tuple[str, ...]:
        answer = self._session.answer
        return () if answer is None else answer.assembly.candidates.ids

    def _some_ids(self) -> list[str]:
        ids = self._ids()
        return self._choose.sample(ids, min(len(ids), self._choose.choice((1, 1, 2, 5))))

    def _any_edit(self) -> tuple[Any, ...]:
        choose, workspace = self._choose, self._session.workspace
        policy, preset = choose.choice(self._presets)
        conversations = [one.id for one in workspace.conversations]
        offered: list[tuple[Any, ...]] = [
            (edits.use_policy, choose.choice(list(policies()[0]))),
            (edits.use_policy, policy, preset),
            *[(edits.set_parameters, self._parameters())] * 3,
            (edits.reset_parameters,),
            *self._of_items(),
            *[(edits.go_to_turn, choose.choice((None, 0, 1, choose.randrange(100))))] * 3,
            (edits.choose_character, choose.choice((None, *(one.id for one in workspace.characters), "nobody"))),
            (edits.choose_memory_sets, [one.id for one in workspace.memory_sets if choose.random() < 0.6]),
            (edits.use_model, choose.choice(MODELS)),
            (edits.use_window, choose.choice(WINDOWS)),
            *[(edits.use_tokenizer, choose.choice(TOKENIZERS))] * 3,
            (edits.set_draft, choose.choice(TEXTS) or ""),
            (edits.set_query, choose.choice(TEXTS)),
            *[(edits.compare_by, choose.choice((*WAYS, "feeling")))] * 2,
            (edits.weigh_relevance, choose.choice((AS_MEASURED, self._relevance()))),
            (edits.use_embedding, choose.choice(("auto", "wordllama", "minilm"))),
            (edits.classify_by, choose.choice((None, "rules"))),
            *[(edits.use_summaries, choose.choice((None, "extractive", "endpoint")))] * 2,
            (edits.set_summary_tokens, choose.choice((5, 20, 60))),
            (edits.scan_lore, choose.choice((AS_NATIVE, self._lore_settings()))),
            (edits.take_over, choose.choice((Scenario(), Scenario(policy="ratio", preset="long-chat"))), "Begin anew"),
        ]
        if conversations:
            offered += [(edits.choose_conversation, workspace, choose.choice(conversations))] * 3
        offered += [
            (edits.choose_leaf, workspace, one.id, choose.choice(one.tree.messages).id)
            for one in workspace.conversations
            if one.tree is not None
        ]
        return choose.choice(offered)

    def _of_items(self) -> list[tuple[Any, ...]]:
        """Edits of some items of the answer."""
        choose, ids = self._choose, self._some_ids()
        fields = (
            ("content", choose.choice(("short", "a text that nobody has counted " * choose.randrange(1, 9)))),
            ("tokens", choose.choice((None, 3, 900))),
            ("pinned", choose.random() < 0.5),
        )
        name, value = choose.choice(fields)
        kept = [item for item in ids if self._has(item, name)]
        return [
            (edits.toggle_pins, ids),
            (edits.toggle_exclusions, ids),
            (edits.clear_marks,),
            *[(edits.override, [(item, name, value) for item in kept])] * 2,
            (edits.set_class, self._messages_of(ids), choose.choice((None, *OVERRIDES))),
        ]

    def _has(self, item: str, field: str) -> bool:
        answer = self._session.answer
        return answer is not None and hasattr(answer.assembly.candidates.things[self._ids().index(item)], field)

    def _messages_of(self, ids: Sequence[str]) -> list[str]:
        return [item for item in ids if self._has(item, "emotional_weight")]

    def _parameters(self) -> dict[str, Any]:
        """New values of one or two parameters of the policy in use, now and then ones that are refused."""
        kind = policies()[0][self._session.scenario.policy or DEFAULT_POLICY]
        try:
            policy = self._session.pipeline.case(self._session.scenario).policy
        except (ScenarioError, UnknownTokenizerError):
            policy = None
        declared = parameters_of(kind if policy is None else policy)
        chosen = self._choose.sample(declared, min(len(declared), self._choose.choice((1, 1, 2))))
        return {parameter.name: self._value(parameter) for parameter in chosen}

    def _value(self, parameter: Parameter) -> Any:
        choose = self._choose
        if isinstance(parameter.default, bool):
            return choose.random() < 0.5
        if parameter.choices:
            return choose.choice(list(parameter.choices))
        if isinstance(parameter.default, tuple):
            return tuple(choose.uniform(parameter.minimum, parameter.maximum) for _ in parameter.default)
        least, most = parameter.minimum, parameter.maximum
        inside = choose.uniform(least, most)
        value = least - 1 if choose.random() < _REFUSED else choose.choice((least, most, inside, inside, inside))
        return round(value) if isinstance(parameter.default, int) else value

    def _relevance(self) -> RelevanceSettings:
        choose = self._choose
        return RelevanceSettings(
            stems=choose.random() < 0.5,
            speakers=choose.random() < 0.5,
            before=choose.choice((0.0, 0.5)),
            sources=choose.choice((0.0, 1.0)),
            vectors=choose.choice((0.0, 0.5, 11.0)),
        )

    def _lore_settings(self) -> LoreSettings:
        choose = self._choose
        return LoreSettings(
            depth=choose.randrange(12),
            whole_words=choose.random() < 0.5,
            recursive=choose.random() < 0.5,
            min_activations=choose.choice((0, 3)),
            budget_percent=choose.choice((None, 5.0)),
        )
