#!/usr/bin/env bash
# "Until the year 9999" in CEL: the comparison works, and the time that is left cannot be computed.
#
# Software:  cel.dev/cel-go v0.33.2 (Go) and cel-expr-python 0.1.3 (C++), both of Google; cel-python 0.5.0,
#            common-expression-language 0.10.0 (Rust), @bufbuild/cel 0.6.1, @marcbachmann/cel-js 8.0.0.
# Expected:  9999-12-31 is a timestamp of CEL, so the time from now to it is a duration: the type google.protobuf.Duration
#            holds 10000 years. "More than a day is left" then is true, and all agree.
# Seen:      Go, C++ and @bufbuild/cel fail, as they count a duration in nanoseconds of 64 bits: 292 years. From a day in
#            November 2026 they reach the year 2318 and not 2320. The three others compute it. C++ does take a longer
#            duration that is written, as 3000000h; it fails only for one that is computed.
# Matters:   9999 is the usual "never" of an expiry that must have a date. A condition that fails grants nothing: with such
#            an evaluator, access that should never end is never there, and a lint of expiries fails at a harmless one.
#            Compare timestamps: `expiry > request.time + duration('24h')` works everywhere.
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

now="timestamp('2026-11-28T23:30:00Z')"
never="timestamp('9999-12-31T23:59:59Z')"
expressions=(
  "$never > $now"
  "$never > $now + duration('24h')"
  "$never - $now > duration('24h')"
  "timestamp('2318-01-01T00:00:00Z') - $now > duration('24h')"
  "timestamp('2320-01-01T00:00:00Z') - $now > duration('24h')"
  "duration('3000000h') > duration('24h')"
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
	"cel.dev/cel-go/common/types"
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
		if err != nil {
			value = types.String("fails")
		}
		fmt.Print(" ", value)
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
    print(" true" if value is True or repr(value) == "BoolType(True)" else " fails", end="")
EOF

cat >evaluate.mjs <<'EOF'
import { run } from "@bufbuild/cel";
import { evaluate } from "@marcbachmann/cel-js";

const [which, ...expressions] = process.argv.slice(2);
for (const expression of expressions) {
  const value = (which === "buf" ? run : evaluate)(expression);
  process.stdout.write(value === true ? " true" : " fails");
}
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
printf '  %s\n' "${expressions[@]}"
echo "expected of each: true true true true true true"
echo "seen:"
echo "$seen"

known='cel-go: true true fails true fails fails
cel-expr-python: true true fails true fails true
cel-python: true true true true true true
common-expression-language: true true true true true true
@bufbuild/cel: true true fails true fails fails
@marcbachmann/cel-js: true true true true true true'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: three of six cannot compute the time that is left until the year 9999"
