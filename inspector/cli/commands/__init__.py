"""The commands with their arguments and options, declared without what they run, so that help comes at once."""
