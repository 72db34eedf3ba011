"""Conversations of the web interface of llama.cpp's server."""
