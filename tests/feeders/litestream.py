#!/usr/bin/env python3
"""Restores a store that litestream replicates: litestream.py PROGRAM LITESTREAM [--case NAME]... [--keep]

LITESTREAM is its program. In each case a daemon works on a store that litestream replicates, and the store comes back from the
replica in another way. Where the replica lacks writes the daemon must ask before it removes anything, and go on when an operator has
agreed. Where it lacks none nothing is asked. OlderStoreInItsPlace of the everyday tests plays these steps by sqlite3.
"""

import argparse
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from world import PARENT, ROLE, SETTLE, World

_PATIENCE = 60
# In seconds: what is written is replicated each second, and in the witness two seconds later.
_FOLLOWS = 4
_MANIFEST = """apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata: {{name: {name}}}
spec: {{name: {target}, role: {role}, members: [{members}]}}
"""
_GIVEN_UP = "t001"


class Case:
    """One daemon, its cloud, its store and the replica of that, in `folder`."""

    def __init__(self, program, litestream, folder):
        self.world = World(program, folder)
        self.store = folder + "/state/bindery.db"
        self.replica = folder + "/replica"
        self._litestream = litestream
        self._follower = None
        # So that the folder is never empty.
        self._declare("t000", ["stays"])
        self._declare(_GIVEN_UP, ["bob"])
        self.daemon = None

    def begin(self):
        self.start()
        self._await_members("bob")
        self.follow()
        self.world.eventually("there is a replica", lambda: os.path.isdir(self.replica), _PATIENCE)
        time.sleep(_FOLLOWS)

    def _declare(self, target, members):
        with open(f"{self.world.watched}/{target}.yaml", "w", encoding="utf-8") as file:
            file.write(_MANIFEST.format(name=target, target=PARENT + target, role=ROLE,
                                        members=", ".join(f'"user:{each}@example.com"' for each in members)))

    def _holds(self, member):
        return (_GIVEN_UP, f"user:{member}@example.com") in self.world.in_cloud()

    def _await_members(self, *members):
        self.world.eventually(f"{members} have access", lambda: all(map(self._holds, members)), _PATIENCE)

    def go_on(self):
        """More is declared and applied."""
        self._declare(_GIVEN_UP, ["bob", "dan"])
        self._await_members("bob", "dan")
        time.sleep(_FOLLOWS)

    def start(self):
        self.daemon = self.world.start_daemon()
        self.world.eventually("the daemon is ready", self.world.ready, _PATIENCE)

    def end(self, number):
        self.world.end(self.daemon, number)

    def follow(self):
        with open(self.world.folder + "/litestream.log", "ab") as log:
            self._follower = subprocess.Popen([self._litestream, "replicate", self.store, "file://" + self.replica],
                                              stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def end_follower(self, number):
        self._follower.send_signal(number)
        self._follower.wait(40)

    def keep_replica(self):
        """What restore() takes from here on: it does not have what comes after."""
        shutil.copytree(self.replica, self.replica + ".older")
        self.replica += ".older"

    def restore(self):
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.store + suffix):
                os.unlink(self.store + suffix)
        subprocess.run([self._litestream, "restore", "-o", self.store, "file://" + self.replica], check=True,
                       capture_output=True)

    def give_up(self):
        """Its manifest is deleted, before the daemon has looked at the folder with the store that came back."""
        os.unlink(f"{self.world.watched}/{_GIVEN_UP}.yaml")

    def expect_question(self):
        self.world.eventually("an operator is asked", lambda: "the store" in self.world.guard(), _PATIENCE)
        time.sleep(2 * SETTLE)
        if not (self._holds("bob") and self._holds("dan")):
            raise AssertionError("access was taken unasked")
        self.world.approve()
        self.world.eventually("the removal is carried out", lambda: not self._holds("bob"), _PATIENCE)

    def expect_no_question(self):
        self.world.eventually("the removal is carried out", lambda: not self._holds("bob"), _PATIENCE)

    def expect_private(self):
        if stat.S_IMODE(os.stat(self.store).st_mode) & stat.S_IRWXO:
            raise AssertionError("others may use the store")

    def stop(self):
        if self._follower and self._follower.poll() is None:
            self.end_follower(signal.SIGKILL)
        self.world.stop()


def older_after_a_crash(case):
    case.keep_replica()
    case.go_on()
    case.end(signal.SIGKILL)
    case.end_follower(signal.SIGKILL)
    case.restore()
    case.give_up()
    case.start()
    case.expect_private()
    case.expect_question()


def older_after_a_clean_end(case):
    """litestream has the store open when the daemon ends."""
    case.keep_replica()
    case.go_on()
    case.end(signal.SIGTERM)
    case.end_follower(signal.SIGTERM)
    case.restore()
    case.give_up()
    case.start()
    case.expect_question()


def older_under_the_running_daemon(case):
    case.keep_replica()
    case.go_on()
    case.end_follower(signal.SIGTERM)
    case.restore()
    case.give_up()
    case.expect_question()


def whole_after_a_crash(case):
    case.go_on()
    case.end(signal.SIGKILL)
    time.sleep(_FOLLOWS)
    case.end_follower(signal.SIGTERM)
    case.restore()
    case.give_up()
    case.start()
    case.expect_no_question()


def whole_after_a_clean_end(case):
    case.go_on()
    case.end(signal.SIGTERM)
    time.sleep(_FOLLOWS)
    case.end_follower(signal.SIGTERM)
    case.restore()
    case.give_up()
    case.start()
    case.expect_private()
    case.expect_no_question()


def never_restored(case):
    """litestream stays, the daemon is killed, ends, and starts again."""
    case.go_on()
    for number in (signal.SIGKILL, signal.SIGTERM):
        case.end(number)
        case.start()
    case.give_up()
    case.expect_no_question()


_CASES = {play.__name__: play for play in (older_after_a_crash, older_after_a_clean_end, older_under_the_running_daemon,
                                           whole_after_a_crash, whole_after_a_clean_end, never_restored)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("litestream")
    parser.add_argument("--case", action="append", choices=list(_CASES), help="these alone")
    parser.add_argument("--keep", action="store_true", help="keep the folders")
    options = parser.parse_args()
    failed = []
    for name in options.case or _CASES:
        folder = tempfile.mkdtemp(prefix=f"litestream-{name}-")
        case = Case(os.path.abspath(options.program), os.path.abspath(options.litestream), folder)
        try:
            case.begin()
            _CASES[name](case)
            print(f"{name}: passed", flush=True)
        except (AssertionError, OSError, RuntimeError, subprocess.SubprocessError) as failure:
            failed.append(name)
            print(f"{name}: FAILED: {failure}; its folder is {folder}", flush=True)
        finally:
            case.stop()
        if name not in failed and not options.keep:
            shutil.rmtree(folder)
    print(f"{len(options.case or _CASES) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
