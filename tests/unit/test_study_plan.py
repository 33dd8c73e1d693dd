"""The file of a study: what is allowed, and every fault with its place."""

import pytest

from dicewright.core.errors import NotationError
from dicewright.study.plan_file import check_plan, load_plan
from dicewright.study.questions import EXETER, FormItem
from dicewright.study.template import template


def faults(text):
    plan, found = check_plan(text)
    assert (plan is None) == bool(found)
    return [str(fault) for fault in found]


def test_the_template_is_good_and_asks_exeters_questions():
    plan, found = check_plan(template())
    assert not found
    assert (plan.game, plan.games, plan.paired, plan.questions) == ("pig", 3, True, EXETER)
    assert plan.participants[0] == "P01"
    assert len(plan.participants) == 20


def test_an_empty_file_is_exeters_study():
    plan, _ = check_plan("")
    assert (plan.game, plan.games, plan.opponent, plan.questions) == ("pig", 1, "participant", EXETER)


def test_a_character_is_an_opponent_by_its_strategy_text():
    plan, _ = check_plan('opponent = "averse:power=1/4"\nparticipants = ["a", "b", "c"]\nseats = "second"')
    assert (plan.opponent, plan.participants, plan.paired) == ("averse:power=1/4", ("a", "b", "c"), False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('title = "A', ["line 1: this is no TOML"]),
        ('game = "pik"', ["line 1: game is 'pik': unknown game", "pig"]),
        ('game = "kuhn-poker"', ["line 1: game is", "not played at a table"]),
        ("\ngames = 0", ["line 2: games is 0; a whole number from 1 to 1,000 is allowed"]),
        ("games = true", ["games is True"]),
        ("colour = 1", ["line 1: colour is unknown; title, game"]),
        ('opponent = "holt:20"', ["line 1: opponent is 'holt:20': no such strategy", "participant is"]),
        ('opponent = "hold:x"', ["opponent is 'hold:x'"]),
        ('opponent = "table:secret.csv"', ["opponent is 'table:secret.csv': no such strategy"]),
        ('seats = "first"', ["seats is 'first'; alternate, random are allowed when participants play"]),
        ('opponent = "hold:20"\nseats = "left"', ["line 2: seats is 'left'; alternate, first, second"]),
        ("participants = 3", ["participants who play each other are 3; an even number"]),
        ("participants = 0", ["participants is 0; a number from 1 to 5,000 or a list of ids is allowed"]),
        ('participants = ["a", "b", "a", "c"]', ["participant 3 is 'a' again, as participant 1"]),
        ('participants = ["a", 7]', ["participant 2 is 7; a text of 1 to 40 letters"]),
        ('questions = "mine"', ["questions is 'mine'; 'exeter' or tables [[questions]]"]),
        ("[[questions]]", ["line 1: question 1 has no name", "has no ask", "has no type"]),
        (
            '[[questions]]\nname="a"\nask="A?"\ntype="text"\n[[questions]]\nname="a"\nask="B?"\ntype="mood"',
            [
                "line 8: type of question 2 is 'mood'; choice, number, scale, text",
                "line 6: question 2 is named",
            ],
        ),
        ('[[questions]]\nname="a"\nask="A?"\ntype="choice"', ["line 1: question 1 has no options; a list"]),
        (
            '[[questions]]\nname="a"\nask="A?"\ntype="number"\nleast=5\nmost=5',
            ["line 6: most of question 1 is 5; more than least, which is 5,"],
        ),
        ('[[questions]]\nname="a"\nask="A?"\ntype="text"\nleast=5', ["line 5: question 1 has least, but"]),
        ('[[questions]]\nname="a"\nask="A?"\ntype="scale"\nmost=99', ["a scale of up to 21 steps"]),
    ],
)
def test_faults_name_the_place_and_what_is_allowed(text, told):
    found = "\n".join(faults(text))
    for part in told:
        assert part in found


def test_all_faults_are_told_at_once(tmp_path):
    text = 'game = "pik"\ngames = 0\nseats = "left"\n'
    assert [fault.split(" is ")[0] for fault in faults(text)] == [
        "line 1: game",
        "line 2: games",
        "line 3: seats",
    ]
    path = tmp_path / "study.toml"
    path.write_text(text)
    with pytest.raises(NotationError, match=r"line 1: game is .* \(and 2 more: dicewright study check\)"):
        load_plan(path)


@pytest.mark.parametrize(
    ("question", "given", "kept"),
    [
        (EXETER[0], "risk averse", "risk averse"),
        (FormItem("age", "Age?", "number", least=0), "23", 23),
        (FormItem("luck", "Luck?", "scale", least=1, most=5), 5, 5),
        (FormItem("why", "Why?", "text"), " so ", "so"),
        (FormItem("why", "Why?", "text", optional=True), " ", None),
    ],
)
def test_answers_are_kept_by_their_types(question, given, kept):
    assert question.read(given) == kept


@pytest.mark.parametrize(
    ("question", "given", "told"),
    [
        (EXETER[0], "bold", "attitude is 'bold'; 'risk averse' or"),
        (EXETER[0], None, "attitude is not answered"),
        (FormItem("age", "Age?", "number", least=0), -1, "age is -1; a number from 0"),
        (FormItem("age", "Age?", "number"), "nan", "age is 'nan'"),
        (FormItem("age", "Age?", "number"), True, "age is True"),
        (FormItem("luck", "Luck?", "scale", least=1, most=5), 2.5, "luck is 2.5; a whole number from 1 to 5"),
        (FormItem("why", "Why?", "text"), "x" * 2001, "a text of up to 2,000 letters"),
    ],
)
def test_other_answers_are_refused(question, given, told):
    with pytest.raises(NotationError, match=told):
        question.read(given)
