#!/usr/bin/env python3
"""Makes a release of the commit that is checked out: packages, image, apt repository, chart, what is in them and how they
were made. Everything is made twice, in two folders, and must be the same bytes; then it is signed: docs/releasing.md."""

import argparse
import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import chart
import debian
import described
import image
import repository
import sign

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The compiler's cache helps the first time. The second compiles: a wrong cache would be a difference.
TRIES = {"one": {}, "another/folder": {"CCACHE_DISABLE": "1"}}


def say(text):
    print(f"release: {text}", file=sys.stderr, flush=True)


def build(architectures, clone, variables):
    """Builds the packages of HEAD in a clone at that place: {architecture: package}."""
    shutil.rmtree(clone, ignore_errors=True)
    clone.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
    packages = {}
    for architecture in architectures:
        say(f"package for {architecture} in {clone}")
        said = subprocess.run([clone / "dev", "package", architecture], env={**os.environ, **variables}, check=True,
                              text=True, stdout=subprocess.PIPE).stdout
        packages[architecture] = pathlib.Path(said.strip().splitlines()[-1])
    return packages


def given(folder, release):
    """The packages in a folder, each of this version and with an architecture of its own."""
    packages = {}
    for path in sorted(pathlib.Path(folder).resolve().glob("bindery_*.deb")):
        fields = debian.fields(path)
        architecture = fields["Architecture"]
        if architecture in packages:
            sys.exit(f"release: {folder} has two packages for {architecture}")
        if fields["Version"].rpartition("-")[0] != release.version:
            sys.exit(f"release: {path} is of version {fields['Version']}, the release is {release.version}")
        packages[architecture] = path
    if not packages:
        sys.exit(f"release: {folder} has no package bindery_*.deb")
    return packages


def build_versions(package):
    """What `./dev package` wrote down beside the package."""
    path = package.with_suffix(".build.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def assemble(packages, release, output, work):
    """Makes everything but the signatures in the folder `output`."""
    output.mkdir(parents=True)
    copies = {architecture: output / package.name for architecture, package in packages.items()}
    for architecture, package in packages.items():
        shutil.copyfile(package, copies[architecture])
    data, held = image.make(packages, release, work)
    (output / f"bindery-{release.version}-image.oci.tar").write_bytes(data)
    (output / f"bindery-{release.version}.tgz").write_bytes(chart.make(release))
    for architecture, package in packages.items():
        contents = {
            f"{package.name}.spdx.json": described.package_contents(
                package, held[architecture], build_versions(package), release),
            f"bindery-{release.version}-image_{architecture}.spdx.json": described.image_contents(
                architecture, held[architecture], release),
        }
        for name, document in contents.items():
            (output / name).write_text(described.written(document), encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (output / "RELEASE_NOTES.md").write_text(described.notes(release, changelog), encoding="utf-8")
    statement = described.provenance(output, held, release)
    (output / f"bindery-{release.version}.intoto.json").write_text(described.written(statement), encoding="utf-8")
    sums = [f"{described.digest(path)}  {path.name}\n" for path in sorted(output.iterdir())]
    (output / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    repository.make(copies, release, output / "apt")


def differences(one, other):
    """The files that are not the same bytes in both folders."""
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if not path.is_dir()}
    for name in sorted(names):
        both = (one / name).is_file() and (other / name).is_file()
        if not both or not filecmp.cmp(one / name, other / name, shallow=False):
            yield str(name)


def arguments():
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__)
    parser.add_argument("--arch", default="amd64",
                        help="architectures of the packages that are built, such as amd64,arm64 (%(default)s)")
    parser.add_argument("--packages", metavar="FOLDER", help="build none: take the packages in this folder")
    parser.add_argument("--once", action="store_true", help="make everything once, and compare nothing")
    parser.add_argument("--output", metavar="FOLDER", type=pathlib.Path, default=ROOT / "build/dist",
                        help="made anew (build/dist)")
    return parser.parse_args()


def main():
    options = arguments()
    release = described.read_release()
    if subprocess.run(["git", "-C", str(ROOT), "status", "--porcelain"], capture_output=True, check=True).stdout:
        sys.exit("release: the clone holds what is not committed: git status")
    os.environ["SOURCE_DATE_EPOCH"] = str(release.epoch)
    work = ROOT / "build/release-work"
    work.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory(dir=work) as folder:
        for place, variables in list(TRIES.items())[:1 if options.once else None]:
            packages = (given(options.packages, release) if options.packages
                        else build(options.arch.split(","), work / place, variables))
            say(f"everything else, the {'first' if not made else 'second'} time")
            made.append(pathlib.Path(folder) / place / "dist")
            assemble(packages, release, made[-1], work)
        if not options.once and (different := list(differences(*made))):
            sys.exit(f"release: not the same bytes twice: {', '.join(different)}")
        shutil.rmtree(options.output, ignore_errors=True)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made[0], options.output)
    missing = sign.sign(options.output, release)
    if missing:
        say(f"NOT SIGNED, because these variables hold no key: {', '.join(missing)}")
    for path in sorted(options.output.iterdir()):
        print(path)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, subprocess.CalledProcessError) as failure:
        sys.exit(f"release: {failure}")
