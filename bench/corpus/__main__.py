"""``python -m bench.corpus``: make the PTX corpus; ``--check``: read and print all of it.

The check parses every module and compares two things with the original: the printed text, byte for
byte, and the machine code that ptxas makes of the text printed from structure alone.
"""

import argparse
import sys

from bench.corpus.check import check
from bench.corpus.store import made, make


def main() -> int:
    """Run the command; the exit status is 1 if a module could not be made or differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.corpus", description=__doc__)
    parser.add_argument("--check", action="store_true", help="round trip, results to JSON")
    parser.add_argument(
        "--run", action="store_true", help="check what is there; make nothing (another machine)"
    )
    parser.add_argument("--subset", action="store_true", help="only the quick part for tests")
    arguments = parser.parse_args()
    if arguments.run:
        return 0 if check(made(), [], keep=True) else 1
    modules, failures = make(subset=arguments.subset)
    for name, reason in failures:
        print(f"not made: {name}: {reason.strip()[-400:]}", file=sys.stderr)
    size = sum(module.bytes for module in modules)
    print(f"{len(modules)} modules, {size / 1e6:.1f} MB, {len(failures)} not made")
    ok = check(modules, failures, keep=not arguments.subset) if arguments.check else True
    return 0 if ok and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
