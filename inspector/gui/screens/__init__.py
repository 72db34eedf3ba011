"""Screens, one folder each: everything that the window shows. Listed here; a screen knows no other one.

Only their `screen` modules are imported with the window; what is behind them, when somebody first looks.
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
"""Every screen as "module:class". Tabs stand in this order, and so do the keys Ctrl+1 … Ctrl+9."""


def screen_classes() -> tuple[type[Screen], ...]:
    """The classes of all screens, in their order."""
    named = (line.partition(":") for line in SCREENS)
    return tuple(getattr(import_module(module), name) for module, _, name in named)
