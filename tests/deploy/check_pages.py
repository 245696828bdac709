#!/usr/bin/env python3
"""Checks that what the pages have a reader type is there: check_pages.py ROOT, the folder below which
bindery is installed. Commands of the program and their options, commands of ./dev, files of the
repository, files that an installation has."""

import functools
import pathlib
import re
import shlex
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
# A command begins a line or the code, or comes after what runs it.
COMMAND = re.compile(r"(?:^|[`;&|(] *|\$ |sudo |exec bindery |in_pod |-- )(?:/usr/bin/)?bindery ([a-z][^\n`;|&#)]*)",
                     re.MULTILINE)
# Made by the reader or the daemon, kubectl's name of the deployment, a pattern, of the image alone.
ELSEWHERE = ("deploy/kubernetes/overlays/mine", "config/state/", "deploy/bindery", "/usr/share/bindery/sbom.spdx.json")


@functools.cache
def help_of(program, *words):
    """What `program WORDS... --help` says; None when there is no such command."""
    said = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=False)
    # Of what it does not know it says the help of what comes before.
    return said.stdout if f"Usage: {' '.join((str(program), *words))} " in said.stdout else None


def check_command(program, command):
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    path = words[:1]
    if len(words) > 1 and words[1][0] != "-" and "\nSubcommands:" in (help_of(program, *path) or ""):
        path = words[:2]
    said = help_of(program, *path)
    if said is None:
        yield f"`bindery {' '.join(path)}` is no command"
        return
    for word in words[len(path):]:
        option = word.split("=")[0]
        # The fields of a lookup are options of their own.
        if re.fullmatch(r"--[a-z][a-z-]*|-[a-z]", option) and path != ["invoke"] \
                and not re.search(rf"(?<![\w-]){option}\b", said) and option not in ("-c", "--config"):
            yield f"`bindery {command.strip()}`: there is no {option}"


def check_page(page, root):
    program = root / "usr/bin/bindery"
    dev = re.findall(r"^  ([a-z-]+)", (TOP / "dev").read_text(encoding="utf-8").split("EOF")[1], re.MULTILINE)
    code = "\n".join(CODE.findall(page.read_text(encoding="utf-8")))
    for command in COMMAND.findall(code):
        yield from check_command(program, command)
    # As probes are written.
    for command in re.findall(r"\[/usr/bin/bindery, ([^]]*)\]", code):
        yield from check_command(program, command.replace(",", ""))
    for command in re.findall(r"\./dev ([a-z-]+)", code):
        if command not in dev:
            yield f"`./dev {command}` is no command"
    for path in re.findall(r"(?<![\w/.:-])(?:deploy|config|tests|cmake)/[\w./-]*\w", code):
        if not path.startswith(ELSEWHERE) and not (TOP / path).exists():
            yield f"there is no {path}"
    for path in re.findall(r"(?<![\w.])/usr/(?:share|bin)/[\w./-]*bindery[\w./-]*", code):
        if not path.startswith(ELSEWHERE) and not (root / path[1:]).exists():
            yield f"{path} is not installed"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").glob("*.md")),
             *sorted((TOP / "docs/runbooks").glob("*.md"))]
    faults = [f"{page.relative_to(TOP)}: {fault}" for page in pages for fault in check_page(page, root)]
    print("\n".join(faults) or f"{len(pages)} pages name nothing that is not there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
