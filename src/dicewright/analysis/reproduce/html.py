"""The report as one web page: no network, no scripts, pictures inside; made for screens, phones and paper."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from .claims import Depth, Exhibit, Row, Verdict
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

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --line: #d5dae0; --soft: #f3f5f7;
  --good: #0b6b3a; --odd: #8a5a00; --own: #0b4f8a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14171b; --line: #363c44; --soft: #1d2227;
  --good: #6fcf97; --odd: #f2c26b; --own: #8ec3f2; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .2rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
a { color: var(--own); }
p { max-width: 46rem; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { font-weight: 600; }
.rows th:nth-child(1), .rows td:nth-child(1) { width: 13%; }
.rows th:nth-child(2), .rows td:nth-child(2) { width: 25%; }
.rows th:nth-child(3), .rows td:nth-child(3) { width: 15%; }
.rows th:nth-child(5), .rows td:nth-child(5) { width: 18%; }
.rows th:nth-child(6), .rows td:nth-child(6) { width: 4rem; text-align: right; padding-right: 0; white-space: nowrap; }
.summary { max-width: 58rem; margin-top: 1rem; }
.scroll { overflow-x: auto; }
.scroll table { width: auto; min-width: 20rem; }
.scroll td, .scroll th { overflow-wrap: normal; white-space: nowrap; padding-right: 1.2rem; }
.good { color: var(--good); } .odd { color: var(--odd); } .own { color: var(--own); }
.bad { color: var(--bad); font-weight: 700; }
.note { display: block; color: var(--ink); opacity: .8; font-size: .8125rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; background: var(--soft); padding: .1rem .3rem; border-radius: .2rem;
  overflow-wrap: anywhere; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
figure { margin: 0; break-inside: avoid; }
figure img { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: .3rem; }
figcaption { font-size: .8125rem; opacity: .85; }
@media (max-width: 44rem) {
  .rows, .rows tbody, .rows tr, .rows td { display: block; width: auto !important; }
  .rows thead { display: none; }
  .rows tr { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 .6rem; padding: .4rem .7rem;
    position: relative; }
  .rows td { border: 0; padding: .05rem 0; text-align: left !important; }
  .rows td[data-label]::before { content: attr(data-label) " "; opacity: .7; }
  .rows td:nth-child(2) { font-weight: 600; }
  .rows td:nth-child(3), .rows td:nth-child(4) { display: inline; margin-right: .8rem; }
  .rows td:nth-child(1), .rows td:nth-child(6) { font-size: .8125rem; opacity: .8; padding-right: 7rem; }
  .rows td:nth-child(6) { position: absolute; top: .4rem; right: .7rem; padding: 0; }
  .rows code { font-weight: 400; }
  .summary { display: block; overflow-x: auto; font-size: .75rem; }
  .summary th, .summary td { padding-right: .45rem; overflow-wrap: normal; }
}
@media print {
  :root { --ink: #000; --paper: #fff; --line: #bbb; --soft: #f3f5f7; --good: #064; --odd: #630; --own: #036; }
  body { font-size: 10pt; max-width: none; padding: 0; } tr { break-inside: avoid; }
  table { font-size: 8pt; } .note { font-size: 7.5pt; }
}
"""


class Drawn(NamedTuple):
    """A picture for the report."""

    source: str
    caption: str
    png: bytes


def page(report: Report, depth: Depth, seconds: float, pictures: Sequence[Drawn], note: str = "") -> str:
    """The whole report as one document; `note` is said at the top, such as why there are no pictures."""
    body = "\n".join(_body(report, depth, seconds, pictures, note))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>dicewright reproduce</title>\n<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _body(
    report: Report, depth: Depth, seconds: float, pictures: Sequence[Drawn], note: str
) -> Iterator[str]:
    yield "<h1>Five sources on dice games, recomputed</h1>"
    yield (
        f"<p>{len(report.rows)} results, paper beside here, recomputed in {seconds:.0f} s. Verdicts are computed: "
        "a printed figure is the same if ours rounds to it; a printed share of games is consistent if the exact "
        "chance lies in its 99.9 % interval; a difference is explained where it is the source's own.</p>"
    )
    failed = len(report.failed)
    if failed:
        yield f'<p class="bad">{failed} that should agree do not.</p>'
    else:
        yield '<p class="good">Everything that should agree does.</p>'
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
        reason = f'<span class="note">{escape(row.reason)}</span>' if row.reason else ""
        command = f"<br><code>{escape(row.command)}</code>" if row.command else ""
        yield (
            f"<tr><td>{escape(row.place)}</td><td>{escape(row.what)}{command}</td>"
            f'<td data-label="paper">{escape(row.paper)}</td><td data-label="here">{escape(row.ours)}</td>'
            f'<td class="{colour}">{row.verdict.value}{reason}</td><td data-label="time">{row.seconds:.2f} s</td></tr>'
        )
    yield "</tbody></table>"


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
