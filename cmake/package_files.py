#!/usr/bin/env python3
"""Writes what a package holds besides the program and files of the source: man pages, completions,
schemas, change logs. All of it is made of what the program says itself, so that it is never stale.

package_files.py PROGRAM OUTPUT CONTACT [EMULATOR...]: the words before the program of another architecture"""

import datetime
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHELLS = {"bash": "bindery", "zsh": "_bindery", "fish": "bindery.fish"}


def said(program, *arguments):
    """What the program prints; that it prints nothing, or fails, is an error: nothing is left out."""
    # A developer's own configuration is no part of a page's defaults.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BINDERY_")}
    done = subprocess.run([*program, *arguments], stdout=subprocess.PIPE, text=True, env=environment, check=False)
    if done.returncode != 0 or (not done.stdout and "__man" not in arguments):
        sys.exit(f"package_files: {' '.join(arguments)}: exit code {done.returncode}, {len(done.stdout)} bytes")
    return done.stdout


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


def heading(page, section, version):
    date = build_date().strftime("%Y-%m-%d")
    return f'.TH {page} {section} "{date}" "bindery {version}" "bindery"\n'


def man_pages(program):
    """{file name: page} of the program and each of its commands, as the program writes them."""
    with tempfile.TemporaryDirectory() as folder:
        said(program, "__man", folder)
        pages = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir()}
    date = build_date().strftime("%Y-%m-%d")
    return {name: page.replace(' 1 "" ', f' 1 "{date}" ', 1) for name, page in pages.items()}


def man_configuration(version):
    example = (ROOT / "config" / "bindery.yaml").read_text(encoding="utf-8")
    page = heading("BINDERY.YAML", 5, version)
    page += ".SH NAME\nbindery.yaml \\- configuration of bindery\n"
    page += ".SH DESCRIPTION\nEvery key, with its default unless said otherwise.\n.PP\n"
    page += verbatim(example) + ".SH SEE ALSO\n.BR bindery (1)\n"
    return page


def debian_changelog(version, who):
    date = build_date().strftime("%a, %d %b %Y %H:%M:%S +0000")
    return f"bindery ({version}-1) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- {who}  {date}\n"


def write(path, text, packed=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode("utf-8")
    # No name and no time of packing in the file.
    path.write_bytes(gzip.compress(data, 9, mtime=0) if packed else data)


def main():
    program, output, contact = [*sys.argv[4:], sys.argv[1]], pathlib.Path(sys.argv[2]), sys.argv[3]
    version = said(program, "--version").split()[-1]
    shutil.rmtree(output, ignore_errors=True)
    for name, page in man_pages(program).items():
        write(output / "man" / "man1" / f"{name}.gz", page, packed=True)
    write(output / "man" / "man5" / "bindery.yaml.5.gz", man_configuration(version), packed=True)
    write(output / "schema" / "manifest.schema.json", said(program, "schema"))
    write(output / "schema" / "bindery.schema.json", said(program, "config", "schema"))
    write(output / "doc" / "changelog.gz", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), packed=True)
    write(output / "doc" / "changelog.Debian.gz", debian_changelog(version, contact), packed=True)
    for shell, name in SHELLS.items():
        write(output / "completion" / shell / name, said(program, "completion", shell))


if __name__ == "__main__":
    sys.exit(main())
