"""The signatures of a release. The keys are texts in the environment, so that no file of them is left behind."""

import os
import pathlib
import subprocess
import tempfile

MINISIGN, GPG = "RELEASE_MINISIGN_KEY", "RELEASE_GPG_KEY"


def run(*arguments, **options):
    done = subprocess.run(arguments, text=True, capture_output=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def sign_sums(output, release, keys):
    """SHA256SUMS by minisign. The comment, which is signed too, names the release."""
    with tempfile.TemporaryDirectory() as folder:
        secret = pathlib.Path(folder) / "key"
        secret.touch(0o600)
        secret.write_text(os.environ[MINISIGN].rstrip("\n") + "\n", encoding="utf-8")
        run("minisign", "-S", "-s", str(secret), "-m", str(output / "SHA256SUMS"),
            "-t", f"bindery {release.version}, commit {release.commit}", input="\n")
        (keys / "minisign.pub").unlink(missing_ok=True)
        run("minisign", "-R", "-s", str(secret), "-p", str(keys / "minisign.pub"), input="\n")


def sign_repository(output, keys):
    """The apt repository by OpenPGP: InRelease, and Release.gpg beside Release."""
    with tempfile.TemporaryDirectory() as folder:
        gpg = ("gpg", "--homedir", folder, "--batch", "--yes", "--quiet", "--no-tty")
        run(*gpg, "--import", input=os.environ[GPG])
        for dist in sorted((output / "apt/dists").iterdir()):
            release = str(dist / "Release")
            run(*gpg, "--clearsign", "--output", str(dist / "InRelease"), release)
            run(*gpg, "--armor", "--detach-sign", "--output", str(dist / "Release.gpg"), release)
        run(*gpg, "--export", "--output", str(keys / "bindery-archive-keyring.gpg"))
        run("gpgconf", "--homedir", folder, "--kill", "all")


def sign(output, release):
    """Signs what there are keys for; returns the names of the variables that are missing."""
    output = pathlib.Path(output)
    keys = output / "keys"
    keys.mkdir(exist_ok=True)
    if os.environ.get(MINISIGN):
        sign_sums(output, release, keys)
    if os.environ.get(GPG):
        sign_repository(output, keys)
    return [name for name in (MINISIGN, GPG) if not os.environ.get(name)]
