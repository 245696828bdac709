#!/usr/bin/env bash
# Members of a binding in an inline YAML list: one library reads mappings, others refuse members that were deleted.
#
# Software:  github.com/goccy/go-yaml v1.19.2, gopkg.in/yaml.v3 v3.0.1, sigs.k8s.io/yaml v1.6.0, go.yaml.in/yaml/v4 v4.0.0,
#            PyYAML 6.0.4, js-yaml 5.5.0.
# Expected:  a member such as user:jane@example.com is a string with or without quotes, as no blank follows its colons.
#            A list means the same inline as with a line per member. The name that Google Cloud gives the grant of an
#            account that is gone, deleted:user:jane@example.com?uid=7, is a string too: YAML 1.2 allows `?` within it.
# Seen:      goccy/go-yaml reads {user: jane@example.com}, a mapping, once the list stands in inline braces; in a list that
#            stands alone it reads the string. The deleted member of an inline list is a syntax error for yaml.v3,
#            sigs.k8s.io/yaml and PyYAML, although the three take it on a line of its own.
# Matters:   `{role: roles/viewer, members: [user:jane@example.com]}` is a usual way to write a binding. One file passes
#            the check of one tool and has members of another type in the next. And a manifest that someone exported
#            stops to parse in kubectl's library on the day after Google marked a member as deleted. Quotes avoid both.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pyyaml==6.0.4
npm install --silent --no-audit --no-fund --ignore-scripts js-yaml@5.5.0

echo 'members: [user:jane@example.com]' >list.yaml
echo '{members: [user:jane@example.com]}' >braces.yaml
echo 'members: ["deleted:user:jane@example.com?uid=7"]' >quoted.yaml
printf '%s\n' 'members:' '  - deleted:user:jane@example.com?uid=7' >lines.yaml
echo 'members: [deleted:user:jane@example.com?uid=7]' >deleted.yaml

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	go.yaml.in/yaml/v4 v4.0.0
	gopkg.in/yaml.v3 v3.0.1
	sigs.k8s.io/yaml v1.6.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	v4 "go.yaml.in/yaml/v4"
	v3 "gopkg.in/yaml.v3"
	kubernetes "sigs.k8s.io/yaml"
)

func main() {
	file := os.Args[1]
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	for _, library := range []struct {
		name      string
		unmarshal func([]byte, any) error
	}{
		{"goccy/go-yaml", func(text []byte, value any) error { return goccy.Unmarshal(text, value) }},
		{"yaml.v3", v3.Unmarshal},
		{"sigs.k8s.io/yaml", func(text []byte, value any) error { return kubernetes.Unmarshal(text, value) }},
		{"yaml/v4", func(text []byte, value any) error { return v4.Unmarshal(text, value) }},
	} {
		var binding map[string]any
		if err := library.unmarshal(text, &binding); err != nil {
			fmt.Println(" ", library.name, "syntax error")
			continue
		}
		members, err := json.Marshal(binding["members"])
		if err != nil {
			panic(err)
		}
		fmt.Println(" ", library.name, string(members))
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >members.py <<'EOF'
import json
import sys

import yaml

try:
    with open(sys.argv[1]) as file:
        print("  PyYAML", json.dumps(yaml.safe_load(file)["members"]))
except yaml.YAMLError:
    print("  PyYAML syntax error")
EOF

cat >members.mjs <<'EOF'
import { readFileSync } from "node:fs";
import { load } from "js-yaml";

console.log("  js-yaml", JSON.stringify(load(readFileSync(process.argv[2], "utf8")).members));
EOF

seen=$(
  for file in list.yaml braces.yaml quoted.yaml lines.yaml deleted.yaml; do
    cat "$file"
    ./finding "$file"
    venv/bin/python members.py "$file"
    node members.mjs "$file"
  done
)

echo "software: goccy/go-yaml v1.19.2, yaml.v3 v3.0.1, sigs.k8s.io/yaml v1.6.0, yaml/v4 v4.0.0,"
echo "  PyYAML 6.0.4, js-yaml 5.5.0"
echo "expected of each, for each file: a list of one string"
echo "seen:"
echo "$seen"

known='members: [user:jane@example.com]
  goccy/go-yaml ["user:jane@example.com"]
  yaml.v3 ["user:jane@example.com"]
  sigs.k8s.io/yaml ["user:jane@example.com"]
  yaml/v4 ["user:jane@example.com"]
  PyYAML ["user:jane@example.com"]
  js-yaml ["user:jane@example.com"]
{members: [user:jane@example.com]}
  goccy/go-yaml [{"user":"jane@example.com"}]
  yaml.v3 ["user:jane@example.com"]
  sigs.k8s.io/yaml ["user:jane@example.com"]
  yaml/v4 ["user:jane@example.com"]
  PyYAML ["user:jane@example.com"]
  js-yaml ["user:jane@example.com"]
members: ["deleted:user:jane@example.com?uid=7"]
  goccy/go-yaml ["deleted:user:jane@example.com?uid=7"]
  yaml.v3 ["deleted:user:jane@example.com?uid=7"]
  sigs.k8s.io/yaml ["deleted:user:jane@example.com?uid=7"]
  yaml/v4 ["deleted:user:jane@example.com?uid=7"]
  PyYAML ["deleted:user:jane@example.com?uid=7"]
  js-yaml ["deleted:user:jane@example.com?uid=7"]
members:
  - deleted:user:jane@example.com?uid=7
  goccy/go-yaml ["deleted:user:jane@example.com?uid=7"]
  yaml.v3 ["deleted:user:jane@example.com?uid=7"]
  sigs.k8s.io/yaml ["deleted:user:jane@example.com?uid=7"]
  yaml/v4 ["deleted:user:jane@example.com?uid=7"]
  PyYAML ["deleted:user:jane@example.com?uid=7"]
  js-yaml ["deleted:user:jane@example.com?uid=7"]
members: [deleted:user:jane@example.com?uid=7]
  goccy/go-yaml ["deleted:user:jane@example.com?uid=7"]
  yaml.v3 syntax error
  sigs.k8s.io/yaml syntax error
  yaml/v4 ["deleted:user:jane@example.com?uid=7"]
  PyYAML syntax error
  js-yaml ["deleted:user:jane@example.com?uid=7"]'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the members are not the known ones" >&2
  exit 1
fi
echo "unchanged: in inline lists, one library reads a mapping, and three refuse a deleted member"
