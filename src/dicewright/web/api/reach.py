"""REST: where other machines reach this server, and such a link as a picture for their cameras."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from ..settings import NotYours
from .asking import ANSWERS, Server

router = APIRouter(responses=ANSWERS)
MOST_LINK = 300  # letters
MARGIN = 4  # modules of white around the picture, as cameras need it


@router.get("/reach")
async def reach(server: Server) -> dict[str, Any]:
    """The addresses by which machines of the same network reach this server; none if it listens to its own only."""
    return {"addresses": list(server.settings.addresses)}


@router.get("/qr")
async def picture(
    server: Server, request: Request, link: Annotated[str, Query(max_length=MOST_LINK)]
) -> Response:
    """A link to this server as a QR code, an SVG."""
    import segno

    own = (*server.settings.addresses, *server.settings.origins, str(request.base_url).rstrip("/"))
    if not link.isprintable() or not link.startswith(tuple(f"{one}/" for one in own)):
        raise NotYours("only links to this server are drawn")
    drawn = segno.make(link, micro=False, error="m").svg_inline(border=MARGIN, light="#fff", scale=1)
    text = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(text, media_type="image/svg+xml")
