"""Widgets, named after what they show. They get values and emit intentions; they decide nothing."""
