"""What happens at the table, told to the person who sits there: one fact a line, hidden dice left out."""

from typing import Any, NamedTuple

from ..core.errors import NotationError
from ..core.game import CHANCE, FIRST, SECOND, Action, Outcome, State
from ..families import words
from ..games.bluff import SPOT_ON, Bid, Bluff, BluffState, Ending
from ..games.bluff_match import BluffMatch
from ..games.calling import ACCEPT, CHALLENGE, CallingGame
from ..games.calling_keep import KEEP, KeepGame
from ..games.race import HOLD, Effect, Face, RaceGame
from ..games.spoken import count, dice, hand, side

FAMILIES = (RaceGame, Bluff, BluffMatch, CallingGame, KeepGame)


class Scene(NamedTuple):
    """One choice as the person sees it: who made it, the state it led to, and what is said of it."""

    who: int  # FIRST, SECOND or CHANCE
    choice: Action | Outcome
    state: State
    lines: tuple[str, ...]
    by: int  # the player who did it or whose dice they are
    spoken: bool  # whether it was said: a bid, a call, an answer


class Teller(NamedTuple):
    """Tells a game to the player in seat `me`; the other has a name."""

    game: Any
    me: int
    name: str

    @property
    def other(self) -> str:
        """The other's name at the start of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def who(self, player: int) -> str:
        """The subject of a sentence."""
        return "You" if player == self.me else self.other

    def does(self, player: int, verb: str) -> str:
        """Subject and verb, and what follows it: `You roll`, `Optimal rolls six dice`."""
        if player == self.me:
            return f"You {verb}"
        first, *rest = verb.split(" ", 1)
        return " ".join([self.other, f"{first}{'es' if first.endswith('s') else 's'}", *rest])

    def scene(self, before: State, choice: Action | Outcome, after: State) -> Scene:
        """One choice, told."""
        who = self.game.mover(before)
        match self.game:
            case RaceGame():
                lines = self._race(before, choice, after)
            case Bluff():
                lines = self._bluff(self.game, before, choice, (FIRST, SECOND))
                if isinstance(choice, str):
                    lines += self._reveal(self.game, after, (FIRST, SECOND))
            case BluffMatch():
                lines = self._match(before, choice, after)
            case _:
                lines = self._calling(before, choice, after)
        spoken = who != CHANCE and not isinstance(self.game, RaceGame)
        return Scene(who, choice, after, tuple(lines), self._roller(before) if who == CHANCE else who, spoken)

    def _roller(self, state: Any) -> int:
        match self.game:
            case RaceGame():
                return int(state.mover)
            case Bluff():
                return len(state.hands)
            case BluffMatch():
                return int(self.game.seat(state.standing, len(state.now.hands)))
        return int(state.cup)

    def _race(self, before: Any, choice: Any, after: Any) -> list[str]:
        who = before.mover
        if not isinstance(choice, Face):
            if choice == HOLD:
                banked = f"{self.does(who, 'hold')} {before.turn}: the score is {after.yours}."
                return [banked if before.turn else f"{self.does(who, 'pass')}."]
            return [f"{self.does(who, words.say(self.game, choice))}."] if len(self.game.rolls) > 1 else []
        said = words.say(self.game, choice).replace(": ", ", ", 1)
        if choice.effect is Effect.RUIN:
            said = said.replace("the whole", "your whole" if who == self.me else f"{self.name}'s whole")
        if choice.effect in (Effect.ADD, Effect.BANK) and self._beyond(before, choice):
            said = f"{said.split(',')[0]}, beyond {self.game.goal}: the turn is lost"
        elif after.mover == who:
            said += f"; turn total {after.turn}"
        elif choice.effect is not Effect.BUST:
            said += f"; the score is {after.yours}"
        return [f"{self.does(who, 'roll')}: {said}."]

    def _beyond(self, before: Any, face: Face) -> bool:
        turn = before.turn if face.effect is Effect.ADD else 0
        return bool(self.game.overshoots(before.mine + turn + face.points))

    def _bluff(self, rules: Bluff, before: BluffState, choice: Any, players: tuple[int, int]) -> list[str]:
        """One thing done in a round; `players` are those on its two seats."""
        seat = rules.mover(before)
        if seat == CHANCE:
            roller = players[len(before.hands)]
            return [f"Your dice: {hand(choice)}." if roller == self.me else f"{self.other} rolls in secret."]
        who = players[seat]
        if isinstance(choice, Bid):
            return [f"{self.does(who, 'bid')} {words.say(rules, choice)}."]
        return [f"{self.does(who, 'say')} spot on." if choice == SPOT_ON else f"{self.does(who, 'call')}."]

    def _reveal(self, rules: Bluff, state: BluffState, players: tuple[int, int]) -> list[str]:
        """The end of a round: all dice and the count."""
        end = rules.ending(state)
        bid = state.said[-2]
        assert isinstance(bid, Bid)
        lines = [
            f"{self.who(player)} had {hand(shown)}."
            for player, shown in zip(players, state.hands, strict=True)
        ]
        return [*lines, _count(rules, bid, end)]

    def _match(self, before: Any, choice: Any, after: Any) -> list[str]:
        rules = self.game.round_of(before.standing)
        players = (before.standing.opener, 1 - before.standing.opener)
        lines = self._bluff(rules, before.now, choice, players)
        if len(after.past) > len(before.past):
            end = rules.ending(after.past[-1])
            winner = players[end.caller if end.right else 1 - end.caller]
            lines += [*self._reveal(rules, after.past[-1], players), f"{self.does(winner, 'win')} the round."]
            mine, theirs = after.standing.dice[self.me], after.standing.dice[1 - self.me]
            lines.append(f"You have {dice(mine)}, {self.name} has {dice(theirs)}.")
        return lines

    def _calling(self, before: Any, choice: Any, after: Any) -> list[str]:
        who = self.game.mover(before)
        label = words.say(self.game, choice) if choice != ACCEPT else ""
        if who == CHANCE:
            return [f"You roll {label}." if before.cup == self.me else f"{self.other} rolls in secret."]
        if isinstance(choice, str) and choice.startswith(KEEP):
            return [f"{self.does(who, 'keep')} {label.removeprefix('keep ')}."]
        if isinstance(choice, int):
            return [f"{self.does(who, 'call')} {label}."]
        called, rolled = words.say(self.game, before.call), words.say(self.game, before.roll)
        if choice == CHALLENGE:
            pair = self.game.pair if isinstance(self.game, KeepGame) else self.game
            found = "true" if pair.true(before.roll, before.call) else "not true"
            return [f"{self.does(who, 'challenge')}.", f"The dice show {rolled}: {called} was {found}."]
        lines = [f"{self.does(who, 'accept')} {called}."]
        if isinstance(self.game, KeepGame) and who == self.me:
            lines.append(f"You lift the cup: {rolled}.")
        return lines

    def position(self, state: State) -> list[str]:
        """What there is to know when this player has to choose."""
        view = self.game.view(state, self.me)
        match self.game:
            case RaceGame():
                turn = f"Turn total {view.turn}." if view.turn else "A new turn."
                return [f"You have {view.mine}, {self.name} has {view.yours}; {self.game.goal} wins.", turn]
            case Bluff() | BluffMatch():
                now = view.now if isinstance(self.game, BluffMatch) else view
                last = (
                    f"The last bid is {words.say(self.game, now.said[-1])}." if now.said else "You bid first."
                )
                return [f"Your dice: {hand(now.mine)}.", last]
        return self._cup(view)

    def _cup(self, view: Any) -> list[str]:
        def say(rank: int) -> str:
            return words.say(self.game, rank)

        if view.call is not None:
            return [f"{self.other} calls {say(view.call)}: accept or challenge?"]
        if getattr(view, "seen", None) is not None:
            return [f"The dice are {say(view.seen)}; {say(view.accepted)} must be beaten. Which do you keep?"]
        beat = f"; call more than {say(view.accepted)}" if view.accepted >= 0 else "; call what you like"
        return [f"You have {say(view.roll)} under the cup{beat}."]

    def end(self, ended: str, payoff: float) -> str:
        """How the game ended, for this player."""
        if ended != "over":
            return (
                "Nobody wins: play goes round in a circle."
                if ended == "stalemate"
                else "The game was stopped."
            )
        gain = payoff if self.me == FIRST else -payoff
        points = isinstance(self.game, RaceGame) and self.game.payoff_rule != "win"
        size = f" {abs(gain):g} {'point' if abs(gain) == 1 else 'points'}" if points else ""
        return f"You win{size}." if gain > 0 else f"{self.other} wins{size}." if gain < 0 else "A draw."


def _count(rules: Bluff, bid: Bid, end: Ending) -> str:
    wild = rules.wild_face
    also = f", {side(wild, 2)} counted" if wild and wild != bid.face else ""
    there = f"{count(end.found)} {side(bid.face, end.found)}"
    are = "is" if end.found == 1 else "are"
    return f"There {are} {there} in all{also}; {words.say(rules, bid)} {'was' if bid.quantity == 1 else 'were'} bid."


def check_family(game: Any) -> None:
    """NotationError if the game is none that is played at a table here."""
    if not isinstance(game, FAMILIES):
        raise NotationError(f"{game.name} is not played here; race games, bluff and calling games are")
