#!/usr/bin/env python3
"""A daemon whose database is behind pgpool-II, which balances reads over a standby that is behind: balancer_test.py PROGRAM.

The standby stops replaying, the daemon records new manifests, and starts again. What it then does must not come from the
standby: 77 without PostgreSQL or pgpool-II (Debian's packages postgresql-15 and pgpool2).
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import servers
import world
from world import EmbeddedCloud

_PGPOOL = "/usr/sbin/pgpool"
_SKIPPED = 77
_PORT = 9999
_TARGETS = 3
_INTERVAL = 5
_POOLER = """
backend_clustering_mode = 'streaming_replication'
listen_addresses = ''
port = {port}
socket_dir = '{folder}'
pcp_socket_dir = '{folder}'
pcp_port = {pcp}
backend_hostname0 = '{primary}'
backend_port0 = 5432
backend_weight0 = 0
backend_hostname1 = '{standby}'
backend_port1 = 5432
backend_weight1 = 1
load_balance_mode = on
sr_check_period = 1
sr_check_user = 'bindery'
sr_check_database = 'postgres'
num_init_children = 40
max_pool = 1
pid_file_name = '{folder}/pid'
logdir = '{folder}'
enable_pool_hba = off
pool_passwd = ''
"""
_CONFIG = """
manifests: {{directory: {folder}/manifests, rescanInterval: 1s, debounce: 100ms, settle: 0s}}
store: {{url: "postgresql:///bindery?user=bindery&host={pooler}&port={port}"}}
server: {{listen: "127.0.0.1:0", socket: {folder}/daemon.sock}}
reconcile: {{interval: {interval}s, confirmEmptied: 1s}}
providers:
  cloudnative:
    type: cloudnative
    project: acme
    endpoints: {{networksecurity: "http://127.0.0.1:{cloud}"}}
    credentials: {{type: none}}
"""


def _eventually(what, holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"in {seconds} s not so: {what}")
        time.sleep(0.1)


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Balanced:
    """A primary, a standby that can stand still, the pooler, a cloud and what a daemon needs, in `folder`."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self._processes = []
        self.primary = servers.Server(folder + "/primary")
        self.primary.make()
        self.primary.start()
        self.primary.program("createdb", "-h", self.primary.folder, "-U", "bindery", "bindery")
        self.standby = servers.Server(folder + "/standby")
        self.standby.copy_of(self.primary)
        self._start_pooler()
        self.manifests = world.Manifests(folder + "/manifests", _TARGETS)
        self.cloud = EmbeddedCloud(program, folder, [f"t{number:04}" for number in range(_TARGETS)])
        self._processes.append(self.cloud.process)
        self.config = folder + "/daemon.yaml"
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(_CONFIG.format(folder=folder, pooler=folder + "/pooler", port=_PORT, interval=_INTERVAL,
                                      cloud=self.cloud.port))
        os.chmod(self.config, 0o600)

    def _start_pooler(self):
        folder = self.folder + "/pooler"
        os.makedirs(folder)
        user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            shutil.chown(folder, "postgres", "postgres")
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        with open(folder + "/pgpool.conf", "w", encoding="utf-8") as file:
            file.write(_POOLER.format(port=_PORT, pcp=_free_port(), folder=folder, primary=self.primary.folder, standby=self.standby.folder))
        with open(self.folder + "/pooler.log", "wb") as log:
            self._processes.append(subprocess.Popen(
                [_PGPOOL, "-n", "-f", folder + "/pgpool.conf", "-a", "/dev/null", "-F", "/dev/null"], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, cwd="/", **user))
        _eventually("the pooler reads from the standby",
                    lambda: self._through_pooler("SELECT current_setting('transaction_read_only')") == "on", 20)

    def _through_pooler(self, sql):
        done = subprocess.run([servers.PROGRAMS + "psql", "-X", "-A", "-t", "-q", "-h", self.folder + "/pooler", "-p",
                               str(_PORT), "-U", "bindery", "-d", "bindery", "-c", sql], capture_output=True, text=True,
                              check=False)
        return done.stdout.strip()

    def start(self):
        with open(self.folder + "/daemon.log", "ab") as log:
            daemon = subprocess.Popen([self.program, "run", "-c", self.config], stdout=log, stderr=log,
                                      stdin=subprocess.DEVNULL)
        self._processes.append(daemon)
        return daemon

    def bindery(self, *words):
        done = subprocess.run([self.program, *words, "-c", self.config], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
        return done.stdout + done.stderr

    def count(self, table, server=None):
        return int((server or self.primary).ask(f"SELECT count(*) FROM {table}"))

    def end(self):
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        for server in (self.standby, self.primary):
            server.stop("immediate")


def _try(program, folder):
    balanced = Balanced(program, folder)
    try:
        assert "pgpool-II" in balanced.bindery("check"), "check names the pooler"
        daemon = balanced.start()
        _eventually("the manifests are in force", lambda: balanced.primary.ask(
            "SELECT to_regclass('intents')") != "" and balanced.count("intents") == _TARGETS)
        _eventually("the standby has them", lambda: balanced.count("intents", balanced.standby) == _TARGETS)
        balanced.standby.ask("SELECT pg_wal_replay_pause()")
        balanced.manifests.bump("t0000")
        _eventually("the change is recorded", lambda: balanced.count("intents") == _TARGETS + 1)
        daemon.terminate()
        daemon.wait(30)
        balanced.start()
        # What it does now follows from what it read at the start: had the standby told it, it would repeat the change.
        balanced.manifests.bump("t0001")
        _eventually("the next change is recorded", lambda: balanced.count("intents") >= _TARGETS + 2)
        time.sleep(_INTERVAL + 1)
        assert balanced.count("intents") == _TARGETS + 2, "a change was repeated"
        assert balanced.count("intents", balanced.standby) == _TARGETS, "the standby was not behind"
    finally:
        balanced.end()


def main():
    if not servers.installed() or not os.access(_PGPOOL, os.X_OK):
        print("skipped: there is no PostgreSQL or no pgpool-II")
        return _SKIPPED
    folder = tempfile.mkdtemp(prefix="bindery-balancer-")
    os.chmod(folder, 0o755)
    try:
        _try(os.path.abspath(sys.argv[1]), folder)
    except (AssertionError, RuntimeError):
        subprocess.run(["tail", "-n", "20", folder + "/daemon.log", folder + "/pooler.log"], check=False)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
