#!/usr/bin/env python3
"""SECURITY.md names the libraries of the program, each once: those that Debian's package depends on, and those that are compiled in.
libraries_test.py PROGRAM"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import world

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


def dependencies(program):
    """The packages of Debian that CPack writes for this program, by the same tool."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "debian").mkdir()
        (pathlib.Path(folder) / "debian/control").write_text("Source: bindery\n\nPackage: bindery\nArchitecture: any\n", encoding="utf-8")
        said = subprocess.run(["dpkg-shlibdeps", "-O", str(program)], cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout
    named = {relation.split()[0] for relation in said.partition("=")[2].split(",")}
    # Some are only provided, by a package of another name.
    installed = world.run("dpkg-query", "-W", "-f", "${Package} ${Provides}\n").splitlines()
    virtual = named - {line.split()[0] for line in installed}
    return named - virtual | {line.split()[0] for line in installed if virtual & set(re.findall(r"[a-z0-9][a-z0-9+.-]+", line))}


def compiled_in(shared):
    """Of the packages that bindery is built with, those whose content becomes a part of the program."""
    named = world.run(str(world.ROOT / "dev"), "packages", "build").split()
    found = set()
    for package in (name for name in named if name.endswith("-dev")):
        needs = world.run("dpkg-query", "-W", "-f", "${Depends}", package)
        if not shared & {need.split()[0] for need in needs.split(",") if need.split()}:
            found.add(package)
    return found


def named_below(heading):
    """The packages in the first column of the table below a heading of SECURITY.md."""
    text = (world.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    section = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text, re.M | re.S)[1]
    return [name for row in re.findall(r"^\| (`[^|]*) \|", section, re.M) for name in re.findall(r"`([^`]+)`", row)]


class Libraries(unittest.TestCase):
    def test_the_page_names_what_the_package_depends_on(self):
        self.assertEqual(sorted(dependencies(PROGRAM)), sorted(named_below("Libraries of Debian")))

    def test_the_page_names_what_is_compiled_in(self):
        self.assertEqual(sorted(compiled_in(dependencies(PROGRAM))), sorted(named_below("Libraries that are compiled in")))

    def test_the_page_names_what_an_image_has_besides(self):
        import image
        self.assertEqual(sorted(image.BASE), sorted(named_below("Packages of the image alone")))


if __name__ == "__main__":
    unittest.main()
