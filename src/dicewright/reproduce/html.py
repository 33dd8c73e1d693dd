"""The report as one web page: no network, no scripts, pictures inside; made for screens, phones and paper.

The pictures of the sources are drawn anew.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..analysis.page import document
from ..arena.tournament import Tournament
from ..core.errors import DicewrightError
from ..core.table import html_table
from ..families import family
from ..families.catalog import parse as game
from ..plots import results
from ..plots.picture import DRAWN, Plot
from . import exeter_people
from .claims import CROCCE, EXETER, Branch, Depth, Exhibit, GameTree, Row, Verdict
from .crocce_mordecki import SHOWN
from .exeter_games import hundred
from .report import CITATIONS, Report
from .solved import first, met, player

COLOURS = {
    **dict.fromkeys((Verdict.SAME, Verdict.HOLDS, Verdict.CONSISTENT), "good"),
    **dict.fromkeys((Verdict.DIFFERS, Verdict.CANNOT), "odd"),
    **dict.fromkeys((Verdict.COMPUTED, Verdict.MEASURED, Verdict.NEW), "own"),
}


SEED = 2017


class Drawn(NamedTuple):
    """A picture for the report."""

    source: str
    caption: str
    png: bytes


def pictures(
    sources: set[str], depth: Depth, tell: Callable[[int, int, str], None]
) -> tuple[Sequence[Drawn], str]:
    """The pictures of these sources, and a sentence if there are none."""
    if depth == Depth.QUICK:
        return [], "Pictures are left out by --quick."
    wanted = [sketch for sketch in sketches() if sketch[0] in sources]
    drawn = []
    for number, (source, caption, draw) in enumerate(wanted):
        tell(number, len(wanted), f"drawing {caption}")
        try:
            drawn.append(Drawn(source, caption, draw().render("png")))
        except DicewrightError as error:
            return [], f"Pictures are left out: {error}."
    return drawn, ""


def sketches() -> Iterator[tuple[str, str, Callable[[], Plot]]]:
    """Source, caption and drawing: Exeter's figures, then Crocce & Mordecki's."""
    itself = met("pig", "hold:20", "hold:20")
    either = (itself.a_first.first_wins, itself.b_first.second_wins)
    title, lengths = "pig: hold:20 against itself", range(100, 4001, 100)

    def dice() -> np.random.Generator:
        return np.random.default_rng(SEED)

    def box() -> Plot:
        exact = first("hold:20", "hold:21")
        shares = results.sample_shares([exact], 1000, 1000, dice())
        return results.box("pig: hold:20 against hold:21, hold:20 starts", shares, 1000, exact)

    def against() -> Plot:
        order = [24, *range(24), *range(25, 100)]
        names = tuple(f"hold:{n + 1}" for n in order)
        return results.against(Tournament("pig", names, hundred()[np.ix_(order, order)]))

    for caption, draw in {
        "Figure 1: the border between roll and hold": lambda: _chart(
            "surface", "pig: the optimum rolls below the surface", "pig", "optimal"
        ),
        "Figure 2: the states an optimal player can reach": lambda: _chart(
            "reachable", "pig: states the optimum can meet on its turn", "pig", "optimal", "random"
        ),
        "Section 2.3.4: box plot of 1000 series of 1000 games": box,
        "Section 3.1.1: higher and higher order optimals": lambda: _chart(
            "convergence", "pig: best responses to best responses, from hold:20", "pig", "hold:20"
        ),
        "Figure 15: shares of a strategy against itself, by number of games": lambda: results.spread(
            title, lengths, results.spread_of_shares(either, lengths, 100, dice())
        ),
        "Figure 16: 100 fair tests of a strategy against itself": lambda: results.tests(
            title, results.fair_tests(either, 100, dice()), sum(either) / 2
        ),
        "Figure 18: hold-at-25 against every other hold-at-n": against,
    }.items():
        yield EXETER, caption, draw
    for caption, draw in exeter_people.sketches():
        yield EXETER, caption, draw
    for name, scores in SHOWN.items():
        for yours in scores:
            caption = f"Sections 3 and 4: where the optimum of {name} rolls, the opponent at {yours}"
            shown = f"{name}: the opponent at {yours}"
            yield CROCCE, caption, partial(_chart, "map", shown, name, "optimal", yours=yours)


def _chart(kind: str, title: str, name: str, *strategies: str, **more: int) -> Plot:
    """A picture of the family's, of strategies of a named game."""
    rules = game(name)
    numbers = family(rules).charts()[kind]
    return DRAWN[kind](title, numbers(rules, *(player(name, text) for text in strategies), **more))


def page(report: Report, depth: Depth, seconds: float, pictures: Sequence[Drawn], note: str = "") -> str:
    """The whole report as one document; `note` is said at the top, such as why there are no pictures."""
    body = _body(report, depth, seconds, pictures, note)
    return document("dicewright reproduce", Path(__file__).with_suffix(".css"), body)


def _body(report: Report, depth: Depth, seconds: float, drawn: Sequence[Drawn], note: str) -> Iterator[str]:
    yield "<h1>Five sources on dice games, recomputed</h1>"
    yield (
        f"<p>{len(report.rows)} results, paper beside here, recomputed in {seconds:.0f} s. Verdicts are computed: "
        "a printed figure is the same if ours rounds to it; a printed share of games is consistent if the exact "
        "chance lies in its 99.9 % interval; where a difference is the source's own it is explained, and our figure "
        "is checked by a second way to it.</p>"
    )
    failed = len(report.failed)
    if failed:
        yield f'<p class="bad">{failed} that should agree do not.</p>'
    else:
        yield '<p class="good">Everything that should agree does, and what differs is what it should be.</p>'
    if note:
        yield f"<p>{escape(note)}</p>"
    yield from _summary(report)
    for row in report.failed:
        yield f'<p class="bad">{escape(row.source)} {escape(row.place)}: {escape(row.what)}: {escape(row.ours)}</p>'
    for source, rows in groupby(report.rows, key=lambda row: row.source):
        yield f'<h2 id="{_anchor(source)}">{escape(source)}</h2><p>{escape(CITATIONS[source])}</p>'
        yield from _rows(list(rows))
        for exhibit in report.exhibits:
            if exhibit.source == source:
                yield from _exhibit(exhibit)
        yield from _trees([tree for tree in report.trees if tree.source == source])
        if anew := [picture for picture in drawn if picture.source == source]:
            yield f'<h3>Pictures, drawn anew</h3><div class="pictures">{"".join(map(_picture, anew))}</div>'
    if report.left_out:
        names = "; ".join(f"{escape(claim.source)}: {escape(claim.what)}" for claim in report.left_out)
        deeper = "dicewright reproduce" if depth == Depth.QUICK else "--full"
        yield f"<h2>Left out of this run</h2><p><code>{deeper}</code> adds: {names}.</p>"


def _anchor(source: str) -> str:
    return source.lower().replace(" ", "-")


def _summary(report: Report) -> Iterator[str]:
    """How many results of each source have each verdict."""
    used = [verdict for verdict in Verdict if any(row.verdict is verdict for row in report.rows)]
    head = "".join(f'<th class="{COLOURS[verdict]}">{verdict.name.lower()}</th>' for verdict in used)
    yield f'<nav><table class="summary"><thead><tr><th>source</th>{head}</tr></thead><tbody>'
    for source, rows in groupby(report.rows, key=lambda row: row.source):
        verdicts = [row.verdict for row in rows]
        cells = "".join(f"<td>{verdicts.count(verdict) or ''}</td>" for verdict in used)
        yield f'<tr><td><a href="#{_anchor(source)}">{escape(source)}</a></td>{cells}</tr>'
    yield "</tbody></table></nav>"


def _rows(rows: Sequence[Row]) -> Iterator[str]:
    titles = ("place", "what", "paper", "here", "verdict", "time")
    head = "".join(f"<th>{title}</th>" for title in titles)
    yield f'<table class="rows"><thead><tr>{head}</tr></thead><tbody>'
    for row in rows:
        colour = "bad" if row.failed else COLOURS[row.verdict]
        reason = "".join(f'<span class="note">{escape(note)}</span>' for note in _notes(row))
        command = f"<br><code>{escape(row.command)}</code>" if row.command else ""
        yield (
            f"<tr><td>{escape(row.place)}</td><td>{escape(row.what)}{command}</td>"
            f'<td data-label="paper">{escape(row.paper)}</td><td data-label="here">{escape(row.ours)}</td>'
            f'<td class="{colour}">{row.verdict.value}{reason}</td><td data-label="time">{row.seconds:.2f} s</td></tr>'
        )
    yield "</tbody></table>"


def _notes(row: Row) -> Iterator[str]:
    """Why a row differs, and the figure that ours was compared with."""
    if row.reason:
        yield row.reason
    if row.failed and row.expected:
        yield f"ours should be {row.expected}"
    elif row.reason:
        yield f"checked against {row.expected}"


def _trees(trees: Sequence[GameTree]) -> Iterator[str]:
    """Each tree as one card for each roll, with a line for each call and its two answers."""
    if trees:
        yield (
            "<h3>Game trees with all probabilities</h3><p>All figures are chances of the player who rolls. A and C: "
            "how likely the call is accepted or challenged, each with the chance to win then. The best is bold.</p>"
        )
    for tree in trees:
        title, root = escape(tree.title), f"{escape(tree.root.label)}: wins {_short(tree.root.wins)}"
        yield f'<h4>{title}; {root}</h4><div class="rolls">'
        for roll in tree.root.branches:
            heads = "".join(f"<th>{head}</th>" for head in ("", "wins", "A", "wins", "C", "wins"))
            calls = "".join(_call(call, call.wins == roll.wins) for call in roll.branches)
            words = f"<b>{escape(roll.label)}</b> ({_short(roll.chance)}): wins {_short(roll.wins)}"
            yield f'<div class="roll"><p>{words}</p><table><tr>{heads}</tr>{calls}</table></div>'
        yield "</div>"


def _short(chance: float | None) -> str:
    """A chance to four digits, or the whole number it is."""
    return "" if chance is None else f"{chance:.0f}" if chance in (0, 1) else f"{chance:.4f}"


def _call(call: Branch, best: bool) -> str:
    answers = [figure for answer in call.branches for figure in (answer.chance, answer.wins)]
    cells = "".join(f"<td>{_short(figure)}</td>" for figure in (call.wins, *answers))
    return f"<tr{' class=best' if best else ''}><td>{escape(call.label)}</td>{cells}</tr>"


def _exhibit(exhibit: Exhibit) -> Iterator[str]:
    yield f"<h3>{escape(exhibit.title)}</h3>{html_table(exhibit.columns, exhibit.lines)}"


def _picture(drawn: Drawn) -> str:
    data = b64encode(drawn.png).decode("ascii")
    caption = escape(drawn.caption)
    image = f'<img alt="{caption}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"
