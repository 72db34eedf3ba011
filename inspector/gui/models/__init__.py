"""Item models: arrays as tables and trees. No widgets here."""
