"""Exports of Open WebUI."""
