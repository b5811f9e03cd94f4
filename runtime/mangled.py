"""Parameter types from mangled C++ names: ``_Z5saxpyfPKfPf`` -> ``float``, ``float const*``, …

PTX and cubins do not say whether 64 bits are an address, what an address points to, or whether an
integer has a sign; the Itanium C++ ABI's mangling, which nvcc uses, does.  What is read: builtin
and named types, qualifiers, pointers, arrays, functions, templates with type, value, template and
pack arguments, and all substitutions.  Names with local scopes (lambdas), decltype or expressions
give None, and callers then know less: types are never guessed.

The grammar: Itanium C++ ABI, "Demangling" and "Mangling", sections 5.1.1 to 5.1.10.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class CppType:
    """A type; ``text`` is spelt as ``c++filt`` spells it (qualifiers behind what they qualify)."""

    text: str
    base: str | None = None
    """Name of a builtin or named type, without qualifiers; None for pointers and the like."""
    pointee: CppType | None = None
    const: bool = False
    pack: tuple[CppType, ...] | None = None
    """The members of a parameter pack that is not expanded yet."""


@dataclass(frozen=True, slots=True)
class MangledFunction:
    """A demangled function."""

    name: str
    """With scopes and template arguments: ``ns::tk<float>``."""
    base_name: str
    """Without either: ``tk``."""
    scoped_name: str
    """With scopes alone: ``ns::tk``."""
    params: tuple[CppType, ...]


def demangle(name: str) -> MangledFunction | None:
    """Read the mangled name of a function; None if it is not one, or not understood."""
    if not name.startswith("_Z"):
        return None
    reader = _Reader(name, 2)
    try:
        function = reader.function()
    except (_NotUnderstood, IndexError, RecursionError):
        return None
    return function if reader.at == len(name) else None


class _NotUnderstood(Exception):
    pass


_BUILTIN = {
    "v": "void",
    "w": "wchar_t",
    "b": "bool",
    "c": "char",
    "a": "signed char",
    "h": "unsigned char",
    "s": "short",
    "t": "unsigned short",
    "i": "int",
    "j": "unsigned int",
    "l": "long",
    "m": "unsigned long",
    "x": "long long",
    "y": "unsigned long long",
    "n": "__int128",
    "o": "unsigned __int128",
    "f": "float",
    "d": "double",
    "e": "long double",
    "g": "__float128",
    "z": "...",
}
_BUILTIN_D = {
    "Dh": "half",
    "Di": "char32_t",
    "Ds": "char16_t",
    "Du": "char8_t",
    "Dn": "decltype(nullptr)",
}
_STD = {"Sa": "std::allocator", "Sb": "std::basic_string"}
_QUALIFIERS = {"K": "const", "V": "volatile", "r": "restrict"}


@dataclass(slots=True)
class _Name:
    """A name while it is read: its whole text, and the parts that callers ask for."""

    text: str
    scoped: str
    base: str
    templated: bool = False


class _Reader:
    """A recursive-descent reader over one mangled name."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.seen: list[CppType] = []
        """What ``S_``, ``S0_``, … stand for, in order."""
        self.arguments: list[CppType] = []
        """What ``T_``, ``T0_``, … stand for."""

    # --- characters -------------------------------------------------------------------------------

    def peek(self, word: str) -> bool:
        return self.text.startswith(word, self.at)

    def take(self, word: str) -> bool:
        if self.peek(word):
            self.at += len(word)
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.take(word):
            raise _NotUnderstood

    def number(self) -> int:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isdecimal():
            self.at += 1
        if start == self.at:
            raise _NotUnderstood
        return int(self.text[start : self.at])

    def sequence(self, digits: str) -> int:
        """Read what follows ``S`` or ``T``: ``_`` is 0, ``0_`` is 1, and so on."""
        start = self.at
        while self.text[self.at] in digits:
            self.at += 1
        value = self.text[start : self.at]
        self.expect("_")
        return int(value, len(digits)) + 1 if value else 0

    def remember(self, found: CppType) -> CppType:
        self.seen.append(found)
        return found

    # --- names ------------------------------------------------------------------------------------

    def function(self) -> MangledFunction:
        name = self.name(of_function=True)
        if name.templated:
            self.type()  # what it returns
        params: list[CppType] = []
        while self.at < len(self.text) and not self.peek("E") and not self.peek("."):
            params.extend(self.types())
        if self.peek("."):
            self.at = len(self.text)  # .isra.0 and other suffixes of compilers
        if [p.text for p in params] == ["void"]:
            params = []
        if not params and not self.text.endswith("v"):
            raise _NotUnderstood
        return MangledFunction(name.text, name.base, name.scoped, tuple(params))

    def name(self, *, of_function: bool = False) -> _Name:
        """Read a <name>.  That of a function is not remembered, but its scopes are."""
        if self.peek("Z"):
            raise _NotUnderstood
        if self.take("N"):
            return self.nested_name(of_function=of_function)
        if self.peek("S") and not self.peek("St"):
            text = self.substitution().text
            name = _Name(text, text, text)
        else:
            prefix = "std::" if self.take("St") else ""
            base = self.unqualified()
            name = _Name(prefix + base, prefix + base, base)
            if self.peek("I"):
                self.remember(CppType(name.text, base=name.text))
        if self.peek("I"):
            return self.templated(name, of_function=of_function)
        return name

    def nested_name(self, *, of_function: bool) -> _Name:
        while self.text[self.at] in _QUALIFIERS:
            self.at += 1
        name = _Name("", "", "")
        while not self.take("E"):
            if self.peek("I"):
                name = self.templated(name, of_function=of_function)
            elif self.peek("S") and not self.peek("St"):
                text = self.substitution().text
                name = _Name(text, text, text)
                continue
            elif self.peek("T"):
                text = self.template_param().text
                name = _Name(text, text, text)
            elif self.take("St"):
                name = _Name("std", "std", "std")
                continue
            else:
                base = self.unqualified()
                scope = f"{name.text}::" if name.text else ""
                plain = f"{name.scoped}::" if name.scoped else ""
                name = _Name(scope + base, plain + base, base)
            if not self.peek("E"):
                self.remember(CppType(name.text, base=name.text))
        return name

    def unqualified(self) -> str:
        self.take("L")  # internal linkage
        if not self.text[self.at].isdecimal():
            raise _NotUnderstood  # operators, constructors, lambdas
        length = self.number()
        if self.at + length > len(self.text):
            raise _NotUnderstood
        name = self.text[self.at : self.at + length]
        self.at += length
        while self.take("B"):  # ABI tags
            name += f"[abi:{self.unqualified()}]"
        return "(anonymous namespace)" if name.startswith("_GLOBAL__N_") else name

    def templated(self, name: _Name, *, of_function: bool) -> _Name:
        arguments = self.template_arguments()
        if of_function:
            self.arguments = arguments
        flat = [m for a in arguments for m in (a.pack if a.pack is not None else (a,))]
        shown = ", ".join(a.text for a in flat)
        closing = " >" if shown.endswith(">") else ">"
        return _Name(f"{name.text}<{shown}{closing}", name.scoped, name.base, templated=True)

    def template_arguments(self) -> list[CppType]:
        self.expect("I")
        found: list[CppType] = []
        while not self.take("E"):
            found.append(self.template_argument())
        return found

    def template_argument(self) -> CppType:
        if self.take("J"):
            members: list[CppType] = []
            while not self.take("E"):
                members.append(self.template_argument())
            return CppType("", pack=tuple(members))
        if self.take("L"):
            return self.literal()
        if self.peek("X"):
            raise _NotUnderstood
        return self.type()

    def literal(self) -> CppType:
        if self.peek("_Z"):
            raise _NotUnderstood
        kind = self.type().text
        sign = "-" if self.take("n") else ""
        value = sign + str(self.number())
        self.expect("E")
        if kind == "bool":
            return CppType("true" if value == "1" else "false")
        suffix = {"int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul"}
        return CppType(value + suffix[kind] if kind in suffix else f"({kind}){value}")

    # --- types ------------------------------------------------------------------------------------

    def types(self) -> tuple[CppType, ...]:
        """Read one type of a parameter list; a pack expansion gives several."""
        if self.take("Dp"):
            found = self.type()
            self.remember(found)
            if found.pack is None:
                raise _NotUnderstood
            return found.pack
        return (self.type(),)

    def type(self) -> CppType:
        at = self.text[self.at]
        if at in _QUALIFIERS:
            return self.qualified()
        if self.take("P"):
            return self.remember(_each(self.type(), _pointer_to))
        if self.take("R"):
            return self.remember(_each(self.type(), lambda t: _reference_to(t, "&")))
        if self.take("O"):
            return self.remember(_each(self.type(), lambda t: _reference_to(t, "&&")))
        if self.take("F"):
            return self.remember(self.function_type())
        if self.take("A"):
            return self.remember(self.array())
        if at == "T" and self.text[self.at + 1] not in "seu":
            param = self.remember(self.template_param())
            return self.type_arguments(param) if self.peek("I") else param
        if at == "S" and not self.peek("St"):
            found = self.substitution()
            return self.type_arguments(found) if self.peek("I") else found
        for code, text in _BUILTIN_D.items():
            if self.take(code):
                return CppType(text, base=text)
        if at in _BUILTIN:
            self.at += 1
            return CppType(_BUILTIN[at], base=_BUILTIN[at])
        if at.isdecimal() or at in "NS":
            text = self.name().text
            return self.remember(CppType(text, base=text))
        raise _NotUnderstood

    def qualified(self) -> CppType:
        words: list[str] = []
        while self.text[self.at] in _QUALIFIERS:
            words.append(_QUALIFIERS[self.text[self.at]])
            self.at += 1
        inner = self.type()
        behind = "".join(f" {word}" for word in reversed(words))

        def qualify(t: CppType) -> CppType:
            return replace(t, text=t.text + behind, const=t.const or "const" in words)

        return self.remember(_each(inner, qualify))

    def array(self) -> CppType:
        extent = "" if self.peek("_") else str(self.number())
        self.expect("_")
        return CppType(f"{self.type().text} [{extent}]")

    def function_type(self) -> CppType:
        returned = self.type().text
        params: list[str] = []
        while not self.take("E"):
            params.extend(t.text for t in self.types())
        return CppType(f"{returned} ({', '.join(p for p in params if p != 'void')})")

    def template_param(self) -> CppType:
        self.expect("T")
        index = self.sequence("0123456789")
        if index >= len(self.arguments):
            raise _NotUnderstood
        return self.arguments[index]

    def type_arguments(self, template: CppType) -> CppType:
        text = self.templated(_Name(template.text, "", ""), of_function=False).text
        return self.remember(CppType(text, base=text))

    def substitution(self) -> CppType:
        for code, text in _STD.items():
            if self.take(code):
                return CppType(text, base=text)
        self.expect("S")
        index = self.sequence("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if index >= len(self.seen):
            raise _NotUnderstood
        return self.seen[index]


def _each(found: CppType, change: Callable[[CppType], CppType]) -> CppType:
    """Apply ``change`` to a type, or to every member of a pack."""
    if found.pack is not None:
        return replace(found, pack=tuple(change(member) for member in found.pack))
    return change(found)


def _pointer_to(pointee: CppType) -> CppType:
    return CppType(_behind(pointee.text, "*"), pointee=pointee)


def _reference_to(referred: CppType, mark: str) -> CppType:
    """A reference to a reference is one reference, an rvalue's only if both are."""
    text = referred.text
    if text.endswith("&") or "(&" in text:
        return CppType(text.removesuffix("&") if mark == "&" and text.endswith("&&") else text)
    return CppType(_behind(text, mark))


def _behind(text: str, mark: str) -> str:
    """Put ``*`` behind a type; into the parentheses of a function or array type."""
    for opening in (" (", " ["):
        if text.endswith((")", "]")) and opening in text:
            before, _, after = text.partition(opening)
            inner = f" ({mark})"
            if before.endswith(")"):  # a pointer to such a type already
                return f"{before[:-1]}{mark}){opening}{after}"
            return f"{before}{inner}{opening if opening == ' [' else '('}{after}"
    return text + mark
