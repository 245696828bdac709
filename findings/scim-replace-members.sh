#!/usr/bin/env bash
# A SCIM PATCH that replaces the members of a group: one library adds the new ones, and all the old ones stay.
#
# Software:  scimmy 1.3.5 beside scim-patch 0.8.3 (npm) and scim2-models 0.12.3 (PyPI).
# Expected:  RFC 7644, section 3.5.2.3: `replace` without a path names the attributes in its value, and each of them is
#            replaced. It means the same as `replace` with the path "members".
# Seen:      scimmy replaces with the path, and adds without it: alice and bob stay, and dave comes. An empty list without
#            the path changes nothing. The name of the group in the same value is replaced. The two others replace the
#            members either way.
# Matters:   a client may send the change of a group in either form. A service built on scimmy answers the one without a
#            path with success, and who was taken out of the group keeps its access. The next full read of the group shows
#            it, if somebody compares.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check scim2-models==0.12.3
npm install --silent --no-audit --no-fund --ignore-scripts scimmy@1.3.5 scim-patch@0.8.3

operations=(
  '{"op": "replace", "path": "members", "value": [{"value": "dave"}]}'
  '{"op": "replace", "value": {"members": [{"value": "dave"}]}}'
  '{"op": "replace", "value": {"members": []}}'
  '{"op": "replace", "value": {"displayName": "owners", "members": [{"value": "dave"}]}}'
)
group='{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "id": "1", "displayName": "ops",
  "members": [{"value": "alice"}, {"value": "bob"}]}'

cat >patch.mjs <<'EOF'
import scimPatch from "scim-patch";
import SCIMMY from "scimmy";

const [text, ...operations] = process.argv.slice(2);
const libraries = {
  scimmy: async (group, Operations) => {
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
    const changed = await new SCIMMY.Messages.PatchOp({ schemas, Operations }).apply(new SCIMMY.Schemas.Group(group));
    // It gives undefined for a group that has not changed.
    return changed ?? group;
  },
  "scim-patch": (group, operations) => scimPatch.scimPatch(group, operations),
};
for (const [name, patch] of Object.entries(libraries)) {
  let line = `${name}:`;
  for (const operation of operations) {
    const group = await patch(JSON.parse(text), [JSON.parse(operation)]);
    line += ` ${group.displayName}(${(group.members ?? []).map((member) => member.value)})`;
  }
  console.log(line);
}
EOF

cat >patch.py <<'EOF'
import json
import sys

from scim2_models import Group, PatchOp

line = "scim2-models:"
for operation in sys.argv[2:]:
    group = Group.model_validate(json.loads(sys.argv[1]))
    schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"]
    PatchOp[Group].model_validate({"schemas": schemas, "Operations": [json.loads(operation)]}).patch(group)
    line += f" {group.display_name}({','.join(member.value for member in group.members or [])})"
print(line)
EOF

seen=$(
  node patch.mjs "$group" "${operations[@]}"
  venv/bin/python patch.py "$group" "${operations[@]}"
)

echo "software: scimmy 1.3.5, scim-patch 0.8.3, scim2-models 0.12.3; the group ops has alice and bob"
printf '  %s\n' "${operations[@]}"
echo "expected of each: ops(dave) ops(dave) ops() owners(dave)"
echo "seen:"
echo "$seen"

known='scimmy: ops(dave) ops(alice,bob,dave) ops(alice,bob) owners(alice,bob,dave)
scim-patch: ops(dave) ops(dave) ops() owners(dave)
scim2-models: ops(dave) ops(dave) ops() owners(dave)'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the members are not the known ones" >&2
  exit 1
fi
echo "unchanged: scimmy adds the members of a replace that has no path"
