"""What sources include, by reading their #include lines: of conditions it knows nothing."""

import pathlib
import re
import subprocess

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


class IncludeGraph:
    """`folders`: where headers of ours are looked for. All others are known by their names only."""

    def __init__(self, folders):
        self.folders = [pathlib.Path(folder) for folder in folders]
        self.included = {}
        self.closures = {}

    def _find(self, name, beside):
        found = (folder / name for folder in [*self.folders, beside])
        return next((path.resolve() for path in found if path.is_file()), None)

    def direct(self, file):
        """What `file` includes itself: files of ours, and the names of others."""
        if file not in self.included:
            ours, others = set(), set()
            for quote, name in INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace")):
                path = self._find(name, file.parent) if quote == '"' else None
                if path is None:
                    others.add(name)
                else:
                    ours.add(path)
            self.included[file] = ours, others
        return self.included[file]

    def closure(self, file):
        """All that `file` includes: files of ours, it among them, and the names of others."""
        file = pathlib.Path(file).resolve()
        if file not in self.closures:
            seen, others, open_files = set(), set(), [file]
            while open_files:
                one = open_files.pop()
                if one in seen:
                    continue
                seen.add(one)
                ours, named = self.direct(one)
                others |= named
                open_files += ours
            self.closures[file] = frozenset(seen), frozenset(others)
        return self.closures[file]


def files_of(command, name):
    """The files that the compiler reads for `#include <name>`; none where it finds no such header."""
    line = f"#include <{name}>\n".encode()
    listed = subprocess.run([*command, "-w", "-M", "-x", "c++", "-"], input=line, capture_output=True, check=False)
    words = listed.stdout.decode().replace("\\\n", " ").split()[1:]
    return frozenset(word for word in words if word != "-")
