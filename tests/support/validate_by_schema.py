#!/usr/bin/env python3
"""Validates every manifest below a folder against a JSON Schema: SCHEMA.json FOLDER.

An independent judge of what `bindery schema` prints: python3-jsonschema, draft 2020-12.
"""

import json
import pathlib
import sys

import jsonschema
import yaml


def main() -> int:
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    documents = 0
    failures = 0
    for path in sorted(pathlib.Path(sys.argv[2]).rglob("*")):
        if path.suffix not in (".yaml", ".yml", ".json"):
            continue
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            documents += 1
            for error in validator.iter_errors(document):
                failures += 1
                print(f"{path}: {error.json_path}: {error.message}")
    print(f"{documents} documents, {failures} failures")
    return 1 if failures or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
