#!/usr/bin/env bash
# CEL's getMilliseconds() of 90 minutes: 5400000 in one implementation of Google, 0 in the other.
#
# Software:  cel.dev/cel-go v0.33.2 (Go) and cel-expr-python 0.1.3 (C++), both of Google; cel-python 0.5.0,
#            common-expression-language 0.10.0 (Rust), @bufbuild/cel 0.6.1, @marcbachmann/cel-js 8.0.0.
# Expected:  getHours, getMinutes, getSeconds and getMilliseconds of a duration tell the whole duration in that unit, in
#            each implementation: 90 minutes are 1, 90, 5400 and 5400000.
# Seen:      all agree on the first three. C++ and @bufbuild/cel tell 0 milliseconds, the part beyond the full second. The
#            tests that CEL has for all implementations ask for the part; Go and three others tell the whole.
# Matters:   "not older than five minutes", written in milliseconds, is true of each age of whole seconds where the part is
#            told, and right where the whole is told. Who tries a rule on one implementation learns nothing about the
#            other. Compare durations: `age < duration('5m')` means the same everywhere.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  cel-expr-python==0.1.3 cel-python==0.5.0 common-expression-language==0.10.0
npm install --silent --no-audit --no-fund --ignore-scripts @bufbuild/cel@0.6.1 @marcbachmann/cel-js@8.0.0

age="(timestamp('2026-11-28T23:30:00Z') - timestamp('2026-11-28T22:00:00Z'))"
expressions=(
  "$age.getHours()"
  "$age.getMinutes()"
  "$age.getSeconds()"
  "$age.getMilliseconds()"
  "$age.getMilliseconds() < 300000"
  "$age < duration('5m')"
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

cat >evaluate.mjs <<'EOF'
import { run } from "@bufbuild/cel";
import { evaluate } from "@marcbachmann/cel-js";

const [which, ...expressions] = process.argv.slice(2);
process.stdout.write(expressions.map((expression) => ` ${(which === "buf" ? run : evaluate)(expression)}`).join(""));
EOF

seen=$(
  echo "cel-go:$(./cel-go "${expressions[@]}")"
  for package in cel-expr-python cel-python common-expression-language; do
    echo "$package:$(venv/bin/python evaluate.py "$package" "${expressions[@]}")"
  done
  echo "@bufbuild/cel:$(node evaluate.mjs buf "${expressions[@]}")"
  echo "@marcbachmann/cel-js:$(node evaluate.mjs marcbachmann "${expressions[@]}")"
)

echo "software: cel-go v0.33.2, cel-expr-python 0.1.3, cel-python 0.5.0, common-expression-language 0.10.0,"
echo "  @bufbuild/cel 0.6.1, @marcbachmann/cel-js 8.0.0"
echo "with age = $age:"
printf '  %s\n' "${expressions[@]//"$age"/age}"
echo "expected of each: 1 90 5400 5400000 false false"
echo "seen:"
echo "$seen"

known='cel-go: 1 90 5400 5400000 false false
cel-expr-python: 1 90 5400 0 true false
cel-python: 1 90 5400 5400000 false false
common-expression-language: 1 90 5400 5400000 false false
@bufbuild/cel: 1 90 5400 0 true false
@marcbachmann/cel-js: 1 90 5400 5400000 false false'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the values are not the known ones" >&2
  exit 1
fi
echo "unchanged: two of six tell the part beyond the full second, and call it milliseconds"
