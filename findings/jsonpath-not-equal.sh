#!/usr/bin/env bash
# JSONPath for "all bindings but those with this condition": four of nine readers tell no binding without a condition.
#
# Software:  jsonpath-rfc9535 1.0.1, jsonpath-ng 1.16.0 and jsonpath-python 1.1.6 (PyPI), json-p3 2.3.1, jsonpath 1.3.0 and
#            jsonpath-plus 11.3.0 (npm), github.com/theory/jsonpath v0.12.3, github.com/ohler55/ojg v1.28.5 and
#            k8s.io/client-go/util/jsonpath v0.36.3, that of `kubectl get -o jsonpath` (Go).
# Expected:  RFC 9535, section 2.3.5.2.2: what is missing is equal to no value. So a binding without a condition is one
#            whose condition has another title than "2026", and `!=` and `==` split the bindings between them.
# Seen:      five do so. For kubectl's, jsonpath and jsonpath-python what is missing is neither equal nor unequal: they
#            tell only those bindings that have a condition with another title. jsonpath-plus raises an error, for `==`
#            too, and tells nothing at all. For `==` the others agree.
# Matters:   "whose access does not end this year" is asked in this way. Bindings without a condition never end, and are
#            what the question is about; three readers leave just those out, and their list looks like an answer. Asking
#            for the rest by a program, as all bindings less those of `==`, is safe with each that raises no error.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  jsonpath-rfc9535==1.0.1 jsonpath-ng==1.16.0 jsonpath-python==1.1.6
npm install --silent --no-audit --no-fund --ignore-scripts json-p3@2.3.1 jsonpath@1.3.0 jsonpath-plus@11.3.0

cat >policy.json <<'EOF'
{"bindings": [
  {"role": "viewer", "condition": {"title": "2026"}},
  {"role": "editor", "condition": {"title": "office"}},
  {"role": "owner"}
]}
EOF
paths=(
  "\$.bindings[?(@.condition.title == '2026')].role"
  "\$.bindings[?(@.condition.title != '2026')].role"
)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/ohler55/ojg v1.28.5
	github.com/theory/jsonpath v0.12.3
	k8s.io/client-go v0.36.3
)
EOF
cat >main.go <<'EOF'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/ohler55/ojg/jp"
	"github.com/theory/jsonpath"
	kubectl "k8s.io/client-go/util/jsonpath"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var policy any
	must(0, json.Unmarshal(must(os.ReadFile("policy.json")), &policy))
	readers := []struct {
		name string
		read func(string) ([]any, error)
	}{
		{"theory/jsonpath", func(path string) ([]any, error) { return jsonpath.MustParse(path).Select(policy), nil }},
		{"ojg", func(path string) ([]any, error) { return must(jp.ParseString(path)).Get(policy), nil }},
		{"kubectl", func(path string) ([]any, error) {
			// As `kubectl get` sets it.
			parsed := kubectl.New("finding").AllowMissingKeys(true)
			must(0, parsed.Parse("{"+path+"}"))
			results, err := parsed.FindResults(policy)
			var values []any
			for _, result := range results {
				for _, value := range result {
					values = append(values, value.Interface())
				}
			}
			return values, err
		}},
	}
	for _, reader := range readers {
		fmt.Print(reader.name, ":")
		for _, path := range os.Args[1:] {
			if values, err := reader.read(path); err != nil {
				fmt.Print(" error")
			} else {
				fmt.Print(" ", values)
			}
		}
		fmt.Println()
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >read.py <<'EOF'
import json
import sys

import jsonpath_ng.ext
import jsonpath_rfc9535
from jsonpath import JSONPath

with open("policy.json") as file:
    policy = json.load(file)
readers = {
    "jsonpath-rfc9535": lambda path: [node.value for node in jsonpath_rfc9535.find(path, policy)],
    "jsonpath-ng": lambda path: [match.value for match in jsonpath_ng.ext.parse(path).find(policy)],
    "jsonpath-python": lambda path: JSONPath(path).parse(policy),
}
for name, read in readers.items():
    print(f"{name}:", *(f"[{' '.join(read(path))}]" for path in sys.argv[1:]))
EOF

cat >read.mjs <<'EOF'
import { readFileSync } from "fs";
import { jsonpath as p3 } from "json-p3";
import jsonpath from "jsonpath";
import { JSONPath } from "jsonpath-plus";

const policy = JSON.parse(readFileSync("policy.json"));
const readers = {
  "json-p3": (path) => p3.query(path, policy).values(),
  jsonpath: (path) => jsonpath.query(policy, path),
  "jsonpath-plus": (path) => JSONPath({ path, json: policy }),
};
for (const [name, read] of Object.entries(readers)) {
  let line = `${name}:`;
  for (const path of process.argv.slice(2)) {
    try {
      line += ` [${read(path).join(" ")}]`;
    } catch {
      line += " error";
    }
  }
  console.log(line);
}
EOF

seen=$(
  venv/bin/python read.py "${paths[@]}"
  node read.mjs "${paths[@]}"
  ./finding "${paths[@]}"
)

echo "software: jsonpath-rfc9535 1.0.1, jsonpath-ng 1.16.0, jsonpath-python 1.1.6, json-p3 2.3.1, jsonpath 1.3.0,"
echo "  jsonpath-plus 11.3.0, theory/jsonpath v0.12.3, ojg v1.28.5, client-go v0.36.3"
cat policy.json
printf '%s\n' "${paths[@]}"
echo "expected of each: [viewer] [editor owner]"
echo "seen:"
echo "$seen"

known='jsonpath-rfc9535: [viewer] [editor owner]
jsonpath-ng: [viewer] [editor owner]
jsonpath-python: [viewer] [editor]
json-p3: [viewer] [editor owner]
jsonpath: [viewer] [editor]
jsonpath-plus: error error
theory/jsonpath: [viewer] [editor owner]
ojg: [viewer] [editor owner]
kubectl: [viewer] [editor]'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the roles are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of nine do not tell the binding without a condition"
