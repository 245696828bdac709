#!/usr/bin/env python3
"""Plays the first day on an organization that Terraform manages: terraform_day_test.py PROGRAM PROJECTS RESOURCES

`bindery convert` reads a state, version 4, of most of the organization; a scan and an import, which is killed and repeated, add
the rest. Nothing is to change in a cloud that is as the state says. Then somebody changes a project by hand, twice: the first
change is adopted into the converted manifest, the second one repaired. The calls of each step are counted.
"""

import json
import math
import pathlib
import signal
import subprocess
import sys

from embedded_day import PAGE, SCOPE, EmbeddedDay, expect, fast_folder, total
from readme_test import Failure
from terraform_organization import SERVICES, Organization

CONFIGURATION = """
manifests: {directory: manifests, settle: 0s}
store: {url: "sqlite:state/bindery.db"}
server: {listen: "127.0.0.1:0", socket: state/bindery.sock}
reconcile: {mode: observe}
attribution: {directory: audit}
providers:
  cloudnative: {type: cloudnative, project: acme, credentials: {type: none}, endpoints: ENDPOINTS}
  monitoring: {type: monitoring, apiUrl: "CLOUD", apiKeyFile: key, appKeyFile: key}
"""
SCAN = f"bindery scan --scope {SCOPE}"
IMPORT = f"bindery import --scope {SCOPE} -o json"
VIEWERS = "project-p-100-viewers-viewer"  # The manifest of module.project["p-100"].google_project_iam_binding.viewers["viewer"].


class Migration(EmbeddedDay):
    """Somebody who comes from Terraform."""

    def __init__(self, program, folder, projects, resources):
        self.organization = Organization(projects, resources)
        super().__init__(program, folder, self.organization.seed(), len(self.organization.policies))
        # Grants that a scan sees, but for those of service agents.
        self.seen = self.organization.grants - self.organization.agents - self.organization.unseen_grants
        self.targets = self.policies + len(self.organization.boards)
        endpoints = {name: f"{self.url}/{name}.googleapis.com" for name in SERVICES} | {"cloudasset": self.url}
        text = CONFIGURATION.replace("ENDPOINTS", json.dumps(endpoints)).replace("CLOUD", self.url)
        (folder / "bindery.yaml").write_text(text)
        (folder / "key").write_text("0123456789abcdef0123456789abcdef\n")
        (folder / "key").chmod(0o600)
        (folder / "audit").mkdir()
        state = self.organization.state()
        (folder / "terraform.tfstate").write_text(state)
        print(f"{projects} projects, {self.policies} policies, {self.organization.grants} grants, "
              f"a state of {len(state) >> 10} KiB")

    def convert(self):
        said, runs = self.shell("bindery convert terraform.tfstate -d manifests")
        expect("calls", runs[0]["calls"], {})
        if "left out" in said:
            raise Failure(said)
        self.shell("bindery validate manifests")

    def plan(self, targets):
        """Is empty, and takes one read for each target."""
        _, runs = self.shell("bindery plan --base manifests")
        reads = total(runs[0]["calls"], "etIamPolicy") + total(runs[0]["calls"], "restrictionPolicy.get")
        expect("reads", reads, targets)

    def scan(self):
        _, runs = self.shell(SCAN)
        expect("calls", runs[0]["calls"], {
            "cloudasset.searchAllIamPolicies": math.ceil((self.policies - self.organization.unseen_policies) / PAGE),
            "cloudasset.searchAllResources": math.ceil((3 + self.organization.projects) / PAGE)})

    def import_rest(self):
        """In two runs, of which the first is killed as soon as a file is there."""
        before = len(self.manifests())
        self.cloud.call("PUT", "/_emulator/faults", '[{"operation": "*.getIamPolicy", "delay": "20ms"}]')
        child = subprocess.Popen([self.program, *IMPORT.split()[1:]], cwd=self.folder, env=self.environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for("imported file", lambda: len(self.manifests()) > before)
        child.send_signal(signal.SIGKILL)
        expect("end of the import", child.wait(), -signal.SIGKILL)
        self.cloud.call("PUT", "/_emulator/faults", "[]")
        some = len(self.manifests()) - before
        if some >= self.organization.open_policies:
            raise Failure("the import was finished before it was killed")
        report = self.answer(IMPORT)
        expect("files", some + report["files"], self.organization.open_policies)
        expect("classes", report["classes"], {
            **dict.fromkeys(report["classes"], 0), "serviceAgents": self.organization.agents,
            "imported": report["classes"]["imported"],
            "declared": self.seen - report["classes"]["imported"]})

    def coverage(self):
        found = self.answer("bindery coverage -o json")
        expect("classes", found["classes"], {**dict.fromkeys(found["classes"], 0), "declared": self.seen,
                                             "serviceAgents": self.organization.agents})

    def change(self, who):
        self.shell(f"gcloud projects add-iam-policy-binding p-100 --member={who} --role=roles/viewer")
        self.shell(SCAN)
        self.shell("gcloud logging read --project=p-100 > audit/new; mv audit/new audit/p-100.json")
        items = self.wait_for("difference with its author", lambda: [
            item for item in self.open_items() if item.get("attribution", {}).get("actor") == "mallory@example.com"])
        expect("differences", [item["grant"]["member"] for item in items], [who])
        return items[0]["id"]

    def adopt(self):
        file = self.folder / "manifests" / f"{VIEWERS}.yaml"
        before = file.read_text()
        item = self.change("user:somebody@example.com")
        self.shell(f"bindery adopt {item}")
        added = [line for line in file.read_text().splitlines() if line not in before.splitlines()]
        expect("added lines", added, ["    - user:somebody@example.com"])
        self.wait_for("end of the difference", lambda: not self.open_items())
        self.shell("bindery plan")

    def repair(self):
        self.change("user:else@example.com")
        self.shell("sed -i '/mode: observe/d' bindery.yaml")
        self.wait_for("reload", lambda: "configuration reloaded" in self.log())
        _, runs = self.shell(f"bindery reconcile {VIEWERS}")
        expect("writes", total(runs[0]["calls"], ".setIamPolicy"), 1)
        expect("viewers", sorted(self.holders("p-100", "roles/viewer")),
               ["group:all@example.com", "user:lead0@example.com", "user:somebody@example.com"])

    def play(self):
        steps = [("convert", self.convert), ("empty plan", lambda: self.plan(self.targets - self.organization.open_policies)),
                 ("scan", self.scan), ("import", self.import_rest), ("empty plan", lambda: self.plan(self.targets)),
                 ("daemon", self.start_daemon), ("coverage", self.coverage), ("adopt", self.adopt), ("repair", self.repair)]
        for name, step in steps:
            print(name, flush=True)
            step()


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    projects, resources = (int(word) for word in sys.argv[2:4])
    with fast_folder() as folder:
        migration = Migration(program, pathlib.Path(folder), projects, resources)
        try:
            migration.play()
        except Failure as failure:
            print(f"failed: {failure}")
            return 1
        finally:
            migration.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
