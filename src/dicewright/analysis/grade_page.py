"""Grades as web pages: no network, no scripts; one page for each strategy, and one table of all.

Names are strangers' text: whatever they hold, they are shown as they are.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from ..core.arrays import Floats
from ..core.table import html_table
from ..families import family
from .grade import NOTHING, Grade, often, percent, ranked
from .page import document

STYLE = Path(__file__).with_suffix(".css")
CELLS = 50  # of a map, across and up
SIDE = 8  # of a cell


def page(found: Grade, back: str | None = None) -> str:
    """The page of one strategy; `back` is the address of the table of all."""
    return document(f"{found.game.name}: {found.strategy}", STYLE, _body(found, back))


def _body(found: Grade, back: str | None) -> Iterator[str]:
    others = f' <a href="{escape(back)}">All strategies</a>' if back else ""
    yield f"<h1>{escape(found.strategy)}</h1>"
    yield f"<p>{escape(found.game.name)}, against {escape(found.against)}.{others}</p>"
    yield f'<p class="lead">{escape(" ".join(found.sentences())).replace(" %", "&nbsp;%")}</p>'
    if found.loss <= NOTHING:
        return
    if "loss" in (charts := family(found.game).charts()):
        yield _map(found, charts["loss"](found.game, found.losses))
    yield "<h2>Dearest choices</h2>"
    lines = [
        (
            place.position,
            place.did,
            place.best,
            often(place.times),
            found.amount(place.each),
            found.amount(place.loss, 4),
        )
        for place in found.dearest()
    ]
    yield html_table(("at", "did", "better", "comes", "costs each time", "costs a game"), lines, right=(4, 5))
    for title in found.titles:
        yield f"<h2>Lost, by {escape(title)}</h2>"
        parts = [(part.name, found.amount(part.loss), percent(part.share)) for part in found.parts(title)]
        yield html_table(("", "costs a game", "of all"), parts, right=(1, 2))
    yield (
        "<footer>A choice costs what the best choice there is worth more, if play goes on with the best answer to "
        f"{escape(found.against)}; times how often it comes in a game, these costs add up to all that is lost.</footer>"
    )


def _map(found: Grade, losses: Floats) -> str:
    """Own score across, the other's up; the darker, the more is lost in turns that begin there."""
    wide = -(-len(losses) // CELLS)
    edges = range(0, len(losses), wide)
    cells = [[float(losses[i : i + wide, j : j + wide].sum()) for j in edges] for i in edges]
    most, size = max(map(max, cells)), SIDE * len(edges)
    marks = [
        f'<text x="0" y="{size + 20}">0</text>',
        f'<text x="{size}" y="{size + 20}" text-anchor="end">{len(losses)}</text>',
        f'<text x="-6" y="14" text-anchor="end">{len(losses)}</text>',
    ]
    for i, column in enumerate(cells):
        for j, loss in enumerate(column):
            if 0 < loss >= most / 200:
                where = f'x="{i * SIDE}" y="{size - (j + 1) * SIDE}"'
                scores = f"{_span(i * wide, wide, len(losses))} to {_span(j * wide, wide, len(losses))}"
                told = escape(f"{scores}: {found.amount(loss)}")
                shade = f'fill-opacity="{max(0.06, (loss / most) ** 0.5):.2f}"'
                marks.append(
                    f'<rect {where} width="{SIDE}" height="{SIDE}" {shade}><title>{told}</title></rect>'
                )
    return (
        f'<figure class="map"><svg viewBox="-44 -2 {size + 46} {size + 26}" role="img" '
        f'aria-label="Where it loses"><path class="grid" d="M0 0V{size}H{size}"/>{"".join(marks)}</svg>'
        "<figcaption>Own score across, the other's up: the darker, the more is lost in turns that begin there."
        "</figcaption></figure>"
    )


def _span(low: int, wide: int, goal: int) -> str:
    high = min(low + wide, goal) - 1
    return f"{low}-{high}" if high > low else str(low)


def table(
    grades: Sequence[Grade], refused: Sequence[Sequence[str]], addresses: Sequence[str], title: str
) -> str:
    """The table of all strategies, best first, with the addresses of their pages, and who was refused and why."""
    return document(title, STYLE, _all(grades, refused, addresses, title))


def _all(
    grades: Sequence[Grade], refused: Sequence[Sequence[str]], addresses: Sequence[str], title: str
) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    if grades:
        yield f"<p>What each loses against {escape(grades[0].against)}, exactly, a coin deciding who starts.</p>"
        yield '<div class="scroll"><table><thead><tr><th class="n">rank</th><th>strategy</th>'
        yield '<th class="n">loses</th><th class="n">wins</th><th>dearest habit</th></tr></thead><tbody>'
    for rank, number in ranked(grades):
        found = grades[number]
        yield (
            f'<tr><td class="n">{rank}</td><td><a href="{escape(addresses[number])}">{escape(found.strategy)}</a></td>'
            f'<td class="n">{escape(found.amount(found.loss, 4))}</td>'
            f'<td class="n">{escape(found.amount(found.losses.got))}</td><td>{escape(found.habit or "none")}</td></tr>'
        )
    if grades:
        yield "</tbody></table></div>"
    if refused:
        yield "<h2>Refused</h2>"
        yield html_table(("file", "reason"), refused)
