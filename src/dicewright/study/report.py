"""What a study found, as one document of numbers and sentences; each number with its uncertainty."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
from scipy import stats

from ..core.errors import PrecisionError, RulesError
from ..families import catalog
from ..people.choices import Choices
from ..people.curves import average, sample_robots, trend
from ..people.findings import agreement, bias_of, holds, holds_between, holm, hypotheses
from ..people.fit import Fit, fit
from ..people.forms import Forms
from ..people.games import crowds_of
from ..people.losses import learning, loss_by, results_by
from ..people.power import Design, power
from ..storage.store import solution_of
from .evidence import Evidence, gather
from .plan import Study
from .questions import AVERSE, EXETER, LOVING, NEUTRAL, FormItem
from .roster import Roster

LEVEL = 0.05
POINTS = 3  # of an effect that is asked for: so much earlier or later a hold at the start of a game
TRIALS, SAMPLES, SEED = 60, 300, 2017
ORDERS = {EXETER[0].name: (LOVING, NEUTRAL, AVERSE)}  # from loving risk to averse
EXETERS = {LOVING: 4.85, NEUTRAL: 4.75, AVERSE: 4.76}  # slopes printed in figures 10 to 12
Document = dict[str, Any]


def report(
    roster: Roster, tell: Callable[[str], object] = lambda _: None, executor: Executor | None = None
) -> tuple[Document, Evidence]:
    """The document of a study and its evidence; studies are made up by the executor, if there is one."""
    plan, found = roster.plan, gather(roster)
    document: Document = {
        "study": plan.title,
        "game": plan.game,
        "opponent": plan.opponent,
        "participants": dict(Counter(person.stage(plan) for person in found.people.values())),
        "games": len(found.records),
        "forms": len(found.paper[1]),
        "decisions": len(found.rows),
        "answers": _answers(plan, found.people.values()),
        "left_out": [],
    }
    for name, part in (PARTS | {"power": partial(_power, executor=executor)}).items():
        tell(f"working out {name.replace('_', ' ')}")
        try:
            document[name] = _plain(part(plan, found, document))
        except (RulesError, PrecisionError) as error:
            document[name] = None
            document["left_out"].append(f"{name.replace('_', ' ')}: {error}")
    return document, found


def _answers(plan: Study, people: Any) -> Document:
    """How often each answer was given, by question; texts are not counted."""
    given = {
        each.name: Counter(str(one.answers[each.name]) for one in people if each.name in one.answers)
        for each in plan.questions
        if each.type != "text"
    }
    order = {each.name: each.options for each in plan.questions}
    return {name: {o: n[o] for o in (*order[name], *sorted(n)) if n[o]} for name, n in given.items()}


def _model(plan: Study, found: Evidence, _: Document) -> Document:
    """The hierarchical logit of all decisions."""
    return _fitted(found, fit(found.choices()))


def _paper(plan: Study, found: Evidence, _: Document) -> Document | None:
    """The same model of the forms, summed over the dice that they hide."""
    return None if found.forms is None else _fitted(found, fit(found.forms))


def _fitted(found: Evidence, model: Fit) -> Document:
    players = []
    for name in model.players:
        mind = model.mind(name)
        players.append({"participant": name, **{key: each._asdict() for key, each in mind.items()}})
    document: Document = {
        "mean": {name: each._asdict() for name, each in model.mean.items()},
        "spread": dict(model.spread),
        "spreads": {name: {"low": low, "high": high} for name, (low, high) in model.spreads.items()},
        "players": players,
    }
    if found.raced:
        mean = {name: each.value for name, each in model.mean.items()}
        document["holds"] = holds(found.game, mean["bias"], mean["precision"])
        document["holds_between"] = holds_between(found.game, model)
        document["best_holds"] = holds(found.game, 0.0, 1.0)
    return document


def _agreement(plan: Study, found: Evidence, _: Document) -> Document | None:
    """Stated attitudes beside revealed ones: for each question with answers in an order, corrected for their number."""
    if not found.raced:
        return None
    parts = {
        each.name: _agrees(found, each)
        for each in plan.questions
        if each.type != "text" and _given(found, each)
    }
    for part, p in zip(parts.values(), holm([part["p"] for part in parts.values()]), strict=True):
        part["corrected"] = p
    return parts


def _given(found: Evidence, question: FormItem) -> dict[str, Any]:
    """The answers of those who made a decision, else of those who played on paper."""
    made = {row.player for row in found.rows} or set(found.forms.players if found.forms else ())
    told = {name: found.people[name].answers.get(question.name) for name in made}
    given = {name: answer for name, answer in told.items() if answer is not None}
    return given if len(set(given.values())) > 1 else {}


def _agrees(found: Evidence, question: FormItem) -> Document:
    given = _given(found, question)
    if question.type == "choice":
        order = ORDERS.get(question.name, tuple(reversed(question.options)))
        order = order if set(order) >= set(given.values()) else question.options
        told = agreement(found.game, _chose(found, given), given, order)
        answers = [{**each._asdict(), "bias": each.bias._asdict()} for each in told.answers]
        return {"answers": answers, "p": told.p, "tau": told.tau, "tau_p": told.tau_p}
    model = fit(_chose(found, given))
    tau = stats.kendalltau([given[name] for name in model.players], model.minds[:, 0])
    return {"answers": [], "p": float(tau.pvalue), "tau": float(tau.statistic), "tau_p": float(tau.pvalue)}


def _chose(found: Evidence, names: Collection[str] | None = None) -> Choices | Forms:
    """The decisions of these players, or the forms where everything is on paper."""
    return found.choices(names) if found.records or found.forms is None else found.forms


def _hypotheses(plan: Study, found: Evidence, _: Document) -> list[Document] | None:
    """Exeter's beliefs as terms of one model."""
    if not found.raced:
        return None
    crowds = crowds_of(found.game)
    model = fit(_chose(found), crowds.TERMS)
    return [
        {
            "name": each.name,
            "terms": {t: e._asdict() for t, e in zip(each.terms, each.estimates, strict=True)},
            "p": each.p,
            "corrected": each.corrected,
        }
        for each in hypotheses(model, crowds.HYPOTHESES)
    ]


def _losses(plan: Study, found: Evidence, _: Document) -> Document:
    """What a decision gave away, of all, by answer and by game, with a cluster bootstrap."""
    choices = found.choices()
    document: Document = {"all": loss_by(choices, ["all"] * len(choices.players))["all"]._asdict()}
    for question in plan.questions:
        given = _given(found, question)
        if question.type == "choice" and len(given) == len(choices.players):
            means = loss_by(choices, [str(given[name]) for name in choices.players])
            document[question.name] = {answer: mean._asdict() for answer, mean in means.items()}
    numbers = loss_by(choices, [str(number) for number in choices.game.tolist()])
    document["by_game"] = {number: numbers[number]._asdict() for number in sorted(numbers, key=int)}
    document["learning"] = learning(choices)._asdict() if len(numbers) > 1 else None
    return document


def _results(plan: Study, found: Evidence, _: Document) -> Document | None:
    """Games won, and what would have been won with average luck, by answer; both players' choices must be known."""
    solution = solution_of(found.game)
    if not plan.paired or solution.points or solution.stakes != 1.0:
        return None
    choices, start, document = found.choices(), (1 + solution.certificate.value) / 2, {}
    won = found.won()
    for question in plan.questions:
        given = _given(found, question)
        if question.type == "choice" and len(given) == len(choices.players):
            labels = [str(given[name]) for name in choices.players]
            means = results_by(choices, labels, start)
            shares = {
                label: np.concatenate([won[n] for n in given if str(given[n]) == label]) for label in means
            }
            document[question.name] = {
                label: {**mean._asdict(), "games": len(shares[label]), "won": float(shares[label].mean())}
                for label, mean in means.items()
            }
    return document or None


def _times(plan: Study, found: Evidence, _: Document) -> Document | None:
    """How long decisions took, in seconds: quartiles over decisions."""
    times = np.array([row.time for row in found.rows if row.time is not None], float) / 1000
    if not len(times):
        return None
    low, middle, high = np.percentile(times, (25, 50, 75))
    return {"decisions": len(times), "median": middle, "low_quarter": low, "high_quarter": high}


def _exeter(plan: Study, found: Evidence, _: Document) -> Document | None:
    """Exeter's slopes of averaged totals for each stated attitude, beside robots that all hold alike."""
    if not found.raced:
        return None
    groups = attitudes(plan, found)
    document: Document = {}
    robot = catalog.strategy("neutral", found.game)
    for name, members in groups.items():
        totals = found.totals(members)
        if len(totals) < 2 or len(average(totals)[0]) < 2:
            continue
        robots = sample_robots(found.game, robot, len(totals), SAMPLES, seed=SEED).slopes
        low, middle, high = np.percentile(robots, (2.5, 50, 97.5))
        document[name] = {
            "tracks": len(totals),
            "slope": trend(average(totals)[0]).slope,
            "printed": EXETERS.get(name),
            "robots": {"low": low, "median": middle, "high": high},
        }
    return document


def attitudes(plan: Study, found: Evidence) -> dict[str, list[str]]:
    """Participants by the first question of a choice; everybody where there is none."""
    question = next((each for each in plan.questions if each.type == "choice"), None)
    if question is None:
        return {"everybody": list(found.people)}
    groups: dict[str, list[str]] = {option: [] for option in question.options}
    for person in found.people.values():
        answer = person.answers.get(question.name)
        if answer in groups:
            groups[str(answer)].append(person.name)
    return {name: members for name, members in groups.items() if members}


def _power(
    plan: Study, found: Evidence, document: Document, executor: Executor | None = None
) -> Document | None:
    """What a study of this size finds: people like these, half of whom hold POINTS earlier, as they said."""
    model = document.get("model")
    if not found.raced or model is None:
        return None
    choices: Choices = found.choices()
    players, games = len(choices.players), max(1, round(float(np.mean(_games(choices)))))
    mean, spread = model["mean"], model["spread"]
    precision = max(1.0, mean["precision"]["value"])
    gap = bias_of(found.game, POINTS, precision)
    design = Design(
        found.game,
        players - players % 2,
        games,
        (mean["bias"]["value"], spread["bias"]),
        (precision, spread["precision"]),
        gap=gap,
        tested=("stated",),
    )
    return {
        "players": players,
        "games": games,
        "points": POINTS,
        **power(design, TRIALS, SEED, executor)._asdict(),
    }


def _games(choices: Choices) -> Sequence[int]:
    return [int(choices.game[choices.player == number].max()) for number in range(len(choices.players))]


PARTS: dict[str, Callable[[Study, Evidence, Document], Any]] = {
    "model": _model,
    "agreement": _agreement,
    "hypotheses": _hypotheses,
    "losses": _losses,
    "results": _results,
    "times": _times,
    "paper": _paper,
    "exeter": _exeter,
    "power": _power,
}


def _plain(value: Any) -> Any:
    """As JSON has it: numbers of Python's, and None for what is no number."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float | np.floating):
        return float(value) if isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
