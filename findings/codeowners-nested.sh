#!/usr/bin/env bash
# CODEOWNERS read by five libraries: those of npm give nested files, or folders in other letter case, to other owners.
#
# Software:  github.com/hmarr/codeowners v1.2.1 (Go) and codeowners 0.9.0 (PyPI), beside codeowners 5.1.1,
#            codeowners-utils 1.0.2 and @snyk/github-codeowners 1.1.0 of npm.
# Expected:  one file has one meaning, GitHub's: `manifests/*` owns the files in the folder and none in its subfolders, and
#            names are case-sensitive.
# Seen:      the libraries for Go and Python do as expected. The three of npm ignore case: Prod/a.yaml gets the owner of
#            /prod/. Two of them match as .gitignore does, where a matched folder takes along all below it, so
#            manifests/prod/a.yaml gets the owner of `manifests/*`.
# Matters:   CODEOWNERS says who must approve a change of access. A report or a check made with such a library names a team
#            that GitHub will not ask, and leaves out the one that it will. `/manifests/` with a slash at its end, in the
#            case of the folder, means the same to all.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check codeowners==0.9.0
npm install --silent --no-audit --no-fund --ignore-scripts \
  codeowners@5.1.1 codeowners-utils@1.0.2 @snyk/github-codeowners@1.1.0

cat >CODEOWNERS <<'EOF'
* @everyone
manifests/* @drafts
/prod/ @production
EOF
paths=(manifests/a.yaml manifests/prod/a.yaml prod/a.yaml Prod/a.yaml)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/hmarr/codeowners v1.2.1
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/hmarr/codeowners"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	rules := must(codeowners.ParseFile(must(os.Open("CODEOWNERS"))))
	for _, path := range os.Args[1:] {
		fmt.Print(" |")
		for _, owner := range must(rules.Match(path)).Owners {
			fmt.Print(" ", owner.String())
		}
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >owners.py <<'EOF'
import sys

from codeowners import CodeOwners

with open("CODEOWNERS") as file:
    owners = CodeOwners(file.read())
for path in sys.argv[1:]:
    print(" |", *(name for _, name in owners.of(path)), end="")
EOF

cat >owners.cjs <<'EOF'
const { readFileSync } = require("fs");
const Codeowners = require("codeowners");
const { parse, matchFile } = require("codeowners-utils");
const { OwnershipEngine } = require("@snyk/github-codeowners/dist/lib/ownership");

const [which, ...paths] = process.argv.slice(2);
const ownersOf = {
  codeowners: (path) => new Codeowners(process.cwd()).getOwner(path),
  "codeowners-utils": (path) => matchFile(path, parse(readFileSync("CODEOWNERS", "utf8"))).owners,
  "@snyk/github-codeowners": (path) => OwnershipEngine.FromCodeownersFile("CODEOWNERS").calcFileOwnership(path),
}[which];
process.stdout.write(paths.map((path) => ` | ${ownersOf(path).join(" ")}`).join(""));
EOF

seen=$(
  echo "hmarr/codeowners$(./finding "${paths[@]}")"
  echo "codeowners of PyPI$(venv/bin/python owners.py "${paths[@]}")"
  for package in codeowners codeowners-utils @snyk/github-codeowners; do
    echo "$package of npm$(node owners.cjs "$package" "${paths[@]}")"
  done
)

echo "software: hmarr/codeowners v1.2.1, codeowners of PyPI 0.9.0, of npm codeowners 5.1.1, codeowners-utils 1.0.2,"
echo "  @snyk/github-codeowners 1.1.0"
cat CODEOWNERS
echo "paths: ${paths[*]}"
echo "expected of each: @drafts | @everyone | @production | @everyone"
echo "seen:"
echo "$seen"

known='hmarr/codeowners | @drafts | @everyone | @production | @everyone
codeowners of PyPI | @drafts | @everyone | @production | @everyone
codeowners of npm | @drafts | @drafts | @production | @production
codeowners-utils of npm | @drafts | @drafts | @production | @production
@snyk/github-codeowners of npm | @drafts | @everyone | @production | @production'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the owners are not the known ones" >&2
  exit 1
fi
echo "unchanged: three of five ignore letter case, and two of them give nested files to the owner of the folder above"
