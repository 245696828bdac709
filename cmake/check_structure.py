#!/usr/bin/env python3
"""Checks the rules of the house that no compiler knows. Prints each breach as file:line: text."""

import pathlib
import re
import sys

import change_ends
import class_sizes
import cloud_names
import folder_pages
import glossary
import namespaces
import private_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 400

# A suppression names its check and gives a reason: NOLINT(check-name): reason
SUPPRESSION = re.compile(r"NOLINT(NEXTLINE|BEGIN|END)?(\([a-z][^)]*\): \S)?")
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(")
# A test that leaves a machine out says why.
LEFT_BEHIND = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b|\bDIS" r"ABLED_|\bGTEST_SKIP\(\)(?!\s*<<)")

# Of a std::mutex clang does not know what it guards.
BARE_MUTEX = re.compile(r"\bstd::(?:shared_mutex|condition_variable|lock_guard|scoped_lock|unique_lock|mutex \w)")
MUTEXES = "src/core/base/mutex.h"

# A library stays where it is wrapped.
ONLY_USERS = {
    "yaml-cpp/": ["yaml"],
    "SQLiteCpp/": ["sqlite", "store", "emulator"],
    "sqlite3.h": ["sqlite", "store", "emulator"],
    "zstd.h": ["store", "report", "httpd"],
    "curl/": ["cloud"],
    "spdlog/": ["telemetry"],
    "prometheus/": ["telemetry"],
    "CLI/": ["app"],
    "boost/beast": ["httpd"],
    "systemd/": ["app"],
}
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.M)
USING = re.compile(r"^\s*using (?:::)?(?:\w+::)+(\w+);")
NAMED_TEST = re.compile(r"`(\w+\.\w+)`")
# Its rows may say that there is no test.
TRACK_RECORD = "docs/track-record.md"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# bindery_library(NAME SOURCES ... [DEPS ...] [USES ...] [LIBS ...] [BATCH ...]), in a CMakeLists.txt without its comments.
LIBRARY = re.compile(r"bindery_library\(([\w/]+)([^)]*)\)")
# A library that another one uses without a header: each cloud is registered by a function of its own.
DEFINED_FOR = {("providers/registry", "providers/datadog"), ("providers/registry", "providers/google")}


def unused_using_declarations(lines):
    """clang-tidy finds these only in a source that it reads alone, and run_tidy.py reads batches."""
    text = "\n".join(line for line in lines if not USING.match(line))
    for number, line in enumerate(lines, 1):
        declared = USING.match(line)
        if declared and not re.search(rf"\b{declared.group(1)}\b", text):
            yield number, f"nothing uses this declaration of {declared.group(1)}"


def check_lines(name, lines):
    """Yields (line number, what is wrong) of one file."""
    in_unit_tests = name.startswith("tests/unit/")
    folder = name.split("/")[1] if name.startswith("src/") else None
    if len(lines) > MAX_LINES:
        yield MAX_LINES + 1, f"{len(lines)} lines: split the file, {MAX_LINES} are the most"
    if name.endswith(".cc") and folder is not None:
        yield from unused_using_declarations(lines)
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
        if folder is not None and name != MUTEXES and BARE_MUTEX.search(line):
            yield number, f"mutexes, locks and condition variables of src are those of {MUTEXES}"
        include = INCLUDE.match(line)
        if include is None or folder is None:
            continue
        for prefix, owners in ONLY_USERS.items():
            if include.group(1).startswith(prefix) and folder not in owners:
                yield number, f"{include.group(1)} is only for src/{', src/'.join(owners)}"


def libraries():
    """Each library of src by its folder below src, with what its declaration names: {folder: (DEPS, USES)}."""
    found = {}
    for path in sorted((ROOT / "src").rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
        for name, body in LIBRARY.findall(text):
            groups, current = {}, None
            for word in body.split():
                if word in ("SOURCES", "DEPS", "USES", "LIBS", "BATCH"):
                    current = groups.setdefault(word, set())
                elif current is not None:
                    current.add(word)
            found[name] = groups.get("DEPS", set()), groups.get("USES", set())
    return found


def library_of(name, declared):
    """The library that a file below src belongs to; None for the sources of the program."""
    folder = name.rpartition("/")[0]
    while folder and folder not in declared:
        folder = folder.rpartition("/")[0]
    return folder or None


def includes_of_others(declared):
    """Of each include of another library: (file name, line number, library of the file, that library)."""
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix not in (".h", ".cc", ".inc") and not path.name.endswith(".h.in"):
            continue
        name = path.relative_to(ROOT / "src").as_posix()
        folder = library_of(name, declared)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            other = library_of(include.group(1), declared) if include else None
            if folder and other and other != folder:
                yield f"src/{name}", number, folder, other


def check_rows(declared):
    """A row of the architecture page joins the libraries of a folder of src, and says which others they use."""
    page = folder_pages.ARCHITECTURE
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    for top in sorted({folder.split("/")[0] for folder in declared}):
        used = {other.split("/")[0] for folder, groups in declared.items() if folder.split("/")[0] == top
                for other in groups[0] | groups[1]} - {top}
        number = next((number for number, line in enumerate(lines, 1) if line.startswith(f"| `{top}` |")), None)
        if number is None:
            yield f"{page}:1: no row for `{top}`"
        elif set(re.findall(r"\w+", lines[number - 1].strip("|").split("|")[-1])) != used:
            yield f"{page}:{number}: `{top}` uses other folders: {', '.join(sorted(used))}"


def check_dependencies():
    """A library declares what it includes, publicly what its headers include, and nothing else."""
    declared = libraries()
    in_headers, anywhere = {}, {}
    for name, number, folder, other in includes_of_others(declared):
        public, private = declared[folder]
        anywhere.setdefault(folder, set()).add(other)
        if not name.endswith(".cc"):
            in_headers.setdefault(folder, set()).add(other)
            if other not in public:
                yield f"{name}:{number}: a header includes {other}/, which is not in DEPS of {folder}"
        elif other not in public | private:
            yield f"{name}:{number}: includes {other}/, which is not in DEPS or USES of {folder}"
    for folder, (public, private) in declared.items():
        declaration = f"src/{folder}/CMakeLists.txt"
        for other in sorted(public & private):
            yield f"{declaration}:1: {other} is in DEPS and in USES"
        for other in sorted(public | private):
            if other not in anywhere.get(folder, set()) and (folder, other) not in DEFINED_FOR:
                yield f"{declaration}:1: nothing includes {other}/"
            elif other in public and other not in in_headers.get(folder, set()):
                yield f"{declaration}:1: no header includes {other}/: it belongs in USES"
    yield from check_rows(declared)


def check_promises():
    """Every promise and every fault of the track record names tests, or none, and these exist."""
    tests = set()
    for path in (ROOT / "tests").rglob("*_test.cc"):
        tests.update(".".join(test) for test in TEST.findall(path.read_text(encoding="utf-8")))
    for page in ("docs/promises.md", "docs/reliability.md", TRACK_RECORD):
        yield from check_promises_of(page, tests)


def check_promises_of(page, tests):
    rows = 0
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("| ") or line.startswith(("| ---", "| promise", "| what happened")):
            continue
        rows += 1
        cell = line.rsplit("|", 2)[1]
        named = NAMED_TEST.findall(cell)
        if not named and not (page == TRACK_RECORD and cell.startswith(" none")):
            yield f"{page}:{number}: names no test"
        for test in named:
            if test not in tests:
                yield f"{page}:{number}: there is no test {test}"
    if rows == 0:
        yield f"{page}:1: holds no promises"


def main():
    breaches = [*folder_pages.check_architecture(), *folder_pages.check_folders(libraries()), *folder_pages.check_links()]
    breaches += [*check_promises(), *check_dependencies()]
    breaches += class_sizes.check_classes()
    breaches += cloud_names.check_names()
    breaches += glossary.check_glossary()
    breaches += namespaces.check_namespaces()
    breaches += private_names.check_private_names()
    breaches += private_names.check_types()
    breaches += change_ends.problems()
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
