#!/usr/bin/env bash
# Two bindings of one role, compared by role: a member that was added to the first of them is no difference.
#
# Software:  deepdiff 9.1.0 (PyPI) and json-diff-ts 4.10.4 (npm), beside jsondiffpatch 0.7.7 (npm).
# Expected:  lists of bindings have no order, so diff libraries can be told a key to match their items by. With the role as
#            key, two bindings of one role either are told as an error, or are matched in some order; a change in one of
#            them is a difference in any case. An IAM policy may have a role twice, with and without a condition.
# Seen:      for deepdiff and json-diff-ts the last binding of a role takes the place of those before it. A new member of
#            the first one is seen by neither, nor that the first one lost its condition: the policies have no difference.
#            jsondiffpatch with that key sees both, as all do by position.
# Matters:   a drift check, or a comment on a pull request that lists changed access, says that nothing changed when
#            somebody was given a role for good. It works in all tests with one binding for each role. The key must be the
#            role and the condition together.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check deepdiff==9.1.0
npm install --silent --no-audit --no-fund --ignore-scripts json-diff-ts@4.10.4 jsondiffpatch@0.7.7

# Bindings as they were, and as they are: a member is added, a condition is removed, and a member is added where the
# roles differ.
cat >changes.json <<'EOF'
[
  [
    [{"role": "owner", "members": ["alice"]}, {"role": "owner", "members": ["carol"], "condition": {"title": "x"}}],
    [{"role": "owner", "members": ["alice", "bob"]}, {"role": "owner", "members": ["carol"], "condition": {"title": "x"}}]
  ],
  [
    [{"role": "owner", "members": ["carol"], "condition": {"title": "x"}}, {"role": "owner", "members": ["alice"]}],
    [{"role": "owner", "members": ["carol"]}, {"role": "owner", "members": ["alice"]}]
  ],
  [
    [{"role": "owner", "members": ["alice"]}, {"role": "viewer", "members": ["carol"]}],
    [{"role": "owner", "members": ["alice", "bob"]}, {"role": "viewer", "members": ["carol"]}]
  ]
]
EOF

cat >compare.py <<'EOF'
import json

from deepdiff import DeepDiff

with open("changes.json") as file:
    changes = json.load(file)
for name, options in (("by role", {"group_by": "role"}), ("by position", {})):
    print(f"deepdiff {name}:", *("different" if DeepDiff(*change, **options) else "equal" for change in changes))
EOF

cat >compare.mjs <<'EOF'
import { readFileSync } from "fs";
import { diff } from "json-diff-ts";
import { create } from "jsondiffpatch";

const changes = JSON.parse(readFileSync("changes.json"));
const byRole = { embeddedObjKeys: { bindings: "role" } };
const libraries = {
  "json-diff-ts by role": (a, b) => diff({ bindings: a }, { bindings: b }, byRole).length > 0,
  "json-diff-ts by position": (a, b) => diff({ bindings: a }, { bindings: b }).length > 0,
  "jsondiffpatch by role": (a, b) => create({ objectHash: ({ role }) => role }).diff(a, b) !== undefined,
};
for (const [name, compare] of Object.entries(libraries)) {
  console.log(`${name}:`, ...changes.map(([a, b]) => (compare(a, b) ? "different" : "equal")));
}
EOF

seen=$(
  venv/bin/python compare.py
  node compare.mjs
)

echo "software: deepdiff 9.1.0, json-diff-ts 4.10.4, jsondiffpatch 0.7.7"
cat changes.json
echo "expected of each: different different different"
echo "seen:"
echo "$seen"

known='deepdiff by role: equal equal different
deepdiff by position: different different different
json-diff-ts by role: equal equal different
json-diff-ts by position: different different different
jsondiffpatch by role: different different different'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the comparisons do not tell the known" >&2
  exit 1
fi
echo "unchanged: two of three miss a change in a binding whose role comes again"
