"""The command palette: a box for everything to do, show or choose."""
