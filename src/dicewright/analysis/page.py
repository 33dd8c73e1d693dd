"""An analysis as one web page: no network, no scripts; the chance as a curve, losses as dots, luck as ticks."""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from ..core.game import FIRST, SEATS, WrittenGame
from ..core.table import html_table
from ..families import family
from .moments import JUDGED, Analysis, talk_words
from .sentences import accuracy, amount, best_actions, headline, lost, luck_lines, rate, sentences

WIDTH, HEIGHT, FOOT = 800, 340, 80  # of the curve, and of the ticks of luck under it
LEAST_DOT = 0.001  # losses of less winning chance have no dot


def page(found: Analysis, seat: int | None = None) -> str:
    """The page of one game, written for the player in `seat` (else for the person)."""
    body = _body(found, found.person if seat is None else seat)
    return document(f"{found.summary()['game']}: {headline(found)}", Path(__file__).with_suffix(".css"), body)


def document(title: str, style: Path, body: Iterable[str]) -> str:
    """A whole page from its parts, with its style sheet inside."""
    sheet = style.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{sheet}</style></head>\n"
        "<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _body(found: Analysis, seat: int) -> Iterator[str]:
    yield f"<h1>{escape(headline(found))}</h1><p>{escape(found.summary()['game'])}</p>"
    yield f'<p class="lead">{escape(" ".join(sentences(found, seat))).replace(" %", "&nbsp;%")}</p>'
    yield _figure(found, seat)
    yield from _sums(found)
    for player in (seat, 1 - seat):
        yield from _decisions(found, player)
    lower, upper = found.certificate.decimals()
    proof = "proved" if found.certificate.proved else "not proved"
    yield (
        f"<footer>Values of the solved game: {escape(lower)} to {escape(upper)} to the first player, {proof} by "
        f"{escape(found.certificate.method)}. Loss: against the best action in the player's view. Luck: what the dice "
        "changed. Start, luck and losses add up to the result.</footer>"
    )


def _figure(found: Analysis, seat: int) -> str:
    """The curve of the chance of the player in `seat`, with dots and ticks."""
    numbers = found.own_chances(seat)
    low, high = (min(0.0, *numbers), max(0.0, *numbers)) if found.points else (0.0, 1.0)
    span, steps = (high - low) or 1.0, max(1, len(numbers) - 1)

    def place(ply: float, number: float) -> tuple[float, float]:
        return round(WIDTH * ply / steps, 1), round(HEIGHT * (high - number) / span, 1)

    points = " ".join("{},{}".format(*place(ply, number)) for ply, number in enumerate(numbers))
    middle = place(0, 0.0 if found.points else 0.5)[1]
    marks = [
        f'<path class="grid" d="M0 0H{WIDTH}M0 {middle}H{WIDTH}M0 {HEIGHT}H{WIDTH}"/>',
        f'<text x="4" y="-8">{escape(amount(found, high))}</text>',
        f'<text x="4" y="{HEIGHT - 8}">{escape(amount(found, low))}</text>',
        f'<polyline class="curve" points="{points}"/>',
        *_ticks(found, seat, steps, span),
    ]
    for moment in reversed(found.mistakes()):
        if moment.loss < LEAST_DOT * span:
            continue
        x, y = place(moment.ply + 1, numbers[moment.ply + 1])
        radius = round(6 + 60 * (moment.loss / span) ** 0.5, 1)
        who = SEATS[moment.who]
        told = f"{family(found.record.game).doing(found.record.game, moment.choice)}: lost {lost(found, moment.loss)}"
        marks.append(
            f'<circle class="dot {who}" cx="{x}" cy="{y}" r="{radius}"><title>{escape(told)}</title></circle>'
        )
    one, two = map(escape, found.players)
    mine = (one, two)[seat]
    what = "Payoff to" if found.points else "Winning chance of"
    return (
        f'<figure><svg viewBox="-4 -40 {WIDTH + 8} {HEIGHT + FOOT + 60}" role="img" '
        f'aria-label="{what} {mine} after each ply">{"".join(marks)}</svg>'
        f'<figcaption class="key">{what} {mine}. Dots: decisions that lost something, of<i class="first"></i>{one}'
        f'<i class="second"></i>{two}. Ticks: luck, up for {mine}.</figcaption></figure>'
    )


def _ticks(found: Analysis, seat: int, steps: int, span: float) -> Iterator[str]:
    """The luck of each ply under the curve, of dice and hidden dice, up in the favour of the player in `seat`."""
    base, reach = HEIGHT + 10 + FOOT / 2, FOOT / 2
    sign = 1 if seat == FIRST else -1
    lucks = [(moment, sign * (moment.luck + moment.hidden_luck)) for moment in found.moments]
    most = max((abs(luck) for _, luck in lucks), default=0.0) or span
    width = round(max(2.0, min(8.0, 0.6 * WIDTH / steps)), 1)
    for moment, luck in lucks:
        if abs(luck) < 1e-9:
            continue
        tall = round(reach * abs(luck) / most, 1)
        x = round(WIDTH * (moment.ply + 1) / steps - width / 2, 1)
        y = round(base - tall if luck > 0 else base, 1)
        who = SEATS[seat if luck > 0 else 1 - seat]
        shown = escape(f"{_show(found, moment.choice)}: luck {amount(found, luck, signed=True)}")
        yield f'<rect class="{who}" x="{x}" y="{y}" width="{width}" height="{tall}"><title>{shown}</title></rect>'


def _show(found: Analysis, choice: Any) -> str:
    return str(getattr(found.record.game, "show_choice", str)(choice))


def _sums(found: Analysis) -> Iterator[str]:
    pair = found.figures
    rows = [
        ("decisions", [str(f.decisions) for f in pair]),
        ("lost per decision", [rate(f.error_rate, found.points) for f in pair]),
        ("accuracy", [accuracy(f) for f in pair]),
        *((words, cells) for words, *cells in luck_lines(found)),
    ]
    rows += [(word, [str(f.counts[word]) for f in pair]) for word in JUDGED]
    talk = [f.talk for f in pair if f.talk is not None]
    if len(talk) == 2:
        rows += [
            (talk_words(found.record.game, name), [str(getattr(t, name)) for t in talk])
            for name in vars(talk[0])
        ]
    lines = [[name, *cells] for name, cells in rows]
    yield "<h2>Sums</h2>" + html_table(("", *found.players), lines, right=(1, 2), kind="sums")


def _decisions(found: Analysis, player: int) -> Iterator[str]:
    mine = found.mistakes(player)
    name = escape(found.players[player])
    if not found.judged[player]:
        return
    if not mine:
        yield f"<h2>{name}</h2><p>No decision lost anything.</p>"
        return
    game: WrittenGame = found.record.game
    lines = [
        (
            family(game).place(game, m.view),
            _show(found, m.choice),
            lost(found, m.loss),
            best_actions(game, m),
            f"{m.judgement}{'' if m.reached else ', after a slip'}",
        )
        for m in mine
    ]
    yield f"<h2>{name}: decisions that lost something, costliest first</h2>"
    yield html_table(("at", "did", "loss", "best", ""), lines, right=(2,))
