"""Exports of chat applications whose layouts are declared."""
