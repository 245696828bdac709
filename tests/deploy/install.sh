#!/usr/bin/env bash
# `cmake --install` of what is built, below a folder: what the program needs on a machine is there, for
# every user of it to read, pages name nothing that is not, and a second one leaves the configuration alone. Quick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${BINDERY_BUILD:-build/release}
if [[ ! -x $build/bindery ]]; then
  ./dev build release
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "install: $*" >&2
  exit 1
}
root=$work/root
put() {
  DESTDIR=$root cmake --install "$build" --prefix /usr >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log" && fail "does not install"; }
}

# As on a machine whose root keeps new files to itself: the daemon is another user.
mkdir "$root"
umask 077
put
umask 022
hidden=$(find "$root" -mindepth 1 -not -type l \( -not -perm -o+r -o -type d -not -perm -o+x \))
[[ -z $hidden ]] || fail "only root can read $hidden"
tests/deploy/installed_files.sh "$root"
tests/deploy/check_pages.py "$root"
bindery() { "$root/usr/bin/bindery" "$@" -c "$root/etc/bindery/bindery.yaml"; }
bindery config check
bindery validate "$root/usr/share/doc/bindery/examples/manifests"

# With the example that was installed, wherever that is.
"$root/usr/bin/bindery" demo --once

for file in bindery.yaml embedded-cloud.yaml; do echo "# mine" >>"$root/etc/bindery/$file"; done
chmod 0775 "$root/etc/bindery/manifests"
put
[[ $(stat -c %a "$root/etc/bindery/manifests") == 775 ]] || fail "a second one changed the mode of the manifests' folder"
for file in bindery.yaml embedded-cloud.yaml; do
  grep -q '^# mine' "$root/etc/bindery/$file" || fail "a second one overwrote $file"
done
echo "install: ok"
