"""The report as one web page: no network, no scripts, pictures inside; made for screens, phones and paper."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path

from ..analysis.page import document as whole_page
from ..core.errors import DicewrightError
from ..core.table import html_table
from ..plots import people as pictures
from ..plots.picture import Plot
from .conclusions import BELIEFS, conclusions, hold, p_value, span
from .evidence import Evidence
from .plan import Study
from .report import Document, attitudes

STYLE = Path(__file__).with_suffix(".css")
TERMS = {
    "lead": "the other's lead, in tens of points",
    "last": "points of the other's latest turn, in tens",
    "mirror": "1 below the other's latest scoring turn, -1 from it on",
    "bust": "1 after one's own turn was lost",
    "behind": "1 while the other has more points",
}


def page(plan: Study, found: Evidence, document: Document) -> str:
    """The whole report."""
    drawn, note = _drawn(plan, found, document)
    return whole_page(f"{plan.title}: report", STYLE, _body(plan, document, drawn, note))


def _body(plan: Study, document: Document, drawn: Sequence[tuple[str, bytes]], note: str) -> Iterator[str]:
    people = ", ".join(f"{count} {stage}" for stage, count in document["participants"].items())
    yield f"<h1>{escape(plan.title)}</h1>"
    yield (
        f"<p>The game is {escape(plan.game)}, played against "
        f"{'one another' if plan.paired else escape(plan.opponent)}. "
        f"Participants: {people}. {document['games']} games, {document['forms']} paper forms, "
        f"{document['decisions']:,} decisions.</p>"
    )
    yield "<h2>What was found</h2><ul>"
    yield from (f"<li>{escape(sentence)}</li>" for sentence in conclusions(document))
    yield "</ul>"
    for sentence in [*document["left_out"], *([note] if note else [])]:
        yield f'<p class="note">Left out: {escape(sentence)}</p>'
    yield from _answers(document)
    yield from _formulae()
    yield from _model(document, "model", "The model of all decisions")
    yield from _model(document, "paper", "The model of the paper forms")
    yield from _agreement(document)
    yield from _hypotheses(document)
    yield from _losses(document)
    yield from _results(document)
    yield from _exeter(document)
    if drawn:
        yield '<h2>Pictures</h2><div class="pictures">'
        yield from (_picture(caption, data) for caption, data in drawn)
        yield "</div>"


def _answers(document: Document) -> Iterator[str]:
    rows = [(name, answer, n) for name, given in document["answers"].items() for answer, n in given.items()]
    if rows:
        yield "<h2>Answers before play</h2>" + html_table(("question", "answer", "participants"), rows)


def _formulae() -> Iterator[str]:
    yield (
        "<h2>The model</h2><p>A decision between actions a, with exact worths (winning chances against perfect play), "
        "is modelled by</p><pre>P(a) = exp(u_a) / sum_b exp(u_b)\n"
        "u_a = precision_p worth_a + (bias_p - w x) [a stops]\n"
        "(bias_p, precision_p) ~ N(mean, diag(spread^2)) over players p</pre>"
        "<p>precision says how much of the worth a player follows, bias how much more than its worth the careful "
        "action draws; the terms x stand for whatever else may move a choice, with weights w. What winning demands is "
        "in the worth, so bias and weights measure only what goes beyond it. Intervals are of 95 %; errors take whole "
        "players as clusters; p-values are corrected for several tests (Holm).</p>"
    )


def _model(document: Document, name: str, title: str) -> Iterator[str]:
    model = document.get(name)
    if not model:
        return
    rows = [
        (
            parameter,
            _whole(span(each)),
            _whole(span({"value": model["spread"][parameter], **model["spreads"][parameter]})),
            _whole(p_value(each["p"])),
        )
        for parameter, each in model["mean"].items()
    ]
    yield f"<h3>{title}</h3>" + html_table(("parameter", "mean over players", "spread", "of being 0"), rows)
    if "holds" in model:
        held = [
            (
                _whole(place),
                _whole(hold(total, (model["holds_between"] or {}).get(place))),
                _or_never(model["best_holds"][place]),
            )
            for place, total in model["holds"].items()
        ]
        yield "<p>Where the average player holds, own score first:</p>"
        yield html_table(("scores", "holds from", "winning demands"), held)
    each = [
        (one["participant"], *(_whole(span(one[parameter])) for parameter in model["mean"]))
        for one in model["players"]
    ]
    yield (
        f"<details><summary>Each of {len(each)} players, shrunk towards the mean</summary>"
        + html_table(("participant", *model["mean"]), each)
        + "</details>"
    )


def _whole(text: str) -> str:
    """A text that no line of a narrow table breaks, not even after a hyphen."""
    return text.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "-\N{WORD JOINER}")


def _or_never(total: int | None) -> str:
    return "never" if total is None else str(total)


def _agreement(document: Document) -> Iterator[str]:
    parts = document.get("agreement")
    if not parts:
        return
    yield "<h2>Stated and revealed attitude</h2>"
    for name, part in parts.items():
        answers = part["answers"]
        rows = [(each["answer"], each["players"], _whole(span(each["bias"]))) for each in answers]
        tau = "unknown" if part["tau"] is None else f"{part['tau']:.2f}"
        yield (
            f"<h3>{escape(name)}</h3><p>All answers go with one bias: {p_value(part['p'])}, corrected "
            f"{p_value(part['corrected'])}. Kendall's correlation of bias and answer {tau} "
            f"({p_value(part['tau_p'])}).</p>"
        )
        if rows:
            held = [
                (
                    _whole(place),
                    *(
                        _whole(hold(each["holds"][place], (each["between"] or {}).get(place)))
                        for each in answers
                    ),
                )
                for place in answers[0]["holds"]
            ]
            yield html_table(("answer", "players", "hold bias"), rows)
            yield "<p>Where a player like that holds, own score first:</p>"
            yield html_table(("scores", *(each["answer"] for each in answers)), held)


def _hypotheses(document: Document) -> Iterator[str]:
    if not document.get("hypotheses"):
        return
    rows = []
    for each in document["hypotheses"]:
        for term, estimate in each["terms"].items():
            about = TERMS.get(term, "")
            rows.append(
                (
                    each["name"],
                    f"{term}: {about}",
                    *map(_whole, (span(estimate), p_value(each["p"]), p_value(each["corrected"]))),
                )
            )
    yield (
        "<h2>Exeter's hypotheses</h2><p>"
        + escape("; ".join(f"{name}: {belief}" for name, belief in BELIEFS.items()))
        + ".</p>"
    )
    yield html_table(("hypothesis", "term", "weight on rolling on", "p", "corrected"), rows)


def _losses(document: Document) -> Iterator[str]:
    losses = document.get("losses")
    if not losses:
        return
    groups = {
        "all": {"all": losses["all"]},
        **{k: v for k, v in losses.items() if k not in ("all", "learning")},
    }
    rows = [
        (name.replace("_", " "), label, _whole(span(mean, 2, 100.0)), mean["players"], mean["decisions"])
        for name, means in groups.items()
        for label, mean in means.items()
    ]
    yield "<h2>What was given away</h2><p>Per cent of winning chance a decision, by drawing whole players.</p>"
    yield html_table(("by", "group", "loss of a decision, %", "players", "decisions"), rows)
    if times := document.get("times"):
        yield (
            f"<p>Half of the decisions took {times['median']:.1f} s or less, a quarter {times['low_quarter']:.1f} s, "
            f"three quarters {times['high_quarter']:.1f} s.</p>"
        )


def _results(document: Document) -> Iterator[str]:
    if not document.get("results"):
        return
    rows = [
        (
            name,
            label,
            each["players"],
            each["games"],
            f"{100 * each['won']:.0f}",
            _whole(span(each, 1, 100.0)),
        )
        for name, means in document["results"].items()
        for label, each in means.items()
    ]
    yield (
        "<h2>Results with average luck</h2><p>Per cent of games. What the choices of both players leave of the chance "
        "at the start: it takes the luck of the dice out of the games that were won. Intervals by drawing whole "
        "players.</p>"
    )
    yield html_table(("by", "group", "players", "games", "won, %", "with average luck, %"), rows)


def _exeter(document: Document) -> Iterator[str]:
    groups = document.get("exeter")
    if not groups:
        return
    rows = [
        (
            name,
            each["tracks"],
            f"{each['slope']:.2f}",
            "" if each["printed"] is None else each["printed"],
            _whole(
                f"{each['robots']['median']:.2f} ({each['robots']['low']:.2f} to {each['robots']['high']:.2f})"
            ),
        )
        for name, each in groups.items()
    ]
    yield (
        "<h2>Exeter's figures</h2><p>The slope of the trend through the average total at each turn (figures 10 to 12). "
        "Robots that all hold at the same total stand beside it: where a slope lies among theirs, attitude is not "
        "needed to explain it.</p>"
    )
    yield html_table(("group", "games", "slope here", "printed by Exeter", "robots: median (95 %)"), rows)


def _drawn(plan: Study, found: Evidence, document: Document) -> tuple[list[tuple[str, bytes]], str]:
    """The pictures, or why there are none."""
    drawn: list[tuple[str, bytes]] = []
    try:
        for caption, draw in _sketches(plan, found, document):
            drawn.append((caption, draw().render("png")))
    except DicewrightError as error:
        return [], f"pictures: {error}"
    return drawn, ""


def _sketches(plan: Study, found: Evidence, document: Document) -> Iterator[tuple[str, Callable[[], Plot]]]:
    if (model := document.get("model") or document.get("paper")) and "holds" in model:
        each = {one["participant"]: one["bias"] for one in model["players"]}
        yield (
            "Hold bias of each participant",
            lambda: pictures.estimates("hold bias, shrunk", "hold bias", each),
        )
    if document.get("hypotheses"):
        terms = {t: e for each in document["hypotheses"] for t, e in each["terms"].items()}
        yield (
            "Exeter's hypotheses: weights of their terms",
            lambda: pictures.estimates("beyond what winning demands", "weight on rolling on", terms),
        )
    if document.get("exeter"):
        for name, members in attitudes(plan, found).items():
            if name in document["exeter"]:
                totals = found.totals(members)
                title = f"{plan.game}: {name}"
                yield f"As figures 7 to 9: {name}", partial(pictures.totals, title, totals)
                yield f"As figures 10 to 12: {name}", partial(pictures.averages, title, totals)
        if (first := found.first) is not None:
            names, (one, other) = first
            yield "As figures 13 and 14: the first game", partial(pictures.duel, plan.game, one, other, names)


def _picture(caption: str, data: bytes) -> str:
    image = f'<img alt="{escape(caption)}" src="data:image/png;base64,{b64encode(data).decode("ascii")}">'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
