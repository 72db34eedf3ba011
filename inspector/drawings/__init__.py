"""Drawings: plots as values of arrays with the roles of their colours, and as SVG. The window paints the same."""
