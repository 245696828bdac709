"""A daemon over a cloud of its own, a folder that a tool fills, and an observer that looks at the cloud all the time."""

import http.client
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from embedded_cloud import PARENT, EmbeddedCloud  # noqa: E402, in the folder above

ROLE = "roles/viewer"
TARGETS = 60
# In seconds, of manifests.settle.
SETTLE = 3
_PER_FILE = 4
# Of comments in each file, so that a tool takes a while to bring the file.
_PADDING = 120_000

_CONFIG = """
manifests: {{directory: "{manifests}", rescanInterval: 1s, debounce: 100ms, settle: {settle}s}}
store: {{url: "sqlite:{home}/state/bindery.db"}}
server: {{listen: "127.0.0.1:0", socket: "{home}/state/bindery.sock"}}
reconcile: {{interval: 2s, confirmEmptied: 1s}}
guard: {{maxRemovedGrants: 100000, maxRemovedFraction: 1.0, holdSeverity: none}}
providers:
  cloudnative:
    type: cloudnative
    project: acme
    endpoints: {{networksecurity: "http://127.0.0.1:{cloud}"}}
    credentials: {{type: none}}
"""

_MANIFEST = """apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamMember
metadata: {{name: {name}}}
spec: {{name: {target}, role: {role}, member: "{member}"}}
"""


class Version:
    """One state of a folder. A version differs from another one in members, in files that moved to another folder, and in
    manifests that one of the versions does not have."""

    def __init__(self, number):
        choices = random.Random(number)
        self.files = {}
        self.grants = set()
        self._places = {}  # The file of each grant.
        for first in range(0, TARGETS, _PER_FILE):
            name = choices.choice(["", "team/", "team/deep/"]) + f"m{first:03}.yaml"
            self.files[name] = self._text(name, range(first, first + _PER_FILE), number, choices)

    def shared(self, other, in_place):
        """What both versions grant; `in_place`: in the same file."""
        return {grant for grant in self.grants & other.grants if not in_place or self._places[grant] == other._places[grant]}

    def _text(self, name, targets, number, choices):
        documents = []
        for target in targets:
            members = {"base": f"user:base-{target}@example.com"}
            if choices.random() < 0.7:
                members["also"] = f"user:v{number}-{target}@example.com"
            if choices.random() < 0.1:
                del members["base"]
            for use, member in members.items():
                documents.append(_MANIFEST.format(name=f"t{target:03}-{use}", target=f"{PARENT}t{target:03}", role=ROLE,
                                                  member=member))
                self.grants.add((f"t{target:03}", member))
                self._places[(f"t{target:03}", member)] = name
        padding = "".join(f"# {choices.random()}\n" for _ in range(_PADDING // 22))
        return padding + "---\n".join(documents)

    def write(self, folder):
        """The folder holds this version and nothing else."""
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


class Observer:
    """Looks at the cloud ten times a second. What both versions of a round declare must be there at each look."""

    def __init__(self, world):
        self._world = world
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._constant = set()
        self.faults = []
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def expect(self, constant):
        with self._lock:
            self._constant = set(constant)

    def _watch(self):
        while not self._ending.wait(0.1):
            with self._lock:
                try:
                    missing = self._constant - self._world.in_cloud()
                except (OSError, http.client.HTTPException) as failure:
                    self.faults.append(f"the cloud does not answer: {failure}")
                    return
                if missing:
                    self.faults.append(f"access was taken: {sorted(missing)[:3]} and {max(0, len(missing) - 3)} more")
                    self._constant -= missing

    def stop(self):
        self._ending.set()
        self._thread.join()


class World:
    """All of one tool's rounds, in `folder`. `watched` is what the daemon reads; a tool may make it."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.watched = folder + "/watched"
        self.source = folder + "/source"
        os.makedirs(folder + "/state", mode=0o700)
        os.makedirs(self.watched)
        self.cloud = EmbeddedCloud(program, folder, [f"t{number:03}" for number in range(TARGETS)])
        self._processes = [self.cloud.process]

    def start_daemon(self):
        path = self.folder + "/bindery.yaml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(_CONFIG.format(manifests=self.watched, home=self.folder, settle=SETTLE, cloud=self.cloud.port))
        os.chmod(path, 0o600)
        with open(self.folder + "/bindery.log", "ab") as log:
            daemon = subprocess.Popen([self.program, "run", "-c", path], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                      env={**os.environ, "XDG_STATE_HOME": self.folder + "/home"})
        self._processes.append(daemon)
        return daemon

    def end(self, process, number):
        """Sends a signal and waits for the end."""
        self._processes.remove(process)
        process.send_signal(number)
        process.wait(40)

    def eventually(self, what, is_so, patience):
        deadline = time.monotonic() + patience
        while not is_so():
            for process in self._processes:
                if process.poll() is not None:
                    raise RuntimeError(f"{process.args[1]} ended with {process.returncode}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"not within {patience} s: {what}")
            time.sleep(0.05)

    def in_cloud(self):
        """All (target, member) pairs, by the cloud's own account."""
        return {(name.removeprefix(PARENT), member) for name, members in self.cloud.members().items() for member in members}

    def guard(self, *words):
        """What `bindery guard` prints."""
        return subprocess.run([self.program, "guard", *words, "-c", self.folder + "/bindery.yaml"], capture_output=True,
                              text=True, check=False).stdout

    def approve(self):
        """An operator lets through what waits."""
        for digest in set(re.findall(r"guard approve ([0-9a-f]+)", self.guard())):
            self.guard("approve", digest)

    def told(self):
        """What the daemon says of its folder: the lines of /readyz?verbose that are not "ok"."""
        return [line for line in self._readiness("-s").stdout.splitlines() if line.startswith("[-]") or line.startswith("[+]removals ok: ")]

    def ready(self):
        return self._readiness("-sf").returncode == 0

    def _readiness(self, options):
        return subprocess.run(["curl", options, "--unix-socket", self.folder + "/state/bindery.sock",
                               "http://localhost/readyz?verbose"], capture_output=True, text=True, check=False)

    def stop(self):
        for process in reversed(self._processes):
            process.kill()
            process.wait()
