#!/usr/bin/env python3
"""run_tidy.py BUILD_DIR: clang-tidy over every source of ours, on all cores.

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
NOISE = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated\.$|^Suppressed |^Use -header-filter")


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
        elif word != "-MD":
            kept.append(word)
    return kept


def verdict_key(entry, fixed):
    """A hash of what clang-tidy will see; None when the source does not even preprocess."""
    command = [CLANG, *compiler_arguments(entry), *EXTRA, "-E", "-CC", "-P", entry["file"]]
    result = subprocess.run(command, cwd=entry["directory"], capture_output=True, check=False)
    if result.returncode != 0:
        return None
    return hashlib.sha256(fixed + result.stdout).hexdigest()


def check(entry, fixed, cache, build):
    """The complaints about one source; empty when there are none."""
    key = verdict_key(entry, fixed)
    stamp = cache / key if key else None
    if stamp and stamp.exists():
        return ""
    command = [TIDY, "--quiet", "-p", build, *(f"--extra-arg={word}" for word in EXTRA), entry["file"]]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        if stamp:
            stamp.touch()
        return ""
    lines = (result.stdout + result.stderr).splitlines()
    return "\n".join(line for line in lines if not NOISE.match(line))


def main():
    build = sys.argv[1]
    entries = json.loads((ROOT / build / "compile_commands.json").read_text(encoding="utf-8"))
    own = [entry for entry in entries if pathlib.Path(entry["file"]).is_relative_to(ROOT / "src")]
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    fixed = version + " ".join(EXTRA).encode() + (ROOT / ".clang-tidy").read_bytes()
    cache = cache_folder()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for complaints in pool.map(lambda entry: check(entry, fixed, cache, build), own):
            if complaints:
                failed += 1
                print(complaints, flush=True)
    print(f"tidy: {len(own)} sources, {failed} with complaints", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
