"""`/docs`: every call of the server in one plain page, written from the OpenAPI document itself."""

from html import escape
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

METHODS = ("get", "post", "put", "patch", "delete")


async def page(request: Request) -> HTMLResponse:
    """The calls, their parameters and their answers; no script and no style, so any browser shows it."""
    document = request.app.openapi()
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>{escape(document['info']['title'])}: the calls</title>",
        f"<h1>{escape(document['info']['title'])} {escape(document['info']['version'])}: the calls</h1>",
        "<p>As a document for programs: <a href='/openapi.json'>/openapi.json</a>. ",
        "Live play goes by the websocket <code>/ws/games/ID</code>.</p>",
    ]
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            if method in METHODS:
                parts += _call(document, path, method, call)
    return HTMLResponse("\n".join(parts))


def _call(document: dict[str, Any], path: str, method: str, call: dict[str, Any]) -> list[str]:
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code></h2>"]
    parts.append(f"<p>{escape(call.get('description') or call.get('summary', ''))}</p>")
    rows = [(one["name"], one["in"], one.get("schema", {})) for one in call.get("parameters", [])]
    body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    model = (
        document.get("components", {}).get("schemas", {}).get(str(body.get("$ref")).rsplit("/", 1)[-1], {})
    )
    rows += [(name, "body", schema) for name, schema in model.get("properties", {}).items()]
    if rows:
        cells = "".join(
            f"<tr><td><code>{escape(name)}</code><td>{escape(place)}<td>{escape(_kind(schema))}"
            for name, place, schema in rows
        )
        parts.append(f"<table><tr><th>name<th>in<th>kind{cells}</table>")
    answers = ", ".join(f"{code} {answer['description']}" for code, answer in call["responses"].items())
    parts.append(f"<p>Answers: {escape(answers)}</p>")
    return parts


def _kind(schema: dict[str, Any]) -> str:
    words = [str(schema.get("type", "text or null" if "anyOf" in schema else "text"))]
    if "enum" in schema:
        words.append("one of " + ", ".join(map(str, schema["enum"])))
    if "default" in schema:
        words.append(f"default {schema['default']!r}")
    return "; ".join(words)
