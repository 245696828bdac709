#!/usr/bin/env python3
"""Generates the table of Google's resource types with an allow policy: generate.py [--check]

Reads the discovery documents of the package google-api-python-client, facts.json,
undescribed.json, google_native.txt and google_roles.txt. Writes the rows, aliases, ranks of roles and names of
permissions in src/providers/google/rows and roles, the requests that a test compares ours with, and docs/kinds.md. With
--check it writes nothing and fails if a file is out of date. `./dev kinds` runs it with the package
version in requirements.txt."""

import importlib.util
import json
import pathlib
import sys

import discovery
import output
import permissions
import roles
import rows

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOOGLE = ROOT / "src" / "providers" / "google"
TESTS = ROOT / "tests" / "unit" / "providers" / "google"


def documents():
    found = importlib.util.find_spec("googleapiclient")
    if found is None:
        sys.exit("generate.py: google-api-python-client is not installed: run ./dev kinds")
    return pathlib.Path(found.origin).parent / "discovery_cache" / "documents"


def read(name):
    return (HERE / name).read_text(encoding="utf-8")


def read_undescribed(table):
    """Returns {id: name} of the types that only service configurations know."""
    types = json.loads(read("undescribed.json"))["types"]
    for error in rows.described_after_all(types, table):
        raise discovery.TableError(f"undescribed.json: {error}")
    return types


def make():
    """Returns {path: text} for all generated files, and a summary."""
    methods, count = discovery.read_all(documents())
    facts = rows.Facts(json.loads(read("facts.json")))
    table = rows.make_rows(methods, facts)
    tokens = list(rows.read_tokens(read("google_native.txt")))
    extra = [(token, target, "") for token, target in facts.facts["aliases"].items()]
    aliases = rows.make_aliases(table, tokens + extra)
    ranks = roles.read_roles(read("google_roles.txt"))
    basic = roles.read_basic((GOOGLE / "roles/basic_roles.inc").read_text(encoding="utf-8"))
    roles.check_basic(ranks, basic, "google_roles.txt")
    roles.check_basic(discovery.named_roles(documents()), basic, "the discovery documents")
    undescribed = read_undescribed([{"id": row.id, "names": " ".join(row.names)} for row in table])
    types, verbs = permissions.collect(
        read("google_roles.txt"), table, discovery.read_cloud_methods(documents()), facts
    )
    files = {
        GOOGLE / "rows/iam_rows.inc": output.rows_file(table),
        GOOGLE / "rows/iam_aliases.inc": output.aliases_file(aliases),
        GOOGLE / "rows/undescribed_types.inc": output.undescribed_file(undescribed),
        GOOGLE / "roles/role_severities.inc": roles.roles_file(ranks),
        GOOGLE / "roles/permission_types.inc": permissions.types_file(types),
        GOOGLE / "roles/permission_verbs.inc": permissions.verbs_file(permissions.without_roles(verbs, ranks)),
        TESTS / "iam_requests.txt": output.requests_file(methods, table),
        ROOT / "docs" / "kinds.md": output.page(
            table, aliases, read("introduction.md"), facts.facts["service_notes"], undescribed
        ),
    }
    names = sum(len(row.names) for row in table)
    summary = (
        f"{count} documents, {len(methods)} types in all versions, {len(table)} rows with {names} "
        f"names, {len(tokens)} tokens of google-native, {len(aliases)} aliases, {len(ranks)} roles"
    )
    return files, summary


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    try:
        files, summary = make()
    except discovery.TableError as error:
        sys.exit(str(error))
    outdated = []
    for path, text in files.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        outdated.append(path)
        if not sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
    print(summary)
    for path in outdated:
        name = path.relative_to(ROOT)
        print(f"{name}: out of date, run ./dev kinds" if sys.argv[1:] else f"{name}: written")
    return 1 if sys.argv[1:] and outdated else 0


if __name__ == "__main__":
    sys.exit(main())
