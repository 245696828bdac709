#!/usr/bin/env bash
# A three-way merge of manifests by kyaml: the member that was added here is gone when the other side added one too.
#
# Software:  sigs.k8s.io/kustomize/kyaml v0.21.2 (Go), package yaml/merge3, made to take updates from upstream into files
#            that were changed here; beside it `git merge-file` of this machine.
# Expected:  both sides added a member to one list. The merge has the list that both began with, so it keeps both members,
#            as it does for containers and for the keys of a ConfigMap; or it tells a conflict, as git does.
# Seen:      the list is upstream's: bob, who was added here, is gone, without an error or a mark. This goes for members
#            that are texts, and for the subjects of a RoleBinding, which have names as containers do, also when the merge
#            is asked to find out by which key a list goes. While only one side changed the list, that side's is kept.
# Matters:   a package of roles comes from upstream, and a team adds its people. Each update keeps them until upstream adds
#            somebody to the same list; then the team's people lose their access by an update that was about someone else.
#            A binding of the team's own stays.
#
# Needs: bash, git, Go 1.26. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.26.0

require sigs.k8s.io/kustomize/kyaml v0.21.2
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"sigs.k8s.io/kustomize/kyaml/yaml/merge3"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Merges the files here, base and upstream.
func main() {
	var texts []string
	for _, path := range os.Args[2:] {
		texts = append(texts, string(must(os.ReadFile(path))))
	}
	fmt.Print(must(merge3.MergeStrings(texts[0], texts[1], texts[2], os.Args[1] == "keys-found")))
}
EOF
go build -mod=mod -p 1 -o merge3 . 2>build.log || { cat build.log >&2; exit 1; }

cat >members.yaml <<'EOF'
apiVersion: example.com/v1
kind: Access
metadata: {name: viewers}
members:
- alice
EOF
cat >subjects.yaml <<'EOF'
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: viewers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}
EOF
cat >containers.yaml <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: viewers}
spec:
  containers:
  - {image: example, name: alice}
EOF
cat >data.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: viewers}
data:
  alice: viewer
EOF

# In each manifest, the last line comes again with another name: with bob's here, with carol's upstream.
seen=$(
  for kind in members subjects containers data; do
    for name in bob carol; do
      { cat "$kind.yaml"; tail -n 1 "$kind.yaml" | sed "s/alice/$name/"; } >"$name.yaml"
    done
    for how in usual keys-found; do
      echo "$kind, $how:" "$(./merge3 "$how" bob.yaml "$kind.yaml" "$kind.yaml" | grep -o 'alice\|bob\|carol' | xargs)," \
        "$(./merge3 "$how" bob.yaml "$kind.yaml" carol.yaml | grep -o 'alice\|bob\|carol' | xargs)"
    done
    echo "$kind, git: $(git merge-file -p bob.yaml "$kind.yaml" carol.yaml 2>/dev/null | grep -c '^<<<') conflict"
  done
)

echo "software: kyaml v0.21.2, $(git --version)"
echo "expected of each: alice bob with bob here alone, alice bob carol with both; or a conflict"
echo "seen:"
echo "$seen"

known='members, usual: alice bob, alice carol
members, keys-found: alice bob, alice carol
members, git: 1 conflict
subjects, usual: alice bob, alice carol
subjects, keys-found: alice bob, alice carol
subjects, git: 1 conflict
containers, usual: alice bob, alice bob carol
containers, keys-found: alice bob, alice bob carol
containers, git: 1 conflict
data, usual: alice bob, alice bob carol
data, keys-found: alice bob, alice bob carol
data, git: 1 conflict'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the names are not the known ones" >&2
  exit 1
fi
echo "unchanged: kyaml drops the member that was added here"
