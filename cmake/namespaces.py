"""The namespace of a source is the folder of src with the source: `./dev lint structure` compares the two."""

import pathlib
import re

import cloud_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The vocabulary of core is in the namespace that encloses all others.
SHARED = "bindery"
NAMESPACE = re.compile(r"^namespace (bindery[\w:]*) \{", re.M)


def namespaces_of(folders):
    """The namespaces of a file in these folders below src, the usual one first."""
    if folders[0] == "core":
        return [SHARED]
    if folders[0] == "providers" and folders[1:2] and folders[1] in cloud_names.CLOUDS:
        # A cloud also defines functions that headers of src/providers declare.
        return [f"{SHARED}::{folders[1]}", f"{SHARED}::providers"]
    return [f"{SHARED}::{folders[0]}"]


def misplaced(name, text):
    """Yields (line number, what is wrong) of a file with this name below src."""
    own = namespaces_of(name.split("/")[:-1])
    opened = [(text.count("\n", 0, found.start()) + 1, found.group(1)) for found in NAMESPACE.finditer(text)]
    for number, namespace in opened:
        if namespace == SHARED and SHARED not in own:
            yield number, f"namespace {SHARED} is for src/core: {own[0]} is the namespace of this folder"
    if opened and not any(f"{namespace}::".startswith(f"{one}::") for _, namespace in opened for one in own):
        yield opened[0][0], f"nothing is in {own[0]}, the namespace of this folder"


def check_namespaces(root=ROOT):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".h", ".cc") or path.name.endswith(".h.in"):
            name = path.relative_to(root / "src").as_posix()
            for number, what in misplaced(name, path.read_text(encoding="utf-8")):
                yield f"src/{name}:{number}: {what}"
