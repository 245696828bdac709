#!/usr/bin/env bash
# One JSON patch for two IAM policies: two libraries change the patch by applying it, and both policies share one list.
#
# Software:  fast-json-patch 3.1.1 and json-p3 2.3.1, beside rfc6902 5.4.0, immutable-json-patch 6.0.3 and jiff 0.7.3
#            (npm), jsonpatch 1.47 (PyPI).
# Expected:  a patch is a description: it is the same after it was applied, and two policies that it was applied to have
#            nothing in common. fast-json-patch is even told not to change the document that it is given.
# Seen:      fast-json-patch and json-p3 put the value of an `add` itself into the document. A later operation that adds
#            a member to it adds the member to the patch too: the second policy gets the member twice, the third thrice.
#            A member that the program gives to the first policy is in all three. The four others copy. The manual of
#            fast-json-patch advises to clone a patch that should stay as it is.
# Matters:   a patch that adds a binding and then its members is kept, and applied to each project. Access that is given
#            in one project afterwards is written to all that are written later. A patch that is parsed anew for each
#            project, or copied by structuredClone(), is safe.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check jsonpatch==1.47
npm install --silent --no-audit --no-fund --ignore-scripts \
  fast-json-patch@3.1.1 json-p3@2.3.1 rfc6902@5.4.0 immutable-json-patch@6.0.3 jiff@0.7.3

cat >patch.json <<'EOF'
[
  {"op": "add", "path": "/bindings/-", "value": {"role": "roles/viewer", "members": []}},
  {"op": "add", "path": "/bindings/0/members/-", "value": "group:ops"}
]
EOF

# The members of each policy are counted as the patch left it. Then the first policy, and no other, is given alice.
cat >apply.mjs <<'EOF'
import { readFileSync } from "fs";
import fastJsonPatch from "fast-json-patch";
import { immutableJSONPatch } from "immutable-json-patch";
import jiff from "jiff";
import { JSONPatch } from "json-p3";
import * as rfc6902 from "rfc6902";

const libraries = {
  "fast-json-patch": (patch, policy) => fastJsonPatch.applyPatch(policy, patch, true, false).newDocument,
  "json-p3": (patch, policy) => new JSONPatch(patch).apply(policy),
  rfc6902: (patch, policy) => {
    rfc6902.applyPatch(policy, patch);
    return policy;
  },
  "immutable-json-patch": (patch, policy) => immutableJSONPatch(policy, patch),
  jiff: (patch, policy) => jiff.patch(patch, policy),
};
for (const [name, apply] of Object.entries(libraries)) {
  const patch = JSON.parse(readFileSync("patch.json"));
  const members = (policy) => policy.bindings[0].members;
  const policies = [];
  let line = `${name}: members:`;
  for (let i = 0; i < 3; i++) {
    policies.push(apply(patch, { bindings: [] }));
    line += ` ${members(policies[i]).length}`;
  }
  members(policies[0]).push("user:alice");
  console.log(`${line}, with alice: ${policies.map((policy) => members(policy).includes("user:alice"))}`);
}
EOF

cat >apply.py <<'EOF'
import json

import jsonpatch

with open("patch.json") as file:
    patch = json.load(file)

members = []
line = "jsonpatch: members:"
for _ in range(3):
    members.append(jsonpatch.apply_patch({"bindings": []}, patch)["bindings"][0]["members"])
    line += f" {len(members[-1])}"
members[0].append("user:alice")
print(f"{line}, with alice: {','.join(str('user:alice' in each).lower() for each in members)}")
EOF

seen=$(
  node apply.mjs
  venv/bin/python apply.py
)

echo "software: fast-json-patch 3.1.1, json-p3 2.3.1, rfc6902 5.4.0, immutable-json-patch 6.0.3, jiff 0.7.3,"
echo "  jsonpatch 1.47"
cat patch.json
echo "expected of each: members: 1 1 1, with alice: true,false,false"
echo "seen:"
echo "$seen"

known='fast-json-patch: members: 1 2 3, with alice: true,true,true
json-p3: members: 1 2 3, with alice: true,true,true
rfc6902: members: 1 1 1, with alice: true,false,false
immutable-json-patch: members: 1 1 1, with alice: true,false,false
jiff: members: 1 1 1, with alice: true,false,false
jsonpatch: members: 1 1 1, with alice: true,false,false'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the members are not the known ones" >&2
  exit 1
fi
echo "unchanged: two of six change the patch, and the policies it was applied to share a list"
