"""The container image as an OCI layout in one file, made of Debian's packages and bindery's: nothing of them is run, so
that any machine can make the image for any architecture, and the same packages make the same bytes."""

import hashlib
import json
import pathlib
import shutil
import tempfile

import archive
import debian

ROOT = pathlib.Path(__file__).resolve().parent.parent
USER = 65532
# Besides what bindery depends on: docs/operations.md uses `sh`, `cat`, `rm` and `sleep` in a pod.
BASE = ("base-files", "ca-certificates", "coreutils", "dash")
# Only scripts of packages need these, and none is run.
NOT_FOLLOWED = {"awk", "mawk", "debconf", "debconf-2.0", "init-system-helpers", "openssl", "usrmerge"}
LEFT_OUT = (
    "./usr/share/man/*", "./usr/share/locale/*", "./usr/share/lintian/*", "./usr/share/bug/*", "./usr/share/info/*",
    "./usr/share/bash-completion/*", "./usr/share/zsh/*", "./usr/share/fish/*", "./usr/share/gcc/*", "./usr/share/gdb/*",
    "./lib/systemd/*", "./usr/lib/systemd/*", "./etc/init.d/*",
)
OCI = "application/vnd.oci.image"


def needed(packages):
    """Of the package files those that the program needs, found by their dependencies."""
    known = {}
    for package in packages:
        fields = debian.fields(package)
        for name in [fields["Package"], *debian.names_of(fields.get("Provides", ""))]:
            known.setdefault(name, (package, fields))
    chosen, waiting = {}, ["bindery", *BASE]
    while waiting:
        name = waiting.pop()
        if name in NOT_FOLLOWED or name not in known:
            continue
        package, fields = known[name]
        if package not in chosen:
            chosen[package] = fields
            waiting += debian.names_of(fields.get("Depends", "") + "," + fields.get("Pre-Depends", ""))
    return [package for package in packages if package in chosen]


def trim(root):
    """Documentation goes, but for the licences."""
    for path in sorted((root / "usr/share/doc").rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.name != "copyright":
            path.unlink()


def system_layer(packages, root, epoch):
    """The libraries, what they need of a system, and the authorities that are trusted."""
    status = root / "var/lib/dpkg/status.d"
    status.mkdir(parents=True)
    for package in packages:
        debian.unpack(package, root, LEFT_OUT)
        (status / debian.fields(package)["Package"]).write_text(debian.paragraph(package), encoding="utf-8")
    trim(root)
    authorities = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    bundle = root / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(b"".join(path.read_bytes() for path in authorities))
    for name, text in {
        "etc/passwd": f"root:x:0:0:root:/root:/sbin/nologin\nbindery:x:{USER}:{USER}::/var/lib/bindery:/sbin/nologin\n",
        "etc/group": f"root:x:0:\nbindery:x:{USER}:\n",
        "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    layer = archive.Writer(epoch)
    (root / "tmp").mkdir(exist_ok=True)
    (root / "tmp").chmod(0o1777)
    layer.add_tree(root)
    return layer.finish()


def program_layer(package, root, epoch):
    """What bindery's package holds, and the configuration of a container."""
    debian.unpack(package, root, LEFT_OUT)
    for link in debian.LINKS:
        (root / link).unlink()
    trim(root)
    shutil.copyfile(ROOT / "deploy/container/bindery.yaml", root / "etc/bindery/bindery.yaml")
    shutil.copytree(ROOT / "config/manifests", root / "etc/bindery/manifests", dirs_exist_ok=True)
    status = root / "var/lib/dpkg/status.d/bindery"
    status.parent.mkdir(parents=True)
    status.write_text(debian.paragraph(package), encoding="utf-8")
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    layer = archive.Writer(epoch)
    layer.add_tree(root)
    layer.add_folder("var/lib/bindery", 0o700, USER)
    return layer.finish()


def configuration(architecture, release, layers):
    """The image's configuration. Docker reads the health check, which OCI does not know."""
    seconds = 1_000_000_000
    return {
        "created": release.created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"9817/tcp": {}},
            # As systemd tells a unit: where the witness of the store is.
            "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "STATE_DIRECTORY=/var/lib/bindery"],
            "Entrypoint": ["/usr/bin/bindery"],
            "Cmd": ["run"],
            "Volumes": {"/var/lib/bindery": {}},
            "WorkingDir": "/var/lib/bindery",
            "Labels": release.labels,
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/bindery", "health"],
                "Interval": 30 * seconds, "Timeout": 6 * seconds, "StartPeriod": 60 * seconds, "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]},
        "history": [
            {"created": release.created, "created_by": "packages of Debian 12"},
            {"created": release.created, "created_by": f"bindery {release.version}"},
        ],
    }


class Layout:
    """An OCI layout: contents by their digests."""

    def __init__(self):
        self.contents = {}

    def put(self, media_type, data, **more):
        """Keeps the bytes, or the value as JSON; returns their descriptor."""
        if not isinstance(data, bytes):
            data = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
        digest = hashlib.sha256(data).hexdigest()
        self.contents[digest] = data
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data), **more}

    def file(self, index, epoch):
        """The layout as a tar archive."""
        writer = archive.Writer(epoch)
        writer.add_folder("blobs")
        writer.add_folder("blobs/sha256")
        for digest in sorted(self.contents):
            writer.add(f"blobs/sha256/{digest}", self.contents[digest])
        writer.add("index.json", json.dumps(index, sort_keys=True))
        writer.add("oci-layout", '{"imageLayoutVersion":"1.0.0"}')
        return writer.finish()


def make(packages, release, work):
    """The image of {architecture: bindery's package}: (the file's bytes, {architecture: files of the packages in it})."""
    layout, manifests, held = Layout(), [], {}
    for architecture, package in sorted(packages.items()):
        fetched = debian.Archive(architecture, pathlib.Path(work) / f"packages-{architecture}").fetch(BASE, [package])
        chosen = needed(sorted({*fetched, pathlib.Path(package).resolve()}))
        system = [found for found in chosen if debian.fields(found)["Package"] != "bindery"]
        held[architecture] = [*system, pathlib.Path(package)]
        with tempfile.TemporaryDirectory(dir=work) as folder:
            folder = pathlib.Path(folder)
            layers = [system_layer(system, folder / "system", release.epoch),
                      program_layer(package, folder / "program", release.epoch)]
        described = [layout.put(f"{OCI}.layer.v1.tar+gzip", archive.packed(layer)) for layer in layers]
        config = layout.put(f"{OCI}.config.v1+json", configuration(architecture, release, layers))
        manifest = {"schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config, "layers": described,
                    "annotations": release.labels}
        manifests.append(layout.put(f"{OCI}.manifest.v1+json", manifest,
                                    platform={"architecture": architecture, "os": "linux"}))
    index = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": manifests,
             "annotations": release.labels}
    inner = layout.put(f"{OCI}.index.v1+json", index,
                       annotations={"org.opencontainers.image.ref.name": release.version})
    outer = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": [inner]}
    return layout.file(outer, release.epoch), held
