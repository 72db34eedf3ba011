"""Streamed answers of model servers, joined into the answers that the same servers give unstreamed."""
