#!/usr/bin/env python3
"""Which sources cmake/run_tidy.py compiles alone for changed files."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
from include_graph import IncludeGraph  # noqa: E402
from run_tidy import concerned  # noqa: E402

FILES = {
    "base.h": "",
    "shop.h": '#include "a/base.h"\n',
    "base.cc": '#include "a/base.h"\n',
    "shop.cc": '#include "a/shop.h"\n',
    "rows.inc": "",
    "rows.cc": '#include "a/rows.inc"\n',
    "alone.cc": "#include <vector>\n",
}
# What changed, and what is compiled.
CASES = [
    (["alone.cc"], ["alone.cc"]),
    (["base.h"], ["base.cc"]),
    (["shop.h", "base.cc"], ["base.cc", "shop.cc"]),
    (["rows.inc"], ["rows.cc"]),
    (["gone.h"], []),
]


class Concerned(unittest.TestCase):
    def test_sources_that_changed_and_those_with_a_changed_header(self):
        with tempfile.TemporaryDirectory() as holder:
            root = pathlib.Path(holder).resolve()
            (root / "a").mkdir()
            for name, text in FILES.items():
                (root / "a" / name).write_text(text, encoding="utf-8")
            sources = [str(root / "a" / name) for name in FILES if name.endswith(".cc")]
            for changed, compiled in CASES:
                with self.subTest(changed=changed):
                    found = concerned(IncludeGraph([root]), sources, {root / "a" / name for name in changed})
                    self.assertEqual([pathlib.Path(source).name for source in found], compiled)


if __name__ == "__main__":
    unittest.main()
