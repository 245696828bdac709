#!/usr/bin/env python3
"""What change_ends.py counts, and what it leaves alone."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import change_ends  # noqa: E402

HEADER = """
struct Own {
  std::vector<Grant> removes;
};
struct Outer {
  struct Inner {
    std::map<std::string, Removal> waits;
  };
  Inner inner;
};
struct Plan {
  TargetPlan plan;
  std::vector<Grant> removes() const;
};
struct Observation {
  std::vector<Grant> grants;
};
class HeldThings {};
class HeldLater;
"""
SOURCE = """
bool A() { return entry.reason == reason::kExpired; }
bool B() { return GrantInWords(grant) == item.observed; }
bool C() { return message.find("x") != std::string::npos; }
bool D() { return found == reading.desired.claims.end(); }
bool E() { return reason == ReasonCode::kDenied; }
"""


class ChangeEnds(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        for folder in change_ends.FOLDERS:
            (root / "src" / folder).mkdir(parents=True)
        (root / "src/controller/a.h").write_text(HEADER)
        (root / "src/controller/a.cc").write_text(SOURCE)
        change_ends.ROOT, change_ends.SRC = root, root / "src"

    def test_structures_hold_lists_themselves(self):
        self.assertEqual(change_ends.structures(), {"Own", "Inner"})

    def test_types_are_counted_where_they_are_defined(self):
        self.assertEqual(change_ends.waiting(), {"HeldThings"})

    def test_texts_decide_nothing(self):
        self.assertEqual([place.rsplit(":")[-1] for place in change_ends.sentences()], ["2", "3", "4"])
        self.assertEqual(len(change_ends.problems()), 1)


if __name__ == "__main__":
    unittest.main()
