"""Our own files: workspaces in JSON and YAML, read and written."""
