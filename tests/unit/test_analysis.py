"""Decisions and luck weighed by hand, by slow twins, and shown."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests.reference.random_play import random_record
from tests.reference.slow_analysis import SlowAnalysis

from dicewright.analysis.analyse import analyse, analyse_many, known_opponent
from dicewright.analysis.exact import judge_against, judge_of
from dicewright.analysis.moments import judgement_of
from dicewright.analysis.page import page
from dicewright.analysis.sentences import accuracy, amount, best_actions, headline, lost, sentences
from dicewright.arena.review import Fitted, HabitCounter, exploit, review
from dicewright.arena.table import play_match
from dicewright.cli import analysis_report
from dicewright.core.errors import IllegalAction, RulesError
from dicewright.core.game import CHANCE, FIRST, SECOND
from dicewright.core.record import Forfeit, Record
from dicewright.core.results import COARSE, SLIP, Advice
from dicewright.families import family, solve
from dicewright.families.bluff.rules import BluffView
from dicewright.families.catalog import parse
from dicewright.families.race.replay import coded, last_state, refuse, replay_games
from dicewright.storage.store import solution_of
from dicewright.storage.strategies import parse as strategy


def habits_of(analyses):
    """Everybody's habits over these games."""
    counter = HabitCounter()
    for analysis in analyses:
        counter.add(analysis)
    return counter.habits()


def judge(name):
    game = parse(name)
    return judge_of(game, solve(game))


def record_of(name, words, payoff, ended="over", **more):
    game = parse(name)
    return Record(game, tuple(map(game.read_choice, words.split())), payoff, ended, **more)


def test_piglet_by_hand():
    """Goal 2 (docs/race.md): first wins 4/7 at the start, 5/7 at 0-0+1, and 3/5 after banking one point.

    Rolling on at 0-0+1 wins 1/2 + 1/2 (1 - 4/7) = 5/7; holding gives 1 - 2/5 = 3/5.
    """
    found = analyse(
        record_of("piglet:goal=2", "roll +1 hold roll bust roll +1 hold", 1.0), judge("piglet:goal=2")
    )
    exact = [Fraction(4, 7), Fraction(4, 7), Fraction(5, 7), Fraction(3, 5), Fraction(3, 5), Fraction(4, 5)]
    assert found.chances[:6] == pytest.approx(list(map(float, exact)))
    assert found.moments[1].luck == pytest.approx(1 / 7)
    assert found.moments[2].loss == pytest.approx(5 / 7 - 3 / 5)
    assert found.moments[2].judgement == "blunder"
    assert found.moments[2].worths == pytest.approx({"roll": 5 / 7, "hold": 3 / 5})
    assert found.moments[0].judgement == "forced"
    one, two = found.figures
    assert (one.decisions, two.decisions) == (1, 0)
    assert one.loss == one.at_stake
    assert (one.accuracy, two.accuracy) == (0, 100)
    assert one.adjusted == pytest.approx(4 / 7 - 4 / 35)
    assert (one.dearest_ply, one.best_ply, one.worst_ply) == (2, 4, 2)
    assert found.mistakes(FIRST) == [found.moments[2]]
    assert found.mistakes(SECOND) == []


def test_liars_die_with_two_sides_by_hand():
    """Sides 2, exactly: a call of 1 is accepted or challenged; after accepting 1 only 2 can be called.

    The equilibrium value is read off the solver; a lie of 2 that is challenged loses, and the roll decides nothing
    about the loss: it is measured in the caller's view.
    """
    name = "liars-die:sides=2"
    game, solved = parse(name), solve(parse(name))
    judged = judge_of(game, solved)
    found = analyse(record_of(name, "1 2 challenge", -1.0), judged)
    lie, answer = found.moments[1], found.moments[2]
    assert lie.worths == pytest.approx(dict(judged.advise(lie.view).worth))
    assert answer.hidden_luck == pytest.approx(answer.after - answer.before - answer.loss)
    one, two = found.figures
    assert one.talk.bluffs == one.talk.caught == two.talk.right_calls == 1
    assert two.talk.over_calls == one.talk.calls == 0


def test_a_mixed_equilibrium_loses_nothing_in_any_of_its_actions():
    judged = judge("liars-die")
    view = parse("liars-die").read_view("rolled 2")
    advice = judged.advise(view)
    mixed = [action for action, share in advice.mix.items() if share > 0]
    assert len(mixed) > 1
    assert len({round(advice.worth[action], 12) for action in mixed}) == 1


@pytest.mark.parametrize("goal", [2, 3, 5])
def test_piglet_agrees_with_exact_fractions(goal):
    game = parse(f"piglet:goal={goal}")
    slow, judged, rng = SlowAnalysis(game), judge(game.name), Random(goal)
    for _ in range(20):
        record = random_record(game, rng, ended="unfinished")
        found = analyse(record, judged)
        for moment, (mover, loss, luck) in zip(found.moments, slow.plies(record), strict=True):
            assert moment.who == mover
            assert moment.loss == pytest.approx(float(loss), abs=1e-12)
            assert moment.luck == pytest.approx(float(luck), abs=1e-12)


RACES = [
    "pig:goal=30",
    "pig:goal=20,one=scores,finish=exact,payoff=margin",
    "pig:goal=12,skip=yes",
    "two-dice-pig:goal=40",
    "big-pig:goal=40,payoff=difference",
    "hog:goal=30",
    "pass-the-pigs:goal=30",
]


@pytest.mark.parametrize("name", RACES)
def test_the_compiled_replay_agrees_with_the_rules_ply_by_ply(name):
    game, judged, rng = parse(name), judge(name), Random(7)
    records = [random_record(game, rng, ended="unfinished") for _ in range(12)]
    for record, outline in zip(records, analyse_many(records, lambda _: judged), strict=True):
        found = analyse(record, judged)
        assert outline.end == pytest.approx(found.end, abs=1e-9)
        for fast, slow in zip(outline.figures, found.figures, strict=True):
            assert fast.counts == slow.counts
            for key in ("decisions", "dearest_ply", "best_ply", "worst_ply"):
                assert getattr(fast, key) == getattr(slow, key), key
            for key in ("loss", "at_stake", "luck", "hidden_luck", "adjusted"):
                assert getattr(fast, key) == pytest.approx(getattr(slow, key), abs=1e-9)
    replay = replay_games(game, [record.choices for record in records])
    for number, record in enumerate(records):
        assert last_state(game, record.choices) == record.state_at(len(record.choices))
        rows = replay.positions[replay.first[number] + number : replay.first[number + 1] + number + 1]
        for row, state in zip(rows.tolist(), record.states(), strict=True):
            rolling = -1 if state.rolling is None else list(dict(game.rolls)).index(state.rolling)
            assert row == [*state[:4], rolling]


@pytest.mark.parametrize("name", RACES)
def test_the_compiled_replay_refuses_what_the_rules_refuse(name):
    """One choice of a record is exchanged for another of the game; both agree on the first that is illegal."""
    game, rng = parse(name), Random(3)
    choices = list(coded(game).code)
    for _ in range(60):
        plies = list(random_record(game, rng, most=60, ended="unfinished").choices)
        place = rng.randrange(len(plies))
        plies[place] = rng.choice([*choices, "jump"])
        state, refused = game.start(), None
        for ply, choice in enumerate(plies):
            try:
                if game.mover(state) == -2:
                    raise IllegalAction("over")
                state = game.play(state, choice)
            except IllegalAction:
                refused = ply
                break
        assert replay_games(game, [plies]).illegal[0] == (-1 if refused is None else refused)
        if refused is not None:
            with pytest.raises(IllegalAction, match=f"choice {refused + 1} of the record"):
                refuse(game, plies, refused)


def test_records_that_did_not_end_by_the_rules():
    judged = judge("pig:goal=20")
    cut = record_of("pig:goal=20", "roll +6 roll", 0.0, "unfinished")
    found = analyse(cut, judged)
    assert found.result is None
    assert found.adjudged == 0
    assert found.document()["result"] is None
    lost = replace(cut, payoff=-1.0, ended="forfeit", forfeit=Forfeit(FIRST, "late"))
    found = analyse(lost, judged)
    assert found.result == 0
    assert found.end + found.adjudged == pytest.approx(0)
    with pytest.raises(IllegalAction, match="choice 2 of the record"):
        analyse(replace(cut, choices=("roll", "hold")), judged)


@pytest.mark.parametrize(
    ("loss", "word"),
    [
        (0, "best"),
        (1e-12, "best"),
        (0.005, "good"),
        (0.01, "inaccuracy"),
        (0.03, "mistake"),
        (0.5, "blunder"),
    ],
)
def test_judgements(loss, word):
    assert judgement_of(loss) == word


def test_the_document_and_the_page():
    record = record_of("pig:goal=20", "roll +6 hold roll bust roll +6 roll +4 roll +5 hold", 1.0)
    record = replace(record, tags=(("First", "Ada <b>"), ("SecondStrategy", "hold:8")))
    found = analyse(record, judge("pig:goal=20"))
    shown = json.loads(json.dumps(found.document()))
    assert set(shown) == {
        *("game", "players", "result", "payoff", "ended", "unit", "against", "start", "adjudged", "chances"),
        *("moments", "figures", "mistakes", "sentences", "certificate"),
    }
    assert len(shown["chances"]) == len(shown["moments"]) == len(record.choices)
    assert shown["moments"][2]["view"] == "0-0+6"
    assert len(shown["sentences"]) == 3
    assert shown["sentences"][0].startswith("You gave away ")
    assert headline(found) == "Ada <b> beat hold:8"
    text = page(found)
    assert "Ada &lt;b&gt;" in text
    assert "<b>" not in text
    assert "http" not in text
    assert "<script" not in text
    assert found.seat_of("second") == found.seat_of("hold:8") == SECOND
    with pytest.raises(RulesError, match="nobody is called 'Eve'"):
        found.seat_of("Eve")


def test_actions_as_verbs():
    for name, choice, words in [
        ("pig", "hold", "holding"),
        ("hog", "4", "rolling 4"),
        ("bluff", "call", "calling"),
        ("mia", "challenge", "challenging"),
        ("mia", "51", "calling 51"),
        ("mia:keep=yes", "keep6", "keeping 6"),
    ]:
        game = parse(name)
        assert family(game).doing(game, game.read_choice(choice)) == words


ANSWERED = [
    ("pig:goal=25", "hold:12"),
    ("piglet:goal=4,skip=yes", "hold:2"),
    ("pig:goal=20,payoff=margin", "hold:8"),
    ("two-dice-pig:goal=20", "hold:10"),
    ("liars-die", "truthful"),
    ("mia:sides=3", "random"),
    ("bluff:sides=3", "truthful"),
]


@pytest.mark.parametrize(("name", "text"), ANSWERED)
@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_against_a_known_opponent_the_best_answer_loses_nothing(name, text, seat):
    game = parse(name)
    known = strategy(text, game)
    judged = judge_against(game, known, seat)
    assert judged.worth(game.start()) == pytest.approx(judged.certificate.value, abs=1e-9)
    answer, rng = judged.strategies[seat], Random(5)
    at_random = strategy("random", game)
    for number in range(16):
        mine = answer if number % 2 else at_random
        players = (mine, known) if seat == FIRST else (known, mine)
        found = analyse(play_match(game, players, rng, most=2000), judged, text)
        one, two = found.figures
        assert found.start + one.luck + one.hidden_luck - one.loss + two.loss == pytest.approx(
            found.end, abs=1e-9
        )
        assert found.figures[1 - seat].loss == 0
        assert found.figures[1 - seat].decisions == 0
        if mine is answer:
            assert found.figures[seat].loss == pytest.approx(0, abs=1e-9)
        assert found.person == seat
        assert f"The best answer to {text}" in found.document()["sentences"][2]


def test_many_games_against_a_known_opponent_are_judged_like_one():
    """Not by the compiled replay, which would weigh the known opponent's decisions, too."""
    game, rng = parse("pig:goal=25"), Random(5)
    judged, at_random = judge_against(game, strategy("hold:12", game), SECOND), strategy("random", game)
    records = [play_match(game, (strategy("hold:12", game), at_random), rng) for _ in range(3)]
    assert list(analyse_many(records, lambda _: judged)) == [analyse(record, judged) for record in records]


def test_who_the_known_opponent_is():
    tags = (("First", "Ada"), ("SecondStrategy", "hold:8"))
    record = record_of("pig:goal=20", "roll", 0.0, "unfinished", tags=tags)
    assert known_opponent(record, None) == (FIRST, "hold:8")
    assert known_opponent(record, "hold:9") == (FIRST, "hold:9")
    assert known_opponent(record, "hold:9", "second") == (SECOND, "hold:9")
    with pytest.raises(RulesError, match="names no strategy"):
        known_opponent(record, None, "second")
    with pytest.raises(RulesError, match="no best response"):
        judge_against(parse("mia:keep=yes"), lambda view: {}, FIRST)


def test_a_review_adds_up_games_of_either_seat():
    game, judged = parse("pig:goal=20"), judge("pig:goal=20")
    known = strategy("hold:5", game), strategy("optimal", game)
    records = []
    for number in range(40):
        pair, names = (known, ["Ada", "Bob"]) if number % 2 else (known[::-1], ["Bob", "Ada"])
        tags = tuple(zip(("First", "Second"), names, strict=True))
        records.append(replace(play_match(game, pair, Random(number)), tags=tags))
    ada, bob = review(analyse_many(records, lambda _: judged))
    assert (ada.player, ada.games, bob.games) == ("Ada", 40, 40)
    assert bob.loss == pytest.approx(0)
    assert ada.loss > 0
    assert ada.luck.estimate == pytest.approx(-bob.luck.estimate)
    assert ada.result.estimate + bob.result.estimate == pytest.approx(1)
    assert ada.adjusted.estimate == pytest.approx(ada.result.estimate - ada.luck.estimate)
    assert ada.adjusted.high - ada.adjusted.low < ada.result.high - ada.result.low
    assert json.dumps(ada.document())


def test_habits_tell_a_truthful_player_and_what_to_do():
    """Seeds are fixed; with 95 % intervals a truthful player's 0 % is told from 20 % in any 100 games."""
    game = parse("mia")
    solution = solve(game)
    judged, pair = judge_of(game, solution), (strategy("truthful", game), solution.strategies[1])
    tags = (("First", "Bob"), ("SecondStrategy", "optimal"))
    analyses = [analyse(replace(play_match(game, pair, Random(n)), tags=tags), judged) for n in range(100)]
    bob, optimal = habits_of(analyses)
    bluffs = bob.habits[0]
    assert bluffs.taken.estimate == 0
    assert bluffs.told
    assert bluffs.answer == "call less"
    assert all(
        habit.taken.low - 0.05 <= habit.equilibrium <= habit.taken.high + 0.05 for habit in optimal.habits
    )
    gains = [exploit(each, solution).gain for each in (bob, optimal)]
    assert gains[0] > gains[1] >= 0
    assert bob.document()["bluffs"]["decisions"] == bluffs.taken.games
    unseen = Fitted(solution.strategies[0], {})
    view = game.read_view("rolled 31")
    assert unseen(view) == pytest.approx(solution.strategies[0](view))
    assert exploit(replace(bob, views={}), solution).gain == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bluff-match:dice=2v1,sides=3", "mia:keep=yes,sides=4"])
def test_habits_are_counted_in_matches_and_where_dice_are_kept(name):
    """Seeds are fixed. Solved players bluff and call as the equilibrium does: their shares are
    within four standard errors of it, which 3 in 10,000 correct programs would miss in one of the four."""
    game = parse(name)
    solution = solve(game)
    judged = judge_of(game, solution)
    tags = (("First", "Ada"), ("Second", "Ada"))
    records = [replace(play_match(game, solution.strategies, Random(n)), tags=tags) for n in range(150)]
    [ada] = habits_of(analyse(record, judged) for record in records)
    assert [habit.kind for habit in ada.habits] == ["bluffs", "calls"]
    for habit in ada.habits:
        share, count = habit.equilibrium, habit.taken.games
        assert count >= 140
        assert abs(habit.taken.estimate - share) <= 4 * (share * (1 - share) / count) ** 0.5
    assert exploit(ada, solution) is None
    assert json.dumps(ada.document())


def test_spot_on_and_raises_are_counted():
    """FIRST holds 3, SECOND 1, threes are wild: 1x1 is true, 2x1 is exactly right, and spot-on says so."""
    found = analyse(
        record_of("bluff:sides=3,spot_on=yes", "3 1 1x1 2x1 spot-on", 1.0), judge("bluff:sides=3,spot_on=yes")
    )
    one, two = (figures.talk for figures in found.figures)
    assert (one.bids, one.calls, one.right_calls, one.over_calls) == (1, 1, 1, 0)
    assert (two.bids, two.bluffs, two.taken_in) == (1, 0, 0)  # 2x1 with a 1: 2/3
    assert {moment.who for moment in found.moments} == {CHANCE, FIRST, SECOND}


def test_solved_actions_where_solved_play_never_comes_lose_nothing():
    """After 2x5, which one die never bids, whatever a table by CFR has in its mix there."""
    game = parse("bluff:dice=1v2")
    judged = judge_of(game, solution_of(game))
    mix = judged.advise("3,5 | 2x5").mix
    for action in mix:
        words, end = game.show_choice(action), "" if action == "call" else " call"
        won = game.payoff(game.read_state(f"2 v 3,5 | 2x5 {words}{end}"))
        found = analyse(record_of(game.name, f"2 3,5 2x5 {words}{end}", won), judged)
        moment = found.moments[3]
        assert moment.choice == action
        assert not moment.reached
        assert (moment.loss, moment.judgement) == (0.0, "best")
        assert found.document()["moments"][3]["reached"] is False
        assert "suppose a slip" in found.document()["moments"][3]["note"]
        assert found.document()["moments"][2]["reached"] is True
    other = analyse(record_of(game.name, "2 3,5 2x5 3x6 call", 1.0), judged).moments[3]
    assert other.judgement == "blunder"


def test_the_first_sentence_tells_averages_and_how_chance_stood():
    """No sums, which may be more than there is; nothing is said of an opponent who lost nothing."""
    words = "roll +6 hold roll +2 hold roll +6 roll +4 roll +5 hold"
    found = analyse(record_of("pig:goal=20", words, 1.0), judge("pig:goal=20"))
    for seat, chance in ((FIRST, "went very much your way"), (SECOND, "went very much against you")):
        own, theirs = found.figures[seat], found.figures[1 - seat]
        first = sentences(found, seat)[0]
        assert f"You gave away {100 * own.error_rate:.2f} % a decision; the dice {chance}." in first
        assert first.endswith(f"The other gave away {100 * theirs.error_rate:.2f} % a decision.")
    alone = analyse(
        record_of("piglet:goal=2", "roll +1 hold roll bust roll +1 hold", 1.0), judge("piglet:goal=2")
    )
    assert sentences(alone, FIRST)[0] == "You gave away 11.43 % a decision; the dice went very much your way."


def test_luck_of_the_dice_is_told_apart_from_what_was_hidden():
    """Both called bids that were there to be believed; no sentence adds the two kinds of luck up."""
    found = analyse(record_of("bluff", "5 3 1x3 2x3 2x5 call", -1.0), judge("bluff"))
    first = sentences(found, FIRST)[0]
    assert re.search(r"the dice (favoured|went)[^,]*, and what was hidden (favoured|went)", first)
    assert all(float(number) <= 100 for number in re.findall(r"([\d.]+) %", first))


def test_numbers_as_people_read_them():
    found = analyse(record_of("piglet:goal=2", "roll +1 roll +1 hold", 1.0), judge("piglet:goal=2"))
    assert amount(found, -1e-5) == amount(found, -1e-5, signed=True) == "0.0 %"
    assert [accuracy(figures) for figures in found.figures] == ["100.0", "-"]
    assert ">-</td>" in page(found)


def test_one_decision_has_one_loss_wherever_it_is_shown(capsys, monkeypatch):
    """Held at 0-0+14 in Pig to 30: 68.745 - 58.854 = 9.891 %, though 68.7 and 58.9 are 9.8 apart."""
    words = "roll +6 roll +6 roll +2 hold roll +6 roll +6 roll +6 roll +6 roll +6 hold"
    found = analyse(record_of("pig:goal=30", words, -1.0), judge("pig:goal=30"))
    assert lost(found, found.moments[6].loss) == "9.9 %"
    assert sentences(found, FIRST)[0].startswith("You gave away ")
    assert "holding: lost 9.9 %" in page(found)
    monkeypatch.setattr("builtins.input", lambda: "hold")
    capsys.readouterr()
    analysis_report.one(found, FIRST, every=False)
    analysis_report.learn(found, FIRST)
    shown = capsys.readouterr().out
    assert re.search(r"7 +0-0\+14 +hold +9\.9 % +blunder +roll", shown)
    assert "holding loses 9.9 %." in shown
    assert not re.search(r"9\.8|9\.89", shown)


def test_a_loss_too_small_for_a_digit_is_not_nothing():
    found = analyse(record_of("piglet:goal=2", "roll +1 roll +1 hold", 1.0), judge("piglet:goal=2"))
    assert [lost(found, loss) for loss in (0.0, 1e-12, 0.0004, 0.0625)] == [
        "0.0 %",
        "0.0 %",
        "<0.1 %",
        "6.3 %",
    ]
    assert lost(replace(found, points=True), 0.004) == "<0.01 points"


def test_a_match_is_told_by_its_present_round():
    match = parse("bluff-match:dice=2v1,sides=3")
    view = match.read_view("1,1 v 1 | 1x2 call / 3 | 1x2")
    assert "/" not in family(match).place(match, view)
    assert family(match).place(match, view).startswith("a three after one two; one die against one")


def test_few_games_have_no_interval_and_none_leaves_what_is_possible():
    judged = judge("pig:goal=20")
    won = record_of("pig:goal=20", "roll +6 roll +6 roll +6 roll +6 hold", 1.0)
    lost = record_of("pig:goal=20", "roll bust roll +6 roll +6 roll +6 roll +6 hold", -1.0)
    few, _ = review(analyse_many([won, lost], lambda _: judged))
    assert few.result is few.luck is few.loss_per_game is None
    assert few.means["result"] == 0.5
    for found in review(analyse_many([won] * 5 + [lost], lambda _: judged)):
        assert 0 <= found.result.low <= found.result.high <= 1
        assert found.loss_per_game.low >= 0
    mixed = review(
        [
            *analyse_many([won], lambda _: judged),
            analyse(record_of("bluff:sides=3", "1 2 1x1 call", 1.0), judge("bluff:sides=3")),
        ]
    )
    assert sorted((each.player, each.game) for each in mixed) == [
        *(("first", "bluff:sides=3"), ("first", "pig:goal=20")),
        *(("second", "bluff:sides=3"), ("second", "pig:goal=20")),
    ]


def test_all_best_actions_are_best():
    """Solved play never lies with a six, so challenging it wins no more than accepting it: nothing."""
    game = parse("liars-die")
    advice = judge("liars-die").advise(game.read_view("called 6"))
    assert set(advice.tied) == {"accept", "challenge"}
    found = analyse(record_of("liars-die", "6 6 accept", 1.0), judge("liars-die"))
    assert set(found.moments[2].tied) == {"accept", "challenge"}
    assert best_actions(game, found.moments[2]) == "challenge, accept"


@pytest.mark.parametrize(
    ("worth", "mix", "slack", "agreed"),
    [
        ({"a": 0.5, "b": 0.7, "c": 0.1}, {"a": 0.6, "b": 0.4}, 0.01, {"a": 0.5, "b": 0.5, "c": 0.1}),
        ({"a": 0.5, "b": 0.7, "c": 0.1}, {"a": 0.6, "b": 0.4}, 0.25, None),  # within what is not known
        ({"a": 0.5, "b": 0.7}, {"a": 0.001, "b": 0.999}, 0.01, None),  # hardly ever taken
        ({"a": 0.5, "b": 0.7}, {"b": 1.0}, 0.01, None),
        ({"a": 0.5}, {}, 0.01, None),
    ],
)
def test_no_action_counts_as_better_than_the_mix(worth, mix, slack, agreed):
    advice = Advice("view", worth, "b", mix, False)
    found = advice.agreed(slack)
    assert found.worth == (agreed or worth)
    assert found.coarse == bool(agreed)
    assert found.note == (COARSE if agreed else SLIP)
    assert found.best == ("a" if agreed else "b")


def test_without_a_belief_of_its_own_no_action_is_better_than_the_mix():
    """Issue 16: unrefined exact rounds and nearest plans suppose any slip where the rival never comes."""
    solved = judge("bluff:sides=4")
    plain = replace(solved, beliefs=None)
    game, found = solved.game, 0
    for bid in game.opening_bids:
        for mine, hand in product(game.hands(FIRST), game.hands(SECOND)):
            view = BluffView(hand, (bid,))
            advice, guess = plain.advise(view), plain._advise(view)
            if max(guess.worth.values()) - min(guess.worth[action] for action in guess.mix) < 1e-9:
                assert advice.worth == guess.worth
                continue
            assert not advice.reached
            assert advice.note == COARSE
            assert advice.mix == guess.mix
            for action in advice.mix:
                assert action in advice.tied
                record = Record(game, (mine, hand, bid, action), 0.0, ended="unfinished")
                moment = analyse(record, plain).moments[3]
                assert (moment.loss, moment.note) == (0, COARSE)
                found += 1
    assert found > 0
