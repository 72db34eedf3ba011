"""The window itself: its layout, tool bar, columns and pages."""
