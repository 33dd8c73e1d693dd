"""Race games told to a person at the table, and what menus say of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ...core.game import FIRST, SEATS, Action, Outcome
from ...core.solution import Solution
from ..family import Family
from ..menu import Front, Menu, MenuPlayer, Saying, Sight
from ..spoken import count, dice
from ..told import Listener, Rail, Rolls, Thing
from .fallen import PIGS, fallen, makes
from .pictures import MOST_DRAWN
from .rules import HOLD, ROLL, Effect, Face, RaceGame, RaceState, RaceView
from .tabled import choosing
from .why import race_why
from .words import is_pigs, race_faces, race_say, thrown

LATEST = 4  # rolls that are told where no dice are known
_MAPS = ("pig", "piglet", "two-dice-pig", "big-pig", "pass-the-pigs")


def _goal(*usual: int) -> Saying:
    return Saying("Goal", "to {}", usual, main=True, apart=True, most=MOST_DRAWN)


MENU = Menu(
    about={
        "pig": "One die. Roll as often as you dare; a 1 loses the turn.",
        "piglet": "A coin instead of a die: the smallest game of nerve.",
        "two-dice-pig": "Two dice; a 1 loses the turn, two 1s lose everything.",
        "big-pig": "Two dice, doubles count twice, two 1s are worth 25.",
        "hog": "Choose how many dice to roll, once a turn.",
        "pass-the-pigs": "Two rubber pigs, with the chances of 6000 real throws.",
        "race": "Dice of your own: what each face does, and how often it comes.",
    },
    front={"pig": Front(1, (5,))},
    fields={
        "goal": _goal(25, 50, 100),
        "goal/pig": _goal(25, 50, 100, 200),
        "goal/piglet": _goal(3, 10, 20),
        "dice": Saying("Dice", {"5": "up to 5 dice", "10": "up to 10 dice"}, main=True),
        "one": Saying("A 1", {"busts": "a 1 loses the turn", "scores": "a 1 scores one point"}),
        "ones": Saying("Two 1s", {"ruin": "two 1s lose everything", "bust": "two 1s lose only the turn"}),
        "finish": Saying(
            "The finish",
            {"reach": "reach the goal or pass it", "exact": "hit the goal exactly"},
            apart=True,
        ),
        "payoff": Saying(
            "Payoff",
            {
                "win": "playing to win",
                "margin": "playing for the margin",
                "difference": "playing for points",
            },
            apart=True,
        ),
        "sides": Saying("Sides", "dice with {} sides", (4, 6, 8, 10, 12, 20)),
        "faces": Saying("Faces", "the faces {}"),
        "title": Saying("Title", "called {}"),
        "skip": Saying("Skipping", {"no": "a turn needs a roll", "yes": "a turn may be skipped"}),
    },
    players={
        "hold": MenuPlayer("the hold-at-{} player", "Holds at the same turn total every time."),
        "turtle": MenuPlayer("the turtle", "Banks a little every turn."),
        "roll-to-win": MenuPlayer("a daredevil", "Never holds before the goal."),
        "roll-and-wait": MenuPlayer(
            "the roll-and-wait player", "Skips turns near the goal until the other is there too."
        ),
        "four-scoring-turns": MenuPlayer("the divider", "Divides what is left into even turns."),
        "keep-pace": MenuPlayer("the pacemaker", "Follows the lead, and rolls to win in sight of the goal."),
        "end-race": MenuPlayer("the end-racer", "Holds at a fixed number until somebody is near the goal."),
        "fewest-turns": MenuPlayer("the sprinter", "Gets home in as few turns as it can, whatever you do."),
        "max-difference": MenuPlayer("the point collector", "Plays for points rather than for the win."),
        "averse": MenuPlayer("the careful player", "Prefers sure points to a gamble for more."),
        "neutral": MenuPlayer("the cool-headed player", "Plays each turn for its expected points."),
        "loving": MenuPlayer("the gambler", "Prefers a gamble for more to sure points."),
        "influenced": MenuPlayer(
            "the impressionable player", "Rolls on when behind, and stops early when ahead."
        ),
        "mirroring": MenuPlayer("the mirror", "Holds at what your last scoring turn gained."),
        "noisy": MenuPlayer(
            "the unsteady player", "Knows what is best, and errs the more often the less it costs."
        ),
    },
    meetings=("pig", "piglet", "big-pig", "hog"),
    rule="turn < 20 or yours >= 71",
    says={"begins": ("Roll to begin.", "No roll yet.")},
)
_WORDS = {
    "mine": "my score",
    "yours": "opponent",
    "turn": "turn total",
    "slider": "Opponent’s score",
    "holds": "Holds from a turn total of",
    "surface": "Below the surface it rolls, from the surface on it holds.",
    "least": "Lowest turn total that holds",
    "blue": "{} rolls, {} holds",
    "orange": "{} holds, {} rolls",
    "differ": "Turn totals where they differ",
}
SIGHTS = {
    "map": Sight("Map", "families/race-map", _MAPS, captions=_WORDS),
    "surface": Sight("Surface", "families/race-surface", _MAPS, captions=_WORDS),
    "compare": Sight("Compare", "families/race-compare", _MAPS, pair=True, captions=_WORDS),
}


class AtTable(Family[RaceGame]):
    """Two rails, and the dice of the turn."""

    keys: Mapping[str, Action] = {"r": ROLL, "h": HOLD}
    stand_in = "hold:20"
    menu, sights = MENU, SIGHTS
    designs: Mapping[str, str] = {"race": "families/race-design"}

    def tell(
        self, game: RaceGame, to: Listener, before: RaceState, choice: Any, after: RaceState
    ) -> list[str]:
        """A roll is told by its dice, unless it was one of several."""
        who = before.mover
        if isinstance(choice, Face):
            return [f"{to.does(who, 'roll')}: {_rolled(game, to, before, choice, after)}."]
        if choice == HOLD and before.turn:
            return [f"{to.does(who, 'hold')} {before.turn}: the score is {after.yours}."]
        if choice == HOLD:
            return [f"{to.does(who, 'pass')}."]
        return [f"{to.does(who, race_say(game, choice))}."] if len(game.rolls) > 1 else []

    def ask(self, game: RaceGame, to: Listener, view: RaceView) -> list[str]:
        """The scores and the turn total."""
        turn = f"Turn total {view.turn}." if view.turn else "A new turn."
        return [f"You have {view.mine}, {to.name} has {view.yours}; {game.goal} wins.", turn]

    def lay(
        self, game: RaceGame, to: Listener, state: RaceState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """The scores on their way, and the dice of the turn or what they did."""
        view = game.view(state, to.me)
        mine, theirs = (view.turn, 0) if view.my_turn else (0, view.turn)
        shown = [choice for choice in turn if isinstance(choice, Face)]
        said = "; ".join(race_say(game, choice) for choice in shown[-LATEST:])
        return [
            Rail("you", view.mine, mine, game.goal, True),
            Rail(to.name, view.yours, theirs, game.goal, False),
            Rolls(
                [face for choice in shown for face in race_faces(game, choice)],
                said or "The dice are in the cup.",
            ),
        ]

    def offer(self, game: RaceGame, action: Action, view: RaceView) -> str:
        """Holding with the score that it banks."""
        banked = f" {view.mine + view.turn}" if action == HOLD and view.turn else ""
        return super().offer(game, action, view) + banked

    def acting(self, game: RaceGame, action: Action) -> str:
        """`rolling three dice`."""
        if not str(action).isdecimal():
            return self.doing(game, action)
        return f"rolling {dice(int(action))}"

    def seen(self, game: RaceGame, view: RaceView) -> str:
        """Which number is which, whoever reads it."""
        return f"own score {view.mine}, the other’s {view.yours}, turn total {view.turn}"

    def decision(self, game: RaceGame, view: RaceView, action: Action) -> str:
        """With what was at stake."""
        points, done = f"{view.turn} {'point' if view.turn == 1 else 'points'}", self.acting(game, action)
        if action == HOLD:
            done += f" {points}" if view.turn else " at once"
        elif action == ROLL and view.turn:
            done += f" again with {points} at stake"
        return f"{done} at {view.mine} to {view.yours}"

    def why(self, game: RaceGame, solution: Solution, view: RaceView, choice: Action, best: Action) -> str:
        """From what the other does next, and what would have been needed."""
        return race_why(game, solution, view, choice, best)

    def layout(self, game: RaceGame) -> dict[str, Any]:
        """The buttons that keep their place, and what is asked where several rolls may be chosen."""
        names = [name for name, _ in game.rolls]
        holds = [HOLD] if game.has(Effect.ADD) or game.skip else []
        return {
            "buttons": [{"action": name, "words": self.say(game, name)} for name in [*names, *holds]],
            "banks": HOLD,
            "pigs": is_pigs(game),
            "question": "How many dice do you roll?" if all(map(str.isdecimal, names)) else None,
        }

    def position(self, game: RaceGame, state: RaceState, seat: int | None, over: bool) -> dict[str, Any]:
        """Everybody sees the scores and the turn total; `bank` is what holding makes of the mover's score."""
        mine, yours, turn, _ = game.view(state, FIRST)
        bank = state.mine + turn if turn else None
        return {
            "scores": [mine, yours],
            "turn": turn,
            "goal": game.goal,
            "bank": bank,
            "ask": self.asks(game, state, seat),
        }

    def scene(self, game: RaceGame, before: RaceState, choice: Any, after: RaceState) -> dict[str, Any]:
        """The scores; of a roll also its dice as far as they are known, and what it did; how a turn ended."""
        mine, yours, turn, _ = game.view(after, FIRST)
        found: dict[str, Any] = {"scores": [mine, yours], "turn": turn, "mover": SEATS[after.mover]}
        gained = after.yours - before.mine
        if isinstance(choice, Face):
            number, faces = thrown(game, before.rolling, choice)
            lost = choice.effect in (Effect.BUST, Effect.RUIN)
            label = str(choice.effect) if lost else f"{'' if number > 1 else '+'}{choice.points}"
            note = f"{count(number)} dice" if number > 1 else ""
            found["roll"] = {"faces": faces, "bad": lost, "label": label, "note": note}
            if after.mover != before.mover:
                ruined = choice.effect is Effect.RUIN
                found["end"] = (
                    f"banked +{gained}" if gained > 0 else "everything lost" if ruined else "nothing gained"
                )
        elif choice == HOLD:
            found["end"] = f"held +{gained}"
        return found

    def lie(
        self, game: RaceGame, before: RaceState, choice: Any, pick: Callable[[int], int]
    ) -> tuple[int, ...]:
        """The dice of a roll whose table knows sums only."""
        return fallen(game, before.rolling, choice, pick) if isinstance(choice, Face) else ()

    def may_lie(self, game: RaceGame, before: RaceState, choice: Any, lie: Sequence[int]) -> bool:
        """Whether they make the outcome."""
        return isinstance(choice, Face) and makes(game, before.rolling, choice, tuple(lie))

    def lie_words(self, game: RaceGame, lie: Sequence[int]) -> str:
        """Dice, or where each of the two pigs lies."""
        pigs = "one pig {}, the other {}" if lie[0] != lie[-1] else "both pigs {}"
        return (
            pigs.format(*(PIGS[place - 1] for place in lie))
            if is_pigs(game)
            else super().lie_words(game, lie)
        )

    def rule(self, game: RaceGame) -> str:
        """Where several rolls may be chosen it says which."""
        return self.menu.rule if len(game.rolls) == 1 else choosing(game)

    def looks(self, game: RaceGame) -> Collection[str]:
        """Where turns have totals."""
        return self.sights if game.has(Effect.ADD, Effect.RUIN) else ()

    def spot(self, game: RaceGame, view: RaceView) -> dict[str, Any] | None:
        """On the map."""
        where = {"yours": view.yours, "mine": view.mine, "turn": view.turn}
        return {"view": "map", **where} if self.looks(game) else None


def _rolled(game: RaceGame, to: Listener, before: RaceState, face: Face, after: RaceState) -> str:
    """What the dice did."""
    said = race_say(game, face).replace(": ", ", ", 1)
    if face.effect is Effect.RUIN:
        said = said.replace("the whole", "your whole" if before.mover == to.me else f"{to.name}'s whole")
    score = before.mine + (before.turn if face.effect is Effect.ADD else 0) + face.points
    if face.effect in (Effect.ADD, Effect.BANK) and game.overshoots(score):
        return f"{said.split(',')[0]}, beyond {game.goal}: the turn is lost"
    if after.mover == before.mover:
        return f"{said}; turn total {after.turn}"
    return said if face.effect is Effect.BUST else f"{said}; the score is {after.yours}"
