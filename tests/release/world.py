"""What tests of releases share: a small package, keys of their own, and the commands that a page prints."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "release"))
import described  # noqa: E402

RELEASE = described.Release("1.2.3", "0123456789abcdef0123456789abcdef01234567", 1700000000)
CONTROL = """Package: bindery
Version: 1.2.3-1
Architecture: {architecture}
Section: admin
Maintainer: nobody <nobody@example.invalid>
Depends: libc6 (>= 2.34), tzdata
Description: continuously enforces who has access
 A second line.
"""


def run(*arguments, **options):
    """The output of a command that must succeed."""
    return subprocess.run(arguments, text=True, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options).stdout


def package(folder, architecture):
    """A package without a program, as a file in `folder`."""
    tree = folder / f"tree-{architecture}"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "usr/share/doc/bindery").mkdir(parents=True)
    (tree / "usr/share/doc/bindery/copyright").write_text("Apache-2.0\n", encoding="utf-8")
    (tree / "DEBIAN/control").write_text(CONTROL.format(architecture=architecture), encoding="utf-8")
    file = folder / f"bindery_1.2.3-1_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", str(tree), str(file),
        env={**os.environ, "SOURCE_DATE_EPOCH": str(RELEASE.epoch)})
    return file


def make_keys(folder):
    """Puts keys that nobody else has into the environment, as those who publish do."""
    run("minisign", "-G", "-W", "-p", str(folder / "pub"), "-s", str(folder / "secret"))
    os.environ["RELEASE_MINISIGN_KEY"] = (folder / "secret").read_text(encoding="utf-8")
    home = folder / "gpg"
    home.mkdir(mode=0o700)
    gpg = ("gpg", "--homedir", str(home), "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback")
    run(*gpg, "--quick-generate-key", "releases of a test <test@example.invalid>", "ed25519", "sign")
    os.environ["RELEASE_GPG_KEY"] = run(*gpg, "--armor", "--export-secret-keys")
    run("gpgconf", "--homedir", str(home), "--kill", "all")


def commands_of(page, heading):
    """The first shell block below that heading of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S).group(1)
    return re.search(r"^```sh\n(.*?)^```$", section, re.M | re.S).group(1)


@contextlib.contextmanager
def flipped(path, place=0.5):
    """While it lasts, one bit of the file is another; `place` is where, as a part of its length."""
    data = bytearray(path.read_bytes())
    kept = bytes(data)
    data[min(int(len(data) * place), len(data) - 1)] ^= 1
    path.write_bytes(bytes(data))
    try:
        yield
    finally:
        path.write_bytes(kept)
