"""A day on an embedded organization: the program, its folder, the cloud, and what each command of the program took."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from readme_test import Failure

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from embedded_cloud import EmbeddedCloud  # noqa: E402

SCOPE = "organizations/100000000001"
PATIENCE = 900  # Seconds, for one command.
PAGE = 500      # Results, at most.
ROOM = 1 << 30  # Bytes that a day may need.
# What one command of the large organization may hold in memory. Its time is told, and not judged.
LARGE = 5000  # Policies.
MEMORY = 256 << 20
# Runs the program, and appends to a file: its arguments, the calls of the cloud meanwhile, its peak of memory and times.
MEASURED = """#!/usr/bin/env python3
import json, os, subprocess, sys, time, urllib.request

def requests(method):
    request = urllib.request.Request(os.environ["EMBEDDED_CLOUD"] + "/_emulator/requests", method=method)
    return urllib.request.urlopen(request).read()

requests("DELETE")
began = time.monotonic()
child = subprocess.Popen(["PROGRAM", *sys.argv[1:]])
_, status, usage = os.wait4(child.pid, 0)
run = {"command": sys.argv[1:], "calls": json.loads(requests("GET"))["operations"], "bytes": usage.ru_maxrss << 10,
       "cpu": usage.ru_utime + usage.ru_stime, "seconds": time.monotonic() - began}
with open("RUNS", "a") as log:
    print(json.dumps(run), file=log)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def fast_folder():
    """A new folder in memory where there is room: thousands of files, each one synced, are no test of the disk."""
    memory = pathlib.Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return tempfile.TemporaryDirectory(dir=memory if has_room else None)


class EmbeddedDay:
    """The tools of the day are in its PATH: `bindery`, measured, and a `gcloud` that asks the embedded cloud."""

    def __init__(self, program, folder, seed, policies):
        self.program = program
        self.folder = folder
        self.policies = policies
        self.daemon = None
        self.cloud = EmbeddedCloud(str(program), str(folder), seed=seed)
        self.url = f"http://127.0.0.1:{self.cloud.port}"
        tools = folder / "bin"
        tools.mkdir()
        self.runs = folder / "runs"
        (tools / "bindery").write_text(MEASURED.replace("PROGRAM", str(program)).replace("RUNS", str(self.runs)))
        shutil.copy(HERE / "embedded_gcloud.py", tools / "gcloud")
        for tool in tools.iterdir():
            tool.chmod(0o755)
        self.environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), "EMBEDDED_CLOUD": self.url,
                            "BINDERY_CONFIG": str(folder / "bindery.yaml")}

    def shell(self, text, exits=(0,)):
        """Returns what `text` prints, and the runs of bindery in it."""
        self.runs.write_text("")
        done = subprocess.run(["bash", "-c", "set -euo pipefail\n" + text], cwd=self.folder, env=self.environment,
                              text=True, timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode not in exits:
            raise Failure(f"{text}\nexit code {done.returncode}\n{done.stdout[-4000:]}")
        runs = [json.loads(line) for line in self.runs.read_text().splitlines()]
        for run in runs:
            print(f"  bindery {' '.join(run['command'])}: {run['seconds']:.1f} s, {run['cpu']:.1f} s of CPU, "
                  f"{run['bytes'] >> 20} MiB; {run['calls']}", flush=True)
            self.check_run(run)
        return done.stdout, runs

    def check_run(self, run):
        if self.policies >= LARGE and run["command"][0] == "coverage" and run["bytes"] > MEMORY:
            raise Failure(f"{run['command']} took {run['bytes'] >> 20} MiB")
        writes = [name for name in run["calls"] if re.search(r"\.set|\.post$|\.delete$", name)]
        if writes and run["command"][0] != "reconcile":
            raise Failure(f"{run['command']} wrote to the cloud: {writes}")

    def answer(self, text, exits=(0,)):
        """What a command with -o json prints."""
        return json.loads(self.shell(text + " 2>/dev/null", exits)[0])

    def start_daemon(self):
        with (self.folder / "daemon.log").open("wb") as out:
            self.daemon = subprocess.Popen([self.program, "run"], cwd=self.folder, env=self.environment, stdout=out,
                                           stderr=out)
        self.wait_for("a first pass", lambda: "first pass done" in self.log())

    def log(self):
        log = self.folder / "daemon.log"
        return log.read_text(errors="replace") if log.exists() else ""

    def wait_for(self, what, true):
        deadline = time.monotonic() + PATIENCE
        while not (found := true()):
            if time.monotonic() > deadline or (self.daemon is not None and self.daemon.poll() is not None):
                raise Failure(f"no {what}:\n{self.log()[-4000:]}")
            time.sleep(0.1)
        return found

    def open_items(self):
        """The differences that the daemon knows, but for corrected ones."""
        told = subprocess.run([self.program, "drift", "-o", "json"], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, check=False)
        return [item for item in json.loads(told.stdout)["items"] if item["state"] != "corrected"]

    def holders(self, project, role):
        """Of a role, in the cloud."""
        policy = json.loads(self.cloud.call("POST", f"/v3/projects/{project}:getIamPolicy", "{}"))
        return [member for binding in policy["bindings"] if binding["role"] == role for member in binding["members"]]

    def manifests(self):
        return list((self.folder / "manifests").rglob("*.yaml"))

    def end(self):
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.terminate()
            self.daemon.wait(timeout=PATIENCE)
        self.cloud.stop()


def expect(what, found, wanted):
    if found != wanted:
        raise Failure(f"{what}: {found}, not {wanted}")


def total(calls, ending):
    """Of all operations with the ending."""
    return sum(count for name, count in calls.items() if name.endswith(ending))
