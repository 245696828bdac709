#!/usr/bin/env python3
"""Upgrades from released versions: upgrade.py PROGRAM [--previous PROGRAM] [--keep VERSION]

A store that another version made is opened by PROGRAM, with the same cloud and manifests: nothing may be written or asked because
of the upgrade, and what the other version recorded must be there. Such stores are those in `stores/`, which releases left behind,
and a store that the program of --previous makes here; unless given, PROGRAM is its own predecessor. --keep puts the store of
--previous into `stores/VERSION`.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "support"))
from embedded_cloud import PARENT, EmbeddedCloud  # noqa: E402, in the folder above

_PATIENCE = 60
_ROLE = "roles/viewer"
_MOST_REMOVALS = 3
_CONFIG = """
manifests: {{directory: manifests, rescanInterval: 1s, debounce: 50ms, settle: 0s}}
store: {{url: "sqlite:state/bindery.db"}}
server: {{listen: "127.0.0.1:0", socket: state/bindery.sock}}
reconcile: {{interval: 1s, confirmEmptied: 0s}}
guard: {{maxRemovedGrants: {removals}, maxRemovedFraction: 1.0}}
providers:
  cloudnative:
    type: cloudnative
    project: acme
    endpoints: {{networksecurity: "http://127.0.0.1:{cloud}"}}
    credentials: {{type: none}}
"""
_MANIFEST = """apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata: {{name: {name}}}
spec: {{name: {target}, role: {role}, members: {members}}}
options: {{mode: {mode}}}
"""
# What the story declares, and in which mode.
_NAMES = {"kept": "enforce", "edited": "enforce", "leaving": "enforce", "asleep": "enforce", "differing": "observe"}


def people(*names):
    return [f"user:{name}@example.com" for name in names]


class World:
    """A cloud, a folder of manifests and a store, which programs of several versions use one after the other."""

    def __init__(self, folder, program, seed=None):
        self.folder = pathlib.Path(folder)
        (self.folder / "state").mkdir(mode=0o700)
        (self.folder / "manifests").mkdir(exist_ok=True)
        # The cloud must not change with the versions.
        self.cloud = EmbeddedCloud(program, folder, _NAMES, seed)
        config = _CONFIG.format(cloud=self.cloud.port, removals=_MOST_REMOVALS)
        (self.folder / "bindery.yaml").write_text(config, encoding="utf-8")
        self._daemon = None
        self._program = program

    def declare(self, name, *members):
        text = _MANIFEST.format(name=name, target=PARENT + name, role=_ROLE, mode=_NAMES[name],
                                members=json.dumps(people(*members)))
        new = self.folder / "manifests" / (name + ".new")
        new.write_text(text, encoding="utf-8")
        new.rename(self.folder / "manifests" / (name + ".yaml"))

    def use(self, program):
        self._program = program

    def start(self, program):
        self.use(program)
        with open(self.folder / "bindery.log", "ab") as log:
            self._daemon = subprocess.Popen([program, "run", "-c", self.folder / "bindery.yaml"], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        self.eventually("the daemon is ready", lambda: self.say("health").returncode == 0)

    def end(self):
        self._daemon.send_signal(signal.SIGTERM)
        self._daemon.wait(40)

    def say(self, *words):
        """What a command says."""
        return subprocess.run([self._program, *words, "-c", self.folder / "bindery.yaml"], text=True, capture_output=True,
                              check=False)

    def told(self, *words):
        """The JSON that a command prints."""
        said = self.say(*words, "-o", "json")
        try:
            return json.loads(said.stdout)
        except ValueError:
            raise AssertionError(f"{words}: {said.stdout}{said.stderr}") from None

    def members(self, name):
        return self.cloud.members().get(PARENT + name, [])

    def meddle(self, name, *members):
        policy = {"policy": {"version": 3, "bindings": [{"role": _ROLE, "members": people(*members)}]}}
        self.cloud.call("POST", f"/v1/{PARENT}{name}:setIamPolicy", json.dumps(policy))

    def eventually(self, what, is_so):
        deadline = time.monotonic() + _PATIENCE
        while not is_so():
            if self._daemon.poll() is not None:
                raise RuntimeError(f"the daemon ended with {self._daemon.returncode}")
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {_PATIENCE} s: {what}")
            time.sleep(0.1)

    def record(self):
        """What must outlive an upgrade."""
        return {
            "revisions": [[each["id"], each["policy"]] for each in self.told("history", "edited")["revisions"]],
            "events": [[each["id"], each["reason"], each["message"]] for each in reversed(self.told("events")["events"])],
            "holds": sorted(each["digest"] for each in self.told("guard")["holds"]),
            "drift": sorted([each["target"], each["firstSeen"], json.dumps(each["grant"])]
                            for each in self.told("drift")["items"]),
            "states": {each["name"]: [each["status"]["state"], each["status"]["reason"]]
                       for each in self.told("get")["resources"]},
        }

    def stop(self):
        if self._daemon and self._daemon.poll() is None:
            self._daemon.kill()
            self._daemon.wait()
        self.cloud.stop()


def play_story(world, program):
    """What a version leaves behind: an edit, a foreign change, a suspended resource, and removals that wait for approval."""
    many = [f"person{number}" for number in range(2 * _MOST_REMOVALS)]
    world.declare("kept", "ana")
    world.declare("edited", "bob")
    world.declare("leaving", "eve", *many)
    world.declare("asleep", "fay")
    world.declare("differing", "gus")
    world.meddle("differing", "mallory")
    world.start(program)
    world.eventually("everything is applied", lambda: world.members("leaving") == sorted(people("eve", *many)) and all(
        world.members(name) for name in ("kept", "edited", "asleep")))
    if world.say("suspend", "asleep").returncode != 0:
        raise AssertionError("a resource cannot be suspended")
    world.declare("edited", "bob", "dan")
    world.eventually("an edit is applied", lambda: world.members("edited") == people("bob", "dan"))
    world.declare("leaving", "eve")
    world.eventually("removals wait", lambda: len(world.told("guard")["holds"]) == 1)
    world.eventually("a difference is on record", lambda: world.told("drift")["items"])
    record = world.record()
    world.end()
    return record


def check_upgrade(world, program, before):
    """The program goes on with what is on record."""
    members = world.cloud.members()
    world.cloud.calls()
    world.use(program)
    checked = world.say("store", "check")
    expect(checked.returncode == 0, checked.stdout + checked.stderr)
    world.start(program)
    looked = {}

    def all_were_read():
        for name, count in world.cloud.calls().items():
            looked[name] = looked.get(name, 0) + count
        return looked.get("getIamPolicy", sum(looked.values())) >= 3 * len(_NAMES)

    world.eventually("every target is read again", all_were_read)
    expect(not [name for name in looked if "set" in name.lower()], looked)
    expect(world.cloud.members() == members, "an upgrade changed access")
    after = world.record()
    for part in ("holds", "drift", "states", "revisions"):
        expect(after[part] == before[part], f"{part}:\n{before[part]}\n{after[part]}")
    expect(after["events"][:len(before["events"])] == before["events"], "events are lost")
    go_on(world, after)


def go_on(world, record):
    """What waited is carried out, and an old policy is written back."""
    said = world.say("guard", "approve", record["holds"][0])
    expect(said.returncode == 0, said.stderr)
    world.eventually("the removals are carried out", lambda: world.members("leaving") == people("eve"))
    expect(world.say("resume", "asleep").returncode == 0, "a resource cannot be resumed")
    policies = [(number, json.dumps(policy)) for number, policy in record["revisions"]]
    first = next(number for number, policy in policies if "bob" in policy and "dan" not in policy)
    said = world.say("rollback", "edited", str(first), "--yes")
    expect(said.returncode == 0, said.stdout + said.stderr)
    world.eventually("the policy of before is written back", lambda: world.members("edited") == people("bob"))
    world.end()


def expect(is_so, what):
    if not is_so:
        raise AssertionError(str(what))


def keep(world, record, version):
    """Writes what check_kept() takes: everything is text."""
    kept = HERE / "stores" / version
    kept.mkdir(parents=True)
    shutil.copytree(world.folder / "manifests", kept / "manifests")
    (kept / "cloud.yaml").write_bytes(world.cloud.call("GET", "/_emulator/seed"))
    (kept / "record.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    store = sqlite3.connect(world.folder / "state/bindery.db")
    lines = [f"PRAGMA {name} = {store.execute('PRAGMA ' + name).fetchone()[0]};" for name in ("application_id", "user_version")]
    (kept / "store.sql").write_text("\n".join([*lines, *store.iterdump()]) + "\n", encoding="utf-8")
    store.close()


def check_kept(kept, program, folder):
    """From what a release left behind."""
    shutil.copytree(kept / "manifests", pathlib.Path(folder) / "manifests")
    world = World(folder, program, (kept / "cloud.yaml").read_text(encoding="utf-8"))
    try:
        store = sqlite3.connect(world.folder / "state/bindery.db")
        store.executescript((kept / "store.sql").read_text(encoding="utf-8"))
        store.close()
        check_upgrade(world, program, json.loads((kept / "record.json").read_text(encoding="utf-8")))
    finally:
        world.stop()


def check_made(previous, program, folder, version):
    """From what the program before makes here."""
    world = World(folder, program)
    try:
        record = play_story(world, previous)
        if version:
            keep(world, record, version)
        check_upgrade(world, program, record)
    finally:
        world.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--previous", help="the program of the version before")
    parser.add_argument("--keep", metavar="VERSION", help="keep the store of the version before")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="bindery-upgrade-") as folder:
        made = f"{folder}/made"
        os.mkdir(made)
        check_made(os.path.abspath(options.previous or program), program, made, options.keep)
        print(f"from {options.previous or 'itself'}: passed", flush=True)
        for kept in sorted((HERE / "stores").glob("*/store.sql")):
            place = f"{folder}/{kept.parent.name}"
            os.mkdir(place)
            check_kept(kept.parent, program, place)
            print(f"from the store of {kept.parent.name}: passed", flush=True)


if __name__ == "__main__":
    main()
