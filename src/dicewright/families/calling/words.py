"""Calling games in plain words, written from their fields, and told to a person at the table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ...core.game import CHANCE, Action, Outcome
from ..family import Family
from ..spoken import count, dice, kind
from ..telling import BIDS
from ..told import Hand, Listener, RecordPly, Sentence, Thing, Word
from .menu import MENU
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingState, CallingView

CALLING = {"liars-die": "Liar’s Die", "mia": "Mia", "liars-dice-poker": "Liar’s Poker Dice"}
MANY = 30  # ranks, more than which are offered by what they have in common
COMBINATIONS = {
    (5,): "five of a kind",
    (4,): "four of a kind",
    (3, 2): "a full house",
    (3,): "three of a kind",
    (2, 2): "two pairs",
    (2,): "a pair",
    (): "nothing",
}
USUAL_RANKS = {"liars-die": 6, "mia": 21, "liars-dice-poker": 252}


class CallingWords(Family[CallingGame]):
    """Who has the cup, and the dice under it; a call is a bluff if its caller knows that it is false."""

    keys: Mapping[str, Action] = {"a": ACCEPT, "c": CHALLENGE, "x": CHALLENGE}
    stand_in = "truthful"
    believing = ("calling-1", "keep-1")
    menu = MENU
    talks = True
    secret = "what is under the cup"
    counts: Mapping[str, str] = {
        "bids": "calls",
        "calls": "challenges",
        "right_calls": "right challenges",
        "over_calls": "over-challenges",
    }
    captions: Mapping[str, str] = {
        **BIDS,
        **counts,
        "over_calls": "challenges of what was true",
        "taken_in": "false calls believed",
    }

    def short(self, game: CallingGame) -> str:
        """Such as `Mia`, whatever its fields are."""
        name = kind(game.name)
        return CALLING.get(name, name)

    def title(self, game: CallingGame) -> str:
        """The game, and its number of ranks if that is unusual."""
        ranks = len(game.labels)
        unusual = f", {count(ranks)} ranks" if ranks != USUAL_RANKS.get(kind(game.name), 0) else ""
        return self.short(game) + unusual + (", dice may be kept" if game.keep else "")

    def rules(self, game: CallingGame) -> tuple[str, ...]:
        """The roll, the call, the answer, the highest rank."""
        keep = "Whoever accepts sees the dice and chooses which to roll again; the others stay in the open."
        wins = {"exactly": "exactly what was called", "at-least": "what was called or higher"}[game.truth]
        return (
            *_rolling(game),
            "Look at it, and call something higher than the last call: the truth or a lie.",
            *(() if game.below else ("You may call more than you rolled, never less.",)),
            "The other accepts, takes the cup, and must call higher; or challenges.",
            *((keep,) if game.keep else ()),
            f"After a challenge the dice are shown: the caller wins if they are {wins}, else the challenger wins.",
            f"Nothing beats {game.labels[-1]}: whoever accepts it loses.",
        )

    def say(self, game: CallingGame, choice: Action | Outcome) -> str:
        """A rank by its label, and what is kept."""
        if not _keeps(choice):
            return game.show_choice(choice)
        kept = choice.removeprefix(KEEP)
        return f"keep {' and '.join(kept)}" if kept else "keep nothing, roll both dice"

    def doing(self, game: CallingGame, action: Action) -> str:
        """`calling 51`, `accepting`, `keeping 61`."""
        text = game.show_choice(action)
        if isinstance(action, int):
            return f"calling {text}"
        if _keeps(action):
            return f"keeping {text.removeprefix(KEEP) or 'nothing'}"
        return {ACCEPT: "accepting", CHALLENGE: "challenging"}.get(text, text)

    def groups(self, game: CallingGame) -> list[tuple[str, list[str]]]:
        """Where there are many ranks, those of one kind together with the words for it, lowest first.

        >>> from dicewright.families.calling.cups import liars_dice_poker, mia
        >>> words = CallingWords()
        >>> [(name, len(labels)) for name, labels in words.groups(liars_dice_poker())][-3:]
        [('a full house', 30), ('four of a kind', 30), ('five of a kind', 6)]
        >>> words.groups(mia())
        []
        """
        if len(game.labels) <= MANY or kind(game.name) != "liars-dice-poker":
            return []
        return [(name, list(labels)) for name, labels in groupby(game.labels, _combination)]

    def seen(self, game: CallingGame, view: CallingView) -> str:
        """The dice if they are seen, the call to answer, the call to beat."""
        parts = (
            ("rolled {}", view.roll),
            ("{} called", view.call),
            ("{} under the cup", view.seen),
            ("{} accepted", view.accepted if view.accepted != NOTHING else None),
        )
        told = [words.format(self.say(game, rank)) for words, rank in parts if rank is not None]
        if view.kept:
            told.insert(-1, f"{view.kept} kept")
        return "; ".join(told) or "nothing called yet"

    def decision(self, game: CallingGame, view: CallingView, action: Action) -> str:
        """With the dice, or the call that was answered."""
        done = self.acting(game, action)
        beat = self.say(game, view.accepted) if view.accepted != NOTHING else ""
        if isinstance(action, int):
            return f"{done} with {self.say(game, view.roll)} under the cup{f', after {beat}' if beat else ''}"
        of = f" {self.say(game, view.call)}" if view.call is not None else f" of {self.say(game, view.seen)}"
        return f"{done}{of}{f' after {beat} had been accepted' if beat else ''}"

    def faces(self, game: CallingGame, choice: Action | Outcome) -> tuple[int, ...]:
        """What the label of a rank tells."""
        if isinstance(choice, str):
            return ()
        label = game.labels[choice]
        match kind(game.name):
            case "liars-die":
                return (int(label),)
            case "mia":
                return tuple(map(int, label.split("-") if "-" in label else label))
            case "liars-dice-poker":  # without kickers only the combination is known
                return tuple(map(int, label)) if len(label) == max(map(len, game.labels)) else ()
        return ()

    def is_bluff(self, game: CallingGame, view: CallingView, action: Action) -> bool:
        """A call that is not true of the dice under the cup."""
        return isinstance(action, int) and view.roll is not None and not game.true(view.roll, action)

    def is_call(self, game: CallingGame, view: CallingView, action: Action) -> bool:
        """A challenge."""
        return bool(action == CHALLENGE)

    def said(self, game: CallingGame, plies: Iterable[RecordPly]) -> Iterator[Word]:
        """Calls and their answers; what is kept says nothing."""
        false = False
        for ply in plies:
            if ply.who >= 0 and isinstance(ply.choice, int):
                false = self.is_bluff(game, ply.view, ply.choice)
                yield Word(ply.who, True, false, false)
            elif ply.choice in (ACCEPT, CHALLENGE):
                yield Word(ply.who, False, False, false, ply.choice == CHALLENGE)

    def tell(
        self,
        game: CallingGame,
        to: Listener,
        before: CallingState,
        choice: Action | Outcome,
        after: CallingState,
    ) -> list[str]:
        """A challenge shows the dice; who accepts where dice may be kept sees what lay under the cup."""
        who, said = game.mover(before), self.say(game, choice)
        if who == CHANCE:
            return [f"You roll {said}." if before.cup == to.me else f"{to.other} rolls in secret."]
        if _keeps(choice):
            return [f"{to.does(who, 'keep')} {said.removeprefix('keep ')}."]
        if isinstance(choice, int) or before.call is None or before.roll is None:
            return [f"{to.does(who, 'call')} {said}."]
        called, rolled = self.say(game, before.call), self.say(game, before.roll)
        if choice == ACCEPT:
            lifted = [f"You lift the cup: {rolled}."] if game.keep and who == to.me else []
            return [f"{to.does(who, 'accept')} {called}.", *lifted]
        found = "true" if game.true(before.roll, before.call) else "not true"
        return [f"{to.does(who, 'challenge')}.", f"The dice show {rolled}: {called} was {found}."]

    def ask(self, game: CallingGame, to: Listener, view: CallingView) -> list[str]:
        """The call to be answered, the dice to be called, or those of which some may be kept."""
        accepted = self.say(game, view.accepted)
        if view.seen is not None:
            seen = self.say(game, view.seen)
            return [f"The dice are {seen}; {accepted} must be beaten. Which do you keep?"]
        if view.call is not None:
            return [f"{to.other} calls {self.say(game, view.call)}: accept or challenge?"]
        more = f"call more than {accepted}" if view.accepted >= 0 else "call what you like"
        return [f"You have {self.say(game, view.roll)} under the cup; {more}."]

    def lay(
        self,
        game: CallingGame,
        to: Listener,
        state: CallingState,
        turn: Sequence[Action | Outcome],
        over: bool,
    ) -> list[Thing]:
        """The holder of the cup, the call to be beaten, and the dice, hidden from the one who answers."""
        view, mine = game.view(state, to.me), state.cup == to.me
        rank = state.roll if over else view.roll
        rank = view.seen if rank is None else rank
        beat = "" if view.call is not None else " No call stands."
        if view.accepted >= 0:
            is_or_was = "was" if view.call is not None else "is"
            beat = f" {self.say(game, view.accepted)} {is_or_was} to be beaten."
        kept = f" Kept: {view.kept}." if view.kept else ""
        head = f"{'You have' if mine else f'{to.other} has'} the cup.{beat}{kept}"
        hidden = (None,) * max(1, len(self.faces(game, game.top)))
        words = "under the cup" if rank is None else self.say(game, rank)
        words += f", called {self.say(game, view.call)}" if view.call is not None else ""
        return [Sentence(head, mine), Hand(hidden if rank is None else self.faces(game, rank), words)]

    def offer(self, game: CallingGame, action: Action, view: CallingView) -> str:
        """What is kept in words."""
        return self.say(game, action) if _keeps(action) else super().offer(game, action, view)


def _keeps(choice: Action | Outcome) -> bool:
    return isinstance(choice, str) and choice.startswith(KEEP)


def _rolling(game: CallingGame) -> tuple[str, ...]:
    shown = game.labels if len(game.labels) <= 9 else (*game.labels[:3], "...", *game.labels[-4:])
    span = f"From low to high: {', '.join(shown)}."
    match kind(game.name):
        case "liars-die":
            sides = "" if len(game.labels) == 6 else f" with {count(len(game.labels))} sides"
            return (f"Roll a die{sides} under the cup, unseen by the other.",)
        case "mia":
            read = "Roll two dice under the cup, unseen by the other; the larger is read first."
            top = f"Doubles beat other rolls, and {game.labels[-1]} beats everything."
            return read, f"{top} {span}"
        case "liars-dice-poker":
            most = max(map(len, game.labels))
            roll = f"Roll {dice(most)} under the cup, unseen by the other; hands rank as in poker dice."
            return roll, span
    return (f"Roll under the cup, unseen by the other. {span}",)


def _combination(label: str) -> str:
    """What the dice of a label make.

    >>> [_combination(label) for label in ("65432", "64321", "33366", "33366"[:3])]
    ['a straight', 'nothing', 'a full house', 'three of a kind']
    """
    groups = Counter(label)
    if len(groups) == 5 and int(max(label)) - int(min(label)) == 4:
        return "a straight"
    return COMBINATIONS[tuple(sorted((number for number in groups.values() if number > 1), reverse=True))]
