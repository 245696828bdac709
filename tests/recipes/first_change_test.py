#!/usr/bin/env python3
"""docs/first-change.md as a newcomer follows it: its steps apply to the sources, which then compile, and they touch
what the recipes of CONTRIBUTING.md list."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import recipes_test

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/first-change.md"
STEP = re.compile(r"^```diff\n(.*?)^```$", re.M | re.S)
CHANGED = re.compile(r"^\+\+\+ b/(\S+)$", re.M)
# A file that a command of the page writes.
WRITTEN = re.compile(r"^\S.* > (\S+)$", re.M)
# What CMake tells tests of the whole program.
INTEGRATION = ['-DBINDERY_PROGRAM=""', '-DBINDERY_SOURCE=""']
# The recipes that the page follows, with what is NAME in each.
RECIPES = {"a gate before a write": "critical_additions", "a metric": "policy", "a kind of Datadog": "organization"}


class FirstChange(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.copy = pathlib.Path(holder.name)
        steps = STEP.findall(PAGE.read_text(encoding="utf-8"))
        cls.files = [file for step in steps for file in CHANGED.findall(step)]
        cls.written = WRITTEN.findall(PAGE.read_text(encoding="utf-8"))
        for file in cls.files:
            (cls.copy / file).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / file).exists():
                shutil.copy(ROOT / file, cls.copy / file)
        # In a folder of a repository git would leave out what the repository does not know.
        environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(cls.copy.parent)}
        cls.applied = [
            subprocess.run(["git", "apply", "-p1", "-"], input=step, cwd=cls.copy, env=environment, capture_output=True,
                           text=True, check=False)
            for step in steps
        ]

    def test_every_step_applies(self):
        self.assertGreaterEqual(len(self.applied), 4)
        for number, applied in enumerate(self.applied, 1):
            self.assertEqual(applied.returncode, 0, f"diff {number}: {applied.stderr}")

    def test_the_steps_touch_what_the_recipes_list(self):
        rows = dict(recipes_test.ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
        for title, name in RECIPES.items():
            with self.subTest(title):
                recipe = recipes_test.recipe_files(rows[title], {"name": name})
                self.assertEqual(sorted(recipe - {*self.files, *self.written}), [])

    def test_the_result_compiles(self):
        def compile_source(file):
            return subprocess.run(
                ["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *INTEGRATION, f"-I{self.copy}/src",
                 f"-I{ROOT}/src", f"-I{ROOT}/tests", str(self.copy / file)], capture_output=True, text=True, check=False)

        sources = [file for file in self.files if file.endswith(".cc")]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            for file, compiled in zip(sources, pool.map(compile_source, sources)):
                self.assertEqual(compiled.returncode, 0, f"{file}: {compiled.stderr}")


if __name__ == "__main__":
    sys.exit(unittest.main())
