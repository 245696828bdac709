#!/usr/bin/env python3
"""Plays docs/first-day.md word for word on an embedded organization: first_day_test.py PROGRAM [PROJECTS TOPICS]

Shell blocks run in order. The configuration of the page gets the addresses of the embedded cloud, `gcloud` is a small
program that asks the same cloud, and the ID 17 stands for the ID of the difference. The calls of each step are counted.
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from readme_test import Failure, blocks

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from embedded_cloud import EmbeddedCloud  # noqa: E402

PAGE = ROOT / "docs" / "first-day.md"
SCOPE = "organizations/100000000001"
PATIENCE = 600  # Seconds, for one block.
GRANTS_OF_TOPIC = 8
GCLOUD = """#!/usr/bin/env python3
import json, sys, urllib.request

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("CLOUD" + path, data, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))

words = sys.argv[1:]
options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
read = {"options": {"requestedPolicyVersion": 3}}
if words[0] == "asset":
    results, token = [], ""
    while True:
        page = ask("/v1/" + options["scope"] + ":searchAllIamPolicies?pageSize=500&pageToken=" + token)
        results += page.get("results", [])
        token = page.get("nextPageToken", "")
        if not token:
            break
    print(json.dumps(results, indent=2))
elif words[1] == "get-iam-policy":
    print(json.dumps(ask("/v3/projects/" + words[2] + ":getIamPolicy", read), indent=2))
else:
    policy = ask("/v3/projects/" + words[2] + ":getIamPolicy", read)
    for binding in policy["bindings"]:
        if binding["role"] == options["role"] and "condition" not in binding:
            binding["members"].append(options["member"])
            break
    ask("/v3/projects/" + words[2] + ":setIamPolicy", {"policy": policy})
"""


def seed(projects, topics):
    """An organization with two folders, and of each project: people, a service agent, topics with eight members."""
    lines = ["folders:", "  - {name: folders/20}", "  - {name: folders/21, parent: folders/20}", "projects:"]
    policies = [f"  //cloudresourcemanager.googleapis.com/{SCOPE}:",
                '    bindings: [{role: roles/owner, members: ["user:root@example.com"]}]']
    for i in range(projects):
        name, number = f"p-{100 + i}", 415104041000 + i
        lines.append(f'  - {{id: {name}, number: "{number}", parent: folders/{20 + i % 2}}}')
        agent = f"serviceAccount:service-{number}@gcp-sa-pubsub.iam.gserviceaccount.com"
        policies += [f"  //cloudresourcemanager.googleapis.com/projects/{name}:", "    bindings:",
                     '      - {role: roles/viewer, members: ["group:all@example.com", "user:ana@example.com"]}',
                     f'      - {{role: roles/pubsub.serviceAgent, members: ["{agent}"]}}']
        for j in range(topics):
            members = ", ".join(f'"user:u{(i + j + k) % 997}@example.com"' for k in range(GRANTS_OF_TOPIC))
            policies += [f"  //pubsub.googleapis.com/projects/{name}/topics/t{j}:",
                         f"    bindings: [{{role: roles/pubsub.publisher, members: [{members}]}}]"]
    return "\n".join([*lines, "iamPolicies:", *policies]) + "\n"


class Day:
    """Somebody who follows the page."""

    def __init__(self, program, folder, projects, topics):
        self.folder = folder
        self.policies = 1 + projects * (1 + topics)
        self.containers = 1 + 2 + projects
        tools = folder / "bin"
        tools.mkdir()
        (tools / "bindery").symlink_to(program)
        self.cloud = EmbeddedCloud(str(program), str(folder), seed=seed(projects, topics))
        self.url = f"http://127.0.0.1:{self.cloud.port}"
        (tools / "gcloud").write_text(GCLOUD.replace("CLOUD", self.url))
        (tools / "gcloud").chmod(0o755)
        self.environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder)}
        self.preamble = "set -euo pipefail\n"
        self.daemon = None

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
        # The port of the page may be taken.
        text = text.replace("server: {", 'server: {listen: "127.0.0.1:0", ')
        (self.folder / "bindery.yaml").write_text(text)

    def run(self, block):
        if block.strip() == "bindery run":
            with (self.folder / "daemon.log").open("wb") as log:
                self.daemon = subprocess.Popen(["bindery", "run", "-c", "bindery.yaml"], cwd=self.folder,
                                               env=self.environment, stdout=log, stderr=log)
            return self.wait_for_daemon()
        if "bindery adopt 17" in block:
            block = block.replace("17", str(self.difference()))
        self.cloud.calls()
        done = subprocess.run(["bash", "-c", self.preamble + block], cwd=self.folder, env=self.environment, text=True,
                              timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        differs = block.rstrip().endswith("bindery drift") and done.returncode == 1
        if done.returncode != 0 and not differs:
            raise Failure(f"exit code {done.returncode}\n{done.stdout}")
        self.check(block, done.stdout)
        self.preamble += "".join(line + "\n" for line in block.splitlines() if line.startswith("export "))
        return None

    def wait_for_daemon(self):
        deadline = time.monotonic() + PATIENCE
        while "first pass done" not in (self.folder / "daemon.log").read_text(errors="replace"):
            if time.monotonic() > deadline or self.daemon.poll() is not None:
                raise Failure("the daemon ends no pass:\n" + (self.folder / "daemon.log").read_text(errors="replace"))
            time.sleep(0.1)

    def difference(self):
        """The ID of the open difference."""
        deadline = time.monotonic() + PATIENCE
        while True:
            told = subprocess.run(["bindery", "drift", "-o", "json", "-c", "bindery.yaml"], cwd=self.folder,
                                  env=self.environment, capture_output=True, text=True, check=False)
            items = json.loads(told.stdout)["items"]
            if items:
                return items[0]["id"]
            if time.monotonic() > deadline:
                raise Failure("no difference is found")
            time.sleep(0.1)

    def check(self, block, printed):
        calls = self.cloud.calls()
        if "bindery coverage" in block:
            pages = math.ceil(self.policies / 500)
            self.expect("pages of policies", calls.get("cloudasset.searchAllIamPolicies", 0), pages)
            self.expect("pages of the hierarchy", calls.get("cloudasset.searchAllResources", 0),
                        math.ceil(self.containers / 500))
            if "Not looked at:" not in printed:
                raise Failure(f"the coverage does not say what was not looked at:\n{printed}")
        if "bindery import --scope" in block:
            files = len(list((self.folder / "manifests").rglob("*.yaml")))
            self.expect("files", files, self.policies)
            reads = sum(count for name, count in calls.items() if name.endswith("getIamPolicy"))
            # One for the import, one for the plan, which reads what it plans.
            if not self.policies < reads <= 2 * self.policies:
                raise Failure(f"{reads} reads of {self.policies} policies: {calls}")
        if "bindery adopt" in block:
            texts = [path.read_text() for path in (self.folder / "manifests").rglob("p-100.yaml")]
            if not any("user:somebody@example.com" in text for text in texts):
                raise Failure("the adopted grant is in no manifest")
        writes = [name for name in calls if name.endswith("setIamPolicy") and "gcloud" not in block]
        if writes:
            raise Failure(f"written to the cloud: {writes}")

    @staticmethod
    def expect(what, found, wanted):
        if found != wanted:
            raise Failure(f"{what}: {found}, not {wanted}")

    def end(self):
        if self.daemon is not None:
            self.daemon.terminate()
            self.daemon.wait(timeout=PATIENCE)
        self.cloud.stop()


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    projects, topics = (int(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (30, 19)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        day = Day(program, pathlib.Path(folder), projects, topics)
        try:
            for line, language, block in blocks(PAGE.read_text()):
                began = time.monotonic()
                try:
                    {"sh": day.run, "yaml": day.configure}[language](block)
                except Failure as failure:
                    print(f"docs/first-day.md:{line}: {failure}")
                    failed = True
                print(f"line {line}: {time.monotonic() - began:.1f} s")
        finally:
            day.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
