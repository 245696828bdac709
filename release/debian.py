"""Packages of Debian for an architecture that need not be this machine's: found and fetched by apt with a state of its
own, checked by apt's signatures, and unpacked without running anything of them."""

import os
import pathlib
import re
import subprocess

SUITES = (
    ("DEBIAN_MIRROR", "http://deb.debian.org/debian", ("bookworm", "bookworm-updates")),
    ("DEBIAN_SECURITY_MIRROR", "http://deb.debian.org/debian-security", ("bookworm-security",)),
)
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# As in an installed Debian 12: the folders that are links.
LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib"}
TRIPLETS = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}


class Archive:
    """Debian 12 as apt sees it for one architecture. `folder` keeps the state and the fetched packages."""

    def __init__(self, architecture, folder):
        self.architecture = architecture
        self.folder = pathlib.Path(folder).resolve()
        self._configure()

    def fetch(self, names, files=()):
        """Fetches the packages `names`, what they depend on, and what the packages in `files` depend on; returns the
        fetched files, ordered by name."""
        self._apt("update")
        wanted = [*names, *(str(pathlib.Path(file).resolve()) for file in files)]
        arguments = ("install", "--yes", "--no-install-recommends")
        # It names what is not there yet: of a folder without packages, everything.
        empty = f"Dir::Cache::archives={self.folder / 'lists'}"
        said = self._apt(*arguments, "--print-uris", "--option", empty, *wanted)
        self._apt(*arguments, "--download-only", *wanted)
        named = re.findall(r"^'[^']+' (\S+\.deb) ", said, re.M)
        # Those of `files` are named too, and stay where they are.
        return sorted(path for path in (self.folder / "archives" / name for name in named) if path.exists())

    def _configure(self):
        for name in ("lists/partial", "archives/partial"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "status").touch()
        lines = []
        for variable, default, suites in SUITES:
            address = os.environ.get(variable, default)
            lines += [f"deb [signed-by={KEYRING}] {address} {suite} main\n" for suite in suites]
        (self.folder / "sources.list").write_text("".join(lines), encoding="utf-8")
        settings = {
            "APT::Architecture": self.architecture,
            "APT::Architectures::": self.architecture,
            "APT::Sandbox::User": "root",
            "Dir::State": self.folder,
            "Dir::State::status": self.folder / "status",
            "Dir::State::lists": self.folder / "lists",
            "Dir::Cache": self.folder,
            "Dir::Cache::archives": self.folder / "archives",
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            "Debug::NoLocking": "true",
        }
        text = "#clear APT::Architectures;\n" + "".join(f'{key} "{value}";\n' for key, value in settings.items())
        (self.folder / "apt.conf").write_text(text, encoding="utf-8")

    def _apt(self, *arguments):
        environment = {**os.environ, "APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["apt-get", "-qq", *arguments], env=environment, text=True, capture_output=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"apt-get {arguments[0]} for {self.architecture}: {done.stderr.strip()}")
        return done.stdout


def paragraph(package):
    """A package file's control paragraph."""
    return subprocess.run(["dpkg-deb", "--field", str(package)], text=True, capture_output=True, check=True).stdout


def fields(package):
    """{field: value} of a package file's control paragraph."""
    found = re.findall(r"^([A-Za-z0-9-]+): ?(.*(?:\n[ \t].*)*)", paragraph(package), re.M)
    return dict(found)


def names_of(relation):
    """The names in a field such as Depends: all alternatives, without versions."""
    alternatives = [alternative.strip() for alternative in re.split(r"[,|]", relation)]
    return [re.split(r"[ (:]", alternative)[0] for alternative in alternatives if alternative]


def unpack(package, root, leave_out=()):
    """Unpacks the files of a package into the folder `root`, without those that match a pattern of `leave_out`."""
    root = pathlib.Path(root)
    for link, target in LINKS.items():
        (root / target).mkdir(parents=True, exist_ok=True)
        if not (root / link).is_symlink():
            (root / link).symlink_to(target)
    reader = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE)
    options = [f"--exclude={pattern}" for pattern in leave_out]
    done = subprocess.run(
        ["tar", "--extract", "--keep-directory-symlink", "--no-same-owner", "--directory", str(root), *options],
        stdin=reader.stdout, check=False)
    reader.stdout.close()
    if reader.wait() != 0 or done.returncode != 0:
        raise RuntimeError(f"{package} cannot be unpacked")
