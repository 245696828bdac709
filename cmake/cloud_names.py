"""What is true of one cloud is in that cloud's folders: nothing else in src names it, in its path or text."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOMES = ("src/providers/{}/", "src/emulator/{}/")

# google.rpc and its like are the public names of types of the common vocabulary; the other is a check of clang-tidy.
CLOUDS = {
    "google": re.compile(r"google(?!\.(?:rpc|type|protobuf)\b|-explicit-constructor)", re.I),
    "datadog": re.compile(r"datadog", re.I),
}

EXCEPTIONS = {
    "src/providers/CMakeLists.txt": "adds the folder of each cloud",
    "src/providers/README.md": "lists the folder of each cloud",
    "src/providers/registry/README.md": "lists what registers",
    "src/emulator/README.md": "lists the folder of each cloud",
    "src/providers/registry/CMakeLists.txt": "registers the providers",
    "src/emulator/CMakeLists.txt": "one library, with a folder of each cloud",
    "src/providers/registry/providers.cc": "registers the providers",
    "src/config/config_keys.cc": "the key `kinds` says whose kinds its files hold",
    "src/store/sql/policy_codec.cc": "a sample of policies that stored ones are packed with, and that never changes",
    "src/emulator/call.cc": "tells by method and path which wire a request speaks",
    "src/emulator/call.h": "the wires, and the row of a resource",
    "src/emulator/cloud.cc": "keeps the state of all clouds in one file under one lock",
    "src/emulator/cloud.h": "keeps the state of all clouds in one file under one lock",
    "src/emulator/emulator.cc": "answers a request by the wire that it speaks",
    "src/emulator/faults.cc": "words a fault as the wire does",
    "src/emulator/faults.h": "faults that only one wire knows",
    "src/emulator/identities.cc": "the credentials of one seed are for all clouds",
    "src/emulator/identities.h": "the credentials of one seed are for all clouds",
    "src/emulator/seed.cc": "the seed has the sections of all clouds",
    "src/emulator/seed_identities.cc": "the seed has the sections of all clouds",
    "src/emulator/seed_reader.cc": "the seed has the sections of all clouds",
}


def named_in(name, text):
    """Yields (line number, cloud) of each line that names a cloud outside of its folders; line 0 is the path."""
    for cloud, pattern in CLOUDS.items():
        if name.startswith(tuple(home.format(cloud) for home in HOMES)):
            continue
        for number, line in enumerate([name, *text.splitlines()]):
            if pattern.search(line):
                yield number, cloud


def check_names(root=ROOT, exceptions=EXCEPTIONS):
    """Yields the breaches in src, and exceptions that are none any more."""
    naming = set()
    for path in sorted((root / "src").rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        try:
            found = list(named_in(name, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
        if found and name in exceptions:
            naming.add(name)
            continue
        for number, cloud in found:
            homes = " and ".join(home.format(cloud) for home in HOMES)
            yield f"{name}:{max(number, 1)}: names {cloud}: what is true of one cloud is in {homes}"
    for name in sorted(set(exceptions) - naming):
        yield f"cmake/cloud_names.py:1: {name} names no cloud: it is no exception"
