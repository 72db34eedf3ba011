"""The commands that belong to no screen: opening, saving, exporting, reloading."""
