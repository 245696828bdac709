#!/usr/bin/env python3
"""What cmake/namespaces.py finds, and what it lets through."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import namespaces  # noqa: E402

# What it shows, path below src, text, and the lines that are found.
CASES = [
    ("the folder's own", "store/sql/a.h", "namespace bindery::store {\n}\n", []),
    ("a part of the folder's own", "store/sql/a.h", "namespace bindery::store::rows {\n}\n", []),
    ("the vocabulary", "core/base/a.h", "namespace bindery {\n}\n", []),
    ("the namespace of all", "store/sql/a.h", "int a;\nnamespace bindery {\n}\n", [2, 2]),
    ("the namespace of all, beside the folder's own", "store/a.h",
     "namespace bindery::store {\n}\nnamespace bindery {\n}\n", [3]),
    ("that of another folder", "store/a.h", "namespace bindery::web {\n}\n", [1]),
    ("a name that begins alike", "store/a.h", "namespace bindery::store_rows {\n}\n", [1]),
    ("a declaration for another folder", "store/a.h", "namespace bindery::web {\nclass Page;\n}\nnamespace bindery::store {\n}\n", []),
    ("a cloud", "providers/google/rows/a.cc", "namespace bindery::google {\n}\n", []),
    ("what a cloud defines for all", "providers/google/rows/a.cc", "namespace bindery::providers {\n}\n", []),
    ("another cloud", "providers/google/rows/a.cc", "namespace bindery::datadog {\n}\n", [1]),
    ("a cloud outside of its folder", "providers/registry/a.cc", "namespace bindery::google {\n}\n", [1]),
    ("no namespace", "app/a.cc", "int main() { return 0; }\n", []),
]


class Namespaces(unittest.TestCase):
    def test_found_lines(self):
        for shown, name, text, lines in CASES:
            with self.subTest(shown):
                self.assertEqual(sorted(number for number, _ in namespaces.misplaced(name, text)), lines)

    def test_a_breach_names_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/web").mkdir(parents=True)
            (root / "src/web/a.cc").write_text("namespace bindery {\n}\nnamespace bindery::web {\n}\n", encoding="utf-8")
            self.assertEqual(
                list(namespaces.check_namespaces(root)),
                ["src/web/a.cc:1: namespace bindery is for src/core: bindery::web is the namespace of this folder"])


if __name__ == "__main__":
    unittest.main()
