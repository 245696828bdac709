#!/usr/bin/env bash
# Rules with the verb "*", asked for by yq: each rule is told, and with != none is, since == of yq takes patterns.
#
# Software:  github.com/mikefarah/yq/v4 v4.54.3 (its package yqlib) beside github.com/itchyny/gojq v0.12.20 (Go).
# Expected:  select(.verbs[] == "*"), written for jq, tells the rules of a role of Kubernetes with a star among their verbs:
#            == compares texts, and test() is there for patterns. At most a text written in the program is a pattern.
# Seen:      yq takes * and ? on the right of == and != for wildcards, as its manual shows. So "*" is each verb there is:
#            all rules are told, with != none is, and del() empties the role. A text that comes from the document is a
#            pattern as well: "delete" is equal to the "*" of a rule where that stands on the right, and not where it
#            stands on the left. contains() and - compare as those of jq do.
# Matters:   "who may do everything" is what a review asks for first, with the star that policies are written in. The list
#            is longer than it should be, or with != empty. contains(["*"]) is exact for a star, as no other verb has one
#            in it.
# Date:      2026-11-30
# Source:    the manual of yq, pages Equals and Select
#
# Needs: bash, Go 1.26. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# JSON is YAML too, so both read the same file.
cat >role.json <<'END'
{
  "rules": [
    {"resources": ["pods"], "verbs": ["get", "list"]},
    {"resources": ["secrets"], "verbs": ["*"]},
    {"resources": ["configmaps"], "verbs": ["get"]}
  ]
}
END
programs=(
  '[.rules[] | select(.verbs[] == "*") | .resources[0]] | unique'
  '[.rules[] | select(.verbs[] != "*") | .resources[0]] | unique'
  'del(.rules[] | select(.verbs[] == "*")) | [.rules[] | .resources[0]]'
  '[.rules[] | select("delete" == .verbs[]) | .resources[0]] | unique'
  '[.rules[] | select(.verbs[] == "delete") | .resources[0]] | unique'
  '[.rules[] | select(.verbs | contains(["*"])) | .resources[0]] | unique'
  '[.rules[] | select(.verbs - ["*"] | length == 0) | .resources[0]] | unique'
)

cat >go.mod <<'END'
module finding

go 1.26.0

require (
	github.com/itchyny/gojq v0.12.20
	github.com/mikefarah/yq/v4 v4.54.3
)
END
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/itchyny/gojq"
	"github.com/mikefarah/yq/v4/pkg/yqlib"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func byYq(program string, role []byte) (names []string) {
	reader := yqlib.NewYamlDecoder(yqlib.ConfiguredYamlPreferences)
	preferences := yqlib.ConfiguredJSONPreferences.Copy()
	preferences.Indent, preferences.ColorsEnabled = 0, false
	output := must(yqlib.NewStringEvaluator().Evaluate(program, string(role), yqlib.NewJSONEncoder(preferences), reader))
	must(0, json.Unmarshal([]byte(output), &names))
	return names
}

func byGojq(program string, role []byte) (names []string) {
	var input any
	must(0, json.Unmarshal(role, &input))
	output, _ := must(gojq.Parse(program)).Run(input).Next()
	must(0, json.Unmarshal(must(gojq.Marshal(output)), &names))
	return names
}

func main() {
	role := must(os.ReadFile("role.json"))
	for _, program := range os.Args[1:] {
		fmt.Println("yq:", byYq(program, role), "gojq:", byGojq(program, role))
	}
}
END
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(./finding "${programs[@]}")

echo "software: yq v4.54.3, gojq v0.12.20"
echo "role:"
sed 's/^/  /' role.json
echo "programs:"
printf '  %s\n' "${programs[@]}"
echo "expected of each: the resources that gojq tells"
echo "seen:"
echo "$seen"

known='yq: [pods secrets configmaps] gojq: [secrets]
yq: [] gojq: [configmaps pods]
yq: [] gojq: [pods configmaps]
yq: [secrets] gojq: []
yq: [] gojq: []
yq: [secrets] gojq: [secrets]
yq: [secrets] gojq: [secrets]'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the resources are not the known ones" >&2
  exit 1
fi
echo "unchanged: a star on the right of == is equal to each verb for yq"
