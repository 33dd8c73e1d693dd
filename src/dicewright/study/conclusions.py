"""The document of a study in plain sentences, each with its uncertainty."""

from collections.abc import Iterator, Sequence
from typing import Any

from .report import LEVEL, Document

BELIEFS = {
    "influence": "how the other is doing moves a choice beyond what winning demands",
    "mirroring": "players copy the other's last turn",
    "prospect theory": "players roll on after a lost turn, or when behind, beyond what winning demands",
}
MOVES = {  # what a term makes players do: above 0, and below
    "lead": ("roll on the more the other leads", "hold the earlier the more the other leads"),
    "last": ("roll on the more the other's last turn gained", "hold the earlier the more it gained"),
    "mirror": ("copy the other's last scoring turn", "do the contrary of the other's last scoring turn"),
    "bust": ("roll on after a lost turn", "hold earlier after a lost turn"),
    "behind": ("roll on when behind", "hold earlier when behind"),
}


def conclusions(document: Document) -> list[str]:
    """What may be concluded."""
    return [
        *_attitude(document),
        *_agreement(document),
        *_hypotheses(document),
        *_losses(document),
        *_exeter(document),
        *_power(document),
    ]


def p_value(p: float | None) -> str:
    """A p-value for people."""
    return "p unknown" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def span(estimate: Document, digits: int = 2, factor: float = 1.0) -> str:
    """A number with its 95 % interval."""
    parts = [estimate[name] for name in ("value", "low", "high")]
    value, *ends = (None if each is None else f"{factor * each:.{digits}f}" for each in parts)
    if value is None:
        return "unknown"
    return f"{value} (95 %: {'unknown' if None in ends else ' to '.join(map(str, ends))})"


def hold(total: int | None, between: Sequence[int | None] | None) -> str:
    """Where somebody holds, with its 95 % interval."""
    found, *ends = ("never" if each is None else str(each) for each in (total, *(between or ())))
    return f"{found} (95 %: {' to '.join(dict.fromkeys(ends)) or 'unknown'})"


def _attitude(document: Document) -> Iterator[str]:
    model = document.get("model") or document.get("paper")
    if not model:
        return
    precision = model["mean"]["precision"]
    if precision["low"] is not None and precision["low"] <= 0 <= precision["high"]:
        yield f"Choices were not found to follow what they are worth: precision {span(precision)}, which holds 0."
    if "holds" not in model:
        return
    bias = model["mean"]["bias"]
    held, best = model["holds"], model["best_holds"]
    place = next(iter(held))
    from_ = hold(held[place], (model.get("holds_between") or {}).get(place))
    where = f"at {place} they hold from {from_} on, where winning demands {best[place]}"
    if bias["low"] is not None and bias["low"] > 0:
        yield f"Participants hold earlier than winning demands: {where}. Hold bias {span(bias)}."
    elif bias["high"] is not None and bias["high"] < 0:
        yield f"Participants hold later than winning demands: {where}. Hold bias {span(bias)}."
    else:
        yield f"No lean to hold early or late was found: hold bias {span(bias)}, which holds 0."


def _agreement(document: Document) -> Iterator[str]:
    for name, part in (document.get("agreement") or {}).items():
        means = "; ".join(
            f"{each['answer']} ({each['players']}): bias {span(each['bias'])}" for each in part["answers"]
        )
        sure = part["corrected"] is not None and part["corrected"] < LEVEL
        said = "goes with" if sure else "was not found to go with"
        told = f"The answer to “{name}” {said} how they play ({p_value(part['corrected'])}, corrected)."
        yield f"{told} By answer: {means}." if means else told


def _hypotheses(document: Document) -> Iterator[str]:
    for each in document.get("hypotheses") or []:
        belief = BELIEFS.get(each["name"], each["name"])
        found = each["corrected"] is not None and each["corrected"] < LEVEL
        verdict = "found" if found else "not found, which does not prove that it is not so"
        terms = "; ".join(_moved(term, estimate) for term, estimate in each["terms"].items())
        sure = f"{p_value(each['corrected'])}, corrected"
        yield f"{each['name'].capitalize()}, that {belief}: {verdict} ({sure}). In log-odds of rolling on: {terms}."


def _moved(term: str, estimate: Document) -> str:
    """The weight of a term with its interval, and which way it moves players, if that is sure."""
    low, high = estimate["low"], estimate["high"]
    if term not in MOVES or low is None or high is None:
        return f"{term} {span(estimate)}"
    more, less = MOVES[term]
    way = f"players {more}" if low > 0 else f"players {less}" if high < 0 else "which way is not sure"
    return f"{term} {span(estimate)}, {way}"


def _losses(document: Document) -> Iterator[str]:
    losses = document.get("losses")
    if not losses:
        return
    yield f"A decision gave away {span(losses['all'], 2, 100.0)} % of winning chance on average."
    if change := losses["learning"]:
        low, high = change["low"], change["high"]
        word = (
            "fell"
            if high is not None and high < 0
            else "rose"
            if low is not None and low > 0
            else "did not surely change"
        )
        yield f"From one game to the next that {word}: by {span(change, 3, 100.0)} points of a per cent."


def _exeter(document: Document) -> Iterator[str]:
    groups: dict[str, Any] = document.get("exeter") or {}
    if not groups:
        return
    parts = [
        f"{name} {each['slope']:.2f} (robots that all hold alike: {each['robots']['low']:.2f} to "
        f"{each['robots']['high']:.2f} in 95 % of samples of {each['tracks']})"
        for name, each in groups.items()
    ]
    yield (
        f"Exeter's slopes of the averaged totals: {'; '.join(parts)}. The average at a late turn is over players whom "
        "nobody has beaten yet, so the slope follows the size of the sample and says nothing about attitude."
    )


def _power(document: Document) -> Iterator[str]:
    if found := document.get("power"):
        yield (
            f"If half of the players held {found['points']} points earlier, and had said so, a study of this size "
            f"({found['players']} players, {found['games']} games each) would find it with a chance of "
            f"{found['share']:.2f} (95 %: {found['low']:.2f} to {found['high']:.2f}; {found['trials']} "
            "studies made up)."
        )
