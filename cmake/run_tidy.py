#!/usr/bin/env python3
"""run_tidy.py BUILD_DIR: clang-tidy over every source of ours, on all cores.

BUILD_DIR compiles sources in batches, and so does this: the checks walk all headers of a source, which the
sources of a batch share. Each source is then compiled alone, without the checks, so that it names the headers
it uses. check_structure.py looks for using-declarations without use: clang-tidy finds them only in sources
that are read alone.

What was clean is remembered under a hash of everything that could change the verdict (the
preprocessed source with its comments, the checks, the version), so that only what changed is read again.
The cache is shared by all clones of a user.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-14"
CLANG = "clang++-14"
# The commands are g++'s; clang does not know all of its warnings, and g++ does not know this one of clang's.
EXTRA = ["-Wno-unknown-warning-option", "-Wthread-safety"]
# In a batch, sources are included like headers.
HEADERS = r"--header-filter=(/src/|/include/[a-z]+/)([a-z0-9_]+/)+[a-z0-9_]+\.(h|cc)$"
NOISE = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated\.$|^Suppressed |^Use -header-filter")
INCLUDED = re.compile(r'^#include "(.*)"$', re.MULTILINE)


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "bindery-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compiler_arguments(entry):
    """The flags of one entry of the compilation database, without compiler, source and output."""
    words = shlex.split(entry["command"])
    while words and not words[0].startswith("-"):
        words.pop(0)  # ccache, c++
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-c"):
            skip = True
        elif word not in ("-MD", entry["file"]):
            kept.append(word)
    return kept


class Verdicts:
    """What is known to be clean, by the hash of all that decides it."""

    def __init__(self):
        version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
        self.fixed = version + " ".join([*EXTRA, HEADERS]).encode() + (ROOT / ".clang-tidy").read_bytes()
        self.cache = cache_folder()

    def stamp(self, kind, text):
        return self.cache / hashlib.sha256(kind.encode() + self.fixed + text).hexdigest()


def run(command, directory, **options):
    return subprocess.run(command, cwd=directory, capture_output=True, check=False, **options)


def complaints_of(result):
    text = (result.stdout + result.stderr).decode(errors="replace")
    return "\n".join(line for line in text.splitlines() if not NOISE.match(line))


def check_batch(entry, verdicts, build):
    """The complaints of clang-tidy about one entry of the compilation database; empty when there are none."""
    command = [CLANG, *compiler_arguments(entry), *EXTRA, "-E", "-CC", "-P", entry["file"]]
    preprocessed = run(command, entry["directory"])
    stamp = verdicts.stamp("batch", preprocessed.stdout) if preprocessed.returncode == 0 else None
    if stamp and stamp.exists():
        return ""
    extra = [f"--extra-arg={word}" for word in EXTRA]
    result = run([TIDY, "--quiet", "-p", build, *extra, HEADERS, entry["file"]], ROOT)
    if result.returncode != 0:
        return complaints_of(result)
    if stamp:
        stamp.touch()
    return ""


def check_alone(source, entry, verdicts):
    """Why a source of a batch does not compile by itself; empty when it does."""
    command = [CLANG, *compiler_arguments(entry), "-w", "-E", "-P", source]
    preprocessed = run(command, entry["directory"])
    if preprocessed.returncode == 0:
        stamp = verdicts.stamp("alone", preprocessed.stdout)
        if stamp.exists():
            return ""
        text = ["-x", "c++-cpp-output", "-std=c++20", "-w", "-fsyntax-only", "-"]
        if run([CLANG, *text], ROOT, input=preprocessed.stdout).returncode == 0:
            stamp.touch()
            return ""
    # Once more, for messages with files and lines.
    return complaints_of(run([CLANG, *compiler_arguments(entry), "-w", "-fsyntax-only", source], entry["directory"]))


def main():
    build = sys.argv[1]
    entries = json.loads((ROOT / build / "compile_commands.json").read_text(encoding="utf-8"))
    verdicts = Verdicts()
    tasks, sources = [], set()
    for entry in entries:
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(ROOT / build / "src"):
            batch = INCLUDED.findall(file.read_text(encoding="utf-8"))
            tasks += [(check_alone, source, entry, verdicts) for source in batch]
        elif file.is_relative_to(ROOT / "src"):
            batch = [entry["file"]]
        else:
            continue
        sources.update(batch)
        tasks.append((check_batch, entry, verdicts, build))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for complaints in pool.map(lambda task: task[0](*task[1:]), tasks):
            if complaints:
                failed += 1
                print(complaints, flush=True)
    print(f"tidy: {len(sources)} sources, {failed} checks with complaints", file=sys.stderr)
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
