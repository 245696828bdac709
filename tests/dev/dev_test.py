#!/usr/bin/env python3
"""What `./dev` lets through from the machine to tests and checks, and what it tells of tests, in a small project."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# Of bash, of ctest, and of dev itself for the compiler's cache and for tests.
OWN = {"PWD", "OLDPWD", "SHLVL", "_", "PATH", "LANG", "PYTHONNOUSERSITE", "CMAKE_CXX_COMPILER_LAUNCHER", "CCACHE_BASEDIR",
       "CCACHE_NOHASHDIR", "UBSAN_OPTIONS", "CTEST_INTERACTIVE_DEBUG_MODE"}
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(small NONE)
enable_testing()
add_test(NAME seen COMMAND sh -c "env -0 >${CMAKE_SOURCE_DIR}/seen")
add_test(NAME without_a_tool COMMAND sh -c "echo 'skipped: there is no tool'; exit 77")
add_test(NAME "of_googletest/0  # GetParam() = 0" COMMAND sh -c "printf 'a_test.cc:7: Skipped\\\\nonly root\\\\nmay\\\\n[  SKIPPED ] A.B/0 (0 ms)\\\\n\\\\n'")
add_test(NAME in_part COMMAND sh -c "echo 'left out: the second half'")
set_tests_properties(seen without_a_tool "of_googletest/0  # GetParam() = 0" in_part PROPERTIES LABELS unit)
set_tests_properties(without_a_tool PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties("of_googletest/0  # GetParam() = 0" PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
"""
FAILING = 'add_test(NAME failing COMMAND false)\nset_tests_properties(failing PROPERTIES LABELS unit)\n'
# Stands for a check of the sources.
CHECK = "import os\nopen('seen', 'w').write(''.join(f'{name}={value}\\0' for name, value in os.environ.items()))\n"


class Dev(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        self.root = self.folder / "clone"
        (self.root / "cmake").mkdir(parents=True)
        for name in ("CMakePresets.json", "cmake/left_out.py"):
            shutil.copy(ROOT / name, self.root / name)
        # Whatever is missing on this machine, a test installs nothing.
        text = (ROOT / "dev").read_text(encoding="utf-8")
        self.assertEqual(text.count("\nsetup() {\n"), 1)
        (self.root / "dev").write_text(text.replace("\nsetup() {\n", "\nsetup() {\n  return\n"), encoding="utf-8")
        (self.root / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        (self.root / "cmake/check_versions.py").write_text(CHECK, encoding="utf-8")
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        for name in ("cmake", "ctest", "ninja", "python3", "env"):
            (self.tools / name).write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
            (self.tools / name).chmod(0o755)

    def dev(self, *arguments):
        """On a machine that has variables and programs of its own."""
        machine = {"HOME": str(self.folder), "TERM": "dumb", "CI": "true", "PATH": f"{self.tools}:/usr/local/bin:{PATH}",
                   "LANG": "de_DE.UTF-8", "CXX": "/nowhere/c++", "PYTHONPATH": str(self.tools), "PGHOST": "nowhere",
                   "http_proxy": "http://nowhere.invalid:1"}
        return subprocess.run(["/bin/bash", str(self.root / "dev"), *arguments], env=machine, capture_output=True,
                              text=True, check=False)

    def seen(self):
        """The variables that a test or a check had."""
        text = (self.root / "seen").read_text(encoding="utf-8")
        return dict(line.split("=", 1) for line in text.split("\0") if line)

    def test_tests_have_no_variable_and_no_program_of_the_machine(self):
        done = self.dev("test")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        seen = self.seen()
        self.assertEqual(set(seen) - OWN, {"HOME", "TERM", "CI"})
        self.assertEqual((seen["PATH"], seen["LANG"]), (PATH, "C.UTF-8"))

    def test_checks_of_the_sources_have_none_either(self):
        done = self.dev("lint", "versions")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        seen = self.seen()
        self.assertEqual(set(seen) - OWN - {"LC_CTYPE"}, {"HOME", "TERM", "CI", "http_proxy"})
        self.assertEqual((seen["PATH"], seen["LANG"]), (PATH, "C.UTF-8"))

    def test_what_was_skipped_or_left_out_is_named_with_its_reason(self):
        said = self.dev("test").stdout.splitlines()
        self.assertEqual(
            [line for line in said if line.startswith(("skipped: ", "left out: "))],
            ["skipped: without_a_tool: there is no tool", "skipped: of_googletest/0: only root may",
             "left out: in_part: the second half"])

    def test_a_folder_of_src_is_named_by_its_path_or_its_last_part(self):
        for folder in ("src/a/guard", "src/b/guard", "src/b/gates", "tests/unit/b"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "tests/unit/b/CMakeLists.txt").write_text("# no program\n", encoding="utf-8")
        for argument, message in (
            ("nothing", '"nothing" is neither a preset nor a folder of src'),
            ("guard", '"guard" names several folders of src: a/guard b/guard'),
            ("uard", '"uard" is neither a preset nor a folder of src'),
            ("a/guard", "there are no unit tests of src/a/guard"),
            ("gates", "there are no unit tests of src/b/gates"),
        ):
            with self.subTest(argument):
                done = self.dev("test", argument)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)

    def git(self, *arguments, **variables):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(self.root), *arguments],
                       env={"PATH": PATH, "HOME": str(self.folder), **variables}, capture_output=True, check=True)

    def commit(self, *files, at="2026-01-01T12:00Z"):
        for name in files:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            with (self.root / name).open("a", encoding="utf-8") as file:
                file.write("more\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "more", GIT_COMMITTER_DATE=at)

    def changed(self, *arguments):
        done = self.dev("changed", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def test_on_main_changed_files_are_those_of_the_last_four_hours(self):
        self.git("init", "--quiet", "--initial-branch", "main")
        for file, at in (("a.cc", "2026-01-01T05:00Z"), ("b.cc", "2026-01-01T07:59Z"), ("c.cc", "2026-01-01T08:01Z"),
                         ("d.cc", "2026-01-01T12:00Z")):
            self.commit(file, at=at)
        self.assertEqual(self.changed(), ["c.cc", "d.cc"])

    def test_changed_files_are_those_of_the_branch_or_of_the_last_commit(self):
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("a.cc", "gone.cc", "old.cc")
        self.assertEqual(self.changed(), [], "one commit alone")
        self.commit("b.cc")
        self.assertEqual(self.changed(), ["b.cc"], "on main, where all commits are of the last hours: the last commit")
        self.git("switch", "--quiet", "--create", "branch")
        self.commit("c.cc")
        self.commit("d.cc")
        self.assertEqual(self.changed(), ["c.cc", "d.cc"], "on a branch: since it left main")
        (self.root / "gone.cc").unlink()
        (self.root / "old.cc").rename(self.root / "new.cc")
        (self.root / "a.cc").write_text("edited\n", encoding="utf-8")
        self.assertEqual(self.changed(), ["a.cc", "c.cc", "d.cc", "new.cc"], "edits in no commit, but what is gone")
        self.assertEqual(self.changed("HEAD"), ["a.cc", "new.cc"], "since a commit that is named")

    def test_without_history_everything_is_checked_all_the_same(self):
        self.assertEqual(self.changed(), [], "without git")
        self.git("init", "--quiet", "--initial-branch", "main")
        self.assertEqual(self.changed(), [], "without a commit")
        self.commit("src/a/a.cc")
        self.commit("src/a/b.cc")
        self.git("clone", "--quiet", "--depth", "1", f"file://{self.root}", str(self.folder / "shallow"))
        self.root = self.folder / "shallow"
        for arguments in ((), ("1234567",)):
            done = self.dev("test", "--changed", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("changed files are not known", done.stderr)

    def test_tests_of_changed_files_are_found_and_a_failure_is_one(self):
        (self.root / "tests/lint").mkdir(parents=True)
        script = self.root / "tests/lint/check_versions_test.py"
        script.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        script.chmod(0o755)
        tests = self.root / "tests/CMakeLists.txt"
        tests.write_text("# none\n", encoding="utf-8")
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("a")
        self.commit("cmake/check_versions.py", "src/a/README.md", "src/lonely/a.cc")
        done = self.dev("test", "--changed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("test: 0 programs", done.stderr)
        tests.write_text("add_test(NAME a COMMAND ${CMAKE_SOURCE_DIR}/tests/lint/check_versions_test.py)\n", encoding="utf-8")
        done = self.dev("test", "--changed")
        self.assertEqual(done.returncode, 1)
        self.assertIn("test: tests/lint/check_versions_test.py", done.stderr)

    def test_a_failure_is_one_although_skipped_tests_are_named_after_it(self):
        with (self.root / "CMakeLists.txt").open("a", encoding="utf-8") as project:
            project.write(FAILING)
        done = self.dev("test")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("skipped: without_a_tool: ", done.stdout)


if __name__ == "__main__":
    unittest.main()
