#!/usr/bin/env bash
# CEL's exists() over bindings that lack a field: mostly no error where one is due, and in Rust the order decides.
#
# Software:  cel.dev/cel-go v0.33.2 (Go), cel-expr-python 0.1.3 (C++), cel-python 0.5.0, @bufbuild/cel 0.6.1,
#            common-expression-language 0.10.0 (Rust).
# Expected:  `b.condition.title` of a binding without condition is an error, as a comparison of it alone is. So a rule over
#            all bindings with it either always fails while one binding lacks the field, or stops at the first match.
# Seen:      four of five forget the error when another binding matches, wherever that one stands, and tell it when none
#            does. Rust tells it unless the match stands first, although it too takes `error || true` for true. The same
#            question by exists_one() or filter() is an error in all five.
# Matters:   a policy rule such as "some binding expires" is tried on a policy where it holds, and passes. On the day that
#            no binding expires, the answer is an error and not false. The order of bindings has no meaning, and in Rust
#            one policy has two answers by it. has(b.condition) before the comparison makes all agree.
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
npm install --silent --no-audit --no-fund --ignore-scripts @bufbuild/cel@0.6.1

bare="{'role': 'roles/viewer'}"
expires="{'role': 'roles/owner', 'condition': {'title': 'expires'}}"
office="{'role': 'roles/owner', 'condition': {'title': 'office'}}"
expressions=(
  "[$expires, $bare].exists(b, b.condition.title == 'expires')"
  "[$bare, $expires].exists(b, b.condition.title == 'expires')"
  "[$bare, $office].exists(b, b.condition.title == 'expires')"
  "[$bare, $expires].exists_one(b, b.condition.title == 'expires')"
  "[$bare, $expires].filter(b, b.condition.title == 'expires').size() > 0"
  "[$bare, $expires].exists(b, has(b.condition) && b.condition.title == 'expires')"
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
			value = types.String("error")
		}
		fmt.Print(" ", value)
	}
}
EOF
go build -mod=mod -p 1 -o cel-go . 2>build.log || { cat build.log >&2; exit 1; }

cat >evaluate.py <<'EOF'
import sys

which, expressions = sys.argv[1], sys.argv[2:]


def evaluate(expression):
    if which == "cel-expr-python":
        from cel_expr_python import cel

        return cel.NewEnv().compile(expression).eval(data={}).value()
    if which == "cel-python":
        import celpy

        environment = celpy.Environment()
        program = environment.program(environment.compile(expression))
        try:
            return bool(program.evaluate({}))
        except celpy.CELEvalError:
            return "error"
    import cel

    try:
        return cel.evaluate(expression)
    except KeyError:
        return "error"


for expression in expressions:
    value = evaluate(expression)
    print("", str(value).lower() if isinstance(value, bool) else "error", end="")
EOF

cat >evaluate.mjs <<'EOF'
import { run } from "@bufbuild/cel";

for (const expression of process.argv.slice(2)) {
  const value = run(expression);
  process.stdout.write(` ${typeof value === "boolean" ? value : "error"}`);
}
EOF

seen=$(
  echo "cel-go:$(./cel-go "${expressions[@]}")"
  for package in cel-expr-python cel-python; do
    echo "$package:$(venv/bin/python evaluate.py "$package" "${expressions[@]}")"
  done
  echo "@bufbuild/cel:$(node evaluate.mjs "${expressions[@]}")"
  echo "common-expression-language:$(venv/bin/python evaluate.py rust "${expressions[@]}")"
)

echo "software: cel-go v0.33.2, cel-expr-python 0.1.3, cel-python 0.5.0, @bufbuild/cel 0.6.1,"
echo "  common-expression-language 0.10.0"
printf '  %s\n' "${expressions[@]}"
echo "expected of each: true, then error four times, then true; or at least the same of each"
echo "seen:"
echo "$seen"

known='cel-go: true true error error error true
cel-expr-python: true true error error error true
cel-python: true true error error error true
@bufbuild/cel: true true error error error true
common-expression-language: true error error error error true'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: exists() forgets errors when a binding matches; in Rust only when that binding stands first"
