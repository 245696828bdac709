#!/usr/bin/env bash
# A member removed by a YAML library that keeps comments: its comment stays, now above somebody else.
#
# Software:  ruamel.yaml 0.19.1 (PyPI) and yaml 2.9.1 (npm), beside go.yaml.in/yaml/v4 v4.0.0 (Go).
# Expected:  the three keep comments when they read and write a file. A comment on the lines above a member is about that
#            member, as people write it: it goes with the member, and the other comments stay where they are.
# Seen:      ruamel.yaml has the lines above a member as the end of the member before, and those above the first member
#            as the list's. With ann removed, the comment of ann is above bob, and that of bob is gone. With bob removed,
#            bob's comment is above the next role, and that of the role is gone. A new member at the end comes below the
#            comment of the next role. yaml has the lines above the first member as the list's too: with jane removed,
#            ann is below the comment of jane. Go does as expected.
# Matters:   scripts take out members whose time is over, and comments say who agreed to a member and until when. After
#            the script ran, bob has the end date of ann, and the review reads it there. The values are right, so no test
#            of the script sees it. A comment on the line of the member goes with it in all three.
# Date:      2026-11-30
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ruamel.yaml==0.19.1
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.1

cat >access.yaml <<'EOF'
bindings:
  - role: viewer
    members:
      # May
      - user:jane@example.com # JANE
      # June
      - user:ann@example.com # ANN
      # July
      - user:bob@example.com # BOB
  # checked
  - role: owner
    members:
      - user:zoe@example.com
EOF

cat >edit.py <<'EOF'
import sys

from ruamel.yaml import YAML

yaml = YAML()
yaml.indent(mapping=2, sequence=4, offset=2)
with open("access.yaml") as file:
    access = yaml.load(file)
members = access["bindings"][0]["members"]
if sys.argv[1] == "add":
    members.append("user:dan@example.com")
else:
    del members[int(sys.argv[1])]
yaml.dump(access, sys.stdout)
EOF

cat >edit.mjs <<'EOF'
import { readFileSync } from "fs";
import { parseDocument } from "yaml";

const access = parseDocument(readFileSync("access.yaml", "utf8"));
const members = ["bindings", 0, "members"];
if (process.argv[2] === "add") access.addIn(members, "user:dan@example.com");
else access.deleteIn([...members, Number(process.argv[2])]);
process.stdout.write(String(access));
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require go.yaml.in/yaml/v4 v4.0.0
EOF
cat >main.go <<'EOF'
package main

import (
	"os"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var access yaml.Node
	must(0, yaml.Unmarshal(must(os.ReadFile("access.yaml")), &access))
	members := access.Content[0].Content[1].Content[0].Content[3]
	if os.Args[1] == "add" {
		members.Content = append(members.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "user:dan@example.com"})
	} else {
		at := must(strconv.Atoi(os.Args[1]))
		members.Content = slices.Delete(members.Content, at, at+1)
	}
	encoder := yaml.NewEncoder(os.Stdout)
	encoder.SetIndent(2)
	must(0, encoder.Encode(&access))
	must(0, encoder.Close())
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

# Tells each member or role, behind the comments above it and before the one on its line.
pairs() {
  awk '/^ *# / { above = above $2 "/" }
    / - / { line = $0; sub(/.*(role: |user:)/, "", line); sub(/@example.com/, "", line); sub(/ # /, "/", line)
      printf "%s%s%s", gap, above, line; above = ""; gap = " " }
    END { print above == "" ? "" : " " above }'
}

seen=$(
  for edit in 0 1 2 add; do
    echo "ruamel.yaml, $edit: $(venv/bin/python edit.py "$edit" | pairs)"
    echo "yaml, $edit: $(node edit.mjs "$edit" | pairs)"
    echo "go-yaml, $edit: $(./finding "$edit" | pairs)"
  done
)

echo "software: ruamel.yaml 0.19.1, yaml 2.9.1 (npm), go.yaml.in/yaml/v4 v4.0.0"
echo "before: $(pairs <access.yaml)"
echo "expected: jane removed with May, ann with June, bob with July; dan added after bob, and checked above the owner"
echo "seen:"
echo "$seen"

known='ruamel.yaml, 0: viewer May/ann/ANN July/bob/BOB checked/owner zoe
yaml, 0: viewer May/June/ann/ANN July/bob/BOB checked/owner zoe
go-yaml, 0: viewer June/ann/ANN July/bob/BOB checked/owner zoe
ruamel.yaml, 1: viewer May/jane/JANE June/bob/BOB checked/owner zoe
yaml, 1: viewer May/jane/JANE July/bob/BOB checked/owner zoe
go-yaml, 1: viewer May/jane/JANE July/bob/BOB checked/owner zoe
ruamel.yaml, 2: viewer May/jane/JANE June/ann/ANN July/owner zoe
yaml, 2: viewer May/jane/JANE June/ann/ANN checked/owner zoe
go-yaml, 2: viewer May/jane/JANE June/ann/ANN checked/owner zoe
ruamel.yaml, add: viewer May/jane/JANE June/ann/ANN July/bob/BOB checked/dan owner zoe
yaml, add: viewer May/jane/JANE June/ann/ANN July/bob/BOB dan checked/owner zoe
go-yaml, add: viewer May/jane/JANE June/ann/ANN July/bob/BOB dan checked/owner zoe'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the comments are not where they are known to be" >&2
  exit 1
fi
echo "unchanged: two of three libraries leave a comment above another member"
