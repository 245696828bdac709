#!/usr/bin/env bash
# Who approved a commit, by its trailers: three of four libraries leave out approvals that git tells.
#
# Software:  pygit2 1.21.0 with libgit2 1.9.7, dulwich 1.2.21 and GitPython 3.2.1 (PyPI), gix-object 0.66.1 (crates, of
#            gitoxide), beside the git of this machine.
# Expected:  git-interpret-trailers(1) says what the trailers of a message are: the last paragraph, if a quarter of it are
#            trailers and one is a Signed-off-by or a line of git itself; a trailer may come twice, be empty, or be folded.
#            A library with a function for trailers tells what `git log --format='%(trailers:only,unfold)'` tells.
# Seen:      pygit2 has a dictionary: of two Approved-by the last stays. It reads an empty trailer with the line after it
#            as its value. dulwich finds no trailer at all after a cherry-pick with -x, nor where one line of the paragraph
#            is another text. GitPython hands the message to `git interpret-trailers --parse`, for which --- ends a message
#            as in a mail: what is below it is not told, nor is it by pygit2 and dulwich. gix-object does as git log.
# Matters:   approvals and tickets of a change of access are written as trailers, and a check or a report reads them. A
#            grant approved by two looks approved by one, and a change that was picked into a branch by nobody.
# Date:      2026-11-30
# Source:    git-interpret-trailers(1), git-log(1)
#
# Needs: bash, git, Rust 1.85 with cargo, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pygit2==1.21.0 dulwich==1.2.21 GitPython==3.2.1

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=jane GIT_AUTHOR_EMAIL=jane@example.com
export GIT_COMMITTER_NAME=jane GIT_COMMITTER_EMAIL=jane@example.com
git init -q repo

picked="(cherry picked from commit 9fceb02d0ae598e95dc970b74767f19372d61af8)"
endings=(
  $'Approved-by: jane\nApproved-by: bob'
  $'Approved-by: jane\n'"$picked"
  $'Signed-off-by: jane\nfor the night shift\nApproved-by: bob'
  $'Ticket:\nApproved-by: jane'
  $'As on the phone:\n---\nYes.\n\nApproved-by: jane'
)
tree=$(git -C repo mktree </dev/null)
commits=()
for ending in "${endings[@]}"; do
  commits+=("$(printf 'Grant viewer to bob\n\nFor the audit.\n\n%s\n' "$ending" | git -C repo commit-tree "$tree")")
done

cat >read.py <<'END'
import sys

import git
import pygit2
from dulwich.repo import Repo
from dulwich.trailers import parse_trailers

by_libgit2 = pygit2.Repository("repo")
by_dulwich = Repo("repo")
by_gitpython = git.Repo("repo")
libraries = {
    "pygit2": lambda commit: by_libgit2[commit].message_trailers.items(),
    "dulwich": lambda commit: [
        (trailer.key, trailer.value) for trailer in parse_trailers(by_dulwich[commit.encode()].message)[1]
    ],
    "GitPython": lambda commit: by_gitpython.commit(commit).trailers_list,
}
for name, read in libraries.items():
    for commit in sys.argv[1:]:
        print(f"{name}:", ", ".join(f"{key}={value!r}".replace("'", "") for key, value in read(commit)) or "none")
END

mkdir src
cat >Cargo.toml <<'END'
[package]
name = "finding"
version = "0.1.0"
edition = "2021"

[dependencies]
gix-object = { version = "=0.66.1", features = ["sha1"] }

[profile.dev]
debug = false
END
cat >src/main.rs <<'END'
use gix_object::commit::MessageRef;

fn main() {
    for message in std::env::args().skip(1) {
        let body = MessageRef::from_bytes(message.as_bytes()).body().unwrap();
        let trailers: Vec<_> = body.trailers().map(|t| format!("{}={}", t.token, t.value)).collect();
        println!("gix: {}", if trailers.is_empty() { "none".to_string() } else { trailers.join(", ") });
    }
}
END
cargo build -q -j 1 2>build.log || { cat build.log >&2; exit 1; }

by_git() {
  local commit line
  for commit in "${commits[@]}"; do
    line=$(git -C repo show -s --format='%(trailers:only,unfold,key_value_separator=%x3D,separator=%x2C%x20)' "$commit")
    echo "git: ${line:-none}"
  done
}

messages=()
for commit in "${commits[@]}"; do messages+=("$(git -C repo show -s --format=%B "$commit")"); done
seen=$(
  by_git
  venv/bin/python read.py "${commits[@]}"
  target/debug/finding "${messages[@]}"
)

echo "software: pygit2 1.21.0, dulwich 1.2.21, GitPython 3.2.1, gix-object 0.66.1, $(git --version)"
echo "ends of the messages:"
for ending in "${endings[@]}"; do
  echo "  ${ending//$'\n'/ | }"
done
echo "expected of each: the trailers of git"
echo "seen:"
echo "$seen"

known='git: Approved-by=jane, Approved-by=bob
git: Approved-by=jane
git: Signed-off-by=jane, Approved-by=bob
git: Ticket=, Approved-by=jane
git: Approved-by=jane
pygit2: Approved-by=bob
pygit2: Approved-by=jane
pygit2: Signed-off-by=jane, Approved-by=bob
pygit2: Ticket=\nApproved-by: jane
pygit2: none
dulwich: Approved-by=jane, Approved-by=bob
dulwich: none
dulwich: none
dulwich: Ticket=, Approved-by=jane
dulwich: none
GitPython: Approved-by=jane, Approved-by=bob
GitPython: Approved-by=jane
GitPython: Signed-off-by=jane, Approved-by=bob
GitPython: Ticket=, Approved-by=jane
GitPython: none
gix: Approved-by=jane, Approved-by=bob
gix: Approved-by=jane
gix: Signed-off-by=jane, Approved-by=bob
gix: Ticket=, Approved-by=jane
gix: Approved-by=jane'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the trailers are not the known ones" >&2
  exit 1
fi
echo "unchanged: three of four libraries leave out approvals"
