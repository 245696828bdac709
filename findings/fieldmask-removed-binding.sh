#!/usr/bin/env bash
# A change of a policy by field mask: Google's Python makes the mask and merges it, and the binding that went is still there.
#
# Software:  google-api-core 2.44.0 (its function field_mask), protobuf 7.36.2 (FieldMask.MergeMessage) and
#            grpc-google-iam-v1 0.14.6 (the messages) of PyPI, beside go.einride.tech/aip v0.80.0 (Go, fieldmask.Update).
# Expected:  field_mask(old, new) names the fields that differ. So old, with those fields of new, is new: what an update
#            method of Google does with a mask, and what AIP-134 asks of it.
# Seen:      MergeMessage appends to lists and merges messages: the old binding with bob stays beside the new one without
#            bob, an empty list changes nothing, and a condition that went stays. A text that is empty in new is taken.
#            Go's Update replaces lists and messages, as does MergeMessage with two options that are off at first. Both
#            are described in its manual.
# Matters:   an emulator, a cache or a dry run for update requests is made of these two functions. It shows access that
#            the update took away, and tests in which members are only added pass. replace_message_field and
#            replace_repeated_field give what was asked for.
# Date:      2026-11-30
#
# Needs: bash, Go 1.26, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  google-api-core==2.44.0 protobuf==7.36.2 grpc-google-iam-v1==0.14.6

# Each change: the policy before, and after.
cat >changes.json <<'EOF'
[
  [{"bindings": [{"role": "viewer", "members": ["jane", "bob"]}]}, {"bindings": [{"role": "viewer", "members": ["jane"]}]}],
  [{"bindings": [{"role": "viewer", "members": ["jane", "bob"]}]}, {}],
  [{"version": 3, "bindings": []}, {"version": 1, "bindings": []}]
]
EOF

cat >merge.py <<'EOF'
import json

from google.api_core.protobuf_helpers import field_mask
from google.iam.v1.policy_pb2 import Binding, Policy
from google.protobuf.json_format import MessageToDict, ParseDict

all_options = {"replace_message_field": True, "replace_repeated_field": True}


def tell(name, before, after, **options):
    mask = field_mask(before, after)
    merged = type(before)()
    merged.CopyFrom(before)
    mask.MergeMessage(after, merged, **options)
    print(f"{name}: {','.join(mask.paths)} {json.dumps(MessageToDict(merged), separators=(',', ':'))}")


with open("changes.json") as file:
    changes = [[ParseDict(policy, Policy()) for policy in change] for change in json.load(file)]
for name, options in {"protobuf": {}, "protobuf, options": all_options}.items():
    for before, after in changes:
        tell(name, before, after, **options)
    office = Binding(role="viewer", condition={"title": "office"})
    tell(name, office, Binding(role="viewer"), **options)
    tell(name, office, Binding(condition={"title": "office"}), **options)
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	cloud.google.com/go/iam v1.15.1
	go.einride.tech/aip v0.80.0
	google.golang.org/protobuf v1.36.11
)
EOF
cat >main.go <<'EOF'
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"cloud.google.com/go/iam/apiv1/iampb"
	"go.einride.tech/aip/fieldmask"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var changes [][2]json.RawMessage
	must(0, json.Unmarshal(must(os.ReadFile("changes.json")), &changes))
	for i, path := range []string{"bindings", "bindings", "version"} {
		var before, after iampb.Policy
		must(0, protojson.Unmarshal(changes[i][0], &before))
		must(0, protojson.Unmarshal(changes[i][1], &after))
		fieldmask.Update(&fieldmaskpb.FieldMask{Paths: []string{path}}, &before, &after)
		var text bytes.Buffer
		must(0, json.Compact(&text, must(protojson.Marshal(&before))))
		fmt.Printf("einride: %s %s\n", path, &text)
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv/bin/python merge.py
  ./finding
)

echo "software: google-api-core 2.44.0, protobuf 7.36.2, grpc-google-iam-v1 0.14.6, einride aip v0.80.0"
echo "expected of each: the policy after the change"
echo "seen, the mask and the policy:"
echo "$seen"

known='protobuf: bindings {"bindings":[{"role":"viewer","members":["jane","bob"]},{"role":"viewer","members":["jane"]}]}
protobuf: bindings {"bindings":[{"role":"viewer","members":["jane","bob"]}]}
protobuf: version {"version":1}
protobuf: condition {"role":"viewer","condition":{"title":"office"}}
protobuf: role {"condition":{"title":"office"}}
protobuf, options: bindings {"bindings":[{"role":"viewer","members":["jane"]}]}
protobuf, options: bindings {}
protobuf, options: version {"version":1}
protobuf, options: condition {"role":"viewer"}
protobuf, options: role {"condition":{"title":"office"}}
einride: bindings {"bindings":[{"role":"viewer","members":["jane"]}]}
einride: bindings {}
einride: version {"version":1}'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the policies are not the known ones" >&2
  exit 1
fi
echo "unchanged: bob and the condition are still there after the merge"
