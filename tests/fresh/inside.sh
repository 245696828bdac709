#!/usr/bin/env bash
# Makes the system and enters it. Internal to fresh.sh, in namespaces of its own: inside.sh SOURCE USER [COMMAND...]
set -euo pipefail
source=$1 user=$2
shift 2
work=$source/build/fresh
root=$work/root
home=/root
[[ $user == root ]] || home=/home/$user
# The first process of a namespace gets only the signals that it asks for.
trap 'exit 130' INT TERM HUP

# archive LABEL CODENAME DEFAULT: where the apt of this machine gets that part of Debian from.
archive() {
  local found
  # shellcheck disable=SC2016 # apt's variable
  found=$(apt-get indextargets --format '$(REPO_URI)' "Label: $1" "Codename: $2" 2>/dev/null | head -n 1) || true
  printf '%s' "${found:-$3}"
}

make_system() {
  local debian security
  debian=$(archive Debian bookworm http://deb.debian.org/debian)
  security=$(archive Debian-Security bookworm-security http://deb.debian.org/debian-security)
  debootstrap --variant=minbase --cache-dir="$work/packages" bookworm "$root" "$debian" >"$work/debootstrap.log" 2>&1 || {
    tail "$work/debootstrap.log" >&2
    echo "fresh: debootstrap failed" >&2
    exit 1
  }
  printf 'deb %s main\n' "$debian bookworm" "$debian bookworm-updates" "$security bookworm-security" \
    >"$root/etc/apt/sources.list"
  # As in every container: no service starts when its package is installed, as there is no service manager.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  # Nor does anyone need the system after a power cut: dpkg waits for no disk.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fresh"
  touch "$root/etc/fresh"
}

# What this machine needs to reach archives and registries: its resolver, its apt's settings for transports, and the
# authorities it trusts, among which a proxy of its network may be.
connect() {
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  apt-config dump | grep -E '^Acquire::(https?|Retries|Check-)' >"$root/etc/apt/apt.conf.d/90network" || true
  local trusted=/etc/ssl/certs/ca-certificates.crt folder=$root/usr/local/share/ca-certificates
  mkdir -p "$folder"
  [[ ! -e $trusted ]] || awk -v folder="$folder" '
    /BEGIN CERTIFICATE/ { file = sprintf("%s/machine-%03d.crt", folder, ++count) }
    file { print >file }
    /END CERTIFICATE/ { close(file); file = "" }' "$trusted"
}

mount_all() {
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  local name
  for name in ptmx:pts/ptmx fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
    ln -s "${name#*:}" "$root/dev/${name%%:*}"
  done
  for name in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$root/dev/${name%:*}" c 1 "${name#*:}"
  done
  mknod -m 666 "$root/dev/tty" c 5 0
  # What the next run uses again.
  mount --bind "$work/packages" "$root/var/cache/apt/archives"
}

in_root() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

make_user() {
  in_root id "$user" && return
  in_root apt-get update -qq
  in_root apt-get install -y -qq --no-install-recommends sudo
  in_root useradd --create-home --shell /bin/bash "$user"
  printf '%s ALL=(ALL) NOPASSWD: ALL\n' "$user" >"$root/etc/sudoers.d/$user"
}

# clone: HEAD, at the same place for every user: what the compiler's cache has of one is of use for another. A system
# that was kept has what was built there.
clone() {
  local clone=$root/srv/bindery
  if [[ ! -e $clone/.git ]]; then
    git clone --quiet --no-hardlinks "$source" "$clone"
  else
    git -C "$clone" fetch --quiet "$source" HEAD
    git -C "$clone" reset --quiet --hard FETCH_HEAD
  fi
}

# registries: variables with the settings by which npm and pip of this machine reach what they install from.
registries() {
  local name value
  for name in registry cafile proxy https-proxy; do
    value=$(npm config get "$name" 2>/dev/null) || continue
    case $value in '' | null | undefined) continue ;; esac
    printf 'npm_config_%s=%s\0' "${name//-/_}" "$value"
  done
  while IFS='=' read -r name value; do
    name=${name^^}
    printf 'PIP_%s=%s\0' "${name//-/_}" "$value"
  done < <(python3 -m pip config list 2>/dev/null | sed -nE "s/^(global|:env:)\.(index-url|cert|proxy)='(.*)'\$/\2=\3/p")
  for name in http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS; do
    [[ -z ${!name:-} ]] || printf '%s=%s\0' "$name" "${!name}"
  done
}

if [[ ! -e $root/etc/fresh ]]; then
  echo "fresh: making a bare Debian 12" >&2
  rm -rf --one-file-system "$root"
  make_system
fi
connect
mount_all
[[ $user == root ]] || make_user >"$work/user.log" 2>&1
mkdir -p "$root$home/.cache/ccache"
mount --bind "$work/ccache" "$root$home/.cache/ccache"
clone
in_root chown -R "$user:" "$home" /srv/bindery

mapfile -d '' -t variables < <(registries)
[[ $# -gt 0 ]] || set -- tests/fresh/readme.sh
# Not chroot: who is in one may make no namespaces, as tests do.
cd "$root"
mkdir -p .outside
pivot_root . .outside
umount --lazy /.outside
# shellcheck disable=SC2016 # expanded there
chroot --userspec="$user" / /usr/bin/env -i ${variables[@]+"${variables[@]}"} HOME="$home" USER="$user" \
  TERM="${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /bin/bash -c 'cd /srv/bindery && exec "$@"' bash "$@"
