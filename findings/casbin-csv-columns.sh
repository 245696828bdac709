#!/usr/bin/env bash
# One policy.csv for Casbin in Go, Node and Python: a column aligned by spaces, or a quoted name, is another grant in each.
#
# Software:  github.com/casbin/casbin/v2 v2.135.0 (Go), casbin 5.51.1 (npm), casbin 1.43.0 (PyPI), with their own adapters
#            for files.
# Expected:  one model and one policy file decide the same in each language. Spaces around a comma are none of the name,
#            and quotes hold a name together that has a comma, as CSV does it.
# Seen:      Go drops the spaces after a comma and keeps those before it: `p, eve , ...` is a rule for "eve " with a blank,
#            and eve has no access. Node and Python drop both. Python takes quotes for letters, and splits the name
#            "ops, east" in two: the rule has a field too many, and each question that gets to it raises an error.
# Matters:   people align the columns of such a file, and a service in Node and one in Go then disagree on who may do what.
#            Nothing is logged: for Go the rule is valid, and it is about someone else.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check casbin==1.43.0
npm install --silent --no-audit --no-fund --ignore-scripts casbin@5.51.1

cat >model.conf <<'EOF'
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.obj == p.obj && r.act == p.act
EOF
cat >aligned.csv <<'EOF'
p, alexander, project, read
p, eve      , project, read
EOF
cat >quoted.csv <<'EOF'
p, "ops, east", project, read
EOF
questions=(aligned.csv alexander aligned.csv eve quoted.csv 'ops, east')

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/casbin/casbin/v2 v2.135.0
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/casbin/casbin/v2"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	for question := os.Args[1:]; len(question) > 0; question = question[2:] {
		enforcer := must(casbin.NewEnforcer("model.conf", question[0]))
		fmt.Print(" ", must(enforcer.Enforce(question[1], "project", "read")))
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >enforce.cjs <<'EOF'
const { newEnforcer } = require("casbin");

(async () => {
  for (let question = process.argv.slice(2); question.length > 0; question = question.slice(2)) {
    const enforcer = await newEnforcer("model.conf", question[0]);
    process.stdout.write(` ${await enforcer.enforce(question[1], "project", "read")}`);
  }
})();
EOF

cat >enforce.py <<'EOF'
import sys

import casbin

for policy, name in zip(sys.argv[1::2], sys.argv[2::2]):
    enforcer = casbin.Enforcer("model.conf", policy)
    try:
        print("", str(enforcer.enforce(name, "project", "read")).lower(), end="")
    except RuntimeError as error:
        print(f" error ({error}: {enforcer.get_policy()})", end="")
EOF

seen=$(
  echo "Go:$(./finding "${questions[@]}")"
  echo "Node:$(node enforce.cjs "${questions[@]}")"
  echo "Python:$(venv/bin/python enforce.py "${questions[@]}")"
)

echo "software: casbin for Go v2.135.0, for Node 5.51.1, for Python 1.43.0"
cat aligned.csv quoted.csv
echo "may alexander, eve and 'ops, east' read?"
echo "expected of each: true true true"
echo "seen:"
echo "$seen"

known="Go: true false true
Node: true true true
Python: true true error (invalid policy size: [['\"ops', 'east\"', 'project', 'read']])"
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the decisions are not the known ones" >&2
  exit 1
fi
echo "unchanged: Go keeps the spaces before a comma, and Python the quotes"
