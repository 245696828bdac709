#!/usr/bin/env python3
"""check_symbols.py LIBRARY...: every function and variable of ours is defined once.

Two folders may define the same name without knowing of each other. The linker takes whichever it meets
first, for both, without a word: where their results differ, the program crashes.
"""

import collections
import subprocess
import sys

GLOBAL = set("TDBR")  # Weak ones are inline, or of templates: of those there may be many.


def definitions(library):
    """The symbols of a library that others can link to, as often as they are defined."""
    listing = subprocess.run(
        ["nm", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True
    ).stdout
    for line in listing.splitlines():
        words = line.split()
        if len(words) >= 2 and words[1] in GLOBAL:
            yield words[0]


def main():
    places = collections.defaultdict(list)
    for library in sys.argv[1:]:
        for symbol in definitions(library):
            places[symbol].append(library)
    if not places:
        sys.exit("there are no symbols to check")
    twice = {symbol: where for symbol, where in places.items() if len(where) > 1}
    for symbol, where in sorted(twice.items()):
        name = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout.strip()
        print(f"{name} is defined {len(where)} times: {', '.join(sorted(where))}")
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
