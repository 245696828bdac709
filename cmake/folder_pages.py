"""The page of each folder of src, its README.md: what it is for, what it may use, and where to begin. Each name of a
page exists, the list of used libraries is the declared one, and every link of a page of the project leads somewhere."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Sources and headers of a folder of src, and lines of its page.
MAX_FILES = 40
MAX_PAGE = 20
ARCHITECTURE = "docs/architecture.md"
ARCHITECTURE_LINES = 90

CODE = re.compile(r"`([^`]+)`")
FENCE = re.compile(r"^ *```.*?^ *```", re.M | re.S)
# A file or a folder, from that of the page, from src or from the root. A source may be named without its ending.
FILE = re.compile(r"\w[\w.-]*\.(?:h|cc|md|inc|py|txt)|\w[\w.-]*(?:/[\w.-]+)+/?")
ENDINGS = ("", ".h", ".cc", ".inc")
FOLDER_BELOW = re.compile(r"^- `(\w+)`: ", re.M)
MAY_USE = re.compile(r"The library may use ([^.]*)\.")
LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)", re.M)
HEADING = re.compile(r"^#+ +(.+?) *#*$", re.M)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


@functools.cache
def words_of_sources(root):
    """The names that sources, and the build of the project, know."""
    words = set()
    for top in ("src", "cmake"):
        for path in (root / top).rglob("*"):
            if path.suffix in (".h", ".cc", ".inc", ".in", ".py"):
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    for path in (root / "tests").rglob("*_test.cc"):
        words.add(path.stem)
    if (root / "dev").exists():
        words.update(re.findall(r"\w+", (root / "dev").read_text(encoding="utf-8")))
    return words


def unknown_names(text, places, words):
    """Yields (line number, name) of each `name` of a page that neither a file nor a source has."""
    for found in CODE.finditer(FENCE.sub(lambda fence: "\n" * fence.group().count("\n"), text)):
        name = " ".join(found.group(1).split())
        known = any((place / (name + ending)).exists() for place in places for ending in ENDINGS)
        if not known and not FILE.fullmatch(name):
            known = all(word in words for word in re.findall(r"\w+", name))
        if not known:
            yield line_of(text, found.start()), name


def check_page(root, folder, declared, words):
    """Yields (line number, what is wrong) of the page of one folder. `declared`: the libraries it uses, None without one."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    name = folder.relative_to(root / "src").as_posix()
    lines = text.count("\n")
    if lines > MAX_PAGE:
        yield MAX_PAGE + 1, f"{lines} lines, {MAX_PAGE} are the most"
    if not text.startswith(f"# {name}\n"):
        yield 1, f"the heading is not \"# {name}\""
    for number, unknown in unknown_names(text, (folder, root / "src", root), words):
        yield number, f"there is no {unknown}"
    below = {path.parent.name for path in folder.glob("*/README.md")}
    for missing in sorted(below - set(FOLDER_BELOW.findall(text))):
        yield 1, f"does not list the folder {missing}"
    told = MAY_USE.search(text)
    used = set(CODE.findall(told.group(1))) if told else set()
    if declared is not None and used != declared:
        yield (line_of(text, told.start()) if told else 1), (
            "the libraries it may use are not the declared ones: " + ", ".join(f"`{one}`" for one in sorted(declared)))


def check_folders(declared, root=ROOT):
    """`declared`: {library: (DEPS, USES)}."""
    words = words_of_sources(root)
    for folder in sorted(path for path in (root / "src").rglob("*") if path.is_dir()):
        files = [path.name for path in folder.iterdir() if path.suffix in (".h", ".cc")]
        if not files and not any(folder.rglob("*.cc")):
            continue
        name = folder.relative_to(root).as_posix()
        if len(files) > MAX_FILES:
            yield f"{name}:1: {len(files)} sources and headers: part the folder, {MAX_FILES} are the most"
        if not (folder / "README.md").exists():
            yield f"{name}:1: has no README.md"
            continue
        library = declared.get(folder.relative_to(root / "src").as_posix())
        used = library[0] | library[1] if library else None
        for number, what in check_page(root, folder, used, words):
            yield f"{name}/README.md:{number}: {what}"


def check_architecture(root=ROOT):
    """The page of the architecture is one page, and each of its names exists. Its rows: check_structure.py."""
    text = (root / ARCHITECTURE).read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > ARCHITECTURE_LINES:
        yield f"{ARCHITECTURE}:{ARCHITECTURE_LINES + 1}: {lines} lines, {ARCHITECTURE_LINES} are the most"
    for number, unknown in unknown_names(text, (root / "src", root), words_of_sources(root)):
        yield f"{ARCHITECTURE}:{number}: there is no {unknown}"


def anchors_of(text):
    """The anchors of a page, as GitHub makes them of headings."""
    text = FENCE.sub("", text)
    anchors = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        anchor = plain = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        repeated = 0
        while anchor in anchors:
            repeated += 1
            anchor = f"{plain}-{repeated}"
        anchors.add(anchor)
    return anchors


def broken_links(root, page):
    """Yields (line number, target) of each link of a page to a file or a heading that there is not."""
    text = page.read_text(encoding="utf-8")
    shown = re.sub(r"`[^`\n]*`", lambda code: " " * len(code.group()),
                   FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence.group()), text))
    for found in LINK.finditer(shown):
        target = text[found.start(1):found.end(1)] if found.group(1) else text[found.start(2):found.end(2)]
        if re.match(r"[a-z]+:|/", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists() or root not in path.parents and path != root:
            yield line_of(text, found.start()), target
        elif anchor and path.suffix == ".md" and anchor not in anchors_of(path.read_text(encoding="utf-8")):
            yield line_of(text, found.start()), target


def check_links(root=ROOT):
    pages = [path for top in ("src", "docs", "deploy", "tests", "findings", "release", "config")
             for path in (root / top).rglob("*.md")]
    for page in sorted([*root.glob("*.md"), *pages]):
        for number, target in broken_links(root, page):
            yield f"{page.relative_to(root).as_posix()}:{number}: {target} leads nowhere"
