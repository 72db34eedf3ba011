"""The state that a window remembers between runs: layouts, columns, appearance and recent files."""
