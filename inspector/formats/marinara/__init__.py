"""Marinara Engine: characters, personas, lorebooks, recalled memories and profiles."""
