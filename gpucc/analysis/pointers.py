"""What pointers a register may hold: sets of origins, and how instructions combine them.

An *origin* is a thing that a pointer may point into: the allocation behind a word of a kernel
parameter, a variable, a function, or *other* memory (whose address was loaded, or came from code
that is not seen).  A value holds each origin in one of three ways:

- *direct*: it may be a pointer into it, perhaps displaced or with bits masked off;
- *piece*: it may be part of such a pointer (32 of its 64 bits, or fewer);
- *scaled*: it was computed from one by multiplying, shifting, comparing bits: an offset or a hash.

A pointer into a variable of this kernel (local arrays, parameters) also has its offset, if that is
known, so that a stack frame is told apart into its slots.

What is assumed is what C++ promises: adding an integer to a pointer does not lead from one
allocation into another.  So of ``pointer + x`` where the pointer is known to be one, ``x`` is an
integer, whatever it was computed from.  And no pointer is computed in floating point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

_MAX_PLACES = 12

OriginKind: TypeAlias = Literal["other", "shared", "word", "unit", "variable", "function", "object"]


@dataclass(frozen=True, slots=True)
class Origin:
    """One thing that pointers point into.

    ``word``: what the word at byte ``number`` of the kernel's parameter ``name`` points to;
    ``unit``: the 4 bytes of a parameter at ``number``, read by themselves.
    ``object``: variable ``name`` in local or parameter space of function instance ``number``.
    ``shared`` is all of shared memory.
    """

    kind: OriginKind
    name: str = ""
    number: int = 0


@dataclass(slots=True)
class Origins:
    """Numbers origins, so that sets of them are integers: bit i stands for ``known[i]``."""

    known: list[Origin] = field(default_factory=list[Origin])
    _numbers: dict[Origin, int] = field(default_factory=dict[Origin, int])
    _masks: dict[OriginKind, int] = field(default_factory=dict[OriginKind, int])

    def bit(self, origin: Origin) -> int:
        """Return the set with just ``origin``."""
        number = self._numbers.get(origin)
        if number is None:
            number = self._numbers[origin] = len(self.known)
            self.known.append(origin)
            self._masks[origin.kind] = self._masks.get(origin.kind, 0) | 1 << number
        return 1 << number

    def mask(self, *kinds: OriginKind) -> int:
        """Return the set of all origins of some kinds."""
        return sum(self._masks.get(kind, 0) for kind in kinds)

    def members(self, mask: int) -> list[Origin]:
        """List a set."""
        return [self.known[i] for i in range(mask.bit_length()) if mask >> i & 1]

    def halves(self, word: Origin) -> int:
        """Return the two units that make up a parameter's word."""
        low = self.bit(Origin("unit", word.name, word.number))
        return low | self.bit(Origin("unit", word.name, word.number + 4))


Place: TypeAlias = tuple[int, int]
"""The bit of an object, and an offset in bytes."""


@dataclass(frozen=True, slots=True)
class Pointers:
    """What a register, or a piece of memory, may hold.

    Objects at known offsets are in ``places`` only; those in ``direct`` are at any offset.
    """

    direct: int = 0
    pieces: int = 0
    scaled: int = 0
    places: frozenset[Place] = frozenset()

    @property
    def pointed(self) -> int:
        """All that is held directly, at whatever offset."""
        mask = self.direct
        for bit, _ in self.places:
            mask |= bit
        return mask

    def join(self, other: Pointers) -> Pointers:
        """Return what may be either."""
        if other is NOTHING or self is other:
            return self
        if self is NOTHING:
            return other
        direct = self.direct | other.direct
        places = self.places | other.places
        if places:
            places, direct = _bounded(places, direct)
        return Pointers(direct, self.pieces | other.pieces, self.scaled | other.scaled, places)

    def displaced(self, offset: int) -> Pointers:
        """Return the value plus a constant."""
        if not self.places or offset == 0:
            return self
        moved = frozenset((bit, at + offset) for bit, at in self.places)
        return Pointers(self.direct, self.pieces, self.scaled, moved)

    def somewhere(self) -> Pointers:
        """Return the value plus something unknown."""
        return Pointers(self.pointed, self.pieces, self.scaled) if self.places else self

    def offset_only(self) -> Pointers:
        """Return the value, taken for an offset."""
        if not (self.direct or self.pieces or self.places):
            return self
        return Pointers(scaled=self.pointed | self.pieces | self.scaled)

    def without_offsets(self, ignored: int) -> Pointers:
        """Return the value without the scaled origins ``ignored``."""
        if not self.scaled & ignored:
            return self
        return Pointers(self.direct, self.pieces, self.scaled & ~ignored, self.places)


NOTHING = Pointers()


def split(mask: int) -> list[int]:
    """Split a set of origins into sets of one."""
    return [1 << index for index in range(mask.bit_length()) if mask >> index & 1]


def _bounded(places: frozenset[Place], direct: int) -> tuple[frozenset[Place], int]:
    """Drop places of objects that are at any offset already, or that have too many offsets."""
    count: dict[int, int] = {}
    for bit, _ in places:
        count[bit] = count.get(bit, 0) + 1
    gone = direct
    for bit, number in count.items():
        if number > _MAX_PLACES:
            gone |= bit
            direct |= bit
    return frozenset(place for place in places if not place[0] & gone), direct


def join_all(values: list[Pointers]) -> Pointers:
    """Return what may be any of ``values``."""
    result = NOTHING
    for value in values:
        result = result.join(value)
    return result


@dataclass(slots=True)
class Memory:
    """What an object may hold: at known ``(offset, size)``, and at any offset.

    ``readers`` are the steps, by instance and number, that depend on it; ``escaped`` says that code
    which is not seen has its address.
    """

    known: dict[tuple[int, int], Pointers] = field(default_factory=dict[tuple[int, int], Pointers])
    anywhere: Pointers = NOTHING
    readers: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    escaped: bool = False

    def load(self, offset: int | None, size: int) -> list[Pointers]:
        """Return what may be in ``size`` bytes at ``offset`` (None: anywhere)."""
        if offset is None:
            return [self.anywhere, *self.known.values()]
        return [
            self.anywhere,
            *(v for (at, n), v in self.known.items() if at < offset + size and offset < at + n),
        ]


# --- what instructions do to values ---------------------------------------------------------------


class Arithmetic:
    """Combines values; ``sure`` is the set of origins that are known to be pointed to.

    Pointers are 64 bits wide unless ``narrow``, where they are 32 (``.address_size 32``).
    """

    def __init__(self, origins: Origins, *, narrow: bool) -> None:
        self.origins = origins
        self.sure = 0
        self.other = origins.bit(Origin("other"))
        self.narrow = narrow

    def _is_pointer(self, value: Pointers) -> bool:
        """Return whether a value can only be a pointer."""
        sure = self.sure | self.origins.mask("variable", "function", "object", "shared")
        return value.pointed != 0 and value.pointed & ~sure == 0

    def add(self, a: Pointers, b: Pointers, *, wide: bool, minus: bool = False) -> Pointers:
        """Return ``a + b`` (``a - b``), where ``b`` is not a constant; ``wide`` for 64 bits."""
        if b is NOTHING:
            return a.somewhere()
        if a is NOTHING:
            return b.somewhere()
        if wide:
            a, b = self._whole_words(a), self._whole_words(b)
        a_sure, b_sure = self._is_pointer(a), self._is_pointer(b)
        if a.pointed & b.pointed:
            pass  # b + (a - b) is a
        elif a_sure and not b_sure:
            b = b.offset_only()
        elif b_sure and not a_sure and not minus:
            a = a.offset_only()
        elif a.pointed and not b.pointed:
            b = b.offset_only()
        elif b.pointed and not a.pointed:
            a = a.offset_only()
        both = self.clean(a.join(b).somewhere())
        return self.together(both) if wide else both

    def together(self, value: Pointers) -> Pointers:
        """Return a 64-bit value that may have been put together from its pieces."""
        if not value.pieces:
            return value
        direct = value.direct | value.pieces & ~self.origins.mask("unit")
        return self._whole_words(Pointers(direct, value.pieces, value.scaled, value.places))

    def _whole_words(self, value: Pointers) -> Pointers:
        """Return a value that holds directly the parameter words of which it has both halves."""
        units = value.pieces & self.origins.mask("unit")
        direct = value.direct
        for unit in self.origins.members(units) if units else ():
            if unit.number % 8 == 0:
                word = Origin("word", unit.name, unit.number)
                halves = self.origins.halves(word)
                if units & halves == halves:
                    direct |= self.origins.bit(word)
        return Pointers(direct, value.pieces, value.scaled, value.places)

    def cut(self, value: Pointers, *, high: bool = False) -> Pointers:
        """Return the low (or ``high``) 32 bits of a 64-bit value, or fewer."""
        pointed = value.pointed
        if not pointed:
            return value
        words = self.origins.mask("word")
        pieces = value.pieces | pointed & ~words
        for word in self.origins.members(pointed & words):
            unit = Origin("unit", word.name, word.number + (4 if high else 0))
            pieces |= self.origins.bit(unit)
        if self.narrow:
            return Pointers(pointed, pieces, value.scaled)
        return Pointers(0, pieces, value.scaled)

    def part(self, value: Pointers) -> Pointers:
        """Return some bits of a value, whichever they are."""
        return self.cut(value).join(self.cut(value, high=True))

    def packed(self, halves: list[Pointers]) -> Pointers:
        """Return the value put together from ``{low, high}``."""
        both = join_all(halves).somewhere()
        if any(half is NOTHING or not (half.pieces or half.pointed) for half in halves):
            return both  # an integer that is widened by hand
        return self.together(both)

    def clean(self, value: Pointers) -> Pointers:
        """Drop what a scaled origin need not remember: units, and other memory."""
        return value.without_offsets(self.other | self.origins.mask("unit"))

    def scaled(self, values: list[Pointers]) -> Pointers:
        """Return something computed from ``values`` that is no pointer by itself."""
        return self.clean(join_all([value.offset_only() for value in values]))
