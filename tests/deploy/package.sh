#!/usr/bin/env bash
# The Debian package, for real: lintian, then in a Debian of its own with a running systemd it is
# installed, runs as the unit says, reloads, survives a hang and an upgrade, and leaves nothing behind.
# Needs root; about two minutes more when the Debian must be made first (kept in build/debian).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$PWD/tests/deploy

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "package: $*" >&2
  inside journalctl --no-pager -n 30 >&2 || true
  exit 1
}

package=$(./dev package)
echo "package: $(basename "$package"), $(stat -c %s "$package") bytes"
lintian --tag-display-limit 0 --fail-on error "$package"

[[ $(id -u) -eq 0 ]] || skip "the rest needs root, to boot a Debian"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
base=$PWD/build/debian
if [[ ! -e $base/complete ]]; then
  rm -rf "$base"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,procps,man-db bookworm "$base" \
    "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$base.log" 2>&1 || { tail "$base.log" && skip "debootstrap failed"; }
  touch "$base/complete"
fi
work=$(mktemp -d)
root=$work/root
boot=
init=
cleanup() {
  [[ -z $init ]] || kill -KILL "$init" 2>/dev/null || true
  [[ -z $boot ]] || wait "$boot" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
cp -a "$base" "$root"
rm -f "$root/complete" "$root/etc/machine-id"
: >"$root/etc/machine-id"
cp /etc/resolv.conf "$root/etc/resolv.conf"
unshare --mount --pid --fork --cgroup --uts --ipc "$here/boot_root.sh" "$root" &
boot=$!

inside() {
  timeout 300 nsenter --target "$init" --mount --pid --uts --ipc --cgroup --root -- \
    env -i --chdir=/ HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
# eventually WHAT COMMAND...: tries it for half a minute.
eventually() {
  local what=$1
  shift
  for _ in {1..60}; do
    "$@" >/dev/null 2>&1 && return
    sleep 0.5
  done
  fail "never: $what"
}
booted() { init=$(pgrep -P "$boot" | head -1) && inside systemctl is-system-running | grep -qE 'running|degraded'; }
eventually "systemd runs" booted
put() { cp "$1" "/proc/$init/root/root/package.deb"; }

echo "package: install"
put "$package"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /root/package.deb >"$work/install.log" 2>&1 ||
  { cat "$work/install.log" && fail "cannot be installed"; }
inside systemctl is-active --quiet bindery || fail "is not running once installed"
inside bindery health && fail "an empty folder is no reason to be ready"
inside man -w bindery bindery.yaml >/dev/null
"$here/installed_files.sh" "/proc/$init/root" || fail "the package lacks files"

echo "package: the main job"
inside cp -r /usr/share/doc/bindery/examples/manifests/. /etc/bindery/manifests/
eventually "ready" inside bindery health
eventually "status text" inside sh -c 'systemctl show -P StatusText bindery | grep -q "all ready"'
inside systemctl show -P StatusText bindery
inside bindery get >"$work/get.txt"
grep -q payments-viewers "$work/get.txt" || fail "bindery get shows nothing"
user=$(inside stat -c %u "/proc/$(inside systemctl show -P MainPID bindery)")
[[ $user -ge 61184 && $user -le 65519 ]] || fail "runs as user $user, not as a dynamic one"

echo "package: reload and watchdog"
reloads() { inside journalctl -u bindery -o cat --no-pager | grep -c 'configuration reloaded' || true; }
reloaded=$(reloads)
inside systemctl reload bindery
once_more() { [[ $(reloads) -gt $reloaded ]]; }
eventually "the log says that the configuration is reloaded" once_more
inside systemctl is-active --quiet bindery || fail "a reload ended it"
inside mkdir -p /run/systemd/system/bindery.service.d
inside sh -c 'printf "[Service]\nWatchdogSec=4\nRestartSec=0\n" >/run/systemd/system/bindery.service.d/test.conf'
inside systemctl daemon-reload
inside systemctl restart bindery
pid=$(inside systemctl show -P MainPID bindery)
inside kill -STOP "$pid"
another() { [[ $(inside systemctl show -P MainPID bindery) != "$pid" ]] && inside systemctl is-active --quiet bindery; }
eventually "the watchdog starts another one" another
inside systemctl show bindery -P NRestarts

echo "package: without procps, which is only recommended"
inside mv /usr/bin/kill /usr/bin/kill.away
inside systemctl restart bindery || fail "does not start without /usr/bin/kill"
inside mv /usr/bin/kill.away /usr/bin/kill

echo "package: credentials"
inside sh -c 'mkdir -p /etc/bindery/secrets && echo key >/etc/bindery/secrets/dd-api-key && chmod 700 /etc/bindery/secrets'
inside sh -c 'printf "[Service]\nLoadCredential=dd-api-key:/etc/bindery/secrets/dd-api-key\n" >/run/systemd/system/bindery.service.d/test.conf'
inside systemctl daemon-reload
inside systemctl restart bindery
inside test -s /run/credentials/bindery.service/dd-api-key || fail "no credential"

echo "package: upgrade"
revisions() { inside bindery history payments-viewers -o json | grep -c '"id"'; }
before=$(revisions)
mkdir "$work/newer"
dpkg-deb -R "$package" "$work/newer"
sed -i 's/^Version: .*/&+next/' "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 -b "$work/newer" "$work/newer.deb" >/dev/null
inside sh -c 'echo "# mine" >>/etc/bindery/bindery.yaml'
inside chmod 0775 /etc/bindery/manifests
pid=$(inside systemctl show -P MainPID bindery)
put "$work/newer.deb"
inside apt-get install -y -qq /root/package.deb >"$work/upgrade.log" 2>&1 ||
  { cat "$work/upgrade.log" && fail "cannot be upgraded"; }
another || fail "the program before the upgrade still runs"
inside grep -q '^# mine' /etc/bindery/bindery.yaml || fail "an upgrade overwrote the configuration"
[[ $(inside stat -c %a /etc/bindery/manifests) == 775 ]] || fail "an upgrade changed the mode of the manifests' folder"
eventually "ready after the upgrade" inside bindery health
[[ $(revisions) -ge $before ]] || fail "an upgrade lost the store"

echo "package: remove and purge"
inside apt-get remove -y -qq bindery >/dev/null 2>&1
inside test -e /var/lib/private/bindery/bindery.db || fail "a removal lost the store"
inside apt-get purge -y -qq bindery >/dev/null 2>&1
# Manifests and secrets are the administrator's own.
left=$(inside find / -xdev \( -iname '*bindery*' -o -path '/etc/bindery/*' \) -not -path /etc/bindery \
  -not -path '/etc/bindery/manifests*' -not -path '/etc/bindery/secrets*' \
  -not -path '/proc/*' -not -path '/var/log/*' -not -path '/tmp/*')
[[ -z $left ]] || fail "left behind: $left"
echo "package: ok"
