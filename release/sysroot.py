#!/usr/bin/env python3
"""The libraries and headers that bindery is built with, for another architecture: sysroot.py ARCHITECTURE FOLDER

FOLDER/root is what the cross compiler takes for the root of the system, FOLDER/dpkg what dpkg-shlibdeps takes for the
database of the packages in it. The names of the packages are those of `./dev packages build`."""

import pathlib
import re
import shutil
import subprocess
import sys

import debian

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = ("libc6-dev", "libstdc++-12-dev")


def libraries():
    """What the build needs of the other architecture: everything else of the list are tools of this machine."""
    named = subprocess.run([ROOT / "dev", "packages", "build"], text=True, capture_output=True, check=True).stdout.split()
    return [*COMPILER, *(name for name in named if name.endswith("-dev") or name == "tzdata")]


def link_relatively(root):
    """Links to absolute paths would leave the root."""
    for path in root.rglob("*"):
        if path.is_symlink() and path.readlink().is_absolute():
            target = root / path.readlink().relative_to("/")
            path.unlink()
            path.symlink_to(pathlib.Path(*[".."] * (len(path.relative_to(root).parts) - 1), target.relative_to(root)))


def record(package, root, database):
    """Enters a package into the database, with the paths that its files have below `root`."""
    info = database / "info"
    fields = debian.fields(package)
    name = fields["Package"]
    if fields.get("Multi-Arch") == "same":
        name += ":" + fields["Architecture"]
    listed = subprocess.run(["dpkg-deb", "--contents", str(package)], text=True, capture_output=True, check=True).stdout
    paths = re.findall(r" \./([^\n]*?)(?: -> [^\n]*)?$", listed, re.M)
    # Both spellings, as a package may name the folder that is a link.
    spelled = {path.rstrip("/") for path in paths} | {"usr/" + path.rstrip("/") for path in paths if path.startswith("lib")}
    (info / f"{name}.list").write_text("".join(f"{root}/{path}\n" for path in sorted(spelled) if path), encoding="utf-8")
    control = database / "control"
    subprocess.run(["dpkg-deb", "--control", str(package), str(control)], check=True)
    for kind in ("symbols", "shlibs"):
        if (control / kind).exists():
            shutil.copyfile(control / kind, info / f"{name}.{kind}")
    shutil.rmtree(control)
    return debian.paragraph(package) + "Status: install ok installed\n\n"


def make(architecture, folder):
    """Makes FOLDER/root and FOLDER/dpkg unless they are there, of the packages that are there."""
    folder = pathlib.Path(folder).resolve()
    root, database, complete = folder / "root", folder / "dpkg", folder / "complete"
    packages = debian.Archive(architecture, folder / "apt").fetch(libraries())
    names = "".join(f"{package.name}\n" for package in packages)
    if complete.exists() and complete.read_text(encoding="utf-8") == names:
        return
    for old in (root, database):
        shutil.rmtree(old, ignore_errors=True)
    (database / "info").mkdir(parents=True)
    (database / "info" / "format").write_text("1\n", encoding="utf-8")
    root.mkdir()
    paragraphs = []
    for package in packages:
        debian.unpack(package, root)
        paragraphs.append(record(package, root, database))
    link_relatively(root)
    (database / "status").write_text("".join(paragraphs), encoding="utf-8")
    complete.write_text(names, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in debian.TRIPLETS:
        sys.exit(__doc__)
    make(sys.argv[1], sys.argv[2])
