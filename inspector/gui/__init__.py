"""The Qt face: the only package that imports PySide6 or pyqtgraph."""
