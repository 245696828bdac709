#!/usr/bin/env python3
"""What cmake/compile_alone.py gives to a source, and when it complains."""

import hashlib
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
from compile_alone import Alone, Headers  # noqa: E402
from include_graph import IncludeGraph  # noqa: E402

CLANG = "clang++-14"

FILES = {
    "src/a/small.h": "#pragma once\n",
    "src/a/big.h": '#pragma once\n#include <vector>\n#include "a/small.h"\ninline std::vector<int> Big() { return {}; }\n',
    "src/a/one.cc": '#include "a/big.h"\nint One() { return static_cast<int>(Big().size()); }\n',
    "src/a/two.cc": '#include "a/big.h"\nint Two() { return static_cast<int>(Big().size()); }\n',
    "src/a/no_header.cc": '#include "a/small.h"\nint Three() { return static_cast<int>(Big().size()); }\n',
    "src/a/wrong.cc": '#include "a/big.h"\nint Four() { return Big(); }\n',
}


class Verdicts:
    def __init__(self, folder):
        self.folder = folder

    def stamp(self, _kind, text):
        return self.folder / hashlib.sha256(text).hexdigest()


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name).resolve()
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        for name in ("verdicts", "compiled"):
            (self.root / name).mkdir()

    def path(self, name):
        return self.root / "src/a" / name

    def sources(self):
        return [self.path(name) for name in ("one.cc", "two.cc", "no_header.cc", "wrong.cc")]


class WhatIsIncluded(Folder):
    def test_is_found_through_headers_of_ours(self):
        ours, others = IncludeGraph([self.root / "src"]).closure(self.path("one.cc"))
        self.assertEqual(ours, {self.path("one.cc"), self.path("big.h"), self.path("small.h")})
        self.assertEqual(others, {"vector"})


class WhatIsCompiledBeforehand(Folder):
    def choose(self, worth):
        sizes = {self.path("big.h"): 1000, self.path("small.h"): 10}
        return Headers(IncludeGraph([self.root / "src"]), self.sources(), sizes.get).choose(worth)

    def test_is_given_only_to_sources_that_include_it(self):
        self.assertEqual(
            self.choose(worth=1),
            # What the small one saves in a single source does not pay for it.
            {source: None if source.name == "no_header.cc" else self.path("big.h") for source in self.sources()},
        )

    def test_has_to_be_worth_it(self):
        self.assertEqual(set(self.choose(worth=10_000).values()), {None})


class EachSource(Folder):
    def check(self, name, beforehand):
        command = [CLANG, "-std=c++20", f"-I{self.root}/src"]
        alone = Alone(command, self.root, Verdicts(self.root / "verdicts"), self.root / "compiled")
        source = self.path(name)
        if source not in alone.unknown([source]):
            return "remembered"
        if beforehand:
            alone.headers = {source: self.path(beforehand)}
            alone.precompile(self.path(beforehand))
            self.assertEqual(len(alone.compiled), 1)
        return alone.check(source)

    def test_compiles_with_and_without_a_header_compiled_beforehand(self):
        self.assertEqual(self.check("one.cc", None), "")
        self.assertEqual(self.check("two.cc", "big.h"), "")

    def test_has_to_name_the_headers_it_uses(self):
        self.assertIn("no_header.cc:2:", self.check("no_header.cc", "small.h"))

    def test_is_complained_of_by_file_and_line(self):
        self.assertIn("wrong.cc:2:", self.check("wrong.cc", "big.h"))

    def test_is_remembered_until_something_it_includes_changes(self):
        self.assertEqual(self.check("one.cc", None), "")
        self.assertEqual(self.check("one.cc", None), "remembered")
        self.path("small.h").write_text("#pragma once\nint one;\n", encoding="utf-8")
        self.assertEqual(self.check("one.cc", None), "")

    def test_is_not_remembered_with_complaints(self):
        self.assertNotEqual(self.check("wrong.cc", None), "")
        self.assertNotEqual(self.check("wrong.cc", None), "remembered")


if __name__ == "__main__":
    unittest.main()
