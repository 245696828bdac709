#!/usr/bin/env python3
"""Checks the rules of the house that no compiler knows. Prints each breach as file:line: text."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 400

# A suppression names its check and gives a reason: NOLINT(check-name): reason
SUPPRESSION = re.compile(r"NOLINT(NEXTLINE|BEGIN|END)?(\([a-z][^)]*\): \S)?")
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(")
# A test that leaves a machine out says why.
LEFT_BEHIND = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b|\bDIS" r"ABLED_|\bGTEST_SKIP\(\)(?!\s*<<)")

# A library stays where it is wrapped.
ONLY_USERS = {
    "yaml-cpp/": ["yaml"],
    "SQLiteCpp/": ["sqlite", "store", "emulator"],
    "sqlite3.h": ["sqlite", "store", "emulator"],
    "zstd.h": ["store"],
    "curl/": ["cloud"],
    "spdlog/": ["telemetry"],
    "prometheus/": ["telemetry"],
    "CLI/": ["app"],
    "boost/beast": ["httpd"],
    "systemd/": ["app"],
}
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.M)
NAMED_TEST = re.compile(r"`(\w+\.\w+)`")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def check_lines(name, lines):
    """Yields (line number, what is wrong) of one file."""
    in_unit_tests = name.startswith("tests/unit/")
    folder = name.split("/")[1] if name.startswith("src/") else None
    if len(lines) > MAX_LINES:
        yield MAX_LINES + 1, f"{len(lines)} lines: split the file, {MAX_LINES} are the most"
    if name.endswith(".h") and (not lines or lines[0] != "#pragma once"):
        yield 1, "a header begins with #pragma once"
    for number, line in enumerate(lines, 1):
        suppression = SUPPRESSION.search(line)
        if suppression and suppression.group(1) != "END" and not suppression.group(2):
            yield number, "a suppression names its check and gives a reason: NOLINT(check): reason"
        if in_unit_tests and SLEEP.search(line):
            yield number, "a unit test waits for a condition, it does not sleep"
        if LEFT_BEHIND.search(line):
            yield number, "left behind: do it, or leave it out"
        include = INCLUDE.match(line)
        if include is None or folder is None:
            continue
        for prefix, owners in ONLY_USERS.items():
            if include.group(1).startswith(prefix) and folder not in owners:
                yield number, f"{include.group(1)} is only for src/{', src/'.join(owners)}"


def check_architecture():
    """Every folder of src has its paragraph in the architecture page."""
    page = ROOT / "docs" / "architecture.md"
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    for folder in sorted(path.name for path in (ROOT / "src").iterdir() if path.is_dir()):
        if not re.search(rf"\b{folder}/?`", text):
            yield f"docs/architecture.md:1: does not mention `{folder}`"


def check_promises():
    """Every promise names tests, and these exist."""
    tests = set()
    for path in (ROOT / "tests").rglob("*_test.cc"):
        tests.update(".".join(test) for test in TEST.findall(path.read_text(encoding="utf-8")))
    for page in ("docs/promises.md", "docs/reliability.md"):
        yield from check_promises_of(page, tests)


def check_promises_of(page, tests):
    rows = 0
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| ---") or line.startswith("| promise"):
            continue
        rows += 1
        named = NAMED_TEST.findall(line.rsplit("|", 2)[1])
        if not named:
            yield f"{page}:{number}: names no test"
        for test in named:
            if test not in tests:
                yield f"{page}:{number}: there is no test {test}"
    if rows == 0:
        yield f"{page}:1: holds no promises"


def main():
    breaches = list(check_architecture()) + list(check_promises())
    for top in ("src", "tests", "bench"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in (".h", ".cc") or not path.is_file():
                continue
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(encoding="utf-8").splitlines()
            breaches += [f"{name}:{number}: {what}" for number, what in check_lines(name, lines)]
    print("\n".join(breaches), end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
