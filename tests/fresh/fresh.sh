#!/usr/bin/env bash
# A bare Debian 12, and in it what README.md has a reader do. Started by ./dev fresh, as root or with sudo.
#
# The system is a folder below build/fresh. Its mounts and processes have namespaces of their own and end with them,
# whatever happens: no mount is left through which the removal of the folder could reach other files.
set -euo pipefail

usage() {
  cat <<'EOF'
./dev fresh [--user] [--warm] [--keep] [COMMAND...]

Makes a bare Debian 12 (debootstrap, minimal) and clones HEAD into it. There it carries out the two commands of
README.md as they are printed, ./dev run until its first pass is done, and prints what each took, installed, skipped
and failed. Exits with 0 if both did. COMMAND...: carries out that in the clone instead.

  --user   as an ordinary user who may sudo, not as root
  --warm   with what the compiler's cache has of earlier runs: the times then tell nothing
  --keep   begins with the system that an earlier --keep left in build/fresh/root, and leaves it there again
EOF
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source=$(cd "$here/../.." && pwd -P)
work=$source/build/fresh
root=$work/root
arguments=("$@") user=root warm=no keep=no
while [[ ${1:-} == -* ]]; do
  case $1 in
    --user) user=reader ;;
    --warm) warm=yes ;;
    --keep) keep=yes ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
if [[ $(id -u) -ne 0 ]]; then
  mapfile -d '' -t variables </proc/self/environ
  exec sudo env -i "${variables[@]}" "$here/fresh.sh" ${arguments[@]+"${arguments[@]}"}
fi

mkdir -p "$work/packages" "$work/ccache"
# Whatever runs inside holds it too.
exec 8>"$work/lock"
flock --nonblock 8 || {
  echo "fresh: another run uses $work" >&2
  exit 1
}
clean_up() {
  [[ $keep == yes ]] || rm -rf --one-file-system "$root"
  # Whose clone it is may remove the rest without sudo.
  find "$work" -path "$root" -prune -o -exec chown --no-dereference --reference="$source" {} +
}
clean_up
[[ $warm == yes ]] || rm -rf --one-file-system "$work"/ccache/*
# Root reads the clone of another user.
printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
export GIT_CONFIG_GLOBAL=$work/gitconfig
[[ -z $(git -C "$source" status --porcelain) ]] ||
  echo "fresh: what is not committed is left out" >&2
trap clean_up EXIT
# They end what runs inside; this script then cleans up.
trap : INT TERM HUP
unshare --mount-proc --pid --ipc --uts --fork --kill-child --propagation private "$here/inside.sh" "$source" "$user" "$@"
