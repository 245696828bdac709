#!/usr/bin/env python3
"""Tries real tools that bring manifests into a folder: feeders.py PROGRAM [--tool NAME]... [--rounds N] [--seed N] [--keep]

In each round a tool brings another version of the folder, is killed (SIGKILL) at a random moment, stays away for longer than
manifests.settle, and then brings the version whole. Access that both versions declare must be there all the time; at the
end of a round the cloud has what the new version declares. The seed is printed; --seed gives all choices again, but for the
moments of other processes. Prints one line a tool: how fast a whole version took effect, and what the daemon said while the
folder was half done. Ends with 77 where no tool is installed.
"""

import argparse
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import tools
from world import SETTLE, Observer, Version, World

SKIPPED = 77
# In seconds, until a whole version is in force.
_PATIENCE = 60


def without_numbers(line):
    """What blocks, without how much and which."""
    return re.sub(r'"[^"]*"', "FILE", re.sub(r"\b\d+\b", "N", line.split("ok: ", 1)[-1]))


def say(text):
    print(text, flush=True)


class Trial:
    """The rounds of one tool."""

    def __init__(self, program, tool, folder, seed):
        self.world = World(program, folder)
        self.tool = tool(self.world)
        self.choices = random.Random(f"{seed} {tool.name}")
        self.delays = []
        self.told = set()
        self.halves = 0
        self._length = 0.5  # In seconds, of the last whole run of the tool.

    def play(self, rounds):
        observer = None
        try:
            version = self.version()
            self.tool.prepare()
            self.bring(version)
            self.world.start_daemon()
            self.await_in_force(version)
            observer = Observer(self.world)
            for _ in range(rounds):
                version = self.round(version, observer)
                if observer.faults:
                    raise AssertionError(observer.faults[0])
        finally:
            if observer:
                observer.stop()
            self.tool.stop()
            self.world.stop()

    def version(self):
        return Version(self.choices.randrange(1 << 30))

    def round(self, before, observer):
        after = self.version()
        observer.expect(before.shared(after, self.tool.forgets_moves))
        after.write(self.world.source)
        self.tool.stage()
        process = self.tool.start()
        time.sleep(self.choices.random() * self._length)
        if process.poll() is None:
            self.halves += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.tool.killed()
        # Long enough for a folder that is half done to be taken for whole.
        end = time.monotonic() + 2 * SETTLE
        while time.monotonic() < end:
            self.told.update(without_numbers(line) for line in self.world.told())
            time.sleep(0.5)
        self.tool.recover()
        self.bring(after)
        self.await_in_force(after)
        return after

    def bring(self, version):
        version.write(self.world.source)
        self.tool.stage()
        began = time.monotonic()
        process = self.tool.start()
        code = process.wait(_PATIENCE)
        if code != 0:
            raise RuntimeError(f"{self.tool.name} ended with {code}: {self.tool.said()}")
        self.tool.finish()
        self._length = time.monotonic() - began

    def await_in_force(self, version):
        began = time.monotonic()

        def in_force():
            # What is asked is right once the folder has settled.
            if self.tool.asks and time.monotonic() - began > 2 * SETTLE:
                self.world.approve()
            return self.world.in_cloud() == version.grants
        self.world.eventually("the cloud has what the manifests say", in_force, _PATIENCE)
        self.delays.append(time.monotonic() - began)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--tool", action="append", choices=[tool.name for tool in tools.ALL], help="these alone")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--keep", action="store_true", help="keep the folders")
    options = parser.parse_args()
    say(f"seed {options.seed}")
    failed, played = [], 0
    for tool in tools.ALL:
        if options.tool and tool.name not in options.tool:
            continue
        if missing := tool.missing():
            say(f"{tool.name}: left out, {missing}")
            continue
        played += 1
        folder = tempfile.mkdtemp(prefix=f"feeders-{tool.name}-")
        trial = Trial(os.path.abspath(options.program), tool, folder, options.seed)
        try:
            trial.play(options.rounds)
        except (AssertionError, OSError, RuntimeError, subprocess.SubprocessError) as failure:
            failed.append(tool.name)
            say(f"{tool.name}: FAILED: {failure}; its folder is {folder}")
            continue
        say(f"{tool.name}: {options.rounds} rounds, killed in the middle {trial.halves} times, in force after "
            f"{statistics.median(trial.delays[1:]):.1f} s (median)")
        for line in sorted(trial.told):
            say(f"  {line}")
        if not options.keep:
            shutil.rmtree(folder)
    say(f"{played - len(failed)} passed, {len(failed)} failed")
    sys.exit(SKIPPED if played == 0 else bool(failed))


if __name__ == "__main__":
    main()
