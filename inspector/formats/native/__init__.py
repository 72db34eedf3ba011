"""Our own files: workspaces as contract.md writes them, read and written."""
