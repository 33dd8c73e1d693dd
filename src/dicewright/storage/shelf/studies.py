"""The tables of studies, beside the games that were played in them."""

import sqlalchemy as sa

from .database import metadata

STUDIES_FROM = 3  # the first version of the tables that has them


def _table(name: str, texts: tuple[str, ...], numbers: tuple[str, ...]) -> sa.Table:
    columns = [sa.Column(each, sa.Text) for each in texts] + [sa.Column(each, sa.Integer) for each in numbers]
    return sa.Table(name, metadata, sa.Column("number", sa.Integer, primary_key=True), *columns)


studies = _table("studies", ("title", "plan", "secret", "date"), ())
participants = _table("participants", ("name", "consented", "ended"), ("study",))
answers = _table("answers", ("participant", "question", "answer", "date"), ("study",))
sittings = _table("sittings", ("participant", "game"), ("study", "seat"))
turns = _table("turns", ("participant", "game"), ("study", "seat", "turn", "rolls", "banked"))
