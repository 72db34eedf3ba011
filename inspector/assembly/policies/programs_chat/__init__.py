"""Policies that decide as chat programs and the servers behind them do, by their published code."""
