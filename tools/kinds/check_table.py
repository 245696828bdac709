#!/usr/bin/env python3
"""Checks the table of Google's kinds as it is committed, for what needs no discovery documents. Prints
each fault."""

import json
import pathlib
import re
import sys

import rows

HERE = pathlib.Path(__file__).resolve().parent
GOOGLE = HERE.parent.parent / "src" / "providers" / "google"
NEEDED = ("id", "service", "kind", "noun", "versions", "host", "path", "names", "suffix", "get", "set")
FIELD = re.compile(r'\.(\w+) = (?:"((?:[^"\\]|\\.)*)"|(\w+))')


def entries(name):
    """The lines of a table that hold an entry."""
    lines = (GOOGLE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("//")]


def read_rows():
    return [
        {name: text or word for name, text, word in FIELD.findall(line)}
        for line in entries("iam_rows.inc")
    ]


def read_aliases():
    return [tuple(json.loads("[" + line.strip("{},") + "]")) for line in entries("iam_aliases.inc")]


def check_row(row):
    """Yields what is wrong with one row by itself."""
    for field in NEEDED:
        if field not in row:
            yield f"has no {field}"
            return
    if row["id"] != f"{row['service']}/{row['versions'].split(' ')[0]}:{row['kind']}":
        yield "is not called by its service, first version and kind"
    names = row["names"].split(" ")
    for field in ("terraform", "terraform_id"):
        if field in row and len(row[field].split(" ")) != len(names):
            yield f"has not one {field} for each name"
    if "location_host" in row:
        places = re.findall(r"\{(\w+)\}", row["location_host"])
        if not any("{" + place + "}" in name for place in places for name in names):
            yield "has a host for locations, but no name with one"


def check(table, aliases, tokens):
    """Yields what is wrong with the tables."""
    ids = [row["id"] for row in table]
    if ids != sorted(ids):
        yield "the rows are not sorted"
    yield from (f"{one}: twice" for one in sorted({one for one in ids if ids.count(one) > 1}))
    for row in table:
        yield from (f"{row.get('id')}: {fault}" for fault in check_row(row))
    yield from rows.check_names(
        [(row["service"], row["id"], name) for row in table for name in row["names"].split(" ")]
    )
    spelled = {
        f"{row['service']}/{version}:{row['kind']}": row["id"]
        for row in table
        for version in row["versions"].split(" ")
    }
    yield from check_aliases(aliases, spelled, ids)
    known = spelled | {token: target for token, target, _ in aliases}
    for token, target, _ in tokens:
        if known.get(token) != target:
            yield f"{token}: leads to {known.get(token, 'nothing')}, google_native.txt says {target or 'GONE'}"


def check_aliases(aliases, spelled, ids):
    """Yields what is wrong with the aliases, beside the rows' spellings and ids."""
    if [alias[0] for alias in aliases] != sorted({alias[0] for alias in aliases}):
        yield "the aliases are not sorted, or one stands twice"
    for token, target, sentence in aliases:
        if token in spelled:
            yield f"{token}: an alias, and {spelled[token]} is spelled so"
        if target and target not in ids:
            yield f"{token}: leads to {target}, which is no row"
        if not target and not sentence:
            yield f"{token}: leads nowhere, and nothing says why"
        # What a sentence recommends is there.
        for name in re.findall(r"\w+/v\w+:\w+", sentence):
            if name not in ids:
                yield f"{token}: names {name}, which is no row"


def main():
    tokens = list(rows.read_tokens((HERE / "google_native.txt").read_text(encoding="utf-8")))
    table, aliases = read_rows(), read_aliases()
    faults = list(check(table, aliases, tokens))
    print("\n".join(faults) if faults else f"{len(table)} rows, {len(aliases)} aliases, {len(tokens)} tokens: ok")
    return 1 if faults or not table else 0


if __name__ == "__main__":
    sys.exit(main())
