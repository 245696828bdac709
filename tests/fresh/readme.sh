#!/usr/bin/env bash
# Does what "Two commands" of README.md says, and tells what came of it. Internal to fresh.sh, in a bare Debian: bash and
# what is essential there are all that this script may use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# packages: name and size (KiB) of each that is installed.
packages() {
  # shellcheck disable=SC2016 # dpkg's variables
  dpkg-query -W -f='${db:Status-Status} ${Package} ${Installed-Size}\n' | sed -n 's/^installed //p' | sort
}

# follow JOB LOG: waits for the job; ends the daemon that it becomes when its first pass is done, as Ctrl+C does.
follow() {
  while kill -0 "$1" 2>/dev/null; do
    if grep -q 'first pass done' "$2"; then
      kill -INT -- "-$1"
      break
    fi
    sleep 0.2
  done
  wait "$1"
}

# carry_out NUMBER LINE: leaves log, times and code beside each other in files of that number.
carry_out() {
  local file=$work/$1 line=$2 code=0 job
  packages >"$file.before"
  # A job of its own, with a group of processes that a signal reaches as from a terminal.
  set -m
  (
    trap : INT
    TIMEFORMAT='%0R s, CPU %0U s + %0S s of the system'
    { time bash -c "$line" 2>&1; } 2>"$file.times" | tee -i "$file.log"
    exit "${PIPESTATUS[0]}"
  ) &
  job=$!
  set +m
  : >>"$file.log"
  case $line in
    *"./dev run"*) follow "$job" "$file.log" || code=$? ;;
    *) wait "$job" || code=$? ;;
  esac
  packages >"$file.after"
  printf '%s\n' "$code" >"$file.code"
}

tell() {
  local file=$work/$1 line=$2
  printf '\nfresh: %s\n' "$line"
  printf '  exit code %s, %s\n' "$(<"$file.code")" "$(tail -n 1 "$file.times")"
  comm -13 "$file.before" "$file.after" |
    awk '{ count++; size += $2 } END { printf "  installed %d packages of %d MB\n", count, size / 1024 }'
  sed -n 's/^installing: /  asked for: /p' "$file.log"
  grep -E ' (bindery starts|first pass done) |tests passed|^(skipped|left out): |^Total Test time' "$file.log" | sed 's/^/  /' || true
  sed -n '/^The following tests FAILED:/,/^$/p' "$file.log" | sed 's/^/  /'
}

# Each line of the first shell block below the heading, without its comment.
mapfile -t lines < <(sed -n '/^## Two commands/,$p' README.md | awk '/^```/ { if (inside++) exit; next } inside' |
  sed 's/ *#.*//')
[[ ${#lines[@]} -gt 0 ]] || { echo "fresh: README.md has no commands" && exit 1; }
status=0
for number in "${!lines[@]}"; do
  printf 'fresh: %s\n' "${lines[number]}"
  carry_out "$number" "${lines[number]}"
  [[ $(<"$work/$number.code") == 0 ]] || status=1
done
for number in "${!lines[@]}"; do tell "$number" "${lines[number]}"; done
exit "$status"
