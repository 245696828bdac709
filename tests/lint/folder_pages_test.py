#!/usr/bin/env python3
"""What cmake/folder_pages.py finds in the pages of folders, in links, and what it lets through."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import folder_pages  # noqa: E402

PAGE = """# shop

Sells things. `Till` takes money, `shop.open` says when, `stock/count` counts.

- `stock`: what there is.

Begin with `till.h`. The library may use `core/base`,
`core/text`.
"""
USED = {"core/base", "core/text"}

# What it shows, how the page is changed, and a part of what is found; None: nothing.
PAGES = [
    ("the page as it is", ("", ""), None),
    ("a file that is gone", ("till.h", "desk.h"), "there is no desk.h"),
    ("a source below that is gone", ("stock/count", "stock/weigh"), "there is no stock/weigh"),
    ("a type that is gone", ("`Till`", "`Desk`"), "there is no Desk"),
    ("one word of a name that is gone", ("shop.open", "shop.closed"), "there is no shop.closed"),
    ("a name over two lines", ("`Till` takes", "`Till\nDesk` takes"), "there is no Till Desk"),
    ("a folder that is not listed", ("- `stock`: what there is.\n", ""), "does not list the folder stock"),
    ("a library that is not declared", ("`core/text`.", "`core/text`, `stock`."), "are not the declared ones"),
    ("a library that is left out", ("`core/base`,\n`core/text`", "`core/base`"), "are not the declared ones"),
    ("the heading of another folder", ("# shop", "# store"), 'the heading is not "# shop"'),
    ("too many lines", ("Sells things.", "Sells things.\n" * 20), "20 are the most"),
]
# What it shows, a text, and the links that lead nowhere.
LINKS = [
    ("a page, a heading, a folder", "[a](other.md) [b](other.md#two-words-of-code) [c](../src) [d](#here)\n# Here\n", []),
    ("a page that is gone", "text [a](gone.md)\n", ["gone.md"]),
    ("a heading that is gone", "[a](other.md#gone) [b](#gone)\n", ["other.md#gone", "#gone"]),
    ("a second heading of one name", "[a](#here-1)\n# Here\n# Here\n", []),
    ("addresses and code", "[a](https://example.com/x) `[b](gone.md)`\n```\n[c](gone.md)\n```\n", []),
    ("a heading in code", "[a](#here)\n```\n# Here\n```\n", ["#here"]),
    ("a file outside of the project", "[a](../../gone.md)\n", ["../../gone.md"]),
    ("a link of two lines' text", "[a\nb](gone.md)\n", ["gone.md"]),
]


class FolderPages(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name).resolve()
        for name, text in {"src/shop/till.h": "class Till { bool open; };  // shop", "src/shop/README.md": PAGE,
                           "src/shop/stock/count.cc": "", "src/shop/stock/README.md": "# shop/stock\n",
                           "src/core/base/a.inc": "", "src/core/text/a.inc": "",
                           "docs/other.md": "# Other\n\n## Two words of `code`\n"}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def test_pages(self):
        page = self.root / "src/shop/README.md"
        for shown, (before, after), found in PAGES:
            with self.subTest(shown):
                page.write_text(PAGE.replace(before, after), encoding="utf-8")
                breaches = list(folder_pages.check_folders({"shop": (USED, set())}, self.root))
                self.assertEqual(len(breaches), 0 if found is None else 1, breaches)
                self.assertIn(found or "", "".join(breaches))

    def test_folder_without_a_page(self):
        (self.root / "src/shop/stock/README.md").unlink()
        self.assertEqual(list(folder_pages.check_folders({}, self.root)), ["src/shop/stock:1: has no README.md"])

    def test_folder_of_folders_needs_a_page_too(self):
        (self.root / "src/mall/shops").mkdir(parents=True)
        (self.root / "src/mall/shops/a.cc").write_text("", encoding="utf-8")
        self.assertEqual(list(folder_pages.check_folders({}, self.root)),
                         ["src/mall:1: has no README.md", "src/mall/shops:1: has no README.md"])

    def test_too_many_files(self):
        for number in range(folder_pages.MAX_FILES):
            (self.root / f"src/shop/file{number}.cc").write_text("", encoding="utf-8")
        self.assertEqual([breach.split(":")[0] for breach in folder_pages.check_folders({}, self.root)], ["src/shop"])

    def test_links(self):
        for shown, text, broken in LINKS:
            with self.subTest(shown):
                page = self.root / "docs/page.md"
                page.write_text(text, encoding="utf-8")
                self.assertEqual([target for _, target in folder_pages.broken_links(self.root, page)], broken)


if __name__ == "__main__":
    unittest.main()
