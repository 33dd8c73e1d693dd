"""Pages to print: tracker forms as Exeter's figure 5 has them, and the list of links."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from ..analysis.page import document
from ..families import family
from .plan import Study
from .questions import FormItem

ROWS = 21  # turns of a form, as in figure 5
STYLE = Path(__file__).with_suffix(".css")
LINE = "_" * 28


def tracker(plan: Study, forms: int, first: int = 1) -> str:
    """So many forms, a page each, numbered from `first`: questions of both players, then a table of their turns."""
    return document(
        f"{plan.title}: forms",
        STYLE,
        (part for number in range(first, first + forms) for part in _form(plan, number)),
    )


def _form(plan: Study, number: int) -> Iterator[str]:
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in family(plan.rules).rules(plan.rules))
    yield f'<section class="form"><h1>{escape(plan.title)} <span>game {number}</span></h1>'
    yield f"<details open><summary>{escape(family(plan.rules).title(plan.rules))}</summary><ol>{rules}</ol></details>"
    if plan.questions:
        yield "<p>Answer before you play, without letting the other see. Fold the page along the dashed line.</p>"
    yield '<div class="players">'
    for seat in (1, 2):
        yield f'<div class="player"><h2>Player {seat} <span>id {LINE}</span></h2>'
        yield from map(_question, plan.questions)
        yield "</div>"
    yield "</div><p>After each turn write how often you rolled and what you banked: 0 if the turn was lost.</p>"
    yield (
        '<table class="tracker"><thead><tr><th rowspan="2">Turn no.</th><th colspan="2">Player 1</th>'
        '<th colspan="2">Player 2</th></tr><tr>'
        + "<th>No. of times rolled</th><th>Bank score</th>" * 2
        + "</tr></thead><tbody>"
    )
    yield from (f"<tr><th>{turn}</th>{'<td></td>' * 4}</tr>" for turn in range(1, ROWS + 1))
    yield "</tbody></table></section>"


def _question(question: FormItem) -> str:
    how = ' <span class="how">circle one</span>' if question.type in ("choice", "scale") else ""
    head = f"<p>{escape(question.ask)}{how}</p>"
    if question.type == "choice":
        marks = "abcdefghijklmnopqrstuvwxyz"
        items = (f"<li>{escape(option)}</li>" for option in question.options)
        kind = "a" if len(question.options) <= len(marks) else "1"
        return f'{head}<ol type="{kind}">{"".join(items)}</ol>'
    if question.type == "scale":
        steps = range(int(question.least or 0), int(question.most or 0) + 1)
        low, high = (*map(escape, question.ends), "", "")[:2]
        return f'{head}<p class="scale">{low} {" ".join(f"<b>{step}</b>" for step in steps)} {high}</p>'
    return f"{head}<p>{LINE}</p>"


def links(plan: Study, addresses: Sequence[tuple[str, str]]) -> str:
    """The links of all participants, a strip each, to be cut apart."""
    strips: Iterable[str] = (
        f'<div class="strip"><h2>{escape(name)}</h2><p>{escape(plan.title)}: your own link, for nobody else</p>'
        f'<p><a href="{escape(address)}">{escape(address)}</a></p></div>'
        for name, address in addresses
    )
    return document(f"{plan.title}: links", STYLE, strips)
