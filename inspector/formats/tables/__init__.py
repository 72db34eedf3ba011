"""Tables of messages: CSV and TSV with a row for each message, or for each question with its answer."""
