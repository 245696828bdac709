"""Three replicas, a cloud that outlives them, manifests that somebody edits, and somebody else who changes policies."""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from proxies import CloudLog, CloudProxy, DatabaseProxy, Loop, WebhookReceiver
from servers import Pair

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from embedded_cloud import PARENT, EmbeddedCloud  # noqa: E402, in the folder above

ROLE = "roles/viewer"
# How many removals the guard lets pass in its window, and its seconds.
MOST_REMOVALS = 150
WINDOW = 60
_PER_FILE = 20
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

# As on machines of their own, the directory of each replica has the same name.
_CONFIG = """
manifests: {{directory: /proc/self/cwd/manifests, rescanInterval: 1s, debounce: 100ms, settle: 0s}}
store: {{url: "postgresql:///bindery?user=bindery&host={hosts}&application_name={name}"}}
server: {{listen: "127.0.0.1:0", socket: {name}.sock}}
reconcile: {{interval: {interval}s, confirmEmptied: 1s, fullReadEvery: 2, concurrency: 4{share}}}
guard: {{maxRemovedGrants: {most}, maxRemovedFraction: 1.0, window: {window}s, holdSeverity: none}}
transport: {{connectTimeout: 2s, timeout: 4s}}
providers:
  cloudnative:
    type: cloudnative
    project: acme
    endpoints: {{networksecurity: "http://127.0.0.1:{cloud}"}}
    credentials: {{type: none}}
notifications:
  webhooks:
    receiver: {{url: "http://127.0.0.1:{receiver}/", rateLimit: {{perMinute: 600, burst: 50}}, repeatInterval: 0s}}
"""

_MANIFEST = """apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata: {{name: {name}}}
spec: {{name: {target}, role: {role}, members: [{members}]}}
"""


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=5)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(5)
        self.sock.connect(self._path)


class Manifests:
    """What somebody wants. The version of a target only grows; the member `base` may be given up for a while. For
    several threads."""

    def __init__(self, folder, targets):
        self.folder = folder
        self._names = [f"t{number:04}" for number in range(targets)]
        self._versions = {name: 1 for name in self._names}
        self._additions = {name: 0 for name in self._names}
        self._without_base = set()
        self._lock = threading.RLock()
        os.makedirs(folder)
        for name in self._names[::_PER_FILE]:
            self._write(name)

    def members(self, name):
        base = [] if name in self._without_base else [f"user:base-{name}@example.com"]
        added = [f"user:added-{number}@example.com" for number in range(self._additions[name])]
        return sorted([*base, *added, f"user:v{self._versions[name]}@example.com"])

    def wanted(self):
        return {PARENT + name: self.members(name) for name in self._names}

    def bump(self, name):
        with self._lock:
            self._versions[name] += 1
            self._write(name)

    def extend(self, names):
        """One member more for each."""
        with self._lock:
            for name in names:
                self._additions[name] += 1
            self._write_all()

    def drop_base(self, count):
        with self._lock:
            self._without_base = set(self._names[:count])
            self._write_all()

    def restore_base(self):
        with self._lock:
            self._without_base = set()
            self._write_all()

    def copy_to(self, folder):
        with self._lock:
            shutil.copytree(self.folder, folder)

    def _write_all(self):
        for name in self._names[::_PER_FILE]:
            self._write(name)

    def _write(self, name):
        number = self._names.index(name) // _PER_FILE
        texts = [_MANIFEST.format(name=each, target=PARENT + each, role=ROLE,
                                  members=", ".join(f'"{member}"' for member in self.members(each)))
                 for each in self._names[number * _PER_FILE:(number + 1) * _PER_FILE]]
        _replace(os.path.join(self.folder, f"m{number:03}.yaml"), "---\n".join(texts))


def _replace(path, text):
    """Whole or not at all; nothing where it says the same."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    beside = os.path.dirname(path) + ".next"
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(beside, path)


class Replica:
    """One daemon behind proxies of its own, so that the logs tell who asked."""

    def __init__(self, world, name):
        self.name = name
        self.program = world.previous
        self._world = world
        self._clock = f"{world.folder}/{name}.clock"
        self._copies = 0
        self._process = None
        self._home = f"{world.folder}/home-{name}"
        os.makedirs(self._home)
        os.symlink(world.manifests.folder, self._home + "/manifests")
        self._signals = set()
        self.cloud = CloudProxy(world.loop, name, world.cloud.port, world.log)
        self.databases = []
        for letter, server in zip("ab", world.pair.servers):
            proxy = DatabaseProxy(world.loop, f"{world.folder}/{name}-{letter}", server.socket)
            world.pair.listeners.append((server, proxy))
            proxy.listen()
            self.databases.append(proxy)
        self.config = f"{world.folder}/{name}.yaml"
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(_CONFIG.format(
                name=name, interval=world.interval, hosts=",".join(proxy.folder for proxy in self.databases),
                cloud=self.cloud.port, receiver=world.receiver.port, most=MOST_REMOVALS, window=WINDOW,
                share=", shareChecks: true" if world.share else ""))
        os.chmod(self.config, 0o600)

    def start(self, own_clock=False):
        """`own_clock`: set_clock() sets what it takes for the time of day. No other clock, no file's time moves."""
        plain = {**os.environ, "XDG_STATE_HOME": self._home}
        environment = {**plain, "LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": self._clock,
                       "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
        with open(f"{self._world.folder}/{self.name}.log", "ab") as log:
            self._process = subprocess.Popen([self.program, "run", "-c", self.config], stdout=log, stderr=log,
                                             stdin=subprocess.DEVNULL, cwd=self._home,
                                             env=environment if own_clock else plain)
        self._signals = set()

    def set_clock(self, ahead):
        """By so many seconds; behind if negative. A process that runs notices within a second."""
        with open(self._clock + ".next", "w", encoding="utf-8") as clock:
            clock.write(f"{ahead:+d}\n")
        os.replace(self._clock + ".next", self._clock)

    def running(self):
        """Also when it stands still."""
        return self._process is not None and self._process.poll() is None

    def signal(self, number):
        self._signals.add(number)
        self._process.send_signal(number)

    def end(self, number):
        """Sends a signal and waits for the end; False when it does not end in time."""
        self.signal(number)
        try:
            self._process.wait(40)
        except subprocess.TimeoutExpired:
            return False
        return True

    def failure(self):
        """How it ended although nobody asked for it; empty: it did not."""
        if self._process is None or self._process.poll() is None:
            return ""
        if signal.SIGKILL in self._signals or (signal.SIGTERM in self._signals and self._process.returncode == 0):
            return ""
        return f"replica {self.name} ended with {self._process.returncode}"

    def ask(self, path, method="GET", body=None):
        """The text of an answer; empty when there is none, or it is one of a server that cannot."""
        try:
            connection = _SocketConnection(f"{self._world.folder}/{self.name}.sock")
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            return text if answer.status < 500 else ""
        except (OSError, http.client.HTTPException):
            return ""

    def is_up(self):
        """Ready, or at work: with an older directory it is not ready."""
        return self.running() and (self.ask("/readyz") != "" or self.at_work())

    def at_work(self):
        return self.running() and "\nbindery_store_held 1\n" in self.ask("/metrics")

    def catch_up(self):
        """Its directory, a copy, becomes as the others', as git-sync does it: by moving a link."""
        self._copies += 1
        copy = f"{self._home}/copy-{self._copies}"
        self._world.manifests.copy_to(copy)
        os.symlink(copy, self._home + "/next")
        os.replace(self._home + "/next", self._home + "/manifests")
        shutil.rmtree(f"{self._home}/copy-{self._copies - 2}", ignore_errors=True)

    def approve_held(self):
        """As somebody who has looked at what the guard holds."""
        for hold in json.loads(self.ask("/api/v1/guard") or "{}").get("holds", []):
            self.ask("/api/v1/guard/approve", "POST", json.dumps({"digest": hold["digest"]}))

    def cut_database(self, mode):
        for proxy in self.databases:
            proxy.gate.cut(mode)

    def heal(self):
        for proxy in self.databases:
            proxy.gate.open()
        self.cloud.gate.open()


class Load:
    """Edits of manifests and changes in the cloud, while it runs."""

    def __init__(self, world, seed):
        self._ending = threading.Event()
        self._failures = []
        editor = random.Random(f"{seed} editor")
        foreign = random.Random(f"{seed} foreign")
        self._threads = [threading.Thread(target=self._repeat, args=(1.5, lambda: world.edit(editor))),
                         threading.Thread(target=self._repeat, args=(1.0, lambda: world.meddle(foreign)))]
        for thread in self._threads:
            thread.start()

    def _repeat(self, pause, act):
        try:
            while not self._ending.wait(pause):
                act()
        except Exception as failure:  # Told by the thread that ends the load.
            self._failures.append(failure)

    def stop(self):
        self._ending.set()
        for thread in self._threads:
            thread.join()
        for failure in self._failures:
            raise failure


class World:
    """All of it, in `folder`."""

    def __init__(self, program, previous, folder, targets, share):
        self.program = program
        self.share = share  # Replicas that stand by read for the one at work.
        self.previous = previous  # What the replicas run at first.
        self.folder = folder
        self.loop = Loop()
        self.log = CloudLog()
        self.receiver = WebhookReceiver(self.loop)
        self.names = [f"t{number:04}" for number in range(targets)]
        # Seconds between two reads of a target: so that the proxies keep up.
        self.interval = max(5, targets // 100)
        self.manifests = Manifests(folder + "/manifests", targets)
        self.replicas = []
        self.cloud = EmbeddedCloud(program, folder, self.names)
        self.pair = Pair(folder + "/pg")
        self._foreign = CloudProxy(self.loop, "foreign", self.cloud.port, self.log)
        self.replicas = [Replica(self, name) for name in ("first", "second", "third")]
        self.replicas[-1].catch_up()
        self.meddled = []  # The names of targets that somebody else changed: one for each change.

    def start(self):
        """The first replica makes the tables; nothing reaches the cloud before they are watched."""
        # So slow that a fault finds calls under way.
        self.cloud.call("PUT", "/_emulator/faults", '[{"operation": "*.setIamPolicy", "delay": "20ms"}]')
        first = self.replicas[0]
        first.cloud.gate.cut("reset")
        first.start()
        self.eventually("the first is at work", first.at_work, 60)
        self.pair.audit(first.name)
        first.heal()
        for other in self.replicas[1:]:
            other.start()

    def holder(self):
        """The replica at work, as the replicas say; None while that is not one."""
        holders = [replica for replica in self.replicas if replica.at_work()]
        return holders[0] if len(holders) == 1 else None

    def eventually(self, what, is_so, patience, pause=0.05):
        deadline = time.time() + patience
        while not is_so():
            for replica in self.replicas:
                if replica.failure():
                    raise RuntimeError(replica.failure())
            if time.time() > deadline:
                raise TimeoutError("never: " + what)
            time.sleep(pause)

    def _foreign_call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self._foreign.port, timeout=10)
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return json.loads(text) if answer.status == 200 else {}

    def edit(self, choices):
        self.manifests.bump(choices.choice(self.names))

    def meddle(self, choices):
        """Somebody else reads a policy, changes it and writes it back, unless it has moved meanwhile."""
        name = choices.choice(self.names)
        policy = self._foreign_call("GET", f"/v1/{PARENT}{name}:getIamPolicy?options.requestedPolicyVersion=3")
        members = [member for each in policy.get("bindings", []) for member in each["members"]]
        if not members:
            return
        self.meddled.append(name)
        if choices.random() < 0.5:
            members.remove(choices.choice(members))
        members.append(f"user:eve-{len(self.meddled)}@example.com")
        body = {"policy": {"version": 3, "etag": policy["etag"], "bindings": [{"role": ROLE, "members": members}]}}
        self._foreign_call("POST", f"/v1/{PARENT}{name}:setIamPolicy", json.dumps(body))

    def in_cloud(self):
        """The members of each target, by the emulator's own account."""
        return self.cloud.members()

    def replicas_report(self):
        done = subprocess.run([self.program, "replicas", "-c", self.replicas[0].config, "-o", "json"],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["replicas"]

    def stop(self):
        for replica in self.replicas:
            if replica.running():
                replica.signal(signal.SIGCONT)
                replica.end(signal.SIGKILL)
        self.cloud.stop()
        self.pair.stop()
        self.loop.stop()
