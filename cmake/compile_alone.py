"""Whether each source compiles without the others of its batch, so that it names the headers it uses.

Nearly all of the time would go to headers that many sources include. So some of these headers are compiled
beforehand, and a source is given the largest one that it includes anyway, by itself or by others: what it
sees stays the same, but for the order.
"""

import functools
import hashlib
import os
import pathlib
import subprocess

from include_graph import IncludeGraph, files_of

# Compiling a header beforehand, and writing it, costs more than reading it in a source.
COST = 1.5
# Bytes of headers that one more has to save.
WORTH = 4_000_000
# So few sources are compiled as fast without choosing.
FEW = 8


def installed_headers():
    """Tells when other libraries are installed: their headers are known by name only."""
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", "*-dev"], capture_output=True, check=False
    )
    return listed.stdout


class Headers:
    """Chooses what is compiled beforehand. `bytes_of(header)`: how much text the compiler reads for it."""

    def __init__(self, graph, sources, bytes_of):
        self.graph, self.bytes_of = graph, bytes_of
        self.saved = {source: (0, None) for source in sources}
        self.users = {}
        for source in sources:
            for header in graph.closure(source)[0]:
                if header.suffix == ".h":
                    self.users.setdefault(header, []).append(source)

    def _gain(self, header):
        size = self.bytes_of(header)
        return sum(max(0, size - self.saved[user][0]) for user in self.users[header]) - COST * size

    def choose(self, worth=WORTH):
        """The header for each source; None where none is worth it."""
        while self.users:
            best = max(sorted(self.users), key=self._gain)
            if self._gain(best) < worth:
                break
            size = self.bytes_of(best)
            for user in self.users[best]:
                self.saved[user] = max(self.saved[user], (size, best), key=lambda pair: pair[0])
        return {source: header for source, (_, header) in self.saved.items()}


class Alone:
    """`command`: compiler and flags, with the folders of all libraries: which a source may use is for others to say.

    What is compiled beforehand goes to `folder`, which is empty, and the caller's.
    """

    def __init__(self, command, root, verdicts, folder):
        self.command, self.root, self.verdicts, self.folder = command, str(root), verdicts, pathlib.Path(folder)
        folders = [word[2:] for word in command if word.startswith("-I")]
        self.graph = IncludeGraph([pathlib.Path(root) / "src", *folders])
        self.fixed = installed_headers() + self._shared(" ".join(command))
        self.read = {}
        self.headers = {}
        self.compiled = {}

    def _bytes_of(self, header):
        ours, others = self.graph.closure(header)
        files = set(ours)
        for name in others:
            if name not in self.read:
                self.read[name] = files_of(self.command, name)
            files |= self.read[name]
        return sum(os.path.getsize(file) for file in files)

    def _shared(self, text):
        """The same in each clone."""
        return str(text).replace(self.root, "").encode()

    def _stamp(self, source):
        text = hashlib.sha256()
        for file in sorted(self.graph.closure(source)[0]):
            text.update(hashlib.sha256(file.read_bytes()).digest())
        return self.verdicts.stamp("alone", self._shared(source) + self.fixed + text.digest())

    def unknown(self, sources):
        """Those of which nothing is remembered."""
        return [source for source in sources if not self._stamp(source).exists()]

    def prepare(self, sources):
        """Chooses headers for these sources; each of them is to be given to precompile()."""
        if len(sources) <= FEW:
            return []
        self.headers = Headers(self.graph, sources, functools.cache(self._bytes_of)).choose()
        return sorted({header for header in self.headers.values() if header})

    def precompile(self, header):
        output = self.folder / (hashlib.sha256(str(header).encode()).hexdigest() + ".pch")
        made = self._run("-fpch-instantiate-templates", "-x", "c++-header", str(header), "-o", str(output))
        if made.returncode == 0:
            self.compiled[header] = output

    def check(self, source):
        """Why the source does not compile by itself; empty when it does."""
        ready = self.compiled.get(self.headers.get(source))
        extra = ["-include-pch", str(ready)] if ready else []
        result = self._run(*extra, "-fsyntax-only", str(source))
        if extra and result.returncode != 0:
            # What counts, and what people are shown, is what happens without.
            result = self._run("-fsyntax-only", str(source))
        if result.returncode == 0:
            self._stamp(source).touch()
            return ""
        return (result.stdout + result.stderr).decode(errors="replace").strip()

    def _run(self, *words):
        return subprocess.run([*self.command, "-w", *words], capture_output=True, check=False)
