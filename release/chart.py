"""The Helm chart: release/chart, and the files of deploy/kubernetes that its template puts values into. A change of the
base is a change of the chart."""

import pathlib

import archive

ROOT = pathlib.Path(__file__).resolve().parent.parent
KUBERNETES = ROOT / "deploy/kubernetes"
# {name below base/: file}
BASE = {
    **{f"{name}.yaml": KUBERNETES / f"base/{name}.yaml"
       for name in ("serviceaccount", "volume", "deployment", "service", "networkpolicy", "bindery", "embedded-cloud")},
    "git-sync.deployment.yaml": KUBERNETES / "overlays/git-sync/deployment.yaml",
    "git-sync.bindery.yaml": KUBERNETES / "overlays/git-sync/bindery.yaml",
    **{f"{name}.yaml": KUBERNETES / f"components/prometheus-operator/{name}.yaml"
       for name in ("servicemonitor", "prometheusrule")},
}


def make(release):
    """The bytes of the chart's archive. `helm package` would write the time of packing into it."""
    described = (ROOT / "release/chart/Chart.yaml").read_text(encoding="utf-8")
    described += f"version: {release.version}\nappVersion: {release.version}\n"
    files = {f"base/{name}": path.read_bytes() for name, path in BASE.items()}
    for path in (ROOT / "release/chart").rglob("*"):
        if path.is_file():
            files[path.relative_to(ROOT / "release/chart").as_posix()] = path.read_bytes()
    files["Chart.yaml"] = described.encode()
    writer = archive.Writer(release.epoch)
    # Helm wants the description first.
    for name in sorted(files, key=lambda name: (name != "Chart.yaml", name)):
        writer.add(f"bindery/{name}", files[name])
    return archive.packed(writer.finish())
