#!/usr/bin/env bash
# Blame of a manifest that two branches changed: dulwich names who merged them for a member that somebody else added.
#
# Software:  dulwich 1.2.21 beside pygit2 1.21.0 (libgit2, PyPI), github.com/go-git/go-git/v5 v5.19.3 and the git of this
#            machine.
# Expected:  blame names for each line the commit that wrote it. A merge without conflict writes no line: what came from a
#            branch is of the author there. No date of a commit decides that.
# Seen:      git, libgit2 and go-git tell bea for the line that lets carol in, and dan for zoe. dulwich takes the commits
#            in the order of their dates, as if each came after the other: dan's file has no carol, so her line seems to
#            come with the merge, and eve wrote it. When dan's date is the earlier one, eve wrote the line of zoe.
# Matters:   "who let this member in" is what blame is asked about a manifest. With dulwich it is the person, or the robot,
#            that pressed the button for the merge, as soon as two pull requests to one file were open at once. With one
#            at a time its answer is right.
#
# Needs: bash, git, Go 1.26, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check dulwich==1.2.21 pygit2==1.21.0

# Runs git in the repository of the first argument, in the name of the second, on the day of the third.
as() {
  local repository=$1 name=$2 date="2026-11-0$3T12:00:00Z"
  shift 3
  GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git -C "$repository" \
    -c "user.name=$name" -c "user.email=$name@example.com" "$@"
}
# Bea's and dan's commits have the days of the second and third argument, and nothing else is different.
make_repository() {
  git init -q -b main "$1"
  printf '%s\n' members: '- alice' '- bob' >"$1/team.yaml"
  git -C "$1" add .
  as "$1" ann 1 commit -q -m 'Add the team'
  git -C "$1" checkout -q -b carol
  printf '%s\n' members: '- alice' '- bob' '- carol' >"$1/team.yaml"
  as "$1" bea "$2" commit -q -a -m 'Let carol in'
  git -C "$1" checkout -q main
  printf '%s\n' members: '- zoe' '- alice' '- bob' >"$1/team.yaml"
  as "$1" dan "$3" commit -q -a -m 'Let zoe in'
  as "$1" eve 4 merge -q --no-ff -m 'Merge branch carol' carol >/dev/null
}
make_repository bea-first 2 3
make_repository dan-first 3 2

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/go-git/go-git/v5 v5.19.3
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/go-git/go-git/v5"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	repository := must(git.PlainOpen(os.Args[1]))
	head := must(repository.Head())
	for _, line := range must(git.Blame(must(repository.CommitObject(head.Hash())), "team.yaml")).Lines {
		fmt.Print(" ", line.AuthorName)
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >blame.py <<'EOF'
import sys

import pygit2
from dulwich import porcelain

library, repository = sys.argv[1:]
if library == "dulwich":
    names = [commit.author.split()[0].decode() for (commit, _), _ in porcelain.annotate(repository, "team.yaml")]
else:
    hunks = pygit2.Repository(repository).blame("team.yaml")
    names = [hunk.final_committer.name for hunk in hunks for _ in range(hunk.lines_in_hunk)]
print("", *names)
EOF

seen=$(
  for repository in bea-first dan-first; do
    echo "$repository:"
    echo "  git: $(git -C "$repository" blame --line-porcelain team.yaml | sed -n 's/^author //p' | xargs)"
    echo "  libgit2:$(venv/bin/python blame.py libgit2 "$repository")"
    echo "  go-git:$(./finding "$repository")"
    echo "  dulwich:$(venv/bin/python blame.py dulwich "$repository")"
  done
)

echo "software: dulwich 1.2.21, pygit2 1.21.0, go-git v5.19.3, $(git --version)"
git -C bea-first log --graph --format='%an: %s'
cat bea-first/team.yaml
echo "expected of each, for these lines: ann dan ann ann bea"
echo "seen:"
echo "$seen"

known='bea-first:
  git: ann dan ann ann bea
  libgit2: ann dan ann ann bea
  go-git: ann dan ann ann bea
  dulwich: ann dan ann ann eve
dan-first:
  git: ann dan ann ann bea
  libgit2: ann dan ann ann bea
  go-git: ann dan ann ann bea
  dulwich: ann eve ann ann bea'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the names are not the known ones" >&2
  exit 1
fi
echo "unchanged: dulwich names who merged for a line of one of the branches"
