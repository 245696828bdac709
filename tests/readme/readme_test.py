#!/usr/bin/env python3
"""Runs the examples of README.md as a reader would: readme_test.py PROGRAM

Shell blocks run in order, in a copy of what they name, against a daemon that was started as `./dev run` starts it. A block
without a language that follows is what the daemon prints: its lines are waited for. A manifest is validated, and a
configuration is checked. Ports are the system's choice; those of the page are replaced by them.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIRST_SCREEN = 40
PATIENCE = 60  # Seconds, for a line of the log.
PROGRAM = """name: access
runtime: yaml
resources:
  paymentsViewers:
    type: google-native:networksecurity/v1:AuthorizationPolicyIamBinding
    properties:
      name: projects/acme/locations/global/authorizationPolicies/payments
      role: roles/networksecurity.viewer
      members: ["user:ana@example.com"]
"""


def blocks(text):
    """Yields (line, language, content) of each fenced block."""
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, found.start()) + 1, found.group(1), found.group(2)


def pattern_of(line):
    """What a printed line promises: its words, but no times, sizes, numbers and digests."""
    line = re.sub(r"^(…|\d{4}-\d\d-\d\dT[\d:.]+Z) ", "", line)
    parts = []
    for part in re.split(r"(…|digest=\w+|(?:manifests|store|socket)=\S*/\S*|127\.0\.0\.1:\d+|\d+)", line):
        if part == "…" or "=" in part and "/" in part and not part.startswith(" "):
            parts.append(".*")
        elif part.startswith("digest="):
            parts.append(r"digest=\w+")
        elif re.fullmatch(r"127\.0\.0\.1:\d+", part):
            parts.append(r"127\.0\.0\.1:\d+")
        elif part.isdigit():
            parts.append(r"\d+")
        else:
            parts.append(re.escape(part))
    return re.compile("".join(parts))


class Failure(Exception):
    """What the page promises and does not hold."""


class Reader:
    """Somebody who tries it out, in a clone of their own."""

    def __init__(self, program, folder):
        self.clone = folder
        shutil.copytree(ROOT / "config", folder / "config", ignore=shutil.ignore_patterns("state"))
        (folder / "build" / "release").mkdir(parents=True)
        (folder / "build" / "release" / "bindery").symlink_to(program)
        (folder / "Pulumi.yaml").write_text(PROGRAM)
        config = folder / "config" / "bindery.yaml"
        text = re.sub(r'"127\.0\.0\.1:\d+"', '"127.0.0.1:0"', config.read_text())
        # A clone was made long ago; this copy has not settled yet.
        config.write_text(text.replace("settle: 10s", "settle: 0s"))
        self.preamble = "set -euo pipefail\n"
        self.log = folder / "log"
        self.seen = 0  # Of the log: what was waited for is behind.
        self.demo = None  # What a demonstration printed, until the page shows it.
        with self.log.open("wb") as out:
            self.daemon = subprocess.Popen(
                [str(program), "run", "--config", str(config)], stdout=out, stderr=subprocess.STDOUT, cwd=folder)
        self.ports = {}
        serving = self.wait_for(re.compile(r"serving address=127\.0\.0\.1:(\d+)"), keep=True)
        cloud = self.wait_for(re.compile(r"embeddedCloud=http://127\.0\.0\.1:(\d+)"), keep=True)
        self.ports = {"127.0.0.1:9817": f"127.0.0.1:{serving.group(1)}",
                      "127.0.0.1:9818": f"127.0.0.1:{cloud.group(1)}"}

    def wait_for(self, pattern, keep=False):
        deadline = time.monotonic() + PATIENCE
        while True:
            text = self.log.read_text(errors="replace")
            found = pattern.search(text, 0 if keep else self.seen)
            if found:
                self.seen = self.seen if keep else found.end()
                return found
            if time.monotonic() > deadline or self.daemon.poll() is not None:
                raise Failure(f"the daemon does not print /{pattern.pattern}/; it printed\n{text}")
            time.sleep(0.05)

    def printed(self, block):
        if self.demo is not None:
            for line in block.splitlines():
                if not re.search(pattern_of(line.strip()).pattern, self.demo):
                    raise Failure(f"the demonstration does not print {line!r}; it printed\n{self.demo}")
            self.demo = None
            return
        for line in block.splitlines():
            if line.strip() and line.strip() != "…":
                self.wait_for(pattern_of(line))

    def run(self, block):
        for page, own in self.ports.items():
            block = block.replace(page, own)
        if "./dev" in block:
            return self.check_dev(block)
        if "bindery demo" in block:
            return self.run_demo()
        done = subprocess.run(["bash", "-c", self.preamble + block], cwd=self.clone, text=True, timeout=PATIENCE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise Failure(f"exit code {done.returncode}\n{done.stdout}")
        self.preamble += "".join(line + "\n" for line in block.splitlines() if re.match(r"(export )?[A-Z_]+=", line))
        return None

    @staticmethod
    def check_dev(block):
        known = subprocess.run([str(ROOT / "dev"), "help"], capture_output=True, text=True, check=True).stdout
        for command in re.findall(r"\./dev (\w+)", block):
            if not re.search(rf"^  {command}\b", known, re.M):
                raise Failure(f"./dev has no command {command}")

    def run_demo(self):
        """What the page installs from a repository is here already, and a demonstration goes on until it is ended."""
        self.demo = self.bindery("demo", "--once", "--example", "config")

    def bindery(self, *arguments):
        done = subprocess.run([str(self.clone / "build/release/bindery"), *arguments], cwd=self.clone, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def validate(self, block):
        file = self.clone / "example.yaml"
        file.write_text(block)
        self.bindery("validate", str(file))

    def check_config(self, block):
        folder = self.clone / "real"
        folder.mkdir(exist_ok=True)
        for key in ("dd-api-key", "dd-app-key"):
            (folder / key).write_text("0123456789abcdef0123456789abcdef\n")
            (folder / key).chmod(0o600)
        (folder / "manifests").mkdir(exist_ok=True)
        (folder / "bindery.yaml").write_text(block)
        if "mode: observe" not in block:
            raise Failure("the sample for a real cloud does not begin with mode: observe")
        self.bindery("config", "check", "-c", str(folder / "bindery.yaml"))

    def end(self):
        self.daemon.terminate()
        self.daemon.wait(timeout=PATIENCE)


def check_first_screen(text):
    first = text.split("\n## ")[0]
    if first.count("\n") > FIRST_SCREEN:
        raise Failure(f"the first screen has {first.count(chr(10))} lines, {FIRST_SCREEN} are the most")
    for word in ("It manages", "It does not manage", "replaces", "Terraform", "Config Connector", "Argo CD", "Status"):
        if word not in first:
            raise Failure(f'the first screen does not tell of "{word}"')


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    text = (ROOT / "README.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        check_first_screen(text)
        reader = Reader(program, pathlib.Path(folder))
        failed = False
        try:
            for line, language, block in blocks(text):
                action = {"sh": reader.run, "": reader.printed, "yaml": reader.validate}[language]
                if language == "yaml" and "apiVersion" not in block:
                    action = reader.check_config
                try:
                    action(block)
                except Failure as failure:
                    print(f"README.md:{line}: {failure}")
                    failed = True
        finally:
            reader.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
