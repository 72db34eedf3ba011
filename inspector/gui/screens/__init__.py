"""The screens of the window, a folder each, listed here. A screen knows no other screen.

Only their `screen` modules are imported with the window; views and models are imported when first shown.
"""

from importlib import import_module

from inspector.gui.screens.screen import Screen

SCREENS = (
    "inspector.gui.screens.decisions.screen:DecisionsScreen",
    "inspector.gui.screens.conversations.screen:ConversationsScreen",
    "inspector.gui.screens.falling.screen:FallingScreen",
    "inspector.gui.screens.present.screen:PresentScreen",
    "inspector.gui.screens.budget.screen:BudgetScreen",
    "inspector.gui.screens.turns.screen:TurnsScreen",
    "inspector.gui.screens.workspace.screen:WorkspaceScreen",
    "inspector.gui.screens.policy.screen:PolicyScreen",
    "inspector.gui.screens.explanation.screen:ExplanationScreen",
    "inspector.gui.screens.text.screen:TextScreen",
    "inspector.gui.screens.prompt.screen:PromptScreen",
    "inspector.gui.screens.comparison.screen:ComparisonScreen",
    "inspector.gui.screens.findings.screen:FindingsScreen",
    "inspector.gui.screens.memories.screen:MemoriesScreen",
    "inspector.gui.screens.lore.screen:LoreScreen",
    "inspector.gui.screens.summaries.screen:SummariesScreen",
    "inspector.gui.screens.timeline.screen:TimelineScreen",
    "inspector.gui.screens.shootout.screen:ShootoutScreen",
    "inspector.gui.screens.replay.screen:ReplayScreen",
    "inspector.gui.screens.survival.screen:SurvivalScreen",
    "inspector.gui.screens.tokenizers.screen:TokenizersScreen",
    "inspector.gui.screens.recommend.screen:RecommendScreen",
    "inspector.gui.screens.snapshots.screen:SnapshotsScreen",
    "inspector.gui.screens.servers.screen:ServersScreen",
)
"""Every screen as "module:class", in the order of the tabs and of the keys Ctrl+1 … Ctrl+9."""


def screen_classes() -> tuple[type[Screen], ...]:
    """Return the classes of all screens, in their order."""
    named = (line.partition(":") for line in SCREENS)
    return tuple(getattr(import_module(module), name) for module, _, name in named)
