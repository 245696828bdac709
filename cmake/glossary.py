"""One word for one concept: no type of src is named by a synonym that docs/glossary.md refuses."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/glossary.md"
MOST_ROWS = 60
ROW = re.compile(r"^\| (?!term |---)([^|]+) \|[^|]+\|([^|]*)\|$", re.M)
TYPE = re.compile(r"^\s*(?:enum class|enum|class|struct)\s+(?:[A-Z_]+(?:\([^)]*\))?\s+)?([A-Z]\w*)\b(?!\s*;)", re.M)


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


def check_glossary(root=ROOT):
    page = (root / PAGE).read_text(encoding="utf-8")
    rows = len(ROW.findall(page))
    if not 0 < rows <= MOST_ROWS:
        yield f"{PAGE}:1: {rows} rows, 1 to {MOST_ROWS} are allowed"
    synonyms = refused(page)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        for number, name, synonym, term in misnamed(path.read_text(encoding="utf-8"), synonyms):
            yield (f"{path.relative_to(root).as_posix()}:{number}: {name}: {PAGE} says \"{term}\" "
                   f"instead of {synonym}")
