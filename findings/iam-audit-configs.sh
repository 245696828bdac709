#!/usr/bin/env bash
# An IAM policy that went through Google's own client classes: its audit configuration is gone.
#
# Software:  google-api-core 2.44.0 (Python, google.api_core.iam.Policy) and cloud.google.com/go/iam v1.15.1 (Go, Handle
#            and the newer Handle.V3).
# Expected:  what is read, changed by one member and written keeps the rest of the policy: auditConfigs, which says what
#            accesses are logged, stands beside bindings in the same message, and the etag guards the whole.
# Seen:      Python's class and Go's V3 handle keep version, etag and bindings, and write a policy without auditConfigs.
#            The older handle of Go, said to be the one without newer features, keeps it. None of them warns.
# Matters:   an export for a backup or a drift check, made with these classes, says that no access is logged, and misses
#            whoever is exempted from logs. Google documents that setIamPolicy without a mask leaves it alone: nobody
#            notices until the copy is restored with a mask that names it. Keep the JSON or the protobuf message itself.
#
# Python reads and writes the JSON of the REST API here. In Go, a store in memory stands for Google Cloud.
# Needs: bash, Go 1.26, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check google-api-core==2.44.0

cat >policy.json <<'EOF'
{
  "version": 3,
  "etag": "BwXhqDVHP8g=",
  "bindings": [{"role": "roles/viewer", "members": ["user:first@example.com"]}],
  "auditConfigs": [{"service": "allServices", "auditLogConfigs": [{"logType": "DATA_READ"}]}]
}
EOF

cat >add.py <<'EOF'
import json

from google.api_core.iam import Policy

with open("policy.json") as file:
    policy = Policy.from_api_repr(json.load(file))
next(iter(policy.bindings))["members"].add("user:second@example.com")
written = policy.to_api_repr()
print("Python, Policy:", len(written["bindings"][0]["members"]), "members;", *sorted(written))
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	cloud.google.com/go/iam v1.15.1
	google.golang.org/protobuf v1.36.12
)
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"cloud.google.com/go/iam"
	"cloud.google.com/go/iam/apiv1/iampb"
	"google.golang.org/protobuf/encoding/protojson"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// store holds the policy of one resource, as a service of Google Cloud would.
type store struct{ name string }

func (s store) Get(ctx context.Context, resource string) (*iampb.Policy, error) {
	return s.GetWithVersion(ctx, resource, 1)
}

func (s store) GetWithVersion(context.Context, string, int32) (*iampb.Policy, error) {
	policy := &iampb.Policy{}
	return policy, protojson.Unmarshal(must(os.ReadFile("policy.json")), policy)
}

func (s store) Set(_ context.Context, _ string, policy *iampb.Policy) error {
	var written map[string]any
	must(0, json.Unmarshal(must(protojson.Marshal(policy)), &written))
	var fields []string
	for field := range written {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	fmt.Print("Go, ", s.name, ": ", len(policy.Bindings[0].Members), " members;")
	for _, field := range fields {
		fmt.Print(" ", field)
	}
	fmt.Println()
	return nil
}

func (s store) Test(context.Context, string, []string) ([]string, error) { return nil, nil }

func main() {
	ctx := context.Background()

	handle := iam.InternalNewHandleClient(store{"Handle"}, "projects/example")
	policy := must(handle.Policy(ctx))
	policy.Add("user:second@example.com", iam.Viewer)
	must(0, handle.SetPolicy(ctx, policy))

	handle3 := iam.InternalNewHandleClient(store{"Handle.V3"}, "projects/example").V3()
	policy3 := must(handle3.Policy(ctx))
	policy3.Bindings[0].Members = append(policy3.Bindings[0].Members, "user:second@example.com")
	must(0, handle3.SetPolicy(ctx, policy3))
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv/bin/python add.py
  ./finding
)

echo "software: google-api-core 2.44.0, cloud.google.com/go/iam v1.15.1"
echo "expected of each: 2 members; auditConfigs bindings etag version"
echo "seen:"
echo "$seen"

known='Python, Policy: 2 members; bindings etag version
Go, Handle: 2 members; auditConfigs bindings etag version
Go, Handle.V3: 2 members; bindings etag version'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the fields written are not the known ones" >&2
  exit 1
fi
echo "unchanged: two of three write the policy back without its audit configuration"
