"""Recording from the window: the dialog, and the recorder in a process of its own."""
