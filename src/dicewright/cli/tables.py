"""Tables as lines of text: figures under their heads, and long texts where they leave the figures in place."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

GAP = "  "
LEAST = 12  # letters of a column of texts that is made narrow
MOST_LINES = 2  # of a text in its column; a longer one gets a line of its own


def laid_out(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], width: int
) -> tuple[list[str], list[str]]:
    """The lines of the head and those below; the columns numbered in `right` hold figures, which are never broken.

    What is too wide for the window first gets a head of several lines, then narrow texts. A text that takes more
    than two lines of its column goes on to the edge, and what follows stands below it. A row of one text is a heading.

    >>> rows = [["hold:20", "4.0 %"], ["expr:turn < 20 or mine >= 71", "3.1 %"]]
    >>> head, lines = laid_out(["rule", "loses"], rows, [1], 20)
    >>> print(*head, *lines, sep="\\n")
    rule          loses
    hold:20       4.0 %
    expr:turn < 20 or
    mine >= 71    3.1 %
    """
    full = [row for row in rows if len(row) == len(columns)]
    heads, wide = [[column] for column in columns], _widths(columns, full)
    if _total(wide) > width:
        longest = [max(column.split(), key=cell_len, default="") for column in columns]
        wide = _widths(longest, full)
        texts = [number for number in range(len(wide)) if number not in right]
        while texts and _total(wide) > width:
            widest = max(texts, key=lambda number: wide[number])
            if wide[widest] <= max(LEAST, cell_len(longest[widest])):
                break  # the window is too narrow for any table
            wide[widest] -= 1
        heads = [_wrapped(column, room) for column, room in zip(columns, wide, strict=True)]
    below = [line for row in rows for line in _row(row, wide, right, width)]
    return list(_side_by_side(heads, wide, right)), below


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]


def _total(wide: Sequence[int]) -> int:
    return sum(wide) + len(GAP) * (len(wide) - 1)


def _row(row: Sequence[str], wide: Sequence[int], right: Sequence[int], width: int) -> Iterator[str]:
    """The lines of a row or heading: a text that its column cannot hold goes on to the edge, the rest stands below."""
    if len(row) < len(wide):
        yield from _wrapped(row[0], width)
        return
    cells: list[list[str]] = [[""] for _ in row]
    for number, text in enumerate(row):
        cells[number] = [text] if number in right else _wrapped(text, wide[number])
        if len(cells[number]) > MOST_LINES or max(map(cell_len, cells[number])) > wide[number]:
            indent = _total(wide[:number]) + len(GAP) if number else 0
            cells[number] = _wrapped(text, max(wide[number], width - indent))
            yield from _side_by_side(cells, wide, right)
            cells = [[""] for _ in row]
    if any(piece for cell in cells for piece in cell):
        yield from _side_by_side(cells, wide, right)


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many letters, all as far in as the first; a word that is wider stays whole."""
    if cell_len(text) <= width:
        return [text]
    words = text.lstrip(" ").split(" ")
    before = " " * (len(text) - len(text.lstrip(" ")))
    lines = [before + words[0]]
    for word in words[1:]:
        if cell_len(lines[-1]) + 1 + cell_len(word) > width:
            lines.append(before + word)
        else:
            lines[-1] += f" {word}"
    return lines


def _side_by_side(cells: Sequence[list[str]], wide: Sequence[int], right: Sequence[int]) -> Iterator[str]:
    for pieces in zip_longest(*cells, fillvalue=""):
        padded = (
            f"{' ' * (room - cell_len(piece))}{piece}"
            if number in right
            else f"{piece}{' ' * (room - cell_len(piece))}"
            for number, (piece, room) in enumerate(zip(pieces, wide, strict=True))
        )
        yield GAP.join(padded).rstrip()
