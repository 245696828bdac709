#!/usr/bin/env bash
# A release of what is committed, for real: made twice and compared, signed with keys of its own, verified by the commands of
# docs/install.md, and the image's program does its work. Takes Debian's archive; the last part needs root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

package=$(./dev package)
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# Of the commit, whatever else is in this folder.
git clone --quiet --no-hardlinks . "$work/clone"
tests/release/check_release.py "$work/clone" "$(dirname "$package")" "$work"
