"""Hidden dice stay hidden: the same public history with other dice sends the same bytes, until the rules show them.

Seeded, so a failure repeats. A leak that shows in a share p of all games is missed with chance (1 - p)^1000.
"""

import asyncio
import random
from functools import lru_cache
from itertools import count

import pytest

from dicewright.core.errors import DicewrightError
from dicewright.core.game import CHANCE, sees
from dicewright.families import family
from dicewright.families.bluff.rules import Bluff
from dicewright.families.catalog import parse
from dicewright.families.hidden import all_eyes, possible
from dicewright.storage.store import solution_of
from dicewright.web.prepare import prepared as prepared_module
from dicewright.web.prepare.prepared import Prepared
from dicewright.web.prepare.remembered import Task
from dicewright.web.rooms import rooms as rooms_module
from dicewright.web.rooms.opponents import hint
from dicewright.web.rooms.rooms import Rooms
from dicewright.web.settings import NO_LIMITS, Settings

GAMES = [
    *("bluff", "bluff:dice=2v1,sides=3", "bluff:dice=1v2,sides=4", "bluff:dice=2v2,sides=2,spot_on=yes"),
    *("bluff:dice=2v2,sides=6", "bluff-match:dice=2v2,sides=3", "bluff-match:dice=1v2,sides=2,palifico=yes"),
    *("mia:sides=3,lives=2", "bluff:sides=2,lives=2"),
    *("mia", "liars-die:sides=4", "mia:sides=4,below=no", "mia:sides=3,keep=yes", "liars-dice-poker:dice=2"),
]
BLUFF = 200  # games of each of the five kinds of Bluff: 1,000; matches and other games come on top
OTHERS = 60
HINTED = ("bluff", "bluff:dice=2v1,sides=3")  # solved in a moment, so hints are compared as well


NAMES = {parse(name).name for name in HINTED}


class Scripted:
    """Dice, and draws of a mixed strategy, as they were written down; then the first that may be."""

    def __init__(self, choices):
        self.choices = choices

    def roll(self, ply, chances):
        shown = self.choices[ply] if ply < len(self.choices) else next(iter(chances))
        assert shown in chances
        return shown

    def draw(self, ply, mix):
        return self.roll(ply, mix)

    def pick(self, ply, ways):
        return 0


solved = lru_cache(solution_of)


class NullShelf:
    def save(self, games, moved=()):
        pass

    def go_on(self, game, before):
        pass


class Watcher:
    """Keeps every frame with the ply it was sent at."""

    def __init__(self, seat, room, sent=None):
        self.seat, self.sent, self.room, self.frames = seat, sent, room, []

    def send(self, frame, applied=None):
        self.frames.append((len(self.room.sitting.choices) if self.room.sitting else 0, frame))


def random_game(game, rng):
    """Random dice and random actions to the end."""
    state, choices = game.start(), []
    while (mover := game.mover(state)) in (0, 1, CHANCE):
        allowed = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        choices.append(rng.choice(list(allowed)))
        state = game.play(state, choices[-1])
    return choices


def other_dice(game, choices, observer, rng):
    """The choices up to where some dice are shown, with all dice changed that the observer has not seen by then.

    None if nothing could be changed.
    """
    owners, state = {}, game.start()
    for ply, choice in enumerate(choices):
        if game.mover(state) == CHANCE:
            owners[ply] = family(game).roller(game, state)
        state = game.play(state, choice)
    shown = {}
    for ply, owner in owners.items():
        if owner != observer:
            known = (
                n for n in range(ply + 1, len(choices)) if sees(all_eyes(game, choices[:n])[ply], observer)
            )
            shown[ply] = next(known, len(choices))
    if not shown:
        return None
    horizon = rng.choice(list(shown.values()))
    changed = list(
        choices[: horizon - 1]
    )  # the last choice before the dice are shown; it is made alike in both
    for ply, seen in shown.items():
        if ply < len(changed) and seen >= horizon:
            fits = [outcome for outcome in possible(game, changed, ply) if outcome != changed[ply]]
            if fits:
                changed[ply] = rng.choice(fits)
    return changed if changed != choices[: horizon - 1] else None


async def frames_of(game, choices, upto, seat, against_strategy, monkeypatch):
    """What a player and a spectator are sent while these choices are made."""
    numbers = count()
    monkeypatch.setattr(rooms_module, "new_id", lambda: f"game{next(numbers):04}")
    monkeypatch.setattr(rooms_module, "fresh_token", lambda: f"token{next(numbers):04}")
    monkeypatch.setattr(rooms_module.secrets, "token_hex", lambda size: "00" * size)
    monkeypatch.setattr(rooms_module, "GATHER_SECONDS", 0.0)
    prepared = Prepared(NO_LIMITS)
    if against_strategy:

        async def strategy():
            return lambda view: dict.fromkeys(game.actions(view), 1.0 / len(game.actions(view)))

        prepared.opponent = lambda *_: Task("scripted", strategy())
    ready = Task("solved", asyncio.sleep(0, solved(game) if game.name in NAMES else None))
    await ready.task
    prepared.solving = prepared.advising = lambda _: ready
    script = Scripted(choices)
    rooms = Rooms(Settings(limits=NO_LIMITS, dice=lambda *_: script), NullShelf(), prepared)
    opponent = "optimal" if against_strategy else "person"
    room, _, invite = await rooms.create(game, opponent, seat, True, "Ada")
    watchers = [Watcher(seat, room), Watcher(None, room)]
    pages = [Watcher(seat, room, 0), Watcher(None, room, 0)]  # as the page does, they take only what is new
    if invite:
        await rooms.join(room, invite, "Bo")
        watchers.append(Watcher(1 - seat, room))
    while not room.ready:
        await asyncio.sleep(0)
    room.guests.update((*watchers, *pages))
    for chair in room.people:
        await rooms.begin(room, chair, f"seed{chair}")
    while room.sitting is not None and len(room.sitting.choices) < upto:
        ply, mover = len(room.sitting.choices), room.sitting.waits_for
        if mover is None:
            break
        for work in asked(rooms, prepared, room, seat, ply):
            try:
                frame = await work
            except DicewrightError as error:
                frame = str(error)
            watchers[0].frames.append((ply, frame))
        await rooms.move(room, mover, f"m{ply}", ply, game.show_choice(choices[ply]))
        watchers[0].frames.append((len(room.sitting.choices), room.document(seat)))
        watchers[1].frames.append((len(room.sitting.choices), room.document(None)))
    rooms.close()
    prepared.close()
    both = zip(watchers[:2], pages, strict=True)
    return [[frame for ply, frame in one.frames + two.frames if ply <= upto] for one, two in both]


def asked(rooms, prepared, room, seat, ply):
    """What a player may also ask, and is answered by a hint or an error."""
    if room.game.name in NAMES:
        yield hint(prepared, room, seat)
    yield rooms.move(room, seat, "late", ply + 1, "call")
    yield rooms.move(room, seat, "wrong", ply, "9x9")
    if room.takes_back and ply % 3 == 0:
        yield back_and_forth(rooms, room, seat, ply)


async def back_and_forth(rooms, room, seat, ply):
    """A decision is taken back and made again; what is told meanwhile, by an error too."""
    choices = room.sitting.choices
    await rooms.take_back(room, seat, ply)
    then = len(room.sitting.choices)
    told = room.document(seat)
    await rooms.move(room, seat, f"b{ply}", then, room.game.show_choice(choices[then]))
    assert room.sitting.choices == choices
    return told


@pytest.fixture
def run(monkeypatch):
    """Plays in one loop, so that its threads are made once, and looks once whether a game is solved in a moment."""
    monkeypatch.setattr(prepared_module, "look", lru_cache(prepared_module.look))
    with asyncio.Runner() as runner:
        yield lambda *words: runner.run(frames_of(*words, monkeypatch))


@pytest.mark.parametrize("name", GAMES)
def test_other_hidden_dice_send_the_same_bytes(name, run):
    game, rng = parse(name), random.Random(f"noninterference {name}")
    compared, hints, games = 0, 0, BLUFF if isinstance(game, Bluff) else OTHERS
    for number in range(games):
        found = None
        while found is None:
            seat, spectator = rng.randrange(2), rng.random() < 0.3
            choices = random_game(game, rng)
            found = other_dice(game, choices, None if spectator else seat, rng)
        changed, upto = found, len(found)
        sent = []
        for script in (choices[:upto], changed):
            against_strategy = number % 4 == 0 and name.startswith(("bluff:", "mia"))
            sent.append(run(game, script, upto, seat, against_strategy))
        which = 1 if spectator else 0
        assert sent[0][which] == sent[1][which], f"{name} game {number}: {choices} and {changed}"
        compared += len(sent[0][which])
        hints += sum('"type":"hint"' in frame for frame in sent[0][which])
    assert compared > 2 * games
    assert (hints > games // 4) == (name in HINTED)


def test_a_thousand_games_are_of_bluff():
    assert BLUFF * sum(isinstance(parse(name), Bluff) for name in GAMES) >= 1_000


def test_the_comparison_would_notice_a_leak(run, monkeypatch):
    """With dice that everybody sees the same test fails: it does look at the bytes."""
    from dicewright.web.rooms import views

    monkeypatch.setattr(views, "sees", lambda eyes, player: True)
    game, rng = parse("bluff"), random.Random(1)
    choices = random_game(game, rng)
    changed = other_dice(game, choices, 0, rng)
    upto = len(changed)
    sent = [run(game, script, upto, 0, False) for script in (choices[:upto], changed)]
    assert sent[0][0] != sent[1][0]
