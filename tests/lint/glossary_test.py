#!/usr/bin/env python3
"""What cmake/glossary.py finds, and what it lets through."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import glossary  # noqa: E402

PAGE = """| term | meaning | not in names of types |
| --- | --- | --- |
| hold | waiting removals | `Parked`, `PutAside` |
| lease | the right to write | |
"""

# What it shows, a source, and the types that are found.
CASES = [
    ("a synonym", "struct ParkedWrites {\n};\n", ["ParkedWrites"]),
    ("a synonym within a name", "  enum class WriteParked { kYes };\n", ["WriteParked"]),
    ("a synonym of two words", "class PutAsideList final : public List {\n};\n", ["PutAsideList"]),
    ("an annotated class", "class SCOPED_CAPABILITY(x) ParkedLock {\n};\n", ["ParkedLock"]),
    ("a part of a word", "struct ParkedlyList {\n};\nstruct Reparked {\n};\n", []),
    ("half of two words", "struct PutList {\n};\n", []),
    ("a declaration elsewhere", "class Parked;\n", []),
    ("a function and a variable", "void Parked();\nint parked = 0;\n", []),
    ("a comment", "// struct Parked is a bad name\n", []),
]


class Glossary(unittest.TestCase):
    def test_found_types(self):
        synonyms = glossary.refused(PAGE)
        self.assertEqual(synonyms, {("Parked",): "hold", ("Put", "Aside"): "hold"})
        for shown, text, types in CASES:
            with self.subTest(shown):
                self.assertEqual([name for _, name, _, _ in glossary.misnamed(text, synonyms)], types)

    def test_breach_names_the_term(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "docs").mkdir()
            (root / "docs" / "glossary.md").write_text(PAGE, encoding="utf-8")
            (root / "src" / "a.h").write_text("#pragma once\nstruct ParkedWrites {\n};\n", encoding="utf-8")
            self.assertEqual(list(glossary.check_glossary(root)),
                             ['src/a.h:2: ParkedWrites: docs/glossary.md says "hold" instead of Parked'])

    def test_functions_begin_with_a_verb(self):
        text = "Name NameOf(Person p);\nauto n = TypesOf<A>(b);\nOffice();\nprintOf(a);\nusing NameOf = int;\n"
        self.assertEqual(list(glossary.nouns_of(text)), [(1, "NameOf"), (2, "TypesOf")])

    def test_page_has_rows_and_no_more_than_a_reader_can_keep(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            for text in ("no table\n", PAGE + "| a | b | |\n" * glossary.MOST_ROWS):
                (root / "docs" / "glossary.md").write_text(text, encoding="utf-8")
                self.assertEqual(len(list(glossary.check_glossary(root))), 1)


if __name__ == "__main__":
    unittest.main()
