#!/usr/bin/env python3
"""Plays docs/first-day.md word for word on an embedded organization: first_day_test.py PROGRAM PROJECTS TOPICS

Shell blocks run in order. The configuration of the page gets the addresses of the embedded cloud, `gcloud` is a small
program that asks the same cloud, and the ID 17 stands for the ID of the difference. The calls of each step are counted.
"""

import json
import math
import pathlib
import subprocess
import sys
import time

from embedded_day import PAGE, SCOPE, EmbeddedDay, expect, fast_folder, total
from readme_test import ROOT, Failure, blocks

STORY = ROOT / "docs" / "first-day.md"
GRANTS_OF_TOPIC = 8
AUTHOR = "mallory@example.com"  # Of each change, in the audit log.


def seed(projects, topics):
    """An organization with two folders, and of each project: people, a service agent, topics with eight members."""
    lines = ["folders:", "  - {name: folders/20}", "  - {name: folders/21, parent: folders/20}", "projects:"]
    policies = [f"  //cloudresourcemanager.googleapis.com/{SCOPE}:",
                '    bindings: [{role: roles/owner, members: ["user:root@example.com"]}]']
    for i in range(projects):
        name, number = f"p-{100 + i}", 415104041000 + i
        lines.append(f'  - {{id: {name}, number: "{number}", parent: folders/{20 + i % 2}}}')
        agent = f"serviceAccount:service-{number}@gcp-sa-pubsub.iam.gserviceaccount.com"
        people = ", ".join(f'"user:p{k}@example.com"' for k in range(4))
        policies += [f"  //cloudresourcemanager.googleapis.com/projects/{name}:", "    bindings:",
                     f'      - {{role: roles/viewer, members: ["group:all@example.com", {people}]}}',
                     f'      - {{role: roles/pubsub.serviceAgent, members: ["{agent}"]}}']
        for j in range(topics):
            members = ", ".join(f'"user:u{(i + j + k) % 997}@example.com"' for k in range(GRANTS_OF_TOPIC))
            policies += [f"  //pubsub.googleapis.com/projects/{name}/topics/t{j}:",
                         f"    bindings: [{{role: roles/pubsub.publisher, members: [{members}]}}]"]
    return "\n".join([*lines, "iamPolicies:", *policies]) + "\n"


class Reader(EmbeddedDay):
    """Somebody who follows the page."""

    def __init__(self, program, folder, projects, topics):
        super().__init__(program, folder, seed(projects, topics), 1 + projects * (1 + topics))
        self.agents = projects
        self.people = 1 + projects * (5 + GRANTS_OF_TOPIC * topics)
        self.containers = 1 + 2 + projects
        self.checks = [("bindery coverage", self.check_coverage), ("bindery import --scope", self.check_import),
                       ("bindery adopt", self.check_adoption), ("bindery drift", self.check_drift),
                       ("bindery reconcile", self.check_repair)]
        print(f"{projects} projects, {self.policies} policies, {self.people + self.agents} grants")

    def configure(self, block):
        """The page's configuration, with the embedded cloud in the place of the real one."""
        if "mode: observe" not in block:
            raise Failure("the configuration does not begin with mode: observe")
        endpoints = (f'{{cloudasset: "{self.url}", cloudresourcemanager: "{self.url}", '
                     f'pubsub: "{self.url}/pubsub.googleapis.com"}}')
        real = "credentials: {type: applicationDefault}"
        if real not in block:
            raise Failure(f"the configuration has no {real}")
        text = block.replace(real, f"credentials: {{type: none}}, endpoints: {endpoints}")
        # The port of the page may be taken, and a folder of a real organization has not changed lately.
        text = text.replace("server: {", 'server: {listen: "127.0.0.1:0", ')
        text = text.replace("{directory: manifests}", "{directory: manifests, settle: 0s}")
        (self.folder / "bindery.yaml").write_text(text)

    def run(self, block):
        if block.strip() == "bindery run":
            self.start_daemon()
            return self.expect_classes(declared=self.people)
        if "17" in block:
            block = block.replace("17", str(self.open_items()[0]["id"]))
        if block.strip() == "bindery drift":
            self.wait_for("difference with its author", lambda: AUTHOR in json.dumps(self.open_items()))
        if "bindery reconcile" in block:
            self.wait_for("reload", lambda: "configuration reloaded" in self.log())
        # An open difference, and a plan that is not empty.
        differs = "bindery drift" in block or ("bindery plan" in block and "gcloud" in block)
        printed, runs = self.shell(block, (1,) if differs else (0,))
        for words, check in self.checks:
            if words in block:
                check(printed, runs)
        return None

    def check_coverage(self, printed, runs):
        expect("calls of the scan", runs[0]["calls"], {
            "cloudasset.searchAllIamPolicies": math.ceil(self.policies / PAGE),
            "cloudasset.searchAllResources": math.ceil(self.containers / PAGE)})
        for run in runs[1:]:
            expect("calls of the coverage", run["calls"], {})
        if "Not looked at:" not in printed:
            raise Failure(f"the coverage does not say what was not looked at:\n{printed}")
        self.expect_classes(unmanaged=self.people)

    def expect_classes(self, **counts):
        found = self.answer("bindery coverage -o json")
        wanted = {**dict.fromkeys(found["classes"], 0), "serviceAgents": self.agents, **counts}
        expect("classes", found["classes"], wanted)
        expect("grants", found["grants"], sum(wanted.values()))

    def check_import(self, _printed, runs):
        expect("files", len(self.manifests()), self.policies)
        for run in runs:  # The import reads what the scan found; the plan reads what the manifests declare.
            expect("reads", total(run["calls"], ".getIamPolicy"), self.policies)
            expect("other calls", len([name for name in run["calls"] if not name.endswith(".getIamPolicy")]), 0)

    def check_adoption(self, _printed, runs):
        # Beside the daemon, whose reads count too.
        texts = [path.read_text() for path in self.manifests() if path.name == "p-100.yaml"]
        if not any("user:somebody@example.com" in text for text in texts):
            raise Failure("the adopted grant is in no manifest")
        if total(runs[1]["calls"], ".getIamPolicy") < self.policies:
            raise Failure(f"the plan reads not all: {runs[1]}")

    @staticmethod
    def check_drift(printed, _runs):
        for word in ("roles/viewer", "user:somebody@example.com", AUTHOR):
            if word not in printed:
                raise Failure(f"the drift does not tell of {word}:\n{printed}")

    def check_repair(self, _printed, runs):
        expect("writes", total(runs[0]["calls"], ".setIamPolicy"), 1)
        self.wait_for("repair", lambda: "user:else@example.com" not in self.holders("p-100", "roles/viewer"))
        if "user:somebody@example.com" not in self.holders("p-100", "roles/viewer"):
            raise Failure("the adopted grant is gone")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    projects, topics = (int(word) for word in sys.argv[2:4])
    failed = False
    with fast_folder() as folder:
        reader = Reader(program, pathlib.Path(folder), projects, topics)
        try:
            for line, language, block in blocks(STORY.read_text()):
                began = time.monotonic()
                try:
                    {"sh": reader.run, "yaml": reader.configure}[language](block)
                except (Failure, subprocess.TimeoutExpired, json.JSONDecodeError) as failure:
                    print(f"docs/first-day.md:{line}: {failure}")
                    failed = True
                print(f"line {line}: {time.monotonic() - began:.1f} s", flush=True)
        finally:
            reader.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
