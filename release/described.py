"""What a release says of itself: which commit and version it is, what is in its files (SPDX), how they were made
(in-toto), and what is new."""

import dataclasses
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import debian

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import sbom  # noqa: E402

HOME = "https://github.com/bindery/bindery"
# What is compiled into the program: libraries of headers alone.
HEADERS = ("libboost1.81-dev", "libcli11-dev", "libexpected-dev", "nlohmann-json3-dev")


@dataclasses.dataclass(frozen=True)
class Release:
    """A commit of the project as a release."""

    version: str
    commit: str
    epoch: int  # The date of the commit: that of everything in the release.
    tagged: bool = True

    @property
    def when(self):
        return datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc)

    @property
    def created(self):
        return self.when.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def labels(self):
        prefix = "org.opencontainers.image."
        return {prefix + name: value for name, value in {
            "title": "bindery",
            "description": "Continuously enforces who has access to your cloud resources, "
                           "as declared in a folder of YAML files",
            "url": HOME, "source": HOME, "documentation": HOME + "/blob/main/docs/install.md", "licenses": "Apache-2.0",
            "version": self.version, "revision": self.commit, "created": self.created,
        }.items()}


def read_release(folder=ROOT):
    """The release that the clone in `folder` is. A tag of the commit must name its version."""
    def git(*arguments):
        done = subprocess.run(["git", "-C", str(folder), *arguments], text=True, capture_output=True, check=True)
        return done.stdout.strip()
    text = (pathlib.Path(folder) / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"^project\(bindery VERSION (\d+\.\d+\.\d+)", text, re.M).group(1)
    tags = [tag for tag in git("tag", "--points-at", "HEAD").splitlines() if re.fullmatch(r"v\d.*", tag)]
    if tags and tags != [f"v{version}"]:
        raise RuntimeError(f"the commit is tagged {', '.join(tags)}, but the version in CMakeLists.txt is {version}")
    release = Release(version, git("rev-parse", "HEAD"), int(git("log", "-1", "--format=%ct")), bool(tags))
    # Now rather than after the packages are built.
    notes(release, (pathlib.Path(folder) / "CHANGELOG.md").read_text(encoding="utf-8"))
    return release


def notes(release, changelog):
    """The section of that release in CHANGELOG.md. Where the commit has no tag: of what is not released."""
    heading = release.version if release.tagged else "Unreleased"
    found = re.search(rf"^## \[?{re.escape(heading)}\]?(?![\w.~-])[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not found:
        raise RuntimeError(f'CHANGELOG.md has no section "## {heading}"')
    return f"# bindery {release.version}\n\n{found.group(1).strip()}\n"


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def spdx(package):
    """A package file as SPDX, with its digest."""
    said = sbom.spdx_package(debian.fields(package))
    said["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest(package)}]
    return said


def image_contents(architecture, packages, release):
    """The SPDX document of an image that holds these package files."""
    said = [spdx(package) for package in packages]
    return sbom.document(f"bindery-{release.version}-image-{architecture}", said, sbom.describes(said), release.when)


def package_contents(package, held, build, release):
    """The SPDX document of bindery's package: what it depends on, of `held`, and what was compiled into it, of `build`,
    which is {package: version}."""
    fields = debian.fields(package)
    said = [spdx(package)]
    relationships = sbom.describes(said)
    depended = set(debian.names_of(fields["Depends"]))
    for other in held:
        if debian.fields(other)["Package"] in depended:
            said.append(spdx(other))
            relationships.append((said[0]["SPDXID"], "DEPENDS_ON", said[-1]["SPDXID"]))
    for name in HEADERS:
        if name in build:
            header = {"Package": name, "Version": build[name], "Architecture": fields["Architecture"]}
            said.append(sbom.spdx_package(header))
            relationships.append((said[0]["SPDXID"], "STATIC_LINK", said[-1]["SPDXID"]))
    return sbom.document(package.name, said, relationships, release.when)


def provenance(folder, held, release):
    """The in-toto statement of all files in `folder`: made of that commit and those packages of Debian."""
    subjects = [{"name": path.name, "digest": {"sha256": digest(path)}}
                for path in sorted(folder.iterdir()) if path.is_file()]
    packages = sorted({path for paths in held.values() for path in paths if not path.name.startswith("bindery_")})
    dependencies = [{"uri": f"git+{HOME}@{release.commit}", "digest": {"gitCommit": release.commit}}]
    dependencies += [{"uri": sbom.spdx_package(debian.fields(path))["externalRefs"][0]["referenceLocator"],
                      "digest": {"sha256": digest(path)}} for path in packages]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": HOME + "/blob/main/docs/decisions/0033-releases-without-a-builder.md",
                "externalParameters": {"command": "./dev release", "architectures": sorted(held)},
                "resolvedDependencies": dependencies,
            },
            "runDetails": {"builder": {"id": HOME + "/blob/main/release/release.py"}},
        },
    }


def written(document):
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
