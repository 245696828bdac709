#!/usr/bin/env python3
"""What cmake/cloud_names.py finds, and what it lets through."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import cloud_names  # noqa: E402

# What it shows, path, text, and the lines that are found (0 is the path).
CASES = [
    ("a name in a text", "src/app/a.cc", "int a;\n// as Google does\n", [2]),
    ("a part of a longer name, in any case", "src/app/a.cc", "storage.googleapis.com\nkDatadogKey\n", [1, 2]),
    ("a path", "src/app/datadog_key.h", "int a;\n", [0]),
    ("a cloud's own folders", "src/providers/google/a.cc", "google", []),
    ("the emulator's too", "src/emulator/datadog/list.txt", "datadog", []),
    ("another cloud in a cloud's folder", "src/providers/google/a.cc", "datadog", [1]),
    ("public names of the common vocabulary", "src/core/a.h", "google.rpc.Code\ngoogle.type.Expr\ngoogle.protobuf.Any", []),
    ("a check of clang-tidy", "src/core/a.h", "// NOLINTNEXTLINE(google-explicit-constructor): as is", []),
]


class CloudNames(unittest.TestCase):
    def test_found_lines(self):
        for shown, name, text, lines in CASES:
            with self.subTest(shown):
                self.assertEqual(sorted(number for number, _ in cloud_names.named_in(name, text)), lines)

    def test_exceptions_hold_while_they_are_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "src" / "a.cc").write_text("Google\n", encoding="utf-8")
            (root / "src" / "b.cc").write_text("int b;\n", encoding="utf-8")
            self.assertEqual(
                list(cloud_names.check_names(root, {})),
                ["src/a.cc:1: names google: what is true of one cloud is in src/providers/google/ and src/emulator/google/"],
            )
            self.assertEqual(list(cloud_names.check_names(root, {"src/a.cc": "why"})), [])
            self.assertEqual(
                list(cloud_names.check_names(root, {"src/a.cc": "why", "src/b.cc": "why"})),
                ["cmake/cloud_names.py:1: src/b.cc names no cloud: it is no exception"],
            )


if __name__ == "__main__":
    unittest.main()
