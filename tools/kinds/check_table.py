#!/usr/bin/env python3
"""Checks the committed table of Google's kinds, without discovery documents. Prints each error."""

import json
import pathlib
import re
import sys

import discovery
import roles
import rows

HERE = pathlib.Path(__file__).resolve().parent
GOOGLE = HERE.parent.parent / "src" / "providers" / "google"
NEEDED = ("id", "service", "kind", "noun", "versions", "host", "path", "names", "suffix", "get", "set")
FIELD = re.compile(r'\.(\w+) = (?:"((?:[^"\\]|\\.)*)"|(\w+))')


def entries(name):
    """Returns the lines of a table that have an entry."""
    lines = (GOOGLE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("//")]


def read_rows():
    return [
        {name: text or word for name, text, word in FIELD.findall(line)}
        for line in entries("rows/iam_rows.inc")
    ]


def read_aliases():
    return [tuple(json.loads("[" + line.strip("{},") + "]")) for line in entries("rows/iam_aliases.inc")]


def check_row(row):
    """Yields the errors of a single row."""
    for field in NEEDED:
        if field not in row:
            yield f"has no {field}"
            return
    if row["id"] != f"{row['service']}/{row['versions'].split(' ')[0]}:{row['kind']}":
        yield "the id is not made of service, first version and kind"
    names = row["names"].split(" ")
    for field in ("terraform", "terraform_id"):
        if field in row and len(row[field].split(" ")) != len(names):
            yield f"needs one {field} per name"
    shapes = [[word.count("/") for word in row[field].split(" ")] for field in ("terraform", "terraform_id") if field in row]
    if len(shapes) == 2 and shapes[0] != shapes[1]:
        yield "needs one terraform_id per terraform"
    if "location_host" in row:
        places = re.findall(r"\{(\w+)\}", row["location_host"])
        if not any("{" + place + "}" in name for place in places for name in names):
            yield "has a location host, but no name with a location"


def check(table, aliases, tokens):
    """Yields the errors of the tables."""
    ids = [row["id"] for row in table]
    if ids != sorted(ids):
        yield "rows are not sorted"
    yield from (f"{one}: duplicate id" for one in sorted({one for one in ids if ids.count(one) > 1}))
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
            yield f"{token}: {known.get(token, 'unknown')}, but {target or 'GONE'} in google_native.txt"


def check_aliases(aliases, spelled, ids):
    """Yields the errors of the aliases. spelled: {token: row id}"""
    if [alias[0] for alias in aliases] != sorted({alias[0] for alias in aliases}):
        yield "aliases are not sorted or not unique"
    for token, target, sentence in aliases:
        if token in spelled:
            yield f"{token}: an alias and a spelling of {spelled[token]}"
        if target and target not in ids:
            yield f"{token}: unknown row {target}"
        if not target and not sentence:
            yield f"{token}: has neither a row nor a sentence"
        for name in re.findall(r"\w+/v\w+:\w+", sentence):
            if name not in ids:
                yield f"{token}: the sentence names an unknown row {name}"


def check_roles():
    """Returns the errors of the tables of roles: each basic role is ranked, wherever it is named."""
    basic = roles.read_basic((GOOGLE / "roles/basic_roles.inc").read_text(encoding="utf-8"))
    listed = roles.read_roles((HERE / "google_roles.txt").read_text(encoding="utf-8"))
    named = {"google_roles.txt": listed}
    for name in ("roles/policy_setters.inc", "roles/service_agents.inc"):
        named[name] = set(re.findall(r'"(roles/[^"]+)"', "\n".join(entries(name))))
    for where, names in named.items():
        roles.check_basic(names, basic, where)
    faults = [f"basic_roles.inc: {role}: not in google_roles.txt" for role in basic if role not in listed]
    if basic != sorted(set(basic)):
        faults.append("basic_roles.inc: not sorted or not unique")
    services = [line.split('"')[1] for line in entries("roles/permission_types.inc")]
    if services != sorted(set(services)):
        faults.append("permission_types.inc: not sorted or not unique")
    return faults


def check_undescribed(table):
    """Yields the errors of the types that only service configurations know."""
    types = json.loads((HERE / "undescribed.json").read_text(encoding="utf-8"))["types"]
    yield from rows.described_after_all(types, table)
    listed = dict(re.findall(r'"([^"]+)", "([^"]+)"', "\n".join(entries("rows/undescribed_types.inc"))))
    if listed != types:
        yield "undescribed_types.inc: out of date, run ./dev kinds"
    if list(types) != sorted(types):
        yield "undescribed.json: not sorted"


def main():
    tokens = list(rows.read_tokens((HERE / "google_native.txt").read_text(encoding="utf-8")))
    table, aliases = read_rows(), read_aliases()
    faults = list(check(table, aliases, tokens)) + list(check_undescribed(table))
    try:
        faults += check_roles()
    except discovery.TableError as error:
        faults.append(str(error))
    print("\n".join(faults) if faults else f"{len(table)} rows, {len(aliases)} aliases, {len(tokens)} tokens: ok")
    return 1 if faults or not table else 0


if __name__ == "__main__":
    sys.exit(main())
