"""uvicorn's protocols, but that they leave no rings of objects behind.

A ring stays in memory until Python's collector finds it, and its search stops all games. Without rings it seldom
searches: a connection that ends is gone at once.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Http(HttpToolsProtocol):
    """A connection up to the moment when it becomes a websocket."""

    def handle_websocket_upgrade(self) -> None:
        """Hand over; the parser of requests, which holds this object, is not needed any more."""
        super().handle_websocket_upgrade()
        del self.parser


class Socket(WebSocketsSansIOProtocol):
    """A websocket."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The end; the parser of frames, which holds the connection's state, waits for no more of them."""
        super().connection_lost(exc)
        self.conn.parser.close()
