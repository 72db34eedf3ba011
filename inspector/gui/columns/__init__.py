"""What the columns of tables of messages hold, as a person explains it in the window."""
