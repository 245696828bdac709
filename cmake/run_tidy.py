#!/usr/bin/env python3
"""run_tidy.py BUILD_DIR [CHANGED...]: clang-tidy over every source of ours, on all cores; if files are named, over the
batches of these sources alone, after each source that one of the files concerns compiled alone.

BUILD_DIR compiles sources in batches, and so does this: the checks walk all headers of a source, which the
sources of a batch share. Each source is then compiled alone, without the checks (compile_alone.py).
check_structure.py looks for using-declarations without use: clang-tidy finds them only in sources that are
read alone.

What was clean is remembered under a hash of everything that could change the verdict (of a batch the
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
import tempfile

from compile_alone import Alone

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-14"
CLANG = "clang++-14"
# The commands are g++'s; clang does not know all of its warnings, and g++ does not know this one of clang's.
EXTRA = ["-Wno-unknown-warning-option", "-Wthread-safety"]
# In a batch, sources are included like headers.
HEADERS = r"--header-filter=(/src/|/include/[a-z_]+/)([a-z0-9_]+/)+[a-z0-9_]+\.(h|cc)$"
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


def all_flags(entries):
    """The flags of all libraries at once."""
    flags = {}
    for entry in entries:
        words = iter(compiler_arguments(entry))
        for word in words:
            flags[(word, next(words)) if word == "-isystem" else (word,)] = None
    return [word for words in flags for word in words]


def batches(entries, build):
    """Of each entry of ours what it compiles: sources."""
    for entry in entries:
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(build / "src"):
            yield entry, INCLUDED.findall(file.read_text(encoding="utf-8"))
        elif file.is_relative_to(ROOT / "src"):
            yield entry, [entry["file"]]


def check_all(tasks):
    """How many of these calls have complaints, which are printed."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for complaints in pool.map(lambda task: task[0](*task[1:]), tasks):
            if complaints:
                failed += 1
                print(complaints, flush=True)
    return failed


def concerned(graph, sources, changed):
    """The sources that changed, and those that include a changed header themselves. Who includes the header through
    others is left to the check of everything."""
    return [source for source in sources
            if pathlib.Path(source).resolve() in changed or graph.direct(pathlib.Path(source).resolve())[0] & changed]


def check_changed(ours, changed, alone, verdicts, build):
    """What fails soonest comes first: a source without an include, then clang-tidy."""
    sources = concerned(alone.graph, [source for _, batch in ours for source in batch], changed)
    unknown = alone.unknown(sources)
    check_all([(alone.precompile, header) for header in alone.prepare(unknown)])
    failed = check_all([(alone.check, source) for source in unknown])
    if not failed:
        failed = check_all([(check_batch, entry, verdicts, build) for entry, batch in ours
                            if any(pathlib.Path(source).resolve() in changed for source in batch)])
    return len(sources), failed


def check_everything(ours, alone, verdicts, build):
    sources = [source for _, batch in ours for source in batch]
    unknown = alone.unknown(sources)
    headers = alone.prepare(unknown)
    failed = check_all(
        [(check_batch, entry, verdicts, build) for entry, _ in ours]
        + [(alone.precompile, header) for header in headers]
    )
    failed += check_all([(alone.check, source) for source in unknown])
    return len(sources), failed or not sources


def main():
    build = ROOT / sys.argv[1]
    changed = {(ROOT / name).resolve() for name in sys.argv[2:]}
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    ours = list(batches(entries, build))
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        alone = Alone([CLANG, *all_flags(entry for entry, _ in ours)], ROOT, verdicts, folder)
        if changed:
            sources, failed = check_changed(ours, changed, alone, verdicts, build)
        else:
            sources, failed = check_everything(ours, alone, verdicts, build)
    print(f"tidy: {sources} sources, {int(failed)} checks with complaints", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
