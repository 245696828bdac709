#!/usr/bin/env bash
# The same commit makes the same bytes: the package is built twice, in two folders, without a cache, and
# compared. Takes two whole builds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Whatever is committed meanwhile.
revision=$(git rev-parse HEAD)
epoch=$(git log -1 --format=%ct "$revision")

# build FOLDER: the package of what is committed. In a bare environment, as another machine has another.
build() {
  mkdir -p "$1"
  git archive "$revision" | tar -x -C "$1"
  (
    cd "$1"
    export SOURCE_DATE_EPOCH=$epoch CCACHE_DISABLE=1
    unset CMAKE_CXX_COMPILER_LAUNCHER CCACHE_BASEDIR
    cmake --preset package --log-level=WARNING >/dev/null
    cmake --build --preset package --target bindery package_files >"$work/build.log" || { tail "$work/build.log" && exit 1; }
    cpack --config build/package/CPackConfig.cmake -B build/package/deb >/dev/null
  )
}

build "$work/one"
build "$work/another/folder"
one=$(echo "$work"/one/build/package/deb/*.deb)
other=$(echo "$work"/another/folder/build/package/deb/*.deb)
sha256sum "$one" "$other" | sed "s|$work/||"
if ! cmp "$one" "$other"; then
  for package in "$one" "$other"; do dpkg-deb -R "$package" "$package.content"; done
  diff -rq "$one.content" "$other.content" || true
  exit 1
fi
echo "reproducible: ok"
