"""The window itself: its tool bar, columns and pages."""
