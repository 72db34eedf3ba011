"""Plots: the parts of every picture with axes, by pyqtgraph, which is imported when a plot is first shown."""
