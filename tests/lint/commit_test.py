#!/usr/bin/env python3
"""Which commit cmake/commit.cmake has a program say, and when it calls the program dirty."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Commit(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.clone = pathlib.Path(holder.name).resolve()
        (self.clone / "cmake").mkdir()
        (self.clone / "cmake/archive_commit.txt").write_text("$Format:%H$\n", encoding="utf-8")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=a")
        self.head = self.git("rev-parse", "HEAD").strip()

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.clone, capture_output=True, text=True, check=True).stdout

    def said(self, clone=None):
        output = self.clone / "commit.cc"
        subprocess.run(["cmake", "-D", f"SOURCE={clone or self.clone}", "-D", f"OUTPUT={output}", "-P",
                        ROOT / "cmake/commit.cmake"], check=True)
        return output.read_text(encoding="utf-8").split('return "')[1].split('"')[0]

    def test_is_that_of_the_clone(self):
        self.assertEqual(self.said(), self.head)

    def test_is_dirty_with_a_changed_file(self):
        (self.clone / "cmake/archive_commit.txt").write_text("$Format:%h$\n", encoding="utf-8")
        self.assertEqual(self.said(), self.head + "-dirty")

    def test_is_that_of_a_copy_whose_files_have_other_times(self):
        copy = self.clone / "copy"
        shutil.copytree(self.clone, copy)
        os.utime(copy / "cmake/archive_commit.txt", (1, 1))
        self.assertEqual(self.said(copy), self.head)


if __name__ == "__main__":
    unittest.main()
