"""Finding changes that would keep some items: asked for from the table, shown in a dialog, and applied with a click."""
