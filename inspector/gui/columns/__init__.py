"""The meaning of columns in tables of messages, as explained by the user in the window."""
