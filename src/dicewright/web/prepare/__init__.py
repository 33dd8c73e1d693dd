"""Solutions, opponents and documents that take time: begun in the background, within budgets."""
