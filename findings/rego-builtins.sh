#!/usr/bin/env bash
# Rego in two engines: a project number becomes negative, version 1.10 is older than 1.9, and a merge drops what it merges.
#
# Software:  regopy 1.5.2 (PyPI, the engine rego-cpp, which says it is OPA 1.18) beside github.com/open-policy-agent/opa
#            v1.22.3 (Go).
# Expected:  built-in functions of Rego have one meaning. An engine that lacks one refuses the query; one that has it gives
#            the answer of OPA. Text from a project number has its digits, versions are compared by Semantic Versioning,
#            and object.union joins objects at each depth, as its manual says.
# Seen:      regopy takes 32 bits of a number for %d: 123456789012 is -1097262572, while %v is right. Of 1.10.0 and 1.9.0
#            the latter is newer for it, and 1.2.0-rc1 is newer than 1.2.0. object.union keeps one of two inner objects.
#            net.cidr_contains, which it lacks, is undefined, as if the rule did not hold, unless strict errors are on.
# Matters:   the agents of Google Cloud have the project number in their name, so a rule that makes a member by
#            "service-%d@..." tells another one than OPA. A least version lets 1.9 through and refuses 1.10. The rules are
#            valid, and were tested with the other engine.
#
# Needs: bash, Go 1.26, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check regopy==1.5.2

terms=(
  'sprintf("service-%d@example.com", [123456789012])'
  'sprintf("service-%v@example.com", [123456789012])'
  'semver.compare("1.10.0", "1.9.0")'
  'semver.compare("1.2.0-rc1", "1.2.0")'
  'object.union({"ops": {"read": true}}, {"ops": {"write": true}})'
  'net.cidr_contains("10.0.0.0/8", "10.1.2.3")'
)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/open-policy-agent/opa v1.22.3
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/open-policy-agent/opa/v1/rego"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	for _, term := range os.Args[1:] {
		results := must(rego.New(rego.Query("x := " + term)).Eval(context.Background()))
		if len(results) == 0 {
			fmt.Println("  undefined")
			continue
		}
		fmt.Printf("  %s\n", must(json.Marshal(results[0].Bindings["x"])))
	}
}
EOF
go build -mod=mod -p 1 -o opa . 2>build.log || { cat build.log >&2; exit 1; }

cat >evaluate.py <<'EOF'
import json
import sys

from regopy import Interpreter

for term in sys.argv[1:]:
    answer = str(Interpreter().query(f"x := {term}"))
    if answer != "undefined":
        answer = json.dumps(json.loads(answer)["bindings"]["x"], separators=(",", ":"))
    print(f"  {answer}")
EOF

seen=$(
  echo "OPA:"
  ./opa "${terms[@]}"
  echo "regopy:"
  venv/bin/python evaluate.py "${terms[@]}"
)

echo "software: regopy 1.5.2, opa v1.22.3"
printf '  %s\n' "${terms[@]}"
echo "expected of both: what OPA tells"
echo "seen:"
echo "$seen"

known='OPA:
  "service-123456789012@example.com"
  "service-123456789012@example.com"
  1
  -1
  {"ops":{"read":true,"write":true}}
  true
regopy:
  "service--1097262572@example.com"
  "service-123456789012@example.com"
  -1
  1
  {"ops":{"write":true}}
  undefined'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the values are not the known ones" >&2
  exit 1
fi
echo "unchanged: regopy tells other values than OPA"
