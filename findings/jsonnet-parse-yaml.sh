#!/usr/bin/env bash
# std.parseYaml of three Jsonnet engines: True is a text in two of them, and an account number is a text or a number.
#
# Software:  jsonnet 0.22.0 (C++), gojsonnet 0.22.0 (Go, of the same release) and rjsonnet 0.5.6 (Rust, jrsonnet), all of
#            PyPI.
# Expected:  one program of Jsonnet gives one document with each engine: the language has a specification, and the first
#            two engines are released together. If they differ, then by the version of YAML: each engine follows 1.1 or
#            1.2.
# Seen:      Go follows YAML 1.1: `on` and `y` are true. C++ follows neither: True and `~` are texts, which both versions
#            of YAML take for true and null, and 12e03 is a number. For Rust True is a text too, and `~` is null. An
#            account number with a zero in front is a text in C++; Go and Rust read it as octal; with an 8 in it, it is a
#            decimal number in Go and a text in Rust. Go alone merges `<<`.
# Matters:   a folder of bindings is often read by std.parseYaml(importstr "..."), and the engine is whichever somebody
#            installed: the command jsonnet comes in C++ and in Go, and Tanka is in Go. A text such as "True" counts as
#            set or fails later, and an account number is another account, without an error here. Quotes and a small true
#            mean the same to all three.
# Date:      2026-11-30
#
# Needs: bash, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check jsonnet==0.22.0 gojsonnet==0.22.0 rjsonnet==0.5.6

cat >bindings.yaml <<'EOF'
upper: True
switch: on
letter: y
tilde: ~
octal: 012345670123
eight: 089012345678
hash: 12e03
merged: {<<: {role: viewer}, title: office}
quoted: "089012345678"
plain: true
EOF

cat >read.py <<'EOF'
import json

import _gojsonnet
import _jsonnet
import rjsonnet

with open("bindings.yaml") as file:
    program = f"std.parseYaml({json.dumps(file.read())})"
documents = [json.loads(engine.evaluate_snippet("finding", program)) for engine in (_jsonnet, _gojsonnet, rjsonnet)]
for key in ("upper", "switch", "letter", "tilde", "octal", "eight", "hash", "merged", "quoted", "plain"):
    print(f"{key}:", " | ".join(json.dumps(document[key], sort_keys=True) for document in documents))
EOF
seen=$(venv/bin/python read.py)

echo "software: jsonnet 0.22.0, gojsonnet 0.22.0, rjsonnet 0.5.6"
echo "expected of each line: three equal values"
echo "seen, C++ | Go | Rust:"
echo "$seen"

known='upper: "True" | true | "True"
switch: "on" | true | "on"
letter: "y" | true | "y"
tilde: "~" | null | null
octal: "012345670123" | 1402433619 | 1402433619
eight: "089012345678" | 89012345678 | "089012345678"
hash: 12000 | 12000 | 12000
merged: {"<<": {"role": "viewer"}, "title": "office"} | {"role": "viewer", "title": "office"} | {"<<": {"role": "viewer"}, "title": "office"}
quoted: "089012345678" | "089012345678" | "089012345678"
plain: true | true | true'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the values are not the known ones" >&2
  exit 1
fi
echo "unchanged: three engines of Jsonnet read three documents"
