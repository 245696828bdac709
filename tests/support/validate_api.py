#!/usr/bin/env python3
"""Asks a running daemon for every GET path of an OpenAPI document and judges the answers by it.

    validate_api.py OPENAPI.yaml URL NAME=VALUE…

An independent judge of docs/openapi.yaml: python3-jsonschema, draft 2020-12. The values stand for
the parameters in paths. Prints each fault, and how many answers were judged.
"""

import copy
import json
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

import jsonschema
import yaml

STREAM = "text/event-stream"


def ask(url):
    """Gives (status, media type, body)."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            media = answer.headers.get_content_type()
            return answer.status, media, b"" if media == STREAM else answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_content_type(), error.read()


def faults_of(document, operation, answer):
    """Yields what is wrong with an answer."""
    status, media, body = answer
    responses = operation["responses"]
    response = responses.get(str(status)) or responses.get("default")
    if response is None:
        yield f"status {status} is not described"
        return
    if "$ref" in response:
        response = document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    content = response.get("content", {})
    if media not in content:
        yield f"{status} {media} is not described"
        return
    if media != "application/json":
        return
    schema = copy.deepcopy(content[media]["schema"])
    schema["components"] = document["components"]
    validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    for error in validator.iter_errors(json.loads(body)):
        yield f"{error.json_path}: {error.message}"


def main() -> int:
    document = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    base = sys.argv[2]
    values = dict(argument.split("=", 1) for argument in sys.argv[3:])
    asked = 0
    failures = 0
    for path, operations in document["paths"].items():
        if "get" not in operations:
            continue
        target = path
        for name, value in values.items():
            # "kind" names a target, whose name is another than that of a resource.
            name, _, within = name.partition("@")
            if within in path:
                target = target.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
        asked += 1
        for fault in faults_of(document, operations["get"], ask(base + target)):
            failures += 1
            print(f"{target}: {fault}")
    print(f"{asked} paths, {failures} faults")
    return 1 if failures or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
