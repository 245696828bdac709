#!/usr/bin/env bash
# Two CEL timestamps that are equal: one evaluator tells another hour and day of each, others another text.
#
# Software:  common-expression-language 0.10.0 (Rust), cel.dev/cel-go v0.33.2 (Go), cel-expr-python 0.1.3 (C++),
#            cel-python 0.5.0.
# Expected:  a timestamp is an instant, and the offset it was written with is gone: equal timestamps have equal hours, days
#            and texts. Without a zone, getHours and its kin tell UTC.
# Seen:      Rust keeps the offset. Sunday 00:30 at +01:00 equals Saturday 23:30 in UTC, and getDayOfWeek tells 0 of one
#            and 6 of the other. Go, Rust and cel-python keep it for string(), so equal timestamps have unequal texts; with
#            C++ the texts are equal.
# Matters:   "on working days" is decided by the writer of the timestamp: a request of one instant passes with `Z` and is
#            refused with `+01:00`, or the other way round. A log or key made with string() finds an instant once with one
#            implementation and twice with another. Compare timestamps, not texts; name the zone, or write `Z`.
#
# Needs: bash, Go 1.26, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  cel-expr-python==0.1.3 cel-python==0.5.0 common-expression-language==0.10.0

offset="timestamp('2026-11-29T00:30:00+01:00')"
utc="timestamp('2026-11-28T23:30:00Z')"
expressions=(
  "$offset == $utc"
  "$utc.getHours()"
  "$offset.getHours()"
  "$utc.getDayOfWeek()"
  "$offset.getDayOfWeek()"
  "string($offset) == string($utc)"
)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require cel.dev/cel-go v0.33.2
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"cel.dev/cel-go/cel"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	environment := must(cel.NewEnv())
	for _, expression := range os.Args[1:] {
		ast, issues := environment.Compile(expression)
		if issues.Err() != nil {
			panic(issues.Err())
		}
		value, _, err := must(environment.Program(ast)).Eval(map[string]any{})
		fmt.Print(" ", must(value, err))
	}
}
EOF
go build -mod=mod -p 1 -o cel-go . 2>build.log || { cat build.log >&2; exit 1; }

cat >evaluate.py <<'EOF'
import sys

which, expressions = sys.argv[1], sys.argv[2:]
for expression in expressions:
    if which == "cel-expr-python":
        from cel_expr_python import cel

        value = cel.NewEnv().compile(expression).eval(data={}).value()
    elif which == "cel-python":
        import celpy

        environment = celpy.Environment()
        value = environment.program(environment.compile(expression)).evaluate({})
    else:
        import cel

        value = cel.evaluate(expression)
    print("", str(value).lower(), end="")
EOF

seen=$(
  for package in common-expression-language cel-python cel-expr-python; do
    echo "$package:$(venv/bin/python evaluate.py "$package" "${expressions[@]}")"
  done
  echo "cel-go:$(./cel-go "${expressions[@]}")"
)

echo "software: common-expression-language 0.10.0, cel-python 0.5.0, cel-expr-python 0.1.3, cel-go v0.33.2"
printf '  %s\n' "${expressions[@]}"
echo "expected of each: true 23 23 6 6 true"
echo "seen:"
echo "$seen"

known='common-expression-language: true 23 0 6 0 false
cel-python: true 23 23 6 6 false
cel-expr-python: true 23 23 6 6 true
cel-go: true 23 23 6 6 false'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the values are not the known ones" >&2
  exit 1
fi
echo "unchanged: one of four tells hours and days by the offset that was written, three tell texts by it"
