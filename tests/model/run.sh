#!/usr/bin/env bash
# The model of leases and fencing: no error within a number of steps, and an error for each rule that is left out.
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lease.pml
for tool in spin gcc; do
  command -v "$tool" >/dev/null || {
    echo "skipped: $tool is not installed"
    exit 77
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# search STEPS DEFINES...: breadth first, so that an error is the shortest one. Says what it found.
search() {
  local steps=$1
  shift
  spin -a "$@" "$model" >spin.out
  gcc -O1 -w -DSAFETY -DBFS -DMEMLIM=3000 -o pan pan.c
  nice ./pan -E -w22 "-m$steps" >pan.out || true
  grep -q 'errors: ' pan.out || {
    cat pan.out
    exit 1
  }
  printf '%s: ' "$*"
  sed -nE 's/.*(errors: [0-9]+).*/\1,/p; s/^ *([0-9.e+]+) states, stored.*/\1 states,/p; s/^pan: elapsed time (.*)/\1/p' pan.out | tr '\n' ' '
  sed -nE 's/^pan:1: assertion violated (.*) \(at depth ([0-9]+)\)$/after \2 steps: \1/p' pan.out | cut -c1-100
  echo
}

holds() {
  search "$@"
  grep -q 'errors: 0' pan.out || {
    echo "error: the model fails"
    exit 1
  }
}

fails() {
  search "$@"
  grep -q 'assertion violated' pan.out || {
    echo "error: nothing was found without this rule"
    exit 1
  }
}

holds 14 -DLEASES -DTRUST=1
holds 18 -DWRITES
holds 22 -DWRITES -DCRASHES=0 -DPAUSES=0 -DGRANTS=1
for rule in TRUST_FROM_REPLY NO_STEAL_WAIT NO_TIMELINE_WAIT NO_JUMP REVIVE; do
  fails 100 -DLEASES -DTRUST=1 "-DMUTATION_$rule"
done
for rule in EPOCH_ALONE NO_SUCCESSOR_WAIT RELEASE_EARLY RELEASE_WITHIN_WAIT NO_WINDOW NO_ETAG; do
  fails 100 -DWRITES -DFAILOVERS=0 -DCRASHES=0 "-DMUTATION_$rule"
done
# A generation that the failover lost: the longest way to an error.
fails 100 -DWRITES -DCRASHES=0 -DPAUSES=0 -DGRANTS=1 -DMUTATION_NO_RESCAN
echo "model: ok"
