#!/usr/bin/env bash
# Account numbers as texts: what one YAML library writes without quotes is a number for the next, without its zero.
#
# Software:  PyYAML 6.0.4 and ruamel.yaml 0.19.1 (PyPI), github.com/goccy/go-yaml v1.19.2 and sigs.k8s.io/yaml v1.6.0 (Go,
#            the latter that of kubectl and Helm), yaml 2.9.1 (npm).
# Expected:  a library puts quotes around a text that would be a number without them. So an account number of AWS, twelve
#            digits with a zero in front, comes through any two of them; or a text is at risk with all such numbers alike.
# Seen:      PyYAML quotes 012345670123 and not 089012345678: with an 8 or 9 it is no octal number, and so a text for
#            PyYAML, which reads it back. For ruamel.yaml, sigs.k8s.io/yaml and yaml it is the number 89012345678, and
#            12e03, as a short hash may be, is 12000. goccy/go-yaml does the same. What ruamel.yaml, sigs.k8s.io/yaml and
#            yaml write is the same text for all five.
# Matters:   a provider of workload identities for AWS names the account that is let in. A script that writes such a
#            manifest works for the accounts at hand, and on some day names another account, of eleven digits. Where the
#            field must be a text, applying it fails instead.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check PyYAML==6.0.4 ruamel.yaml==0.19.1
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.1

texts=(012345670123 089012345678 12e03)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	sigs.k8s.io/yaml v1.6.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	sigs "sigs.k8s.io/yaml"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// finding write LIBRARY FILE TEXT..., or finding read LIBRARY FILE.
func main() {
	marshal := func(value any) ([]byte, error) { return sigs.Marshal(value) }
	unmarshal := func(text []byte, value any) error { return sigs.Unmarshal(text, value) }
	if os.Args[2] == "goccy" {
		marshal = func(value any) ([]byte, error) { return goccy.Marshal(value) }
		unmarshal = func(text []byte, value any) error { return goccy.Unmarshal(text, value) }
	}
	if os.Args[1] == "write" {
		if err := os.WriteFile(os.Args[3], must(marshal(os.Args[4:])), 0o600); err != nil {
			panic(err)
		}
		return
	}
	var values []any
	if err := unmarshal(must(os.ReadFile(os.Args[3])), &values); err != nil {
		panic(err)
	}
	for _, value := range values {
		if text, is := value.(string); is {
			fmt.Print(" ", text)
		} else {
			fmt.Printf(" number(%.0f)", value)
		}
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >python.py <<'EOF'
import sys

import ruamel.yaml
import yaml

action, library, path, *texts = sys.argv[1:]
if action == "write":
    with open(path, "w") as file:
        yaml.safe_dump(texts, file) if library == "PyYAML" else ruamel.yaml.YAML().dump(texts, file)
else:
    with open(path) as file:
        values = yaml.safe_load(file) if library == "PyYAML" else ruamel.yaml.YAML(typ="safe").load(file)
    print("".join(f" {value}" if isinstance(value, str) else f" number({value:.0f})" for value in values), end="")
EOF

cat >node.mjs <<'EOF'
import fs from "fs";
import { parse, stringify } from "yaml";

const [action, , path, ...texts] = process.argv.slice(2);
if (action === "write") {
  fs.writeFileSync(path, stringify(texts));
} else {
  const values = parse(fs.readFileSync(path, "utf8"));
  process.stdout.write(values.map((value) => (typeof value === "string" ? ` ${value}` : ` number(${value})`)).join(""));
}
EOF

# with_library ACTION LIBRARY FILE [TEXT...]
with_library() {
  case $2 in
    PyYAML | ruamel) venv/bin/python python.py "$@" ;;
    goccy | sigs) ./finding "$@" ;;
    yaml) node node.mjs "$@" ;;
  esac
}

libraries=(PyYAML ruamel goccy sigs yaml)
seen=''
for writer in "${libraries[@]}"; do
  with_library write "$writer" "$writer.yaml" "${texts[@]}"
  for reader in "${libraries[@]}"; do
    values=$(with_library read "$reader" "$writer.yaml")
    [[ $values == " ${texts[*]}" ]] || seen+="$writer to $reader:$values"$'\n'
  done
done

echo "software: PyYAML 6.0.4, ruamel.yaml 0.19.1, goccy/go-yaml v1.19.2, sigs.k8s.io/yaml v1.6.0, yaml 2.9.1"
echo "texts: ${texts[*]}"
head PyYAML.yaml goccy.yaml
echo "expected: the texts, of each of the 25 pairs"
echo "seen, where it is otherwise:"
printf '%s' "$seen"

known='PyYAML to ruamel: 012345670123 number(89012345678) number(12000)
PyYAML to sigs: 012345670123 number(89012345678) number(12000)
PyYAML to yaml: 012345670123 number(89012345678) number(12000)
goccy to ruamel: 012345670123 number(89012345678) number(12000)
goccy to sigs: 012345670123 number(89012345678) number(12000)
goccy to yaml: 012345670123 number(89012345678) number(12000)
'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the pairs are not the known ones" >&2
  exit 1
fi
echo "unchanged: PyYAML and goccy/go-yaml leave out quotes that other libraries need"
