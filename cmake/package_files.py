#!/usr/bin/env python3
"""Writes what a package holds besides the program and files of the source: man pages, completions,
schemas, change logs. All of it is made of what the program says itself, so that it is never stale.

package_files.py PROGRAM OUTPUT"""

import datetime
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHELLS = {"bash": "bindery", "zsh": "_bindery", "fish": "bindery.fish"}
HOME = "https://github.com/bindery/bindery"


def said(program, *arguments):
    """What the program prints; None when it has no such command."""
    # A developer's own configuration is no part of a page's defaults.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BINDERY_")}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, check=False)
    return done.stdout if done.returncode == 0 else None


def build_date():
    """Of the commit, when the build says so: the same commit makes the same bytes."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.now(datetime.timezone.utc)
    return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else now


def roff(text):
    """Plain text that roff leaves as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in escaped.split("\n"))


def verbatim(text):
    return ".nf\n" + roff(text.rstrip()) + "\n.fi\n"


def commands_of(program):
    """[(name, what it does)] as --help lists them."""
    listed = said(program, "--help").split("Subcommands:\n", 1)[1]
    return re.findall(r"^  (\S+) +(\S.*)$", listed, re.MULTILINE)


def heading(page, section, version):
    date = build_date().strftime("%Y-%m-%d")
    return f'.TH {page} {section} "{date}" "bindery {version}" "bindery"\n'


def man_program(program, version):
    commands = commands_of(program)
    page = heading("BINDERY", 1, version)
    page += ".SH NAME\nbindery \\- keeps cloud access bindings the way a folder of manifests declares them\n"
    page += ".SH SYNOPSIS\n.B bindery\n[\\fB\\-c\\fR \\fIFILE\\fR] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n"
    page += ".SH DESCRIPTION\n" + roff(
        "bindery watches a folder of YAML manifests and keeps the access bindings they declare true in the "
        "clouds they name. It says at any time who has access, what drifted, and what it did about it.\n"
    )
    page += ".SH COMMANDS\n"
    for name, what in commands:
        page += f".SS {name}\n{roff(what)}.\n.PP\n"
        # The first lines repeat what was just said; the path depends on who builds.
        help_text = said(program, name, "--help")
        page += verbatim(help_text[help_text.index("Usage:") :].replace(f"Usage: {program}", "Usage: bindery"))
    page += ".SH FILES\n.TP\n.I /etc/bindery/bindery.yaml\nThe configuration, unless \\fB\\-c\\fR or BINDERY_CONFIG"
    page += " names another: see \\fBbindery.yaml\\fR(5).\n"
    page += ".SH ENVIRONMENT\n.TP\n.B BINDERY_CONFIG\nThe configuration file.\n.TP\n.B BINDERY_\\fISECTION\\fR_\\fIKEY\\fR\nA setting, instead of what the file says: \\fBbindery config show\\fR.\n.TP\n.B NO_COLOR\nNo colours.\n"
    page += ".SH EXIT STATUS\n" + roff(
        "Of plan, drift, validate, config check, store check and run --once: 0 as declared, 1 differences or faults, 2 an error. Of health: 0 "
        "or 1. Of all others: 0, or 2 for an error.\n"
    )
    page += ".SH SEE ALSO\n.BR bindery.yaml (5),\n" + roff(HOME) + "\n"
    return page


def man_configuration(version):
    example = (ROOT / "config" / "bindery.yaml").read_text(encoding="utf-8")
    page = heading("BINDERY.YAML", 5, version)
    page += ".SH NAME\nbindery.yaml \\- configuration of bindery\n"
    page += ".SH DESCRIPTION\nEvery key, with its default unless said otherwise.\n.PP\n"
    page += verbatim(example) + ".SH SEE ALSO\n.BR bindery (1)\n"
    return page


def debian_changelog(version):
    date = build_date().strftime("%a, %d %b %Y %H:%M:%S +0000")
    who = "bindery maintainers <maintainers@bindery.invalid>"
    return f"bindery ({version}-1) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- {who}  {date}\n"


def write(path, text, packed=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode("utf-8")
    # No name and no time of packing in the file.
    path.write_bytes(gzip.compress(data, 9, mtime=0) if packed else data)


def main():
    program, output = sys.argv[1], pathlib.Path(sys.argv[2])
    version = said(program, "--version").split()[-1]
    shutil.rmtree(output, ignore_errors=True)
    write(output / "man" / "man1" / "bindery.1.gz", man_program(program, version), packed=True)
    write(output / "man" / "man5" / "bindery.yaml.5.gz", man_configuration(version), packed=True)
    write(output / "schema" / "manifest.schema.json", said(program, "schema"))
    write(output / "schema" / "bindery.schema.json", said(program, "config", "schema"))
    write(output / "doc" / "changelog.gz", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), packed=True)
    write(output / "doc" / "changelog.Debian.gz", debian_changelog(version), packed=True)
    for shell, name in SHELLS.items():
        script = said(program, "completion", shell)
        if script:
            write(output / "completion" / shell / name, script)


if __name__ == "__main__":
    sys.exit(main())
