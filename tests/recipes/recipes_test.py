#!/usr/bin/env python3
"""Holds the recipes of CONTRIBUTING.md: for each an example that exists, and the files that name it. Both
are equal: a file that the recipe lacks makes the next one more work than the page promises."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\| (a[^|]*) \| (.*) \|$", re.M)
PLACE = re.compile(r"`(?:[^`]*> )?([\w./*-]+\.(?:cc|h|md|yaml|json|inc|txt))`")

# Of each recipe: what stands for NAME in it, a pattern that only the example's places have, the folders to
# look through, and the places of the example that every other has elsewhere.
EXAMPLES = {
    "a metric": {
        "name": "policy",
        "pattern": r"\bcontested_writes\b|`bindery_contested_writes_total` \|",
        "within": ["src", "docs/metrics.md"],
        "elsewhere": ["src/app/observe/work_observer.cc"],
    },
    "a format of the drift report": {
        "name": "markdown",
        "pattern": r"WriteDriftMarkdown|FORM\(Markdown|kMarkdown|\bmarkdown\b",
        "within": ["src/core", "src/report", "src/config", "src/app", "src/server", "config", "docs/reports.md"],
    },
    "a command": {
        "name": "forget",
        "pattern": r"DefineForget|COMMAND\(Forget\)|ForgetCommand",
        "within": ["src"],
    },
    "a configuration key": {
        "pattern": r"\brescanInterval\b|\brescan_interval;|c\.manifests\.rescan_interval|std::chrono::milliseconds rescan_interval",
        "within": ["src/config", "config"],
    },
    "a store table": {
        "name": "audit",
        "pattern": r"(?:TABLE|FROM|INTO) audit_entries\b|^\| `audit_entries`",
        "within": ["src/store", "docs/store.md"],
    },
    "a gate before a write": {
        "name": "accepted_drift",
        "pattern": r"\bAcceptDrift\b|Gate::kAcceptedDrift|^  kAcceptedDrift|^\| accepted drift \|",
        "within": ["src", "docs/safety.md"],
    },
    "a page of the dashboard": {
        "name": "problems",
        "pattern": r"\bProblemsPage\b|\{\"/problems\", \"Problems\"\}|^  /problems:$",
        "within": ["src/web", "src/server", "docs"],
    },
    "a workload to measure": {
        "name": "rescan",
        "pattern": r"\bvoid Rescan\(|\"rescan\", \"100|<!-- bench:rescan -->|workloads/rescan\.cc",
        "within": ["bench", "docs/performance.md"],
    },
    "an operator's command": {
        "pattern": r"\bcommand::WaiveSettling\b|`waive-settling`|/api/v1/waive-settling",
        "within": ["src/server", "src/app/run", "docs"],
    },
    "an API path": {
        "name": "read",
        "pattern": r"AddList\(\"/problems\",|/api/v1/problems:$|^\| `/api/v1/problems` \|",
        "within": ["src/server", "docs/openapi.yaml", "docs/api.md"],
    },
    "a kind of Google's allow policies": {
        "pattern": r"Workstation(?!s? (?:is|are))",
        "within": ["src", "config", "docs/kinds.md"],
    },
    "a kind of Datadog": {
        "name": "current_user",
        "pattern": r"\bMakeGetCurrentUser\b|^kind: getCurrentUser|\"const\": \"getCurrentUser\"|^ +current_user\.cc$",
        "within": ["src/providers", "config/examples", "config/manifest.schema.json"],
    },
    "a provider": {
        "name": "datadog",
        "pattern": r"(?i)\bdatadog",
        "within": ["src"],
        "besides": ["src/emulator/", "src/providers/datadog/"],
    },
}


def recipe_files(text, example):
    """The files of a recipe's first sentence. What is in parentheses, and further sentences, are about special
    cases. A name without a folder is in the folder named before it; tests are for the reader."""
    text = re.sub(r"\([^()]*\)", "", text)
    text = re.split(r"\. (?=[A-Z`])", text)[0]
    folder = ""
    files = set()
    for place in PLACE.findall(text):
        place = place.replace("NAME", example.get("name", "NAME"))
        if "/" in place:
            folder = place.rsplit("/", 1)[0]
        else:
            place = f"{folder}/{place}"
        if not place.startswith("tests/"):
            files.add(place)
    return files


def naming_files(example):
    """The files that name the example."""
    pattern = re.compile(example["pattern"], re.M)
    files = set()
    for within in example["within"]:
        path = ROOT / within
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            if not file.is_file() or any(name.startswith(folder) for folder in example.get("besides", [])):
                continue
            try:
                found = pattern.search(file.read_text(encoding="utf-8"))
            except UnicodeDecodeError:
                continue
            if found:
                files.add(name)
    return files


def breaches():
    rows = dict(ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    for title in sorted(set(rows) - set(EXAMPLES)):
        yield f"CONTRIBUTING.md: the recipe for {title} has no example in tests/recipes/recipes_test.py"
    for title, example in EXAMPLES.items():
        if title not in rows:
            yield f"CONTRIBUTING.md has no recipe for {title}"
            continue
        recipe = recipe_files(rows[title], example)
        naming = naming_files(example) - set(example.get("elsewhere", []))
        for file in sorted(naming - recipe):
            yield f"{title}: the example is named by {file}, which the recipe does not list"
        for file in sorted(recipe - naming):
            yield f"{title}: the recipe lists {file}, which does not name the example"


def main():
    found = list(breaches())
    for breach in found:
        print(breach)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
