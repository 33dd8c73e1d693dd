"""The results of the source documents, recomputed one by one: paper beside here, with a computed verdict."""
