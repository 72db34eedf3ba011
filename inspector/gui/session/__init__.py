"""The session: the values of a window, all that is computed from them, and the steps that change them."""
