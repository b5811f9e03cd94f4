"""Bit patterns to try floating-point instructions with."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

from cpu_exact import Format, number


def edges(format_: Format) -> list[int]:
    """Return patterns where something changes, of both signs."""
    one = format_.bias << format_.fraction
    least = 1 << format_.fraction
    infinity = format_.infinity
    top = (2 * format_.bias - 1) << format_.fraction  # 2^126 for f32
    patterns = [
        0, 1, least >> 1, least - 1, least, least + 1, one - 1, one, one + 1, one + (least >> 1),
        one + least, one - least, top - 1, top, top + 1, top + least, infinity - 1, infinity,
        infinity + 1, infinity + (least >> 1), infinity + least - 1,
    ]  # fmt: skip
    return [p | s for p in patterns for s in (0, format_.sign)]


def patterns(format_: Format, operands: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Return operands: edges with edges, any bits, and numbers that are near each other."""
    draw = random.Random(seed)
    some = edges(format_)
    if operands == 1:
        chosen = [(p,) for p in some]
    elif operands == 2:
        chosen = list(itertools.product(some, some))
        chosen = draw.sample(chosen, 400)
    else:
        chosen = [tuple(draw.choice(some) for _ in range(operands)) for _ in range(300)]
    for _ in range(100):
        chosen.append(tuple(draw.getrandbits(format_.bits) for _ in range(operands)))
    for _ in range(100):
        chosen.append(tuple(_near_one(format_, draw) for _ in range(operands)))
    if operands > 1:
        chosen += _almost_normal(format_, operands, draw)
    if operands == 3:
        chosen += _cancelling(format_, draw)
    return chosen


def _near_one(format_: Format, draw: random.Random) -> int:
    exponent = format_.bias + draw.randint(-3, 3)
    fraction = draw.getrandbits(format_.fraction) & draw.choice((-1, -1 << (format_.fraction // 2)))
    return draw.choice((0, format_.sign)) | exponent << format_.fraction | fraction


def _almost_normal(format_: Format, operands: int, draw: random.Random) -> list[tuple[int, ...]]:
    """Return operands whose product, or quotient, is near the least normal number."""
    found: list[tuple[int, ...]] = []
    least, one = 1 << format_.fraction, format_.bias << format_.fraction
    for _ in range(60):
        near = one + draw.choice((-1, 1)) * draw.randrange(1, 5)
        other = least + draw.randrange(0, 4)
        pair = draw.choice([(near, other), (other, near)])
        rest = [draw.choice((0, format_.sign, 1, least))] * (operands - 2)
        found.append((pair[0] | draw.choice((0, format_.sign)), pair[1], *rest))
    return found


def _cancelling(format_: Format, draw: random.Random) -> list[tuple[int, ...]]:
    """Return a, b, c where c is near -a * b, or where a * b is a tie and c far smaller."""
    found: list[tuple[int, ...]] = []
    for _ in range(100):
        a, b = _near_one(format_, draw), _near_one(format_, draw)
        product = format_.decode(a).value * format_.decode(b).value
        c = format_.encode(number(-product)) + draw.choice((-1, 0, 0, 1))
        found.append((a, b, c))
        odd = format_.bias << format_.fraction | draw.getrandbits(format_.fraction) | 1
        half = format_.encode(number(Fraction(3, 2)))
        tiny = draw.choice((1, format_.sign | 1, 5, 1 << format_.fraction, format_.sign))
        found.append((odd, half, tiny))
    return found


def compare(
    opcode: str, operands: Sequence[Sequence[int]], got: Sequence[int], expected: Sequence[int]
) -> None:
    """Fail with the first differences, if there are any."""
    wrong = [
        f"{opcode} {', '.join(map(hex, row))} = {a:#x}, not {b:#x}"
        for row, a, b in zip(operands, got, expected, strict=True)
        if a != b
    ]
    assert not wrong, f"{len(wrong)} of {len(got)}:\n" + "\n".join(wrong[:5])
