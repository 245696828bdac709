#!/usr/bin/env python3
"""left_out.py RESULTS: names the tests that were skipped, and those that left a part out, with the reason of each.

RESULTS is what `ctest --output-junit` writes. A program says "skipped: WHY" and exits with 77, or says "left out: WHY"
and goes on; GoogleTest prints the file and the line, and then why.
"""

import re
import sys
import xml.etree.ElementTree

GOOGLETEST = re.compile(r": Skipped\n(.*?)\n\s*\[  SKIPPED", re.S)
SKIPPED = re.compile(r"^skipped: (.*)", re.M)
LEFT_OUT = re.compile(r"^left out: (.*)", re.M)


def reason_of(text):
    """Why a test was skipped, in one line."""
    found = GOOGLETEST.search(text) or SKIPPED.search(text)
    return " ".join(found.group(1).split()) if found else "no reason given"


def left_out(results):
    """Yields a line for each test that was skipped or left something out."""
    for case in results.iter("testcase"):
        text = case.findtext("system-out") or ""
        name = case.get("name").split("  # ")[0]  # Without the value of a parameter.
        if case.find("skipped") is not None:
            yield f"skipped: {name}: {reason_of(text)}"
        else:
            yield from (f"left out: {name}: {why}" for why in LEFT_OUT.findall(text))


if __name__ == "__main__":
    for line in left_out(xml.etree.ElementTree.parse(sys.argv[1])):
        print(line)
