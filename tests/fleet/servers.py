"""PostgreSQL: a primary and a streaming standby, which change their roles."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import time

# Of Debian, unless the version to try is named.
PROGRAMS = os.environ.get("BINDERY_TEST_POSTGRES", "/usr/lib/postgresql/15/bin") + "/"
# The server refuses to run as root; its package makes this user.
_USER = "postgres"
_SETTINGS = """
listen_addresses = ''
max_connections = 100
fsync = off
wal_level = replica
max_wal_senders = 5
wal_keep_size = 256
hot_standby = on
wal_receiver_status_interval = 1
wal_retrieve_retry_interval = 500
"""

# Records beside the tables who began which write in which term: the database's own account of it.
_AUDIT = """
CREATE SCHEMA proof;
CREATE TABLE proof.terms (no BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, holder TEXT, epoch BIGINT, replica TEXT,
  at DOUBLE PRECISION);
INSERT INTO proof.terms (holder, epoch, replica, at)
  SELECT holder, epoch, '{replica}', extract(epoch FROM at) FROM lease_log ORDER BY no;
CREATE TABLE proof.intents (id BIGINT, target TEXT, etag TEXT, removed BIGINT, holder TEXT, epoch BIGINT, replica TEXT,
  outcome TEXT, at DOUBLE PRECISION, PRIMARY KEY (id, holder, epoch));
CREATE FUNCTION proof.note_term() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO proof.terms (holder, epoch, replica, at) VALUES
    (NEW.holder, NEW.epoch, current_setting('application_name'), extract(epoch FROM clock_timestamp()));
  RETURN NULL; END $$;
CREATE TRIGGER note_term AFTER UPDATE ON lease FOR EACH ROW
  WHEN (OLD.holder <> NEW.holder OR OLD.epoch <> NEW.epoch) EXECUTE FUNCTION proof.note_term();
CREATE FUNCTION proof.note_intent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO proof.intents SELECT NEW.id, n.name, NEW.etag_before, NEW.removed_declared, l.holder, l.epoch,
    current_setting('application_name'), '', extract(epoch FROM clock_timestamp())
    FROM lease l, target_keys k JOIN names n ON n.id = k.name WHERE k.id = NEW.target_id;
  RETURN NULL; END $$;
CREATE TRIGGER note_intent AFTER INSERT ON intents FOR EACH ROW EXECUTE FUNCTION proof.note_intent();
CREATE FUNCTION proof.note_outcome() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE proof.intents SET outcome = (SELECT text FROM words WHERE id = NEW.outcome)
    WHERE id = NEW.id AND at = (SELECT max(at) FROM proof.intents WHERE id = NEW.id);
  RETURN NULL; END $$;
CREATE TRIGGER note_outcome AFTER UPDATE OF outcome ON intents FOR EACH ROW EXECUTE FUNCTION proof.note_outcome();
"""

_RECORDS = {
    "terms": "SELECT holder, epoch, replica, at FROM proof.terms ORDER BY no",
    "intents": "SELECT id, target, etag, removed, holder, epoch, replica, outcome, at FROM proof.intents ORDER BY at",
    "log": "SELECT no, epoch, holder, why, extract(epoch FROM at) AS at FROM lease_log ORDER BY no",
    "revisions": "SELECT r.id, n.name AS target, w.text AS origin, r.etag, r.time FROM revisions r "
                 "JOIN target_keys k ON k.id = r.target_id JOIN names n ON n.id = k.name "
                 "JOIN words w ON w.id = r.origin ORDER BY r.id",
    "events": "SELECT e.id, e.time, w.text AS reason, coalesce(n.name, '') AS target FROM events e "
              "JOIN words w ON w.id = e.reason LEFT JOIN names n ON n.id = e.target ORDER BY e.id",
    "webhooks": "SELECT first, cursor FROM webhooks",
    "open": "SELECT id, started FROM intents WHERE finished_after IS NULL",
}


def installed():
    """Whether the programs are there, and a user that may run them."""
    try:
        return os.access(PROGRAMS + "initdb", os.X_OK) and (os.geteuid() != 0 or bool(pwd.getpwnam(_USER)))
    except KeyError:
        return False


class Server:
    """One server with its files in `folder`, reached over a UNIX socket there."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder + "/data"
        self.socket = folder + "/.s.PGSQL.5432"
        os.makedirs(folder)
        if os.geteuid() == 0:
            shutil.chown(folder, _USER, _USER)

    def program(self, *arguments, checked=True):
        user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam(_USER)
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        with open(self.folder + ".out", "ab") as out:
            done = subprocess.run([PROGRAMS + arguments[0], *arguments[1:]], cwd="/", stdout=out, stderr=out,
                                  stdin=subprocess.DEVNULL, check=False, **user)
        if checked and done.returncode != 0:
            raise RuntimeError(f"{arguments[0]} failed, see {self.folder}.out and {self.folder}/log")

    def make(self):
        self.program("initdb", "-D", self.data, "-U", "bindery", "-A", "trust", "-E", "UTF8", "--locale=C",
                     "--no-sync")
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as config:
            config.write(_SETTINGS + f"unix_socket_directories = '{self.folder}'\n")

    def copy_of(self, primary):
        """Becomes a standby of it."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.program("pg_basebackup", "-h", primary.folder, "-U", "bindery", "-D", self.data, "-R", "-X", "stream",
                     "-c", "fast", "--no-sync")
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as config:
            config.write(f"unix_socket_directories = '{self.folder}'\n")
        # Nobody stands by when it takes over. A newer pg_basebackup writes what an older server does not know.
        with open(self.data + "/postgresql.auto.conf", "a", encoding="utf-8") as config:
            config.write(f"synchronous_standby_names = ''\nprimary_conninfo = 'host={primary.folder} user=bindery'\n")
        self.start()

    def start(self, *options):
        self.program("pg_ctl", "-D", self.data, "-w", "-s", "-l", self.folder + "/log", *options, "start")

    def stop(self, mode):
        self.program("pg_ctl", "-D", self.data, "-w", "-s", "-m", mode, "stop")

    def process(self):
        with open(self.data + "/postmaster.pid", encoding="utf-8") as file:
            return int(file.readline())

    def receiver(self):
        """The process that takes what the primary sends; None while there is none."""
        with open(f"/proc/{self.process()}/task/{self.process()}/children", encoding="utf-8") as file:
            children = file.read().split()
        for child in children:
            try:
                with open(f"/proc/{child}/cmdline", "rb") as file:
                    if b"walreceiver" in file.read():
                        return int(child)
            except OSError:
                continue
        return None

    def kill(self):
        """As when the machine dies: with all its processes."""
        first = self.process()
        with open(f"/proc/{first}/task/{first}/children", encoding="utf-8") as file:
            processes = [first, *map(int, file.read().split())]
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        while os.path.exists(f"/proc/{first}"):
            time.sleep(0.01)
        os.unlink(self.data + "/postmaster.pid")

    def ask(self, sql, database="bindery", host=None):
        done = subprocess.run([PROGRAMS + "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h",
                               host or self.folder, "-U", "bindery", "-d", database, "-c", sql],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def records(self, host=None):
        """What the checker reads."""
        return {name: json.loads(self.ask(f"SELECT coalesce(json_agg(t), '[]') FROM ({sql}) t", host=host))
                for name, sql in _RECORDS.items()}


class Pair:
    """A primary and a standby of it. `listeners` are told which server takes connections."""

    def __init__(self, folder):
        self.primary = Server(folder + "/a")
        self.standby = Server(folder + "/b")
        self.servers = [self.primary, self.standby]
        self.listeners = []  # (server, proxy)
        self.lost = []       # Records of primaries whose last transactions no standby had.
        self.primary.make()
        self.primary.start()
        self.primary.ask("CREATE DATABASE bindery", database="postgres")
        self.standby.copy_of(self.primary)
        self.replicate(surely=True)

    def audit(self, replica):
        """Once the tables are there; before the first write to the cloud."""
        self.primary.ask(_AUDIT.replace("{replica}", replica))

    def listen(self, server):
        for its, proxy in self.listeners:
            if its is server:
                proxy.listen()

    def refuse(self, server):
        for its, proxy in self.listeners:
            if its is server:
                proxy.refuse()

    def replicate(self, surely):
        """Whether a commit waits for the standby."""
        self.primary.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{'*' if surely else ''}'")
        self.primary.ask("SELECT pg_reload_conf()")
        deadline = time.time() + 60
        while surely and self.primary.ask(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1":
            if time.time() > deadline:
                raise RuntimeError(f"no standby follows, see {self.standby.folder}/log")
            time.sleep(0.05)

    def restart(self, mode, pause):
        self.refuse(self.primary)
        self.primary.stop(mode)
        time.sleep(pause)
        self.primary.start()
        self.listen(self.primary)

    def stop_receiving(self):
        """From here on the standby does not have what is committed."""
        self.replicate(surely=False)
        os.kill(self.standby.receiver(), signal.SIGSTOP)

    def fail_over(self, losing):
        """Kills the primary; the standby takes its place. rejoin() makes the pair whole."""
        old, new = self.primary, self.standby
        receiver = new.receiver() if losing else None
        self.refuse(old)
        old.kill()
        if receiver:
            # The standby starts anew, with what it has on disk.
            os.kill(receiver, signal.SIGKILL)
        self.primary, self.standby = new, old
        deadline = time.time() + 20
        while not self._promoted():
            if time.time() > deadline:
                raise RuntimeError(f"no promotion, see {new.folder}/log")
            time.sleep(0.05)

    def _promoted(self):
        """One request may be lost while the standby starts anew."""
        try:
            return self.primary.ask(
                "SELECT CASE WHEN pg_is_in_recovery() THEN pg_promote(true, 2) ELSE true END") == "t"
        except RuntimeError:
            return False

    def rejoin(self, losing):
        """The server that died becomes a standby; what only it knew is kept for the checker."""
        old = self.standby
        if losing:
            private = old.folder + "/private"
            os.makedirs(private, exist_ok=True)
            if os.geteuid() == 0:
                shutil.chown(private, _USER, _USER)
            old.start("-o", f"-c unix_socket_directories={private}")
            self.lost.append(old.records(host=private))
            old.stop("fast")
        old.copy_of(self.primary)
        self.listen(old)
        self.replicate(surely=True)

    def stop(self):
        for server in self.servers:
            try:
                server.stop("immediate")
            except RuntimeError:
                pass
