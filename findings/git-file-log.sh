#!/usr/bin/env bash
# The log of one file where branches were merged: two libraries name people who never touched it, and not who did.
#
# Software:  github.com/go-git/go-git/v5 v5.19.3 in each of its five orders, and isomorphic-git 1.44.19 (npm), beside
#            dulwich 1.2.21 (PyPI) and the git of this machine.
# Expected:  the log of a file is made of those commits whose file is another than in their parents; merges may be in it
#            or not. An order sorts these commits, and adds none.
# Seen:      asked for one file, go-git and isomorphic-git compare each commit with the one that comes next in their walk,
#            which is a parent only where history is a line. As it is set at first, go-git tells fay, who changed README
#            on a branch, and not bea, who let carol in. Other orders tell dan or gus, and isomorphic-git dan. git and
#            dulwich tell bea and ann, who changed the file.
# Matters:   "who changed this manifest" is asked of such a log, for an audit or to find who should approve. Where pull
#            requests are merged, the answer of the two is wrong in both ways. git is to be asked, or each commit compared
#            with its own parents.
#
# Needs: bash, git, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above,
# with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check dulwich==1.2.21
npm install --silent --no-audit --no-fund --ignore-scripts isomorphic-git@1.44.19

git init -q -b main repository
day=0
# Runs git in the name of the first argument, a day after the last.
as() {
  day=$((day + 1))
  local date="2026-11-0${day}T12:00:00Z" name=$1
  shift
  GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git -C repository \
    -c "user.name=$name" -c "user.email=$name@example.com" "$@"
}
printf '%s\n' members: '- alice' >repository/team.yaml
echo one >repository/README
git -C repository add .
as ann commit -q -m 'Add the team'
git -C repository checkout -q -b carol
echo '- carol' >>repository/team.yaml
as bea commit -q -a -m 'Let carol in'
git -C repository checkout -q main
echo two >repository/README
as dan commit -q -a -m 'Tell more'
as eve merge -q --no-ff -m 'Merge branch carol' carol
git -C repository checkout -q -b readme
echo three >repository/README
as fay commit -q -a -m 'Tell all'
git -C repository checkout -q main
echo four >repository/NOTES
git -C repository add .
as gus commit -q -m 'Add notes'
as hal merge -q --no-ff -m 'Merge branch readme' readme

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/go-git/go-git/v5 v5.19.3
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	repository := must(git.PlainOpen("repository"))
	name := "team.yaml"
	orders := []string{"default", "depth first", "depth first, parents first", "breadth first", "by time"}
	for order, text := range orders {
		fmt.Printf("go-git, %s:", text)
		options := git.LogOptions{FileName: &name, Order: git.LogOrder(order)}
		must(0, must(repository.Log(&options)).ForEach(func(commit *object.Commit) error {
			fmt.Print(" ", commit.Author.Name)
			return nil
		}))
		fmt.Println()
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >log.py <<'EOF'
from dulwich.repo import Repo

entries = Repo("repository").get_walker(paths=[b"team.yaml"])
print("dulwich:", *(entry.commit.author.split()[0].decode() for entry in entries))
EOF

cat >log.cjs <<'EOF'
const fs = require("fs");
const git = require("isomorphic-git");

git.log({ fs, dir: "repository", filepath: "team.yaml" }).then((entries) => {
  console.log("isomorphic-git:", ...entries.map(({ commit }) => commit.author.name));
});
EOF

seen=$(
  echo "git:" "$(git -C repository log --format=%an -- team.yaml | xargs)"
  venv/bin/python log.py
  node log.cjs
  ./finding
)

echo "software: go-git v5.19.3, dulwich 1.2.21, isomorphic-git 1.44.19, $(git --version)"
git -C repository log --graph --format='%an: %s' --name-only
echo "whose commits changed team.yaml?"
echo "expected of each: bea ann, or with the merge: eve bea ann"
echo "seen:"
echo "$seen"

known='git: bea ann
dulwich: bea ann
isomorphic-git: eve dan bea ann
go-git, default: eve ann fay
go-git, depth first: eve ann fay
go-git, depth first, parents first: bea dan gus
go-git, breadth first: eve dan bea ann
go-git, by time: eve dan bea ann'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the names are not the known ones" >&2
  exit 1
fi
echo "unchanged: go-git and isomorphic-git tell names that have nothing to do with the file"
