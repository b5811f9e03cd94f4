"""Splits PTX text into statements with one regular expression.

This is what makes parsing fast: ``re.findall`` walks the whole file in C, and the loop that builds
the IR sees one tuple per statement.  The expression knows where statements begin and end, not
what they say.  Nothing that matched is tried again, so time is linear in the text, whatever it is:
single characters repeat possessively, everything else inside atomic groups.  Python 3.11.0 to
3.11.4, which Debian 12 has among them, loses its place where a repeated possessive *group* fails
midway (https://github.com/python/cpython/issues/106052); atomic groups are right there too.
"""

import re
from typing import NamedTuple

BLANK = r"[ \t\r\n\f\v\x00]"
COMMENT = r"(?://[^\n]*+|/\*[^*]*+\*++(?>(?:[^*/][^*]*+\*++)*)/)"
TRIVIA = rf"{BLANK}*+(?>(?:{COMMENT}{BLANK}*+)*)"
NAME = r"[A-Za-z_$%][\w$]*+"
_STRING = r'"[^"\n]*+"'
LINKAGE_WORDS = frozenset({".visible", ".extern", ".weak", ".common"})
_LINKAGE = rf"(?>(?:\.(?:visible|extern|weak|common)\b{TRIVIA})*)"

# Operands: no string, no statement end; braces only as a vector.
_OPERAND = r"[^;{}/:\"]"
_ARGS = (
    rf"{_OPERAND}*+"
    rf"(?>(?:(?:\{{(?>(?:{_OPERAND}|{COMMENT})*)\}}|{COMMENT}|/[^;{{}}/:\"*]){_OPERAND}*+)*)"
)
# Declarations and other directives that end with a semicolon: initialisers have nested braces.
_TO_SEMICOLON = rf"[^;\"/]*+(?>(?:(?:{_STRING}|{COMMENT}|/[^;\"/*])[^;\"/]*+)*)"
_NUMBER = r"\d++"
_GAP = rf"(?>(?:{BLANK}|{COMMENT})+)"
_COMMA = rf"{TRIVIA},{TRIVIA}"
# A function's head: strings are only in its pragmas, each of which has a semicolon of its own.
_PRAGMAS = rf"{_STRING}(?>(?:{_COMMA}{_STRING})*){TRIVIA};"
_TO_BODY = rf"[^;{{\"/]*+(?>(?:(?:{_PRAGMAS}|{COMMENT}|/[^;{{\"/*])[^;{{\"/]*+)*)"

# Directives that no semicolon ends: their whole form is needed to find the end.
_LOC = (
    rf"\.loc{_GAP}{_NUMBER}{_GAP}{_NUMBER}{_GAP}{_NUMBER}"
    rf"(?>(?:{_COMMA}function_name{_GAP}{NAME}(?>(?:{TRIVIA}\+{TRIVIA}{_NUMBER})?)"
    rf"{_COMMA}inlined_at{_GAP}{_NUMBER}{_GAP}{_NUMBER}{_GAP}{_NUMBER})?)"
)
_FILE = rf"\.file{_GAP}{_NUMBER}{_GAP}{_STRING}(?>(?:{_COMMA}{_NUMBER}{_COMMA}{_NUMBER})?)"
_HEADER = (
    rf"\.version{_GAP}\d++\.\d++"
    rf"|\.target{_GAP}\w++(?>(?:{_COMMA}\w++)*)"
    rf"|\.address_size{_GAP}{_NUMBER}"
)
_SECTION = rf"\.section{_GAP}[^{{;]*+\{{(?>(?:[^}}\"/]++|{_STRING}|{COMMENT}|/[^}}\"/*])*)\}}"
_DWARF = r"@@dwarf[^\n]*+"
SEMICOLON_DIRECTIVES = r"pragma|branchtargets|calltargets|callprototype|alias"
SPACES = r"reg|sreg|local|shared|param|global|const|tex"

STATEMENT = re.compile(
    rf"""({TRIVIA}(?:
      (?>(?:(@{TRIVIA}!?+{TRIVIA}{NAME}){TRIVIA})?)
          ([a-z]\w*+(?>(?:(?:\.|::)\w++(?:(?<=::\d):\d++)?)*))({TRIVIA}{_ARGS});
    | ({NAME}){TRIVIA}:(?!:)
    | ([{{}}])
    | ({_LOC}|{_FILE}|{_HEADER}|{_DWARF}|\.(?:{SEMICOLON_DIRECTIVES})\b{_TO_SEMICOLON};)
    | ({_LINKAGE}\.(?:{SPACES})\b{_TO_SEMICOLON};)
    | ({_LINKAGE}\.(?:entry|func)\b{_TO_BODY};?+)
    | ({_SECTION})
    | ([\s\S]*+)
    ))""",
    re.X,
)


class Scanned(NamedTuple):
    """One statement: exactly one of the groups after ``raw`` is not empty.

    ``raw`` includes the trivia before; ``guard``, ``opcode`` and ``args`` belong together.
    ``rest`` is all text from the first place on that is not a statement.
    """

    raw: str
    guard: str
    opcode: str
    args: str
    label: str
    brace: str
    directive: str
    declaration: str
    function: str
    section: str
    rest: str


def scan(text: str) -> tuple[list[Scanned], int]:
    """Return the statements of ``text`` and the offset at which they end.

    The statements are contiguous from offset 0.  What is left from the offset on is either only
    trivia, or begins (after trivia) with something that is not PTX.
    """
    rows: list[Scanned] = STATEMENT.findall(text)
    while rows and not any(rows[-1][1:10]):
        rows.pop()  # the rest, and the empty match after it
    return rows, sum([len(row[0]) for row in rows])


_TRIVIA = re.compile(TRIVIA)


def leading_trivia(raw: str) -> str:
    """Return the white space and comments that ``raw`` begins with."""
    found = _TRIVIA.match(raw)
    return found.group() if found else ""
