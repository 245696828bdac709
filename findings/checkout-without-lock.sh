#!/usr/bin/env bash
# Libraries that check out a branch: they change the files of the work tree while `.git/index.lock` is not there.
#
# Software:  pygit2 1.21.0 (libgit2), dulwich 1.2.21, isomorphic-git 1.44.19; beside them the git of this machine.
# Expected:  whatever checks out a branch holds `.git/index.lock` from before its first change of a file until its last,
#            as git does. All four write the same index, and the lock is how programs at one repository take turns.
# Seen:      git makes the lock first. pygit2 and dulwich write all the files, then make the lock and write the index.
#            isomorphic-git never makes a lock: it writes over the index in place, before and after the files.
# Matters:   access manifests often come by a checkout. A program that reads the folder, and waits while the lock is
#            there, reads half a checkout of these libraries: some manifests of the old commit, some of the new one. A
#            member who moves from one file to the other then is in neither, or in both.
#
# The kernel's inotify tells what happened, in its order; nothing here depends on the time that a step takes.
# Needs: bash, git, Python 3.11 with venv, Node 20 with npm, Linux. Ends with 0 while the behaviour is the one above, with
# 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pygit2==1.21.0 dulwich==1.2.21
npm install --silent --no-audit --no-fund --ignore-scripts isomorphic-git@1.44.19

# repository NAME: on branch main, where both manifests differ from those of branch next.
repository() {
  git init -q -b main "$1"
  local branch manifest
  for branch in main next; do
    [[ $branch == main ]] || git -C "$1" checkout -q -b "$branch"
    for manifest in one two; do
      echo "members: ['group:$branch@example.com']" >"$1/$manifest.yaml"
    done
    git -C "$1" add .
    git -C "$1" -c user.name=finding -c user.email=finding@example.com commit -q -m "$branch"
  done
  git -C "$1" checkout -q main
}

cat >watch.py <<'EOF'
"""Runs a command, and prints what changed meanwhile in a repository: files, lock and index, in the kernel's order."""
import ctypes
import os
import struct
import subprocess
import sys

MODIFY, MOVED_FROM, CREATE, DELETE = 0x2, 0x40, 0x100, 0x200
repository, command = sys.argv[1], sys.argv[2:]
libc = ctypes.CDLL(None)
queue = libc.inotify_init1(os.O_NONBLOCK)
for folder in (repository, os.path.join(repository, ".git")):
    libc.inotify_add_watch(queue, folder.encode(), MODIFY | MOVED_FROM | CREATE | DELETE)
subprocess.run(command, check=True)

steps = []
events = os.read(queue, 1 << 20)
while events:
    _, mask, _, length = struct.unpack("iIII", events[:16])
    name = events[16 : 16 + length].rstrip(b"\0").decode()
    events = events[16 + length :]
    if name.endswith(".yaml"):
        step = "files"
    elif name == "index.lock" and not mask & MODIFY:
        step = "lock" if mask & CREATE else "unlock"
    elif name == "index":
        step = "index-in-place"
    else:
        continue
    if steps[-1:] != [step]:
        steps.append(step)
print(*steps)
EOF

cat >checkout.cjs <<'EOF'
require("isomorphic-git").checkout({ fs: require("fs"), dir: process.argv[2], ref: "next" });
EOF

seen=''
# try NAME COMMAND...: the command checks out branch next of the repository NAME.
try() {
  local name=$1
  shift
  repository "$name"
  seen+="$name: $(venv/bin/python watch.py "$name" "$@")"$'\n'
  grep -q 'group:next' "$name/one.yaml" && grep -q 'group:next' "$name/two.yaml"
}
try git git -C git checkout -q next
try pygit2 venv/bin/python -c 'import pygit2; pygit2.Repository("pygit2").checkout("refs/heads/next")'
try dulwich venv/bin/python -c 'from dulwich import porcelain; porcelain.checkout("dulwich", "next")'
try isomorphic-git node checkout.cjs isomorphic-git

echo "software: pygit2 1.21.0, dulwich 1.2.21, isomorphic-git 1.44.19, $(git --version)"
echo "expected of each: lock files unlock"
echo "seen:"
printf '%s' "$seen"

known='git: lock files unlock
pygit2: files lock unlock
dulwich: files lock unlock
isomorphic-git: index-in-place files index-in-place
'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the steps are not the known ones" >&2
  exit 1
fi
echo "unchanged: three libraries change files while no lock is there"
