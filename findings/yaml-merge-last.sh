#!/usr/bin/env bash
# YAML with a merge key below a role: kubectl's YAML library grants the role of the anchor, others the role written there.
#
# Software:  sigs.k8s.io/yaml v1.6.0 (the YAML of kubectl and Helm) and github.com/goccy/go-yaml v1.19.2, beside
#            gopkg.in/yaml.v3 v3.0.1, PyYAML 6.0.4, and the npm package yaml 2.9.1 with its option `merge`.
# Expected:  a key that a mapping has itself wins over the same key of `<<`, above it or below it: a mapping has no order,
#            and the definition of the merge key says "unless the key already exists". Two lines swapped change nothing.
# Seen:      three of five do as expected. sigs.k8s.io/yaml and goccy/go-yaml take whichever stands last: with `<<` as the
#            last line, the role of the anchor replaces the role that the binding has. Neither warns. The strict form of
#            sigs.k8s.io/yaml, the one against keys given twice, refuses both orders: there `<<` can replace nothing.
# Matters:   bindings that share members by an anchor are common. A linter in Python and an editor tell roles/viewer, and
#            the cluster is handed roles/owner, because someone wrote `<<: *team` at the end of a binding. Write `<<`
#            first, or share only the members: `members: *team`.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pyyaml==6.0.4
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.1

team="team: &team
  role: roles/owner
  members: ['group:team@example.com']"
echo "$team
binding:
  <<: *team
  role: roles/viewer" >first.yaml
echo "$team
binding:
  role: roles/viewer
  <<: *team" >last.yaml

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	gopkg.in/yaml.v3 v3.0.1
	sigs.k8s.io/yaml v1.6.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	v3 "gopkg.in/yaml.v3"
	kubernetes "sigs.k8s.io/yaml"
)

func role(file string, unmarshal func([]byte, any) error) any {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	var manifest map[string]map[string]any
	if err := unmarshal(text, &manifest); err != nil {
		return "refused"
	}
	return manifest["binding"]["role"]
}

func main() {
	for _, library := range []struct {
		name      string
		unmarshal func([]byte, any) error
	}{
		{"sigs.k8s.io/yaml", func(text []byte, value any) error { return kubernetes.Unmarshal(text, value) }},
		{"sigs.k8s.io/yaml, strict", func(text []byte, value any) error { return kubernetes.UnmarshalStrict(text, value) }},
		{"goccy/go-yaml", func(text []byte, value any) error { return goccy.Unmarshal(text, value) }},
		{"yaml.v3", v3.Unmarshal},
	} {
		fmt.Printf("%s: %v %v\n", library.name, role("first.yaml", library.unmarshal), role("last.yaml", library.unmarshal))
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >roles.py <<'EOF'
import yaml


def role(name):
    with open(name) as file:
        return yaml.safe_load(file)["binding"]["role"]


print("PyYAML:", role("first.yaml"), role("last.yaml"))
EOF

cat >roles.mjs <<'EOF'
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const role = (name) => parse(readFileSync(name, "utf8"), { merge: true }).binding.role;
console.log("yaml of npm:", role("first.yaml"), role("last.yaml"));
EOF

seen=$(
  ./finding
  venv/bin/python roles.py
  node roles.mjs
)

echo "software: sigs.k8s.io/yaml v1.6.0, goccy/go-yaml v1.19.2, yaml.v3 v3.0.1, PyYAML 6.0.4, yaml of npm 2.9.1"
echo "expected of each, with << first and with << last: roles/viewer roles/viewer"
echo "seen:"
echo "$seen"

known='sigs.k8s.io/yaml: roles/viewer roles/owner
sigs.k8s.io/yaml, strict: refused refused
goccy/go-yaml: roles/viewer roles/owner
yaml.v3: roles/viewer roles/viewer
PyYAML: roles/viewer roles/viewer
yaml of npm: roles/viewer roles/viewer'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the roles are not the known ones" >&2
  exit 1
fi
echo "unchanged: two libraries let the merge key win when it stands last"
