#!/usr/bin/env python3
"""The rules of deploy/monitoring as the Prometheus operator's resource; `--check` says whether the
one of deploy/kubernetes is of the same content."""

import pathlib
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESOURCE = ROOT / "deploy/kubernetes/components/prometheus-operator/prometheusrule.yaml"
HEADER = "# Made of deploy/monitoring/rules by cmake/prometheus_rule.py; not to be edited.\n# yamllint disable rule:line-length\n"


def main():
    groups = []
    for path in sorted((ROOT / "deploy/monitoring/rules").glob("*.yaml"), reverse=True):
        groups += yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]
    resource = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "bindery"},
        "spec": {"groups": groups},
    }

    class Indented(yaml.SafeDumper):
        def increase_indent(self, flow=False, indentless=False):
            return super().increase_indent(flow, False)

    text = HEADER + yaml.dump(resource, Dumper=Indented, sort_keys=False)
    if sys.argv[1:] != ["--check"]:
        RESOURCE.write_text(text, encoding="utf-8")
    elif RESOURCE.read_text(encoding="utf-8") != text:
        print(f"{RESOURCE.relative_to(ROOT)} is not what the rules say: run cmake/prometheus_rule.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
