"""The apt repository: a folder for any server of static files. Its signature is made by sign.py."""

import datetime
import hashlib
import pathlib
import shutil

import archive
import debian

SUITE = "stable"


def packages_index(packages):
    """The paragraphs of these package files, with where they are and what they are."""
    paragraphs = []
    for package in packages:
        data = package.read_bytes()
        place = f"pool/main/b/bindery/{package.name}"
        paragraphs.append(f"{debian.paragraph(package).rstrip()}\nFilename: {place}\nSize: {len(data)}\n"
                          f"SHA256: {hashlib.sha256(data).hexdigest()}\n")
    return "\n".join(paragraphs).encode()


def make(packages, release, folder):
    """Makes the repository of {architecture: package} in `folder`, unsigned."""
    folder = pathlib.Path(folder)
    pool, dists = folder / "pool/main/b/bindery", folder / "dists" / SUITE
    pool.mkdir(parents=True)
    indexes = {}
    for architecture, package in sorted(packages.items()):
        shutil.copyfile(package, pool / package.name)
        data = packages_index([package])
        indexes[f"main/binary-{architecture}/Packages"] = data
        indexes[f"main/binary-{architecture}/Packages.gz"] = archive.packed(data)
    lines = [
        "Origin: bindery", "Label: bindery", f"Suite: {SUITE}", f"Codename: {SUITE}", f"Version: {release.version}",
        f"Date: {datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc):%a, %d %b %Y %H:%M:%S} UTC",
        f"Architectures: {' '.join(sorted(packages))}", "Components: main", "Acquire-By-Hash: yes",
        "Description: continuously enforces who has access to your cloud resources", "SHA256:",
    ]
    for name, data in sorted(indexes.items()):
        digest = hashlib.sha256(data).hexdigest()
        lines.append(f" {digest} {len(data)} {name}")
        # By digest too, so that a client that reads while files are replaced finds what its Release names.
        by_hash = (dists / name).parent / "by-hash/SHA256" / digest
        for path in (dists / name, by_hash):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    (dists / "Release").write_text("\n".join(lines) + "\n", encoding="utf-8")
