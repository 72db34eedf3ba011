"""The open files and their contents."""
