#!/usr/bin/env bash
# A KCL schema with a default list: an instance that tells a shorter list keeps the rest of the default.
#
# Software:  kcl_lib 0.13.2 (PyPI), the engine of the KCL configuration language.
# Expected:  `members: ["group:ops@example.com"]` in an instance takes the place of the default list, as a string does that
#            is told, or is added to it. `members +=` is there for adding, so most would bet on the first.
# Seen:      the lists are merged place by place: the group takes the place of the first default member, and the second
#            stays. An empty list leaves all of the default. A string told with `:` takes the default's place. With `=` the
#            list does too. The same `:` on a plain dict that has a list is an error of conflicting values.
# Matters:   defaults of a schema for bindings are where a team names its usual members. Who tells other ones for one
#            project sees them in the file, and grants access to the second usual member all the same; and `members: []`
#            takes nobody's access away.
#
# Needs: bash, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check kcl_lib==0.13.2

cat >schema.k <<'EOF'
schema Binding:
    role: str = "roles/viewer"
    members: [str] = ["user:alice@example.com", "user:bob@example.com"]

colon = Binding {role: "roles/editor", members: ["group:ops@example.com"]}
empty = Binding {members: []}
equals = Binding {members = ["group:ops@example.com"]}
added = Binding {members += ["group:ops@example.com"]}
EOF
cat >dict.k <<'EOF'
usual = {members = ["user:alice@example.com", "user:bob@example.com"]}
colon = usual | {members: ["group:ops@example.com"]}
EOF

cat >evaluate.py <<'EOF'
import json
import sys

from kcl_lib import api

for path in sys.argv[1:]:
    result = api.API().exec_program(api.ExecProgramArgs(k_filename_list=[path]))
    if result.err_message:
        print(f"{path}: error ({'conflicting values' if 'conflicting values' in result.err_message else 'another'})")
        continue
    for name, binding in json.loads(result.json_result).items():
        print(f"{path}: {name}: {binding['role']}: {' '.join(binding['members'])}")
EOF
seen=$(venv/bin/python evaluate.py schema.k dict.k)

echo "software: kcl_lib 0.13.2"
cat schema.k dict.k
echo "expected: colon and equals have the group alone, empty has nobody, added has all three"
echo "seen:"
echo "$seen"

known='schema.k: colon: roles/editor: group:ops@example.com user:bob@example.com
schema.k: empty: roles/viewer: user:alice@example.com user:bob@example.com
schema.k: equals: roles/viewer: group:ops@example.com
schema.k: added: roles/viewer: user:alice@example.com user:bob@example.com group:ops@example.com
dict.k: error (conflicting values)'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the members are not the known ones" >&2
  exit 1
fi
echo "unchanged: a list told with a colon is merged with the default, place by place"
