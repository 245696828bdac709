#!/usr/bin/env python3
"""Makes a release of a clone with packages that are built already, and does what its readers do: verifies it, and runs the
program of its image. check_release.py CLONE PACKAGES WORK"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

import world

TWO_MINUTES = 120
EMULATORS = {"arm64": "qemu-aarch64-static"}


def verify(folder):
    """Whether the commands of docs/install.md succeed in that folder."""
    commands = world.commands_of("docs/install.md", "Verify a release")
    done = subprocess.run(["bash", "-euc", commands], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0


def check_signatures(dist):
    shutil.copy(dist / "keys/minisign.pub", dist)
    if not verify(dist):
        sys.exit("release: what was just made cannot be verified")
    files = [path for path in dist.iterdir() if path.is_file() and path.name != "minisign.pub"]
    for path in files:
        with world.flipped(path):
            if verify(dist):
                sys.exit(f"release: a flipped bit in {path.name} is not noticed")
    print(f"release: verified; a flipped bit in each of {len(files)} files is noticed")


class Image:
    """An image in an OCI layout."""

    def __init__(self, file):
        with tarfile.open(file) as layout:
            self._contents = {member.name: layout.extractfile(member).read() for member in layout if member.isfile()}
        outer = json.loads(self._contents["index.json"])
        self.index = json.loads(self._blob(outer["manifests"][0]))

    def manifests(self):
        """{architecture: (manifest, configuration)}"""
        return {described["platform"]["architecture"]: self._read(described) for described in self.index["manifests"]}

    def unpack(self, manifest, root):
        for layer in manifest["layers"]:
            subprocess.run(["tar", "--extract", "--gzip", "--preserve-permissions", "--same-owner", "--directory", str(root)],
                           input=self._blob(layer), check=True)

    def _read(self, described):
        manifest = json.loads(self._blob(described))
        return manifest, json.loads(self._blob(manifest["config"]))

    def _blob(self, described):
        algorithm, _, digest = described["digest"].partition(":")
        data = self._contents[f"blobs/{algorithm}/{digest}"]
        if hashlib.sha256(data).hexdigest() != digest or len(data) != described["size"]:
            sys.exit(f"release: {digest} is something else")
        return data


def check_image(file, work):
    """Runs the program of each architecture that this machine can run: one pass on the example manifests, as the image's user,
    with the image's configuration."""
    image = Image(file)
    own = world.run("dpkg", "--print-architecture").strip()
    for architecture, (manifest, config) in image.manifests().items():
        emulator = EMULATORS.get(architecture)
        if architecture != own and (emulator is None or shutil.which(emulator) is None):
            print(f"release: left out: nothing here runs programs of {architecture}")
            continue
        root = work / f"root-{architecture}"
        root.mkdir()
        image.unpack(manifest, root)
        program = config["config"]["Entrypoint"]
        if architecture != own:
            shutil.copy(shutil.which(emulator), root / "emulator")
            program = ["/emulator", *program]
        # Filters of system calls see the emulator's.
        lenient = {} if architecture == own else {f"BINDERY_HARDENING_{name}": "false" for name in
                                                  ("SECCOMP", "LANDLOCK", "NO_NEW_PRIVILEGES")}
        variables = [f"{name}={value}" for name, value in lenient.items()] + config["config"]["Env"]
        variables += ["BINDERY_MANIFESTS_SETTLE=0s", "BINDERY_SERVER_LISTEN=127.0.0.1:0", "BINDERY_EMBEDDED_CLOUD_LISTEN=127.0.0.1:0"]
        inside = ["chroot", f"--userspec={config['config']['User']}", str(root), "/usr/bin/env", "-i", *variables]
        if architecture != own:
            inside = ["env", "-i", *variables, *inside[:3]]
        for arguments in (["version"], ["validate", "/etc/bindery/manifests"], ["run", "--once"]):
            done = subprocess.run([*inside, *program, *arguments], text=True, capture_output=True, timeout=600, check=False)
            # One pass finds what differs, and puts it right: what is left decides the code.
            if done.returncode != 0:
                sys.exit(f"release: {architecture}: bindery {' '.join(arguments)} ends with {done.returncode}:\n"
                         f"{done.stdout}{done.stderr}")
        print(f"release: the image for {architecture} works")


def bare_debian():
    """The folder of a minimal Debian 12, made once."""
    base = world.ROOT / "build/debian-bare"
    if not (base / "complete").exists():
        shutil.rmtree(base, ignore_errors=True)
        world.run("debootstrap", "--variant=minbase", "bookworm", str(base),
                  os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian"))
        (base / "complete").touch()
    return base


def check_two_minutes(dist, work):
    """From the repository to the first repaired drift in a bare Debian, by the commands of docs/install.md and README.md."""
    root = work / "bare"
    world.run("cp", "-a", str(bare_debian()), str(root))
    shutil.copytree(dist, root / "release")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    # As in every container no service starts.
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    script = world.commands_of("docs/install.md", "Apt repository")
    script += world.commands_of("README.md", "Two minutes").replace("bindery demo", "bindery demo --once")
    for printed, here in {"sudo ": "", "https://PLACE": "file:/release", "apt update": "apt-get update -qq",
                          "apt install": "apt-get install -y -qq"}.items():
        script = script.replace(printed, here)
    started = time.monotonic()
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", str(root), "/usr/bin/env", "-i",
         "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "/bin/bash", "-euc",
         "cd /release/keys\n" + script], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    took = time.monotonic() - started
    print(done.stdout)
    if done.returncode != 0 or "Repaired" not in done.stdout:
        sys.exit("release: the first repaired drift is not reached in a bare Debian")
    print(f"release: from the repository to the first repaired drift in {took:.0f} s")
    if took > TWO_MINUTES:
        sys.exit("release: that is more than two minutes")


def main():
    clone, packages, work = map(pathlib.Path, sys.argv[1:])
    keys, dist = work / "private", work / "dist"
    keys.mkdir()
    world.make_keys(keys)
    subprocess.run([clone / "dev", "release", "--packages", packages, "--output", dist], check=True)
    check_signatures(dist)
    if os.getuid() != 0:
        print("release: left out: the image is tried by root only")
        return
    check_image(next(dist.glob("*-image.oci.tar")), work)
    if shutil.which("debootstrap") is None:
        print("release: left out: there is no debootstrap")
        return
    check_two_minutes(dist, work)


if __name__ == "__main__":
    main()
