#!/usr/bin/env python3
"""The version is that of CMakeLists.txt. Files that cannot ask for it name it: this says which of them
are behind, and with --write puts it there."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The image's tag and label, and names of files, wherever they are named.
PLACES = {
    "Dockerfile": r"(ARG VERSION=)(\S+)",
    "docs/install.md": r"(bindery[:_-])(\d+\.\d+\.\d+)",
    "docs/releasing.md": r"(bindery[:_-]|git tag v)(\d+\.\d+\.\d+)",
    "docs/operations.md": r"(bindery:)(\d+\.\d+\.\d+)",
    "deploy/compose/compose.yaml": r"(image: bindery:)(\S+)",
    "deploy/compose/replicas.yaml": r"(image: bindery:)(\S+)",
    "deploy/kubernetes/base/kustomization.yaml": r"(name: bindery\n    newTag: )(\S+)",
    "deploy/kubernetes/overlays/example/kustomization.yaml": r"(newTag: )(\S+)",
}


def main():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"^project\(bindery VERSION (\d+\.\d+\.\d+)", text, re.MULTILINE).group(1)
    behind = 0
    for name, pattern in PLACES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        found = re.findall(pattern, text)
        if not found:
            print(f"{name}: names no version")
            behind += 1
        elif any(other != version for _, other in found):
            if sys.argv[1:] == ["--write"]:
                path.write_text(re.sub(pattern, rf"\g<1>{version}", text), encoding="utf-8")
            else:
                print(f"{name}: names {found[0][1]}, the version is {version}")
                behind += 1
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
