"""Plays Pig by holding at 20: a program for dicewright's engine protocol, in Python."""

import json
import sys


def choose(data: dict) -> str:
    """Roll or hold, by what the player sees: its own score, the other's, and the turn total."""
    return "hold" if data["turn"] >= 20 else "roll"


def answer(question: dict) -> dict:
    """The answer to one line."""
    if question["ask"] == "hello":
        return {"protocol": 1, "name": "hold at 20"}
    if question["ask"] == "action":
        return {"action": choose(question["data"])}
    return {"error": f"what is {question['ask']}?"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
