"""Histories of frameworks for agents, of evaluations, and of proxies that record calls of models."""
