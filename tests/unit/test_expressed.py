"""Strategies as a line of arithmetic, in every family: what they equal, what they remember, what is refused."""

from random import Random

import pytest

import dicewright as dw
from dicewright.core.errors import NotationError, StrategyError, TooLarge
from dicewright.core.notation import split
from dicewright.families import family
from dicewright.families.catalog import parse, strategy
from dicewright.families.race.rules import RaceView
from dicewright.families.race.tabled import tabulate
from dicewright.web.rooms.views import check_opponent

PIG, SMALL = parse("pig"), parse("pig:goal=15")
PACE = "turn < (999 if max(mine, yours) >= 71 else max(1, 21 + (yours - mine + 4) // 8))"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("turn < 20", "hold:20"),
        ("True", "roll-to-win"),
        (PACE, "keep-pace"),
        ("turn < max(1, (goal - mine) // (4 - min(scored, 3)))", "four-scoring-turns"),
    ],
)
def test_an_expression_is_the_rule_it_writes_down(text, named):
    one, other = (tabulate(PIG, strategy(line, PIG)) for line in (f"expr:{text}", named))
    assert one.same_choices(other)
    assert (one.remember == other.remember).all()
    assert one.solo == other.solo


SEVERAL = "race:bold:+10/bust.3,very-safe:+1/+2/bust,goal=20"


def test_an_expression_names_the_roll_that_it_takes():
    game = parse(SEVERAL)
    rule = strategy("expr:bold if yours > mine else very_safe if turn < 3 else hold", game)
    views = {(0, 0, 0): "very-safe", (0, 1, 4): "bold", (5, 5, 2): "very-safe", (5, 5, 3): "hold"}
    assert {view: next(iter(rule(RaceView(*view)))) for view in views} == views
    table = tabulate(game, rule)
    assert all(
        table.choices(m, y)[t] == ("hold", "bold", "very-safe").index(views[m, y, t]) for m, y, t in views
    )
    graded = dw.grade(game, str(rule))
    assert float(graded.losses.lost.sum()) == pytest.approx(graded.losses.gap, abs=1e-12)
    assert dw.evaluate(game, rule, "random").a_overall + graded.loss > 0.5


def test_rolls_that_are_numbers_are_named_by_numbers():
    hog = parse("hog:goal=20,dice=3")
    rule = strategy("expr:min(3, 1 + yours // 5)", hog)
    assert [next(iter(rule(RaceView(0, yours)))) for yours in (0, 5, 19)] == ["1", "2", "3"]
    assert dw.grade(hog, rule).loss > 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("turn < 20", "such as expr:bold if yours > mine else very_safe if turn < 20 else hold says which"),
        ("bold if turn > 0 else hold", "is hold at 0-0; bold, very_safe is allowed there"),
        ("bold + 0.5", "is 1.5 at 0-0; bold, very_safe is allowed"),
        ("3", "is 3 at 0-0"),
        ("brave", "did you mean|'brave' at letter 1 is not allowed"),
    ],
)
def test_what_is_no_roll_is_refused_with_its_place(text, why):
    with pytest.raises(StrategyError, match=why):
        tabulate(parse(SEVERAL), strategy(f"expr:{text}", parse(SEVERAL)))


@pytest.mark.parametrize(
    "text", ["turn < 20 / (busts - 7)", "turn < 9 % (last - 3)", "turn < 9 // (scored - 5)"]
)
def test_a_rule_is_tried_with_memories_it_may_come_to(text):
    with pytest.raises(StrategyError, match="undefined"):
        strategy(f"expr:{text}", PIG).check()


@pytest.mark.parametrize("text", ["turn < 9 / (yours - last + 1)", "turn < 9 / (mine - mylast + 1)"])
def test_a_rule_is_not_refused_for_memories_that_never_come(text):
    strategy(f"expr:{text}", PIG).check()


def test_scoring_turns_are_counted_in_play_as_in_the_exact_duel():
    rule = strategy("expr:turn < 2 + 2 * scored", SMALL)
    exact = family(SMALL).exactly(SMALL, rule, strategy("hold:5", SMALL))
    by_turns = dw.simulate(SMALL, rule, "hold:5", games=5_000, seed=1)
    assert by_turns.a_rate == pytest.approx(exact.a_overall, abs=5 * 0.5 / 5_000**0.5)  # 1 in 10^6
    wins = [dw.play_game(SMALL, (rule, "hold:5"), Random(n)).payoff > 0 for n in range(100)]
    assert sum(wins) / 100 == pytest.approx(exact.a_first.first_wins, abs=5 * 0.5 / 10)


@pytest.mark.parametrize(
    ("rule", "rolls", "on_roll"),
    [
        ("turn < 2 + last", ["+6", "+6", "+6"], "mover=0, mine=6, yours=6, turn=6"),
        ("turn < 6 + last", ["+6", "bust", "+6"], "mover=1, mine=0, yours=12, turn=0"),
        ("turn < 2 + mylast", ["+6", "+6", "+6"], "mover=0, mine=6, yours=6, turn=6"),
        ("turn < 2 + 6 * busts", ["bust", "+6", "+6"], "mover=0, mine=0, yours=6, turn=6"),
        ("turn < 2 + 6 * busts + scored", ["+6", "bust", "+6"], "mover=1, mine=0, yours=12, turn=0"),
    ],
)
def test_a_rule_remembers_turns_that_were_lost_too(rule, rolls, on_roll):
    """The dice are loaded, and say where the next roll would be."""
    with pytest.raises(dw.RulesError, match="ran out") as ended:
        dw.play_game("pig", (f"expr:{rule}", "hold:5"), rolls=rolls)
    assert on_roll in str(ended.value)


def test_what_remembers_more_than_a_table_is_played_and_nothing_exact_is_said():
    rule = "expr:turn < (last if last > 0 else 8)"
    for ask in (dw.evaluate, lambda *given: dw.best_response(*given[:2])):
        with pytest.raises(StrategyError, match="simulate plays games with it"):
            ask(SMALL, rule, "hold:5")
    assert family(SMALL).exactly(SMALL, strategy(rule, SMALL), strategy("hold:5", SMALL)) is None
    assert dw.simulate(SMALL, rule, "hold:5", games=20).games == 20
    assert dw.sprt(SMALL, rule, "hold:5", cap=20).verdict == "undecided"
    assert dw.play_simulated(SMALL, [rule, "mirroring", "hold:5"], 10).names[0] == rule


def test_memory_holds_every_number_of_every_name():
    rule = strategy("expr:busts + last + mylast + scored < goal", SMALL)
    memory = 0
    for gained, told in (
        (3, rule.remember),
        (0, rule.remember),
        (7, rule.watch),
        (0, rule.watch),
        (5, rule.watch),
    ):
        memory = told(memory, gained)
    assert rule.recall(memory) == {"scored": 1, "busts": 1, "last": 5, "mylast": 0}
    for _ in range(200):
        memory = rule.remember(memory, 0)
    assert rule.recall(memory) == {"scored": 1, "busts": 99, "last": 5, "mylast": 0}
    assert 0 <= memory < rule.memories


BLUFF = [
    "bluff:sides=3",
    "bluff:dice=2v1,sides=2",
    "bluff:dice=1v2,sides=2,wild=ones,spot_on=yes",
    "bluff:order=fixed,sides=3",
]


@pytest.mark.parametrize("game", [*BLUFF, "bluff-match:dice=2v1,sides=2"])
@pytest.mark.parametrize(
    ("text", "named"), [("False; own >= count", "truthful"), ("chance < 0.3", "call-below:0.3")]
)
def test_an_expression_calls_and_bids_as_the_strategy_of_the_catalog(game, text, named):
    for ask in (lambda one: dw.evaluate(game, one, "random"), lambda one: dw.evaluate(game, "random", one)):
        assert ask(f"expr:{text}") == ask(named)
    one, other = dw.best_response(game, f"expr:{text}"), dw.best_response(game, named)
    assert (one.first_payoff, one.second_payoff) == (other.first_payoff, other.second_payoff)


def test_a_bluffing_rule_mixes_calls_and_looks_at_all_it_may():
    game = parse("bluff")
    rule = strategy("expr:1 - chance; own + 1 >= count", game)
    opened, raised = (game.read_view(text) for text in ("5 |", "6 | 2x5"))
    assert rule(opened) == {(1, 1): 1.0}
    assert rule(raised) == pytest.approx({"call": 2 / 3, (2, 6): 1 / 3})  # a six is wild: two faces match
    assert rule.last_bid_only
    assert not strategy("expr:bids > 2", game).last_bid_only
    assert strategy("expr:False; count > dice", game)(opened) == {
        (1, 5): 1.0
    }  # no bid is right: the likeliest


@pytest.mark.parametrize("game", ["liars-die", "mia"])
def test_an_expression_calls_and_answers_as_the_truthful_player(game):
    assert dw.evaluate(game, "expr:call == ranks", "random") == dw.evaluate(game, "truthful", "random")
    assert (
        dw.best_response(game, "expr:call == ranks").first_wins
        == dw.best_response(game, "truthful").first_wins
    )


def test_names_of_a_calling_game_are_ranks_and_chances():
    mia = parse("mia")
    answer = strategy("expr:beat", mia)(mia.read_view("called 21"))
    assert answer == {"accept": 1.0}
    shares = strategy("expr:1 - chance", mia)(mia.read_view("called 66"))  # 66 or 21
    assert shares == pytest.approx({"accept": 3 / 36, "challenge": 33 / 36})
    bluffing = strategy("expr:False; call > roll + 1", mia)
    assert bluffing(mia.read_view("rolled 31")) == {2: 1.0}
    assert bluffing(mia.read_view("accepted 65, rolled 21")) == {
        mia.labels.index("11"): 1.0
    }  # above it nothing is: the lowest


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("pig", "trun < 20", r"'trun' at letter 1 is not.*did you mean 'turn'\?.*mine, yours, turn, goal, scored"),
        ("pig", "turn < 20 or roll()", "'roll.*' at letter 14 is not allowed.*a comparison such as"),
        ("pig", "turn", "a comparison such as mine < 20 is needed"),
        ("pig", f"[{800 * '-'}1]", "nested deeper than 100"),
        ("pig", "turn < 20)", "is no expression: unmatched '.' at letter 10"),
        ("hog", "turn < 20", "an expression only says roll or hold; hog has the rolls"),
        ("bluff", "turn < 20", "count, face, own, chance, mine, yours, dice, sides, bids"),
        ("bluff", "True; True; True", "3 parts; up to two, with ; between"),
        ("mia", "roll > 3", "'roll' at letter 1 is not allowed.*call, accepted, ranks, chance, beat"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place_and_what_is_allowed(game, text, reason):
    with pytest.raises(StrategyError, match=reason):
        strategy(f"expr:{text}", parse(game))


def test_a_chance_to_call_is_one():
    with pytest.raises(StrategyError, match=r"'2 \* own' is 2 at 1 \| 1x1; 0 to 1 is allowed"):
        strategy("expr:2 * own", parse("bluff"))(parse("bluff").read_view("1 | 1x1"))
    with pytest.raises(NotationError, match="lacks text: an expression is allowed"):
        strategy("expr", PIG)


def test_a_number_that_is_undefined_anywhere_is_found_before_play():
    with pytest.raises(StrategyError, match=r"undefined or beyond 2.53 at mine 0, yours 0, turn 5"):
        family(PIG).check_player(PIG, strategy("expr:10 / (turn - 5) < 3", PIG))
    large = parse("pig:goal=500")
    with pytest.raises(TooLarge, match="parts for 62,625,000 states"):
        family(large).check_player(large, strategy("expr:turn < 20 + mine - yours", large))


@pytest.mark.parametrize("game", ["pig", "bluff", "mia", "bluff-match:dice=2v1,sides=2"])
def test_a_line_is_read_back_as_it_is_shown(game):
    text = {"pig": '"turn<min( 20,goal) or(mine+turn>=goal)"', "mia": "'beat<.5;call>roll'"}.get(
        game, "chance<1/3 ;own+max(1,0)>=count"
    )
    found = strategy(f"expr:{text}", rules := parse(game))
    assert str(strategy(str(found), rules)) == str(found)
    assert ", " in str(found) or game == "mia"
    assert '"' not in str(found)


def test_commas_inside_brackets_part_no_fields():
    assert split("a=min(1,max(2,3)),b") == ["a=min(1,max(2,3))", "b"]
    skip = parse("pig:skip=yes,goal=15")
    line = "skip-when-equal:base=expr:turn < min(5, goal)"
    found = strategy(line, skip)
    assert str(found) == line
    assert found(RaceView(3, 3)) == {"hold": 1.0}


def test_ranges_run_through_expressions():
    entrants = dw.gather(SMALL, "expr:turn < 3..5 or turn % 2 == 0").entrants
    assert [entrant.name for entrant in entrants] == [f"expr:turn < {n} or turn % 2 == 0" for n in (3, 4, 5)]


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("bluff", "1 / (own - 1) > 2", "undefined or beyond 2.53 at count 1, face 1, own 1"),
        ("bluff:dice=2v1", "2 * (bids == 19 - 1) > 3 or 1 / (bids - 2) > 5", "not allowed"),
        ("bluff:dice=2v1", "bids > 3 and 1 / (mine - 2) > 5", "undefined"),
        ("bluff", "chance + own", "'chance . own' is 2 at count 1, face 1, own 1, chance 1"),
        ("bluff", "True; count / (own - 1)", "undefined"),
        ("bluff-match:dice=2v2,palifico=yes", "1 / (dice - 2) > 3", "undefined .* dice 2"),
        ("mia", "1 / (call - 3) > 1", "undefined .* at call 3"),
        ("mia", "call == 21; 1 / (call - roll - 2) > 1", "undefined .* at call 3, .* roll 1"),
    ],
)
def test_a_rule_that_fails_with_some_dice_is_refused_before_any_are_rolled(game, text, reason):
    """Else its failing would show what it holds."""
    rules = parse(game)
    with pytest.raises(StrategyError, match=reason):
        check_opponent(rules, f"expr:{text}")


@pytest.mark.parametrize(
    "game",
    [
        "bluff:dice=5v5",
        "bluff:order=fixed",
        "bluff-match:dice=2v2",
        "mia",
        "liars-die",
        "pig",
        "hog",
        "race:bold:+9/bust,safe:+1/+2/bust,goal=30",
    ],
)
def test_an_example_that_the_page_offers_is_a_rule_of_its_game(game):
    rules = parse(game)
    line = f"expr:{family(rules).rule(rules)}"
    assert check_opponent(rules, line) == line
