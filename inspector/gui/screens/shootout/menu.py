"""The chooser of contenders: a menu of policies and presets."""

from collections.abc import Sequence

from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.shootout import Contender
from inspector.gui.parts.choice_menu import ChoiceMenu


class ContenderMenu(ChoiceMenu[Contender]):
    """A checkable entry for each policy under each of its presets."""

    def offer(self, contenders: Sequence[Contender]) -> None:
        """Offer these, keeping the choice; at first each policy's own document is chosen."""
        chosen = None if self.isEmpty() else self.chosen
        self.clear_choices()
        for contender in contenders:
            is_documents = contender.preset == DEFAULT_PRESET
            if is_documents and not self.isEmpty():
                self.addSeparator()
            self.add_choice(contender, contender.name, is_documents if chosen is None else contender in chosen)
