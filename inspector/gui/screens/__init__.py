"""The screens of the window, a folder each, listed here. A screen knows no other screen.

Only their `screen` modules are imported with the window; views and models are imported when first shown.
"""

from importlib import import_module

from inspector.gui.screens.screen import Screen

SCREENS = (
    "inspector.gui.screens.decisions:DecisionsScreen",
    "inspector.gui.screens.prompt:PromptScreen",
    "inspector.gui.screens.memories:MemoriesScreen",
    "inspector.gui.screens.summaries:SummariesScreen",
    "inspector.gui.screens.findings:FindingsScreen",
    "inspector.gui.screens.side_by_side:SideBySideScreen",
    "inspector.gui.screens.changes:ChangesScreen",
    "inspector.gui.screens.texts:TextsScreen",
    "inspector.gui.screens.snapshots:SnapshotsScreen",
    "inspector.gui.screens.tokenizers:TokenizersScreen",
    "inspector.gui.screens.recommend:RecommendScreen",
    "inspector.gui.screens.one_setting:OneSettingScreen",
    "inspector.gui.screens.two_settings:TwoSettingsScreen",
    "inspector.gui.screens.survival:SurvivalScreen",
    "inspector.gui.screens.questions:QuestionsScreen",
    "inspector.gui.screens.memory_use:MemoryUseScreen",
    "inspector.gui.screens.replay:ReplayScreen",
    "inspector.gui.screens.lasting:LastingScreen",
    "inspector.gui.screens.timeline:TimelineScreen",
    "inspector.gui.screens.requests:RequestsScreen",
    "inspector.gui.screens.conversations:ConversationsScreen",
    "inspector.gui.screens.present:PresentScreen",
    "inspector.gui.screens.survey:SurveyScreen",
    "inspector.gui.screens.start:StartScreen",
    "inspector.gui.screens.budget:BudgetScreen",
    "inspector.gui.screens.sources:SourcesScreen",
    "inspector.gui.screens.settings:SettingsScreen",
    "inspector.gui.screens.next_message:NextMessageScreen",
    "inspector.gui.screens.details:DetailsScreen",
)
"""Every screen as "module:class", in the order of the tabs and in the columns."""


def screen_classes() -> tuple[type[Screen], ...]:
    """Return the classes of all screens, in their order."""
    named = (line.partition(":") for line in SCREENS)
    return tuple(getattr(import_module(module), name) for module, _, name in named)
