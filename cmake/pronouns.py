#!/usr/bin/env python3
"""Counts pronouns per 100 words of comments and pages: `./dev lint spelling` fails beyond the limits below.

A pronoun makes the reader look for a noun. The limits are the reached figures: lower a limit after a change that lowers its
figure. pronouns.py [N] prints the N worst files (10).
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRONOUNS = set(
    "it its they them their that those these this which what who whom whose one ones other others another there then so".split())
# A shorter text says too little about its voice.
FEWEST_WORDS = 60
# Pronouns per 100 words: of all comments of src together, of the comments of one file, of one page.
LIMITS = {"src": 6.5, "file": 15.0, "page": 8.0}
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "config/bindery.yaml", "docs/**/*.md")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def words_of(name, text):
    """The words of the comments of a source or of a YAML file, or of the prose of a page."""
    if name.endswith((".h", ".cc")):
        lines = (line.strip() for line in text.splitlines())
        text = " ".join(line.lstrip("/") for line in lines if line.startswith("//"))
    elif name.endswith(".yaml"):
        text = " ".join(line.partition("#")[2] for line in text.splitlines())
    else:
        text = FENCED.sub("", text)
    return re.findall(r"[a-z']+", text.lower())


def counted(paths, root=ROOT):
    """For each file: (pronouns, words, name)."""
    for path in sorted(paths):
        name = path.relative_to(root).as_posix()
        words = words_of(name, path.read_text(encoding="utf-8"))
        yield sum(word in PRONOUNS for word in words), len(words), name


def share(pronouns, words):
    return 100 * pronouns / max(words, 1)


def problems(sources, pages, limits=None):
    """What is beyond a limit, one line each. Takes rows of counted()."""
    limits = limits or LIMITS
    total = share(sum(row[0] for row in sources), sum(row[1] for row in sources))
    if round(total, 1) > limits["src"]:
        yield f"src: {total:.1f} pronouns per 100 words of comments, {limits['src']} are the most"
    for rows, limit in ((sources, limits["file"]), (pages, limits["page"])):
        for pronouns, words, name in rows:
            found = share(pronouns, words)
            if words >= FEWEST_WORDS and round(found, 1) > limit:
                yield f"{name}:1: {found:.1f} pronouns per 100 words, {limit} are the most: write nouns"


def main(arguments):
    sources = list(counted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cc")))
    pages = list(counted(path for pattern in PAGES for path in ROOT.glob(pattern)))
    for title, rows in (("src", sources), ("pages", pages)):
        pronouns, words = (sum(row[part] for row in rows) for part in (0, 1))
        print(f"{title}: {share(pronouns, words):.1f} pronouns per 100 of {words} words; the worst:")
        worst = sorted((row for row in rows if row[1] >= FEWEST_WORDS), key=lambda row: share(row[0], row[1]), reverse=True)
        for row in worst[:int(arguments[0]) if arguments else 10]:
            print(f"  {share(row[0], row[1]):.1f} {row[2]}")
    breaches = list(problems(sources, pages))
    print("\n".join(breaches), end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
