"""Live play: websockets, and the wire below them."""
