"""Edits: everything that a person may want of the scenario, each one undoable step of the session."""

from collections.abc import Iterable, Sequence
from typing import Any

from inspector.analysis.solver import CONTEXT_WINDOW
from inspector.assembly.message_class import MessageClass, class_words, overridden_class
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.gui.session import Session
from inspector.retrieval.lore.settings import LoreSettings

OF_ONE_CONVERSATION = {"leaf": None, "at": None, "pinned": (), "excluded": (), "overrides": {}, "query": None}


class Edits:
    """The verbs over the scenario of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def use_policy(self, policy: str, preset: str) -> None:
        """Use a policy under a preset, with the preset's parameters."""
        chosen = None if preset == DEFAULT_PRESET else preset
        self._session.edit(f"Use {policy}", {"policy": policy, "preset": chosen, "parameters": {}})

    def set_class(self, ids: Sequence[str], chosen: MessageClass | None) -> None:
        """Take these messages for one of a class, or with None for what the file or the rules say."""
        what = "Class by file and rules" if chosen is None else f"Class {class_words(chosen)}"
        overrides = overridden_class(self._session.scenario.overrides, ids, chosen)
        self._session.edit(what, {"overrides": overrides})

    def change_lore(self, settings: LoreSettings) -> None:
        """Scan the lorebooks in another way."""
        self._session.edit("Change how lore is scanned", {"lore": settings}, "lore")

    def use_summaries(self, method: str | None) -> None:
        """Summarize in this way where the file has no summary; one that failed before is tried again."""
        self._session.pipeline.known.summarizing.try_again()
        self._session.edit("Choose how to summarize", {"summaries": method})

    def set_summary_tokens(self, tokens: int) -> None:
        """Let computed summaries be so long."""
        self._session.edit("Change the length of summaries", {"summary_tokens": tokens}, "summary_tokens")

    def use_tokenizer(self, name: str) -> None:
        """Count with a tokenizer."""
        self._session.edit(f"Count with {name}", {"tokenizer": name})

    def toggle_pins(self, ids: Iterable[str]) -> None:
        """Pin these items, or unpin them if all are pinned."""
        self._toggle(list(ids), "pinned", "excluded", ("Pin", "Unpin"))

    def toggle_exclusions(self, ids: Iterable[str]) -> None:
        """Exclude these items, or include them if all are excluded."""
        self._toggle(list(ids), "excluded", "pinned", ("Exclude", "Include"))

    def go_to_turn(self, at: int | None, gesture: str) -> None:
        """Replay an earlier turn."""
        self._session.edit(f"Turn {at:,}" if at is not None else "Last turn", {"at": at}, gesture)

    def change_parameter(self, name: str, value: object) -> None:
        """Give one parameter, or the context window, a value that the explanation offers."""
        if name == CONTEXT_WINDOW:
            self._session.edit(f"Context window {value:,}", {"context_window": value})
        else:
            parameters = {**self._session.scenario.parameters, name: value}
            self._session.edit(f"Change {name.replace('_', ' ')}", {"parameters": parameters})

    def choose_conversation(self, name: str) -> None:
        """Show another conversation, with what its own file brings; choosing the one that is shown changes nothing."""
        shown = self._session.pipeline.case(self._session.scenario).chosen.conversation
        if shown is not None and shown.id == name:
            return
        own = tuple(memories.id for memories in self._session.workspace.memory_sets if memories.id == name) or None
        changes: dict[str, Any] = {"conversation": name, "character": None, "memory_sets": own, "draft": None}
        self._session.edit("Choose conversation", {**changes, **OF_ONE_CONVERSATION})

    def choose_leaf(self, conversation: str, leaf: str) -> None:
        """Show another branch of a conversation."""
        self._session.edit("Choose branch", {"conversation": conversation, **OF_ONE_CONVERSATION, "leaf": leaf})

    def choose_character(self, name: str | None) -> None:
        """Assemble with another character."""
        self._session.edit("Choose character", {"character": name})

    def choose_memory_sets(self, names: Sequence[str]) -> None:
        """Assemble with these memory sets."""
        self._session.edit("Choose memory sets", {"memory_sets": tuple(names)})

    def clear_marks(self) -> None:
        """Pin and exclude nothing."""
        self._session.edit("Clear pins and exclusions", {"pinned": (), "excluded": ()})

    def reset_parameters(self) -> None:
        """Give every parameter the value of the preset."""
        self._session.edit("Reset parameters", {"parameters": {}})

    def go_to_baseline(self) -> None:
        """Back to the scenario of the baseline, if one is pinned."""
        if self._session.baseline_answer is not None:
            self._session.show_scenario(self._session.baseline_answer.scenario, "Back to the baseline")

    def _toggle(self, ids: list[str], field: str, other: str, words: tuple[str, str]) -> None:
        if not ids:
            return
        scenario = self._session.scenario
        marked, unmarked = getattr(scenario, field), getattr(scenario, other)
        all_marked = all(name in marked for name in ids)
        kept = tuple(name for name in marked if name not in ids)
        changes = {
            field: kept if all_marked else (*kept, *ids),
            other: tuple(name for name in unmarked if name not in ids),
        }
        what = ids[0] if len(ids) == 1 else f"{len(ids):,} items"
        self._session.edit(f"{words[all_marked]} {what}", changes)
