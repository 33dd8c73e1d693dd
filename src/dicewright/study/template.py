"""A new plan as a text with a comment at each field, to be changed with any editor."""

import json

from .plan import CONSENT, PARTICIPANT, SEATS, THANKS
from .questions import EXETER, FormItem


def template(game: str = "pig", opponent: str = PARTICIPANT, participants: int = 20, games: int = 3) -> str:
    """The text of a plan with Exeter's three questions."""
    head = f"""\
# A study. Check this file with: dicewright study check FILE

title = {_text("Pig and attitude to risk")}
game = {_text(game)}                  # what is played: dicewright games
opponent = {_text(opponent)}      # "{PARTICIPANT}" for another participant, or a strategy or character,
                              # such as "hold:20", "averse", "optimal": dicewright strategies {game}
games = {games}                     # of each participant
seats = {_text(SEATS[0])}           # who begins: {", ".join(SEATS)}
participants = {participants}             # how many, or their ids: ["A7", "B2"]

# Shown first; nobody goes on without agreeing.
consent = \"\"\"
{CONSENT}
\"\"\"

# Shown last.
thanks = \"\"\"
{THANKS}
\"\"\"

# Asked before play and never shown to the other player. These are Exeter's three (figure 5).
# type is "choice" (with options), "number" or "scale" (with least, most and, for a scale, ends) or "text";
# optional = true lets a question be left out. Without any question: questions = [] above, and no [[questions]].
"""
    return head + "".join(map(_question, EXETER))


def _question(question: FormItem) -> str:
    options = ", ".join(map(_text, question.options))
    return (
        f"\n[[questions]]\nname = {_text(question.name)}\nask = {_text(question.ask)}\n"
        f"type = {_text(question.type)}\noptions = [{options}]\n"
    )


def _text(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
