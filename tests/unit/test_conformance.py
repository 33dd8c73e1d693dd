"""Every game of the catalog answers the seven questions as it must, in random play with a fixed seed.

New families join by themselves: each builder is tried with its defaults and with every other value of each of
its fields that can be guessed (words, yes or no, a number one higher or lower), besides the variants named here.
"""

import math
from fractions import Fraction
from random import Random

import pytest

from dicewright.core.errors import IllegalAction, NotationError, RulesError
from dicewright.core.game import CHANCE, FIRST, OVER, SECOND, Game, Notation
from dicewright.core.notation import fields
from dicewright.core.strategy import sample
from dicewright.families.catalog import GAMES, parse

SEED = 20261115
MATCHES = 3
MOST_MOVES = 3000
WITHOUT_CHANCE = {"rock-paper-scissors"}
BY_HAND = [
    "pig:goal=2",
    "pig:goal=7,finish=exact,skip=yes",
    "pig:goal=12,one=scores,payoff=difference",
    "piglet:goal=2",
    "two-dice-pig:goal=20,ones=bust",
    "hog:goal=30,dice=3",
    "big-pig:goal=26",
]


def variants():
    """The one-line names of all games to be tried."""
    names = list(GAMES) + BY_HAND
    for name, builder in GAMES.items():
        for field in fields(builder):
            if field.name == "title" and name != "race":
                continue  # it is no rule: one game with a title is enough
            words = field.kind.allowed.split(" or ")
            if isinstance(field.default, int) and not isinstance(field.default, bool):
                words = [str(field.default - 1), str(field.default + 1)]
            for word in words:
                try:
                    names.append(parse(f"{name}:{field.name}={word}").name)
                except (NotationError, RulesError):
                    continue  # no value of this field
    return sorted(set(names))


VARIANTS = variants()


@pytest.fixture(scope="module", params=VARIANTS)
def met(request):
    """A game, and all states met in a few random matches."""
    game, rng = parse(request.param), Random(SEED)
    states = {}
    for _ in range(MATCHES):
        state = game.start()
        for _ in range(MOST_MOVES):
            states[state] = None
            mover = game.mover(state)
            if mover == OVER:
                break
            if mover == CHANCE:
                state = game.play(state, sample(game.outcomes(state), rng))
            else:
                state = game.play(state, rng.choice(game.actions(game.view(state, mover))))
    return game, list(states)


def decisions(game, states):
    return [state for state in states if game.mover(state) in (FIRST, SECOND)]


def test_the_variants_cover_every_game_of_the_catalog():
    assert {name.partition(":")[0] for name in VARIANTS} == set(GAMES)
    assert len(VARIANTS) >= 3 * len(GAMES)
    assert "pig:skip=yes" in VARIANTS
    assert "pig:payoff=margin" in VARIANTS
    assert "pig:goal=101" in VARIANTS


def test_a_game_has_the_seven_questions_and_a_notation(met):
    game, _ = met
    assert isinstance(game, Game)
    assert isinstance(game, Notation)


def test_a_game_is_a_value_that_its_name_gives_back(met):
    game, _ = met
    again = parse(game.name)
    assert again == game
    assert hash(again) == hash(game)
    assert again.name == game.name


def test_chances_sum_to_exactly_one(met):
    game, states = met
    tables = [game.outcomes(state) for state in states if game.mover(state) == CHANCE]
    assert tables or game.name in WITHOUT_CHANCE
    for table in tables:
        assert all(isinstance(chance, Fraction) and chance > 0 for chance in table.values())
        assert sum(table.values()) == 1


def test_every_allowed_choice_can_be_played_and_changes_the_state(met):
    game, states = met
    for state in states:
        mover = game.mover(state)
        if mover == OVER:
            continue
        choices = list(game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover)))
        assert choices
        assert len(set(choices)) == len(choices)
        for choice in choices:
            then = game.play(state, choice)
            assert then != state
            assert game.mover(then) in (FIRST, SECOND, CHANCE, OVER)
            assert game.play(state, choice) == then


def test_anything_else_is_refused(met):
    game, states = met
    for state in states[:50]:
        if game.mover(state) != OVER:
            with pytest.raises(IllegalAction):
                game.play(state, "no such choice")


def test_states_that_look_alike_to_a_player_offer_the_same_actions(met):
    """Nothing hidden shows: what is allowed, and what each player is told, follows from the view alone."""
    game, states = met
    seen = {}
    for state in decisions(game, states):
        mover = game.mover(state)
        view = game.view(state, mover)
        actions = tuple(game.actions(view))
        assert seen.setdefault((mover, view), actions) == actions
        assert game.view(state, mover) == view


def test_matches_end_and_pay_a_finite_sum(met):
    game, states = met
    payoffs = [game.payoff(state) for state in states if game.mover(state) == OVER]
    assert payoffs
    assert all(math.isfinite(payoff) for payoff in payoffs)


def test_states_read_back(met):
    game, states = met
    for state in states:
        text = game.show_state(state)
        assert "\n" not in text
        assert game.read_state(text) == state


def test_views_of_both_players_read_back(met):
    game, states = met
    for state in decisions(game, states):
        for player in (FIRST, SECOND):
            view = game.view(state, player)
            assert game.read_view(game.show_view(view)) == view


def test_different_states_and_views_look_different(met):
    game, states = met
    assert len({game.show_state(state) for state in states}) == len(states)
    views = {game.view(state, game.mover(state)) for state in decisions(game, states)}
    assert len({game.show_view(view) for view in views}) == len(views)


def test_actions_and_outcomes_read_back(met):
    game, states = met
    choices = {
        choice
        for state in states
        if game.mover(state) != OVER
        for choice in (
            game.outcomes(state)
            if game.mover(state) == CHANCE
            else game.actions(game.view(state, game.mover(state)))
        )
    }
    for choice in choices:
        assert game.read_choice(game.show_choice(choice)) == choice
    assert len({game.show_choice(choice) for choice in choices}) == len(choices)


def test_nonsense_names_nothing(met):
    game, _ = met
    for text in (
        "no such thing",
        "9" * 500,
        "\N{ARABIC-INDIC DIGIT THREE}-\N{ARABIC-INDIC DIGIT FOUR}",
        "\0",
    ):
        for read in (game.read_view, game.read_state, game.read_choice):
            with pytest.raises((NotationError, IllegalAction)):
                read(text)
