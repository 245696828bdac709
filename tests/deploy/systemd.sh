#!/usr/bin/env bash
# The unit: nothing systemd-analyze has to say, and a sandbox at least that tight. Quick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unit=deploy/systemd/bindery.service
most=1.5

if ! command -v systemd-analyze >/dev/null; then
  echo "skipped: there is no systemd-analyze (Debian package systemd)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The program need not be installed for it.
sed 's|^ExecStart=/usr/bin/bindery|ExecStart=/bin/true|' "$unit" >"$work/bindery.service"
said=$(systemd-analyze verify --man=no "$work/bindery.service" 2>&1) || true
# What it says of other units of the machine is not ours.
said=$(grep -F bindery.service <<<"$said" || true)
if [[ -n $said ]]; then
  printf '%s\n' "$said"
  exit 1
fi
exposure=$(systemd-analyze security --offline=true --no-pager "$unit" |
  sed -n 's/.*Overall exposure level for bindery.service: \([0-9.]*\).*/\1/p')
echo "systemd-analyze security: $exposure (at most $most)"
[[ -n $exposure ]] && awk -v found="$exposure" -v most="$most" 'BEGIN { exit !(found <= most) }'
echo "systemd: ok"
