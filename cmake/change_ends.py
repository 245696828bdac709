#!/usr/bin/env python3
"""Counts what keeps a change of a grant one thing: `./dev lint structure` fails beyond the limits below.

A change of a grant is a GrantChange in the list of a TargetPlan (src/reconcilers/grant_change.h). Gates lower its verdict
(src/controller/gates). A structure of its own with lists of grants, a text that decides something, or one more type for
removals that wait, would bring back the parts that have to be found again.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
# The folders through which a change goes.
FOLDERS = ("reconcilers", "controller", "app", "report", "store")
ENTRY = r"(?:Grant|GrantChange|Removal|ConditionalGrant|DroppedCondition|PlannedGrant|HeldRemoval)"
LIST = re.compile(
    rf"^\s*std::(?:vector|map|set|multimap)<[^;()]*\b{ENTRY}\b[^;()]*>\s+\w+(?:\s*=[^;]*)?;", re.M)
STRUCTURE = re.compile(r"^[ ]*(?:struct|class)\s+([\w:]+)[^;{}()]*\{", re.M)
# What is declared, what is there, what was there and what an answer names: nothing in them is to be changed.
NO_CHANGES = {"ClaimedGrants", "Refusal", "Declaration", "Observation", "PolicyHistory", "Attributions", "History",
              "KnownHolders", "ExplainedEvidence", "TargetGrants"}
WAITING = re.compile(r"^[ ]*(?:struct|class|enum class)\s+((?:Removal|Held|Withheld|Hold)\w*)\b(?=[^;]*\{)", re.M)
# Comparisons of texts for people, in the folder that decides.
SENTENCES = re.compile(
    r"GrantInWords\([^;]*==|==\s*\w+[.>-]+(?:desired|observed)\b(?!\.)|(?:message|reason|why|observed|desired)\.find\(|"
    r"(?:observed|desired)\.starts_with\(|\breason (?:==|!=) reason::")
# Only for people: nothing is decided by it (the remedy and the name of a manifest in a message).
FOR_PEOPLE = {"status_rules.cc"}
LIMITS = {"structures with lists of grants to be changed": 8, "types of what waits": 14, "decisions by a text": 0}


def body_of(text, start):
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start:at]


def structures():
    """Names of structures in headers that hold a list of grants to be changed."""
    found = set()
    for folder in FOLDERS:
        for path in sorted((SRC / folder).rglob("*.h")):
            text = path.read_text()
            for match in STRUCTURE.finditer(text):
                body = body_of(text, match.end())
                # Of nested structures the inner one holds the list.
                for inner in STRUCTURE.finditer(body):
                    body = body.replace(body_of(body, inner.end()), "")
                if LIST.search(body) and match.group(1) not in NO_CHANGES:
                    found.add(match.group(1))
    return found


def sources(folders):
    for folder in folders:
        for path in sorted((SRC / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path


def waiting():
    return {name for path in sources(FOLDERS) for name in WAITING.findall(path.read_text())}


def sentences():
    found = []
    for path in sources(("controller", "reconcilers")):
        if path.name in FOR_PEOPLE:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if SENTENCES.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    return found


def problems():
    """What is beyond a limit, one line each."""
    counted = zip(LIMITS.items(), (structures(), waiting(), sentences()))
    return [f"src: {len(found)} {what}, {limit} are the most: {', '.join(sorted(found))}"
            for (what, limit), found in counted if len(found) > limit]


if __name__ == "__main__":
    for (what, limit), found in zip(LIMITS.items(), (structures(), waiting(), sentences())):
        print(f"{len(found)} {what} (at most {limit}): {', '.join(sorted(found))}")
