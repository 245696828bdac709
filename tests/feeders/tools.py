"""The tools that bring manifests into a folder, each by its own commands."""

import filecmp
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess


class Tool:
    """Brings world.source into world.watched. `start` begins it as the leader of a process group, which may be killed."""

    name = ""
    programs = ()
    # Deletes a file before the file is in its new place, and leaves nothing that tells so when it is killed: the promise is
    # about files that keep their places.
    forgets_moves = False
    # After it was killed an operator has to look at the folder, and to agree.
    asks = False

    def __init__(self, world):
        self.world = world
        self._log = world.folder + "/tool.log"
        self._environment = {**os.environ, "HOME": world.folder, "LANG": "C.UTF-8"}

    @classmethod
    def missing(cls):
        absent = [program for program in cls.programs if shutil.which(program) is None]
        return f"no program {', '.join(absent)}" if absent else ""

    def prepare(self):
        """Before the daemon starts."""

    def command(self):
        raise NotImplementedError

    def stage(self):
        """What comes before the part that is killed."""

    def start(self):
        return self.launch(self.command())

    def killed(self):
        """Right after the tool was killed."""

    def recover(self):
        """What a person does before the tool can go on."""

    def finish(self):
        """After the tool brought a whole version."""

    def stop(self):
        """At the end."""

    def fill(self, tree, own):
        """A work tree gets the files of world.source; `own` is the folder of its version control."""
        for name in os.listdir(tree):
            if name != own:
                path = os.path.join(tree, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        shutil.copytree(self.world.source, tree, dirs_exist_ok=True)

    def launch(self, command):
        with open(self._log, "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                    env=self._environment)

    def run(self, command, cwd=None, env=None):
        with open(self._log, "ab") as log:
            subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=True, cwd=cwd,
                           env=env or self._environment)

    def said(self):
        with open(self._log, encoding="utf-8", errors="replace") as log:
            return log.read()[-300:]


class Copy(Tool):
    """Copies file by file over what is there, then deletes what is not in the source."""

    name = "cp"
    programs = ("cp", "find")

    def command(self):
        source, watched = shlex.quote(self.world.source), shlex.quote(self.world.watched)
        gone = f"cd {watched} && find . -type f | while read -r f; do [ -e {source}/$f ] || rm $f; done"
        return ["sh", "-c", f"cp -rp {source}/. {watched} && ({gone})"]


class Rsync(Tool):
    name = "rsync"
    programs = ("rsync",)
    forgets_moves = True
    options = ("-rt", "--delete", "--checksum")

    def command(self):
        return ["rsync", "--bwlimit=4m", *self.options, self.world.source + "/", self.target() + "/"]

    def target(self):
        return self.world.watched


class RsyncInPlace(Rsync):
    name = "rsync-inplace"
    options = ("-rt", "--delete", "--checksum", "--inplace")


class RsyncDelayed(Rsync):
    name = "rsync-delay-updates"
    forgets_moves = False
    options = ("-rt", "--delete-delay", "--checksum", "--delay-updates")


class RsyncPartial(Rsync):
    name = "rsync-partial"
    options = ("-rt", "--delete-before", "--checksum", "--partial")


class Rclone(Tool):
    name = "rclone"
    programs = ("rclone",)

    def command(self):
        return ["rclone", "sync", "--checksum", "--bwlimit", "4M", self.world.source, self.world.watched]


class RcloneBisync(Tool):
    """Both sides may change; what is killed needs a new start."""

    name = "rclone-bisync"
    programs = ("rclone",)

    def __init__(self, world):
        super().__init__(world)
        self._anew = True

    def command(self):
        anew = ["--resync"] if self._anew else []
        return ["rclone", "bisync", "--force", *anew, self.world.source, self.world.watched]

    def start(self):
        if self._anew:
            # A new start keeps what either side has: what the new version gave up goes by hand.
            for folder, _, files in os.walk(self.world.watched):
                for name in files:
                    path = os.path.join(folder, name)
                    if not os.path.exists(os.path.join(self.world.source, os.path.relpath(path, self.world.watched))):
                        os.unlink(path)
        return super().start()

    def finish(self):
        self._anew = False

    def recover(self):
        self._anew = True
        shutil.rmtree(self.world.folder + "/.cache/rclone/bisync", ignore_errors=True)


class Unison(Tool):
    name = "unison"
    programs = ("unison",)

    def command(self):
        return ["unison", self.world.source, self.world.watched, "-batch", "-silent", "-force", self.world.source,
                "-ignorelocks", "-confirmbigdel=false"]


class Git(Tool):
    """A work tree that is checked out in place."""

    name = "git"
    programs = ("git",)

    def _git(self, *arguments):
        return ["git", "-C", self.world.folder + "/origin", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]

    def prepare(self):
        os.makedirs(self.world.folder + "/origin")
        self.run(["git", "init", "-q", "-b", "main", self.world.folder + "/origin"])
        self.run(["git", "init", "-q", "-b", "main", self.world.watched])

    def stage(self):
        origin = self.world.folder + "/origin"
        self.fill(origin, ".git")
        self.run(self._git("add", "-A"))
        self.run(self._git("commit", "-q", "--allow-empty", "-m", "next"))
        self.run(["git", "-C", self.world.watched, "fetch", "-q", origin, "main"])

    def command(self):
        return ["git", "-C", self.world.watched, "reset", "-q", "--hard", "FETCH_HEAD"]

    def recover(self):
        # What a person does after "Another git process seems to be running", and after "unable to lock ref".
        for folder, _, files in os.walk(self.world.watched + "/.git"):
            for name in files:
                if name.endswith(".lock"):
                    os.unlink(os.path.join(folder, name))


class Dulwich(Git):
    """A library that writes files first and the index at the end, without a lock that lasts."""

    name = "dulwich"
    programs = ("git", "python3")

    @classmethod
    def missing(cls):
        absent = subprocess.run(["/usr/bin/python3", "-c", "import dulwich"], capture_output=True, check=False).returncode
        return "no python3-dulwich" if absent else super().missing()

    def command(self):
        script = ("import os, sys\nfrom dulwich.repo import Repo\nrepo = Repo(sys.argv[1])\n"
                  "commit = repo[open(sys.argv[1] + '/.git/FETCH_HEAD', 'rb').read(40)]\nbefore = set(repo.open_index())\n"
                  "repo.reset_index(commit.tree)\n"
                  "for gone in before - set(repo.open_index()):\n    os.unlink(os.path.join(sys.argv[1].encode(), gone))\n")
        return ["/usr/bin/python3", "-c", script, self.world.watched]


class Mercurial(Tool):
    """A work tree that is updated in place: files that moved are deleted first."""

    name = "hg"
    programs = ("hg",)

    def prepare(self):
        for tree in (self.world.folder + "/origin", self.world.watched):
            self.run(["hg", "init", tree])

    def stage(self):
        origin = self.world.folder + "/origin"
        self.fill(origin, ".hg")
        # Without a change the command ends with 1.
        self.run(["sh", "-c", "hg commit -q --addremove -m next -u a || [ $? = 1 ]"], cwd=origin)
        self.run(["hg", "-R", self.world.watched, "pull", "-q", origin])

    def command(self):
        return ["hg", "-R", self.world.watched, "update", "-q", "--clean", "tip"]


class Subversion(Tool):
    """A work tree that is updated in place, folder by folder."""

    name = "svn"
    programs = ("svn", "svnadmin")

    def prepare(self):
        self.run(["svnadmin", "create", self.world.folder + "/repository"])
        for tree in (self.world.folder + "/origin", self.world.watched):
            self.run(["svn", "checkout", "-q", f"file://{self.world.folder}/repository", tree])

    def stage(self):
        origin = self.world.folder + "/origin"
        self.fill(origin, ".svn")
        self.run(["sh", "-ec", "svn status | sed -n 's/^! *//p' | xargs -r svn delete -q --force\n"
                  "svn add -q --force . && svn commit -q -m next && svn update -q"], cwd=origin)

    def command(self):
        return ["svn", "update", "-q", "--force", "--accept", "theirs-full", self.world.watched]

    def recover(self):
        self.run(["svn", "cleanup", self.world.watched])
        self.run(["svn", "revert", "-q", "-R", self.world.watched])


class Links(Tool):
    """The steps of Kubernetes' volumes: a dated folder, `..data` is a link to it and moves, names are links into `..data`."""

    name = "configmap-links"
    programs = ("cp", "mv", "ln")

    def __init__(self, world):
        super().__init__(world)
        self._number = 0

    def command(self):
        self._number += 1
        watched, dated = shlex.quote(self.world.watched), f"..2026_{self._number}"
        return ["sh", "-ec", f"""cd {watched}
cp -r {shlex.quote(self.world.source)} {dated}
ln -s {dated} ..data_tmp && mv -T ..data_tmp ..data
for f in $(ls -A {dated}); do [ -L "$f" ] || ln -s ..data/"$f" "$f"; done
for f in *; do [ -e "$f" ] || rm "$f"; done
for d in ..2026_*; do [ "$d" = {dated} ] || rm -r "$d"; done"""]

    def recover(self):
        for name in os.listdir(self.world.watched):
            if name == "..data_tmp":
                os.unlink(os.path.join(self.world.watched, name))


class AtomicWriter(Tool):
    """What kubelet fills volumes with. Its file is compiled as the module has it, alone: its package would be most of Kubernetes."""

    name = "atomic-writer"
    programs = ("go",)
    module = "k8s.io/kubernetes@v1.36.3"

    def prepare(self):
        folder = self.world.folder + "/atomic_writer"
        shutil.copytree(os.path.join(os.path.dirname(__file__), "atomic_writer"), folder)
        told = subprocess.run(["go", "mod", "download", "-json", self.module], cwd=folder, env=self._go(), check=True,
                              capture_output=True, text=True)
        volumes = os.path.join(json.loads(told.stdout)["Dir"], "pkg/volume/util")
        os.mkdir(folder + "/util")
        for name in ("atomic_writer.go", "atomic_writer_linux.go"):
            shutil.copyfile(os.path.join(volumes, name), f"{folder}/util/{name}")
        self.run(["go", "build", "-mod=mod", "-o", "atomic_writer", "."], cwd=folder, env=self._go())

    def command(self):
        return [self.world.folder + "/atomic_writer/atomic_writer", self.world.source, self.world.watched]

    @staticmethod
    def _go():
        return {**os.environ, "GOFLAGS": "-modcacherw"}


class Editor(Tool):
    """Opens each file that differs, replaces its text and saves it; files come and go by `mv` and `rm`."""

    def command(self):
        source, watched = self.world.source, self.world.watched
        steps = []
        for folder, _, names in os.walk(source):
            for name in names:
                new = os.path.join(folder, name)
                old = os.path.join(watched, os.path.relpath(new, source))
                if not os.path.exists(old) or not filecmp.cmp(old, new, shallow=False):
                    steps.append(f"mkdir -p {os.path.dirname(old)}; {self.edit(old, new)}")
        for folder, _, names in os.walk(watched):
            for name in names:
                old = os.path.join(folder, name)
                if name.endswith(".yaml") and not os.path.exists(os.path.join(source, os.path.relpath(old, watched))):
                    steps.append(f"rm {old}")
        return ["sh", "-ec", "\n".join(steps or ["true"])]

    def edit(self, old, new):
        raise NotImplementedError

    def recover(self):
        # What an editor that was killed leaves behind would stop the next one with a question.
        for folder, _, names in os.walk(self.world.watched):
            for name in names:
                if not name.endswith(".yaml") or name.startswith("."):
                    os.unlink(os.path.join(folder, name))


class Vim(Editor):
    name = "vim"
    programs = ("vim",)

    def edit(self, old, new):
        return f"vim -N -u NONE -i NONE -es -c 'set swapfile updatecount=1 backup writebackup' -c '%d' -c 'r {new}' -c '1d' -c 'wq' {old}"


class Emacs(Editor):
    name = "emacs"
    programs = ("emacs",)

    def edit(self, old, new):
        return (f"emacs -Q --batch {old} --eval '(progn (erase-buffer) (insert-file-contents \"{new}\") (do-auto-save) "
                f"(save-buffer))'")


class Nano(Editor):
    """On a terminal of its own: a screen editor without a batch mode."""

    name = "nano"
    programs = ("nano",)
    _SCRIPT = ("import os, pty, sys, time\npid, terminal = pty.fork()\nif pid == 0:\n"
               "    os.environ['TERM'] = 'xterm'\n    os.execvp('nano', ['nano', '-I', '-B', sys.argv[1]])\n"
               "def send(keys):\n    os.write(terminal, keys)\n    time.sleep(0.15)\n    os.read(terminal, 65536)\n"
               "send(b'')\nsend(b'\\x1bt')\n"
               "send(b'\\x12' + sys.argv[2].encode() + b'\\r')\nsend(b'\\x0f\\r')\nsend(b'\\x18')\nos.waitpid(pid, 0)\n")

    def edit(self, old, new):
        return f"/usr/bin/python3 -c {shlex.quote(self._SCRIPT)} {old} {new}"


class Mounted(RsyncDelayed):
    """rsync into the place behind a mount that the daemon reads. The mount may die and is made again."""

    def __init__(self, world):
        super().__init__(world)
        self.behind = world.folder + "/behind"

    @classmethod
    def missing(cls):
        if os.geteuid() != 0:
            return "mounting takes root"
        if cls.programs[-1] != "mount" and not os.path.exists("/dev/fuse"):
            return "no /dev/fuse"
        return super().missing()

    def mount(self):
        raise NotImplementedError

    def prepare(self):
        os.makedirs(self.behind)
        self.mount()

    def target(self):
        return self.behind

    def stop(self):
        subprocess.run(["umount", "-l", self.world.watched], check=False)


class Overlay(Mounted):
    name = "overlayfs"
    programs = ("rsync", "mount")

    def mount(self):
        lower = self.world.folder + "/lower"
        os.makedirs(lower)
        # The upper layer of an overlay must not be one itself.
        self.run(["mount", "-t", "tmpfs", "none", self.behind])
        for name in ("upper", "work"):
            os.makedirs(f"{self.behind}/{name}")
        self.run(["mount", "-t", "overlay", "overlay", "-o",
                  f"lowerdir={lower},upperdir={self.behind}/upper,workdir={self.behind}/work", self.world.watched])

    def target(self):
        return self.world.watched

    def stop(self):
        super().stop()
        subprocess.run(["umount", "-l", self.behind], check=False)


class Fuse(Mounted):
    """The file system's own process is killed too, at the same moment as the tool. Nobody can tell whether it is the same
    volume that is mounted again."""

    asks = True

    def __init__(self, world):
        super().__init__(world)
        self._daemon = None

    def serve(self):
        raise NotImplementedError

    def mount(self):
        self._daemon = self.launch(self.serve())
        self.world.eventually("the file system is mounted", lambda: os.path.ismount(self.world.watched), 20)

    def killed(self):
        os.killpg(self._daemon.pid, signal.SIGKILL)
        self._daemon.wait()

    def recover(self):
        subprocess.run(["umount", "-l", self.world.watched], check=False)
        self.mount()

    def stop(self):
        if self._daemon:
            self._daemon.kill()
            self._daemon.wait()
        super().stop()


class Mergerfs(Fuse):
    name = "mergerfs"
    programs = ("rsync", "mergerfs")

    def serve(self):
        other = self.world.folder + "/other"
        os.makedirs(other, exist_ok=True)
        return ["mergerfs", "-f", f"{self.behind}:{other}", self.world.watched]


class Sshfs(Fuse):
    name = "sshfs"
    programs = ("rsync", "sshfs", "ssh-keygen")

    def __init__(self, world):
        super().__init__(world)
        self._server = None

    @classmethod
    def missing(cls):
        return super().missing() or ("" if os.path.exists("/usr/sbin/sshd") else "no program sshd")

    def prepare(self):
        folder = self.world.folder
        for key in ("host", "user"):
            self.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{key}"])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        os.makedirs("/run/sshd", exist_ok=True)
        self._server = self.launch(["/usr/sbin/sshd", "-D", "-e", "-f", "/dev/null", "-h", folder + "/host",
                                    "-o", f"AuthorizedKeysFile={folder}/user.pub", "-o", "StrictModes=no",
                                    "-o", "PermitRootLogin=yes", "-o", "UsePAM=no", "-o", f"PidFile={folder}/sshd.pid",
                                    "-o", "Subsystem=sftp internal-sftp",
                                    "-o", f"ListenAddress=127.0.0.1:{self._port}"])
        super().prepare()

    def serve(self):
        return ["sshfs", "-f", f"127.0.0.1:{self.behind}", self.world.watched, "-p", str(self._port),
                "-o", f"IdentityFile={self.world.folder}/user,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null"]

    def stop(self):
        super().stop()
        if self._server:
            os.killpg(self._server.pid, signal.SIGKILL)
            self._server.wait()


class Syncthing(Tool):
    """Two of them on this machine; the one that writes what the daemon reads is killed and started again."""

    name = "syncthing"
    programs = ("syncthing",)

    def __init__(self, world):
        super().__init__(world)
        self._ids, self._ports, self._processes = {}, {}, {}

    def prepare(self):
        for end in ("source", "watched"):
            home = f"{self.world.folder}/sync-{end}"
            self.run(["syncthing", "generate", "--home", home, "--no-default-folder"])
            done = subprocess.run(["syncthing", "--device-id", "--home", home], capture_output=True, text=True, check=True,
                                  env=self._environment)
            self._ids[end] = done.stdout.strip()
            ports = []
            for _ in range(2):
                with socket.socket() as free:
                    free.bind(("127.0.0.1", 0))
                    ports.append(free.getsockname()[1])
            self._ports[end] = ports
        for end in ("source", "watched"):
            self._configure(end)

    def _configure(self, end):
        other = "watched" if end == "source" else "source"
        folder = getattr(self.world, end) if end == "watched" else self.world.folder + "/shared"
        os.makedirs(folder, exist_ok=True)
        os.makedirs(folder + "/.stfolder", exist_ok=True)
        kind = "sendonly" if end == "source" else "receiveonly"
        with open(f"{self.world.folder}/sync-{end}/config.xml", "w", encoding="utf-8") as file:
            file.write(f"""<configuration version="35">
<folder id="m" path="{folder}" type="{kind}" rescanIntervalS="1" fsWatcherEnabled="false">
<device id="{self._ids['source']}"/><device id="{self._ids['watched']}"/><minDiskFree unit="%">0</minDiskFree></folder>
<device id="{self._ids[end]}"><address>dynamic</address></device>
<device id="{self._ids[other]}"><address>tcp://127.0.0.1:{self._ports[other][0]}</address></device>
<gui enabled="true"><address>127.0.0.1:{self._ports[end][1]}</address><apikey>key</apikey></gui>
<options><listenAddress>tcp://127.0.0.1:{self._ports[end][0]}</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>
<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
<urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH><crashReportingEnabled>false</crashReportingEnabled>
<startBrowser>false</startBrowser><reconnectionIntervalS>1</reconnectionIntervalS></options></configuration>""")

    def _serve(self, end):
        home = f"{self.world.folder}/sync-{end}"
        self._processes[end] = self.launch(["syncthing", "serve", "--no-browser", "--no-restart", "--home", home])

    def start(self):
        if "source" not in self._processes:
            self._serve("source")
        if "watched" not in self._processes or self._processes["watched"].poll() is not None:
            self._serve("watched")
        shared = self.world.folder + "/shared"
        self.run(["rsync", "-rt", "--delete", "--checksum", "--exclude=.stfolder", self.world.source + "/", shared + "/"])
        return self.launch(["sh", "-c", f"until diff -r -x '.st*' {shared} {self.world.watched} >&2; do sleep 0.2; done"])

    def killed(self):
        os.killpg(self._processes["watched"].pid, signal.SIGKILL)
        self._processes["watched"].wait()

    def stop(self):
        for process in self._processes.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


ALL = (Copy, Rsync, RsyncInPlace, RsyncDelayed, RsyncPartial, Rclone, RcloneBisync, Unison, Git, Dulwich, Mercurial, Subversion, Links,
       AtomicWriter, Vim, Emacs, Nano, Overlay, Mergerfs, Sshfs, Syncthing)
