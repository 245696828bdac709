"""Names in src: no type has a synonym that docs/glossary.md refuses, and a function says what it does."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/glossary.md"
MOST_ROWS = 60
ROW = re.compile(r"^\| (?!term |---)([^|]+) \|[^|]+\|([^|]*)\|$", re.M)
TYPE = re.compile(r"^\s*(?:enum class|enum|class|struct)\s+(?:[A-Z_]+(?:\([^)]*\))?\s+)?([A-Z]\w*)\b(?!\s*;)", re.M)
# "NameOf(person)" says what comes out, and not whether it is looked up, made or read.
NOUN_OF = re.compile(r"\b([A-Z]\w*Of)(?=[(<])")


def words_of(name):
    return re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+", name)


def refused(page):
    """Synonym, as a tuple of words, to the term in its place."""
    return {tuple(words_of(synonym)): term.strip()
            for term, cell in ROW.findall(page) for synonym in re.findall(r"`(\w+)`", cell)}


def misnamed(text, synonyms):
    """Yields (line number, type, synonym, term) of each type of a source that a synonym names."""
    for found in TYPE.finditer(text):
        name = found.group(1)
        words = words_of(name)
        for synonym, term in synonyms.items():
            if any(tuple(words[at:at + len(synonym)]) == synonym for at in range(len(words))):
                yield text.count("\n", 0, found.start(1)) + 1, name, "".join(synonym), term


def nouns_of(text):
    """Yields (line number, name) of each function whose name ends in "Of"."""
    for found in NOUN_OF.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)


def check_glossary(root=ROOT):
    page = (root / PAGE).read_text(encoding="utf-8")
    rows = len(ROW.findall(page))
    if not 0 < rows <= MOST_ROWS:
        yield f"{PAGE}:1: {rows} rows, 1 to {MOST_ROWS} are allowed"
    synonyms = refused(page)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        place = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for number, name, synonym, term in misnamed(text, synonyms):
            yield f"{place}:{number}: {name}: {PAGE} says \"{term}\" instead of {synonym}"
        for number, name in nouns_of(text):
            yield f"{place}:{number}: {name}: begin a function's name with a verb: Find, Make, Get, List …"
