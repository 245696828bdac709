#!/usr/bin/env python3
"""What cmake/pronouns.py counts, and when it complains."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import pronouns  # noqa: E402

# What it shows, a file's name, its text, pronouns and words.
CASES = [
    ("comments of a source", "src/a.h", "/// It holds what others left.\nint that = 1;\n  // Its own.\n", 4, 7),
    ("a pronoun in any case", "src/a.cc", "// WHICH of THEM\n", 2, 3),
    ("a part of a word", "src/a.cc", "// items, bitten, another's\n", 0, 3),
    ("comments of YAML", "config/a.yaml", "it: that  # so long\n", 1, 2),
    ("prose of a page", "docs/a.md", "# Title\n\nIt is `this`.\n", 2, 4),
    ("no code blocks", "docs/a.md", "text\n```sh\nit that\n```\ntext\n", 0, 2),
]
LIMITS = {"src": 10, "file": 20, "page": 30}
WORDS = pronouns.FEWEST_WORDS


class Pronouns(unittest.TestCase):
    def test_counts(self):
        for shown, name, text, found, words in CASES:
            with self.subTest(shown):
                with tempfile.TemporaryDirectory() as folder:
                    root = pathlib.Path(folder)
                    path = root / name
                    path.parent.mkdir(parents=True)
                    path.write_text(text, encoding="utf-8")
                    self.assertEqual(list(pronouns.counted([path], root)), [(found, words, name)])

    def complaints(self, sources, pages):
        return [text.split(":")[0] for text in pronouns.problems(sources, pages, LIMITS)]

    def test_limits(self):
        calm = (WORDS // 10, WORDS, "src/calm.h")
        self.assertEqual(self.complaints([calm], [(WORDS // 5, WORDS, "docs/a.md")]), [])
        self.assertEqual(self.complaints([(WORDS // 4, WORDS, "src/a.h")], []), ["src", "src/a.h"])
        self.assertEqual(self.complaints([calm], [(WORDS // 2, WORDS, "docs/a.md")]), ["docs/a.md"])

    def test_a_short_text_counts_for_the_total_alone(self):
        self.assertEqual(self.complaints([(WORDS // 2, WORDS - 1, "src/a.h")], []), ["src"])


if __name__ == "__main__":
    unittest.main()
