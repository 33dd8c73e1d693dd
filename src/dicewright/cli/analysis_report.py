"""An analysis on the terminal: a curve, sums and decisions for one game, a line each for many, and questions."""

import shutil
from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from .. import cli
from ..analysis.moments import JUDGED, Analysis, Moment, talk_words
from ..analysis.sentences import (
    accuracy,
    amount,
    best_actions,
    decision,
    headline,
    lost,
    luck_lines,
    rate,
    sentences,
)
from ..arena.margin import LEVEL
from ..core.game import WrittenGame, other
from ..families import family

MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}  # as in records, where there is little room
NARROW = 60
MOST_ROWS = 20
MOST_ASKED = 10


def one(found: Analysis, seat: int | None, every: bool) -> None:
    """One game: who won, the chance as a curve, three sentences, sums, and the decisions that lost something."""
    game = escape(found.summary()["game"])
    cli.out.print(f"[bold]{game}[/bold]: {escape(headline(found))}", markup=True)
    reader = found.person if seat is None else seat
    curve(found, reader)
    for sentence in sentences(found, reader):
        cli.out.print(sentence, soft_wrap=False)
    cli.out.print()
    sums(found)
    for player in (reader, other(reader)) if seat is None else (seat,):
        decisions(found, player, every)


def curve(found: Analysis, player: int) -> None:
    """The player's chance after each ply, in one line."""
    chances = found.own_chances(player)
    width = max(10, min(60, shutil.get_terminal_size().columns - 2))
    cli.out.print(f"{'payoff to' if found.points else 'chance of'} {found.players[player]}:")
    cli.out.print(f"  {cli.sparkline(chances, width, found.points)}")
    first, last = (amount(found, number) for number in (chances[0], chances[-1]))
    cli.out.print(f"  from {first} to {last}")


def _ranges(found: Analysis) -> list[list[Any]]:
    """Where the error rates lie, if they are estimates."""
    both = [found.between(player) for player in (0, 1)]
    if not any(both):
        return []
    told = [" to ".join(rate(each, found.points) for each in one) if one else "-" for one in both]
    return [["an estimate:", *told]]


def sums(found: Analysis) -> None:
    """Both players' figures side by side, as means."""
    pair = found.figures
    lines: list[list[Any]] = [
        ["decisions", *(f.decisions for f in pair)],
        ["lost per decision", *(rate(f.error_rate, found.points) for f in pair)],
        *_ranges(found),
        ["accuracy", *map(accuracy, pair)],
        *luck_lines(found),
    ]
    lines += [[word, *(f.counts[word] for f in pair)] for word in JUDGED]
    if pair[0].talk is not None and pair[1].talk is not None:
        for name in vars(pair[0].talk):
            lines.append([talk_words(found.record.game, name), *(getattr(f.talk, name) for f in pair)])
    cli.rows("", ["", *found.players], lines, right=(1, 2))


def decisions(found: Analysis, player: int, every: bool) -> None:
    """The decisions of one player, those that lost something or all, in order of play; plies count from 1."""
    mine = [m for m in found.moments if m.who == player and m.decided and (every or m.judgement != "best")]
    name = found.players[player]
    if not mine:
        return
    game: WrittenGame = found.record.game
    narrow = shutil.get_terminal_size().columns < NARROW
    title = f"{name}: every decision" if every else f"{name}: decisions that lost something"
    cli.out.print()
    lines = []
    for m in mine:
        best = "" if m.judgement == "best" else best_actions(game, m)
        done = [m.ply + 1, family(game).place(game, m.view), game.show_choice(m.choice)]
        lines.append([*done, lost(found, m.loss).removesuffix(" points"), _word(m, narrow), best])
    cli.rows(title, ["ply", "at", "did", "loss", "", "best"], lines, right=(0, 3))
    for note in dict.fromkeys(m.note for m in mine if m.note):
        cli.out.print(f"~ {note} (docs/analysis.md)", soft_wrap=False)


def _word(moment: Moment, narrow: bool) -> str:
    """The judgement, and `~` where something must be said with it."""
    told = str(moment.judgement)
    word = MARKS.get(told, "") if narrow else told.replace("best", "")
    return f"{word} ~".strip() if moment.note else word


def many(rows: Sequence[dict[str, Any]], reviews: Sequence[Any]) -> None:
    """Many games: a line each, as far as they are shown, and every player's sums."""
    lines = []
    for row in rows:
        found = row["outline"]
        one, two = found.figures
        ending = "*" if found.result is None else f"{found.record.payoff:+g}"
        lines.append(
            [str(row["number"]), found.summary()["game"], " - ".join(found.players), ending]
            + [lost(found, f.loss).removesuffix(" points") for f in (one, two)]
            + [amount(found, one.luck + one.hidden_luck, signed=True).removesuffix(" points")]
        )
    columns = ["", "game", "players", "result", "first lost", "second lost", "luck of first"]
    title = f"the first {len(lines)} games" if len(lines) == MOST_ROWS else ""
    cli.rows(title, columns, lines, right=(0, 3, 4, 5, 6))
    for review in reviews:
        cli.out.print()
        cli.rows(f"{review.player} in {review.game}", ["", ""], _review(review), right=(1,))


def _review(review: Any) -> list[list[str]]:
    def unit(number: float) -> str:
        return rate(number, review.points).removesuffix(" points")

    def spread(name: str) -> str:
        if (found := getattr(review, name)) is not None:
            return f"{unit(found.estimate)} ({unit(found.low)} to {unit(found.high)})"
        return unit(review.means[name]) if name in review.means else "-"

    of = f", {100 * LEVEL:g} % interval" if review.luck else " (too few games for an interval)"
    lines = [
        ["games", f"{review.games:,}"],
        ["decisions", f"{review.decisions:,}"],
        ["error rate", unit(review.error_rate)],
        ["accuracy", accuracy(review)],
        *([word, f"{review.counts.get(word, 0):,}"] for word in JUDGED),
        [f"a game{of}:", ""],
        ["lost by decisions", spread("loss_per_game")],
        ["luck", spread("luck")],
        ["result", spread("result")],
        ["with average luck", spread("adjusted")],
    ]
    if review.talk is not None:
        lines += [[name.replace("_", " "), f"{number:,}"] for name, number in vars(review.talk).items()]
    return lines


def habits(found: Any, exploit: Any) -> None:
    """How often a player bluffs and calls, beside the equilibrium, and what it costs."""
    lines = []
    for habit in found.habits:
        share, low, high = (100 * part for part in (habit.taken.estimate, habit.taken.low, habit.taken.high))
        shown = [f"{share:.1f} %", f"{low:.1f} to {high:.1f} %", f"{100 * habit.equilibrium:.1f} %"]
        lines.append([habit.kind, f"{habit.taken.games:,}", *shown, habit.answer])
    columns = ["", "decisions", "share", "interval", "equilibrium", "answer"]
    cli.out.print()
    cli.rows(f"{found.player} in {found.game.name}", columns, lines, right=(1, 2, 3, 4))
    if exploit is not None:
        told = (
            f"A best response to these frequencies wins {100 * exploit.first_wins:.1f} % moving first and "
            f"{100 * exploit.second_wins:.1f} % moving second, {100 * exploit.gain:.1f} % more than the equilibrium."
        )
        cli.out.print(told, soft_wrap=False)


def learn(found: Analysis, player: int) -> None:
    """Ask the player's costliest decisions again, one by one, and say what each action is worth."""
    asked = found.mistakes(player)[:MOST_ASKED]
    if not asked:
        cli.out.print("None of your decisions lost anything; there is nothing to ask again.")
        return
    answers: list[bool] = []
    for number, moment in enumerate(asked, start=1):
        answer = _ask(found, moment, number, len(asked))
        if answer is None:
            break
        answers.append(answer)
    cli.out.print(f"{sum(answers)} of {len(answers)} right." if answers else "Nothing was answered.")


def _ask(found: Analysis, moment: Moment, number: int, of: int) -> bool | None:
    """Whether the answer was as good as the best; None once there are no more answers."""
    game: WrittenGame = found.record.game
    words = {game.show_choice(action): action for action in moment.worths}
    cli.out.print()
    cli.out.print(f"{number} of {of}. You {family(game).are_at} {family(game).place(game, moment.view)}.")
    prompt = f"What do you do ({_listed(list(words))})? "
    while True:
        print(prompt, end="", flush=True)
        try:
            text = input().strip()
        except EOFError:
            print()
            return None
        if text in words:
            break
        cli.out.print(f"{text!r} is not one of {_listed(list(words))}.")
    loss = max(moment.worths.values()) - moment.worths[words[text]]
    good = words[text] in moment.tied
    worse = f"Not the best: {family(game).doing(game, words[text])} loses {lost(found, loss)}"
    verdict = "Right" if good else worse
    cli.out.print(f"{verdict}. In the game: {decision(found, moment)} lost {lost(found, moment.loss)}.")
    ranked = sorted(moment.worths, key=lambda action: -moment.worths[action])
    worths = ", ".join(f"{game.show_choice(a)} {amount(found, moment.worths[a])}" for a in ranked[:5])
    cli.out.print(f"Worth: {worths}{', ...' if len(ranked) > 5 else ''}.")
    return good


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if len(words) <= 12 else f"{', '.join(words[:11])}, ... {words[-1]}"
