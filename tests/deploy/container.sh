#!/usr/bin/env bash
# The image, for real: built by ./dev image with buildah from the Dockerfile on a base that debootstrap makes where no
# registry is reachable, then the main job in it: as its user, on a read-only root. Needs root; compiles
# the program in the image, through the cache of ccache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
most_mb=40

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "container: $*" >&2
  exit 1
}

[[ $(id -u) -eq 0 ]] || skip "needs root"
command -v buildah >/dev/null || skip "there is no buildah"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
work=$(mktemp -d)
store=$PWD/build/containers
mkdir -p "$store"
buildah() { command buildah --root "$store/root" --runroot "$work/run" --storage-driver "${STORAGE_DRIVER:-vfs}" "$@"; }
container=
daemon=
cleanup() {
  [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
  [[ -z $container ]] || buildah rm "$container" >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

base=${BASE:-}
if [[ -z $base ]]; then
  slim=$PWD/build/debian-slim
  if [[ ! -e $slim/complete ]]; then
    rm -rf "$slim"
    debootstrap --variant=minbase bookworm "$slim" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" \
      >"$slim.log" 2>&1 || { tail "$slim.log" && skip "debootstrap failed"; }
    # As Debian's own slim image leaves them out.
    rm -rf "$slim"/usr/share/{doc,man,locale,info}/* "$slim"/var/{cache/apt,lib/apt/lists}/*
    cp /etc/apt/sources.list.d/debian.sources "$slim/etc/apt/sources.list.d/" 2>/dev/null &&
      rm -f "$slim/etc/apt/sources.list"
    touch "$slim/complete"
  fi
  base=localhost/debian-slim
  if ! buildah inspect "$base" >/dev/null 2>&1; then
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$slim" / >/dev/null
    buildah commit --quiet "$container" "$base" >/dev/null
    buildah rm "$container" >/dev/null
    container=
  fi
fi

size() { du -sm --exclude=proc --exclude=sys "$1" | cut -f1; }
cache=$(ccache --get-config cache_dir)
jobs=()
[[ -z ${CMAKE_BUILD_PARALLEL_LEVEL:-} ]] || jobs=(--build-arg CMAKE_BUILD_PARALLEL_LEVEL="$CMAKE_BUILD_PARALLEL_LEVEL")
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
version=$(sed -n 's/^project(bindery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
IMAGE_BUILDER="buildah --root $store/root --runroot $work/run --storage-driver ${STORAGE_DRIVER:-vfs}" \
  ./dev image localhost/bindery:test --isolation chroot --layers=false --build-arg BASE="$base" \
  --build-arg PRESET="${BINDERY_PACKAGE_PRESET:-package}" --volume "$cache:/root/.cache/ccache" \
  ${jobs[@]+"${jobs[@]}"} \
  >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" && fail "does not build"; }

container=$(buildah from --pull-never "$base")
base_mb=$(size "$(buildah mount "$container")")
buildah rm "$container" >/dev/null
container=$(buildah from --pull-never localhost/bindery:test)
root=$(buildah mount "$container")
image_mb=$(size "$root")
echo "container: $image_mb MB, of which the base $base_mb MB; $((image_mb - base_mb)) MB of our own (at most $most_mb)"
[[ $((image_mb - base_mb)) -le $most_mb ]] || fail "too large"
hidden=$(find "$root/etc/bindery" -not -perm -o+r)
[[ -z $hidden ]] || fail "its user cannot read $hidden"

echo "container: what it says of itself"
buildah inspect --type image localhost/bindery:test >"$work/image.json"
python3 - "$work/image.json" "$version" "$root/usr/share/bindery/sbom.spdx.json" \
  "$revision" <<'PYTHON'
import json, sys
image = json.load(open(sys.argv[1]))["Docker"]["config"]
labels = image["Labels"]
assert image["User"] == "65532:65532", image["User"]
assert image["StopSignal"] in ("SIGTERM", "15"), image["StopSignal"]
assert image["Healthcheck"]["Test"] == ["CMD", "/usr/bin/bindery", "health"], image.get("Healthcheck")
assert image["Entrypoint"] == ["/usr/bin/bindery"], image["Entrypoint"]
assert labels["org.opencontainers.image.version"] == sys.argv[2], labels
for name in ("title", "description", "source", "licenses"):
    assert labels["org.opencontainers.image." + name], name
assert labels["org.opencontainers.image.revision"] == sys.argv[4], labels
packages = {package["name"]: package["versionInfo"] for package in json.load(open(sys.argv[3]))["packages"]}
assert packages["bindery"].startswith(sys.argv[2]) and "libcurl4" in packages, packages
print(f"container: labels, user, health check; an SBOM of {len(packages)} packages")
PYTHON

echo "container: the main job, with nothing to write but its volume"
mkdir -p "$work/state" "$work/manifests"
chmod 0755 "$work/manifests"
chown 65532:65532 "$work/state"
# One manifest, by a name that the image's examples do not have.
sed -n '/^---/q; s/payments-viewers/mounted-viewers/; p' config/manifests/payments.yaml >"$work/manifests/mounted.yaml"
chmod 0644 "$work/manifests/mounted.yaml"
# A read-only root, the volume and the manifests in it, and no shell: the program is what runs.
cat >"$work/enter.sh" <<'SHELL'
set -eu
mount --make-rprivate /
mount --bind "$1" "$1"
mount --bind "$2" "$1/var/lib/bindery"
mount --bind "$3" "$1/etc/bindery/manifests"
mount -o remount,bind,ro "$1/etc/bindery/manifests"
mount -t proc proc "$1/proc"
mount -o remount,bind,ro "$1"
shift 3
ip link set lo up
exec "$@"
SHELL
in_image=(unshare --mount --net bash "$work/enter.sh" "$root" "$work/state" "$work/manifests"
  setpriv --no-new-privs chroot --userspec=65532:65532 --groups= "$root")
"${in_image[@]}" /usr/bin/bindery version
"${in_image[@]}" /usr/bin/bindery run --once >"$work/once.log" 2>&1 || { cat "$work/once.log" && fail "the main job failed"; }
"${in_image[@]}" /usr/bin/bindery get | tee "$work/get.txt"
grep -q 'mounted-viewers .* True ' "$work/get.txt" || fail "the mounted manifest is not in force"
grep -q payments-viewers "$work/get.txt" && fail "the image's examples are in force beside what is mounted"
"${in_image[@]}" /usr/bin/bindery health && fail "healthy without a daemon"
"${in_image[@]}" /usr/bin/bindery run >"$work/run.log" 2>&1 &
daemon=$!
for _ in {1..60}; do
  "${in_image[@]}" /usr/bin/bindery health >/dev/null 2>&1 && break
  sleep 0.5
done
"${in_image[@]}" /usr/bin/bindery health || { cat "$work/run.log" && fail "not healthy"; }
echo "container: upkeep, as docs/operations.md has it: from another container on the same volume"
"${in_image[@]}" /usr/bin/bindery store backup /var/lib/bindery/copy.db || fail "no backup beside the daemon"
for refused in "restore /var/lib/bindery/copy.db" compact; do
  # shellcheck disable=SC2086 # two words
  "${in_image[@]}" /usr/bin/bindery store $refused 2>"$work/refused.txt" && fail "store $refused beside the daemon"
  grep -q 'stop the daemon first' "$work/refused.txt" || { cat "$work/refused.txt" && fail "store $refused says nothing of a daemon"; }
done
kill -TERM "$daemon"
wait "$daemon" || fail "ended with $? on SIGTERM"
daemon=
"${in_image[@]}" /usr/bin/bindery store restore /var/lib/bindery/copy.db
SQLITE_TMPDIR=/var/lib/bindery "${in_image[@]}" /usr/bin/bindery store compact
"${in_image[@]}" /usr/bin/bindery store check
"${in_image[@]}" /usr/bin/bindery get >"$work/get.txt"
grep -q mounted-viewers "$work/get.txt" || fail "the restored store knows nothing"
echo "container: ok"
