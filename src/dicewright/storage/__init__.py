"""Solutions, records and studies on disk: the only layer that opens files."""
