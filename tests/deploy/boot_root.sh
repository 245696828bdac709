#!/usr/bin/env bash
# Boots the Debian in a folder: its systemd as process 1 of namespaces of its own. Internal to
# package.sh, started as: unshare --mount --pid --fork --cgroup --uts --ipc boot_root.sh FOLDER
set -euo pipefail
root=$1

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
if grep -q 'name=systemd' /proc/self/cgroup; then
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
else
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
fi
# Not chroot: systemd makes mount namespaces of its own, which begin at the real root.
cd "$root"
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
# As on a machine: what a service mounts for itself, such as its credentials, is seen outside.
mount --make-rshared /
exec env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=multi-user.target </dev/null >/dev/null 2>&1
