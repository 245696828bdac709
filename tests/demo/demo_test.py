#!/usr/bin/env python3
"""`bindery demo`: from nothing to the first repaired drift, and nothing left behind. demo_test.py PROGRAM"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else ROOT / "build/release/bindery"
PATIENCE = 120  # Seconds.


class Demo(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.variables = {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.folder)}

    def run_demo(self, *arguments, **variables):
        return subprocess.run([PROGRAM, "demo", *arguments], text=True, capture_output=True, timeout=PATIENCE, check=False,
                              env={**self.variables, **variables}, cwd=self.folder)

    def start_demo(self, *arguments):
        """A demonstration that goes on, once it tells what to do next; its output until then."""
        demo = subprocess.Popen([PROGRAM, "demo", *arguments], text=True, stdout=subprocess.PIPE, env=self.variables,
                                cwd=self.folder)
        self.addCleanup(demo.stdout.close)
        self.addCleanup(demo.kill)
        said = ""
        for line in demo.stdout:
            said += line
            if line.startswith("Ctrl+C"):
                return demo, said
        self.fail(f"it ended: {said}")

    def example(self):
        """An example of its own."""
        example = self.folder / "example"
        for name in ("manifests", "demo"):
            shutil.copytree(ROOT / "config" / name, example / name)
        shutil.copy(ROOT / "config/embedded-cloud.yaml", example)
        return example

    def test_it_ends_with_the_first_repaired_drift_and_leaves_nothing_behind(self):
        done = self.run_demo("--once", "--example", ROOT / "config")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"First pass: 21 manifests; [1-9]\d* targets were not as declared")
        self.assertRegex(done.stdout, r"(?s)public.*allUsers.*Found: 1 difference.*foreign.*Repaired: 0 added, 1 removed")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tmp"])
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_settings_of_another_daemon_do_not_count(self):
        done = self.run_demo("--once", "--example", ROOT / "config", BINDERY_RECONCILE_MODE="observe",
                             BINDERY_CONFIG="/nowhere", STATE_DIRECTORY="/nowhere", NOTIFY_SOCKET="/nowhere")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_it_goes_on_with_a_dashboard_until_it_is_told_to_end(self):
        for told in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(told.name):
                demo, said = self.start_demo("--example", ROOT / "config")
                address = re.search(r"Dashboard: (http://127\.0\.0\.1:\d+)/", said).group(1)
                with urllib.request.urlopen(address + "/readyz", timeout=PATIENCE) as answer:
                    self.assertEqual(answer.status, 200)
                config = re.search(r"BINDERY_CONFIG=(\S+)", said).group(1)
                drift = subprocess.run([PROGRAM, "drift", "--all", "-o", "json", "-c", config], text=True, capture_output=True,
                                       timeout=PATIENCE, check=False)
                self.assertIn("allUsers", drift.stdout)
                demo.send_signal(told)
                self.assertEqual(demo.wait(PATIENCE), 0)
                self.assertEqual(list(self.temporary.iterdir()), [])
                with self.assertRaises(OSError):
                    urllib.request.urlopen(address + "/livez", timeout=5)

    def test_the_daemon_ends_with_a_demonstration_that_is_killed(self):
        demo, said = self.start_demo("--example", ROOT / "config")
        address = re.search(r"Dashboard: (http://\S+)/", said).group(1)
        demo.kill()
        demo.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(address + "/livez", timeout=5).close()
            except OSError:
                return
            time.sleep(0.1)
        self.fail("the daemon still answers")

    def test_a_named_folder_stays_and_must_be_empty(self):
        own = self.folder / "own"
        first = self.run_demo("--once", "--directory", own, "--example", ROOT / "config")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertTrue((own / "bindery.db").exists())
        second = self.run_demo("--once", "--directory", own, "--example", ROOT / "config")
        self.assertEqual(second.returncode, 2)
        self.assertIn("is not empty", second.stderr)

    def test_what_is_wrong_with_an_example_is_said(self):
        for name, change, said in (
            ("none", lambda example: shutil.rmtree(example / "demo"), "change.json"),
            ("unreadable", lambda example: (example / "demo/change.json").write_text("{"), "change.json"),
            ("incomplete", lambda example: (example / "demo/change.json").write_text("{}"), 'no text "says"'),
            ("no cloud", lambda example: (example / "embedded-cloud.yaml").write_text("projects: 1\n"), "did not finish"),
        ):
            with self.subTest(name):
                example = self.example()
                change(example)
                done = self.run_demo("--once", "--example", example)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(said, done.stderr)
                self.assertEqual(list(self.temporary.iterdir()), [])
                shutil.rmtree(example)

    def test_a_refused_change_is_an_error(self):
        example = self.example()
        change = json.loads((example / "demo/change.json").read_text())
        (example / "demo/change.json").write_text(json.dumps({**change, "path": "/storage/v1/b/nowhere/iam"}))
        done = self.run_demo("--once", "--example", example)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("refuses the change", done.stderr)


if __name__ == "__main__":
    unittest.main()
