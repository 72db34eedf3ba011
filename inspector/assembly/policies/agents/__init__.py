"""What coding agents and agent frameworks do with an over-long session, one readable module each."""
