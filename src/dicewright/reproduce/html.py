"""The report as one web page: no network, no scripts, pictures inside; made for screens, phones and paper."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ..analysis.page import document
from .claims import Branch, Depth, Exhibit, GameTree, Row, Verdict
from .report import CITATIONS, Report

COLOURS = {
    Verdict.SAME: "good",
    Verdict.HOLDS: "good",
    Verdict.CONSISTENT: "good",
    Verdict.DIFFERS: "odd",
    Verdict.CANNOT: "odd",
    Verdict.COMPUTED: "own",
    Verdict.MEASURED: "own",
    Verdict.NEW: "own",
}


class Drawn(NamedTuple):
    """A picture for the report."""

    source: str
    caption: str
    png: bytes


def page(report: Report, depth: Depth, seconds: float, pictures: Sequence[Drawn], note: str = "") -> str:
    """The whole report as one document; `note` is said at the top, such as why there are no pictures."""
    body = _body(report, depth, seconds, pictures, note)
    return document("dicewright reproduce", Path(__file__).with_suffix(".css"), body)


def _body(
    report: Report, depth: Depth, seconds: float, pictures: Sequence[Drawn], note: str
) -> Iterator[str]:
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
        drawn = [picture for picture in pictures if picture.source == source]
        if drawn:
            yield f'<h3>Pictures, drawn anew</h3><div class="pictures">{"".join(map(_picture, drawn))}</div>'
    if report.left_out:
        names = "; ".join(f"{escape(claim.source)}: {escape(claim.what)}" for claim in report.left_out)
        yield f"<h2>Left out of this run</h2><p>{_deeper(depth)} adds: {names}.</p>"


def _deeper(depth: Depth) -> str:
    return "<code>dicewright reproduce</code>" if depth == Depth.QUICK else "<code>--full</code>"


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
    head = "".join(f"<th>{escape(column)}</th>" for column in exhibit.columns)
    yield f'<h3>{escape(exhibit.title)}</h3><div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>'
    for line in exhibit.lines:
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>"
    yield "</tbody></table></div>"


def _picture(drawn: Drawn) -> str:
    data = b64encode(drawn.png).decode("ascii")
    caption = escape(drawn.caption)
    image = f'<img alt="{caption}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"
