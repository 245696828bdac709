#!/usr/bin/env python3
"""How many functions and data members each class of src has. check_structure.py asks; `--write` lowers the
numbers of large_classes.txt to those that there are."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = "cmake/large_classes.txt"
MAX_FUNCTIONS = 25
MAX_MEMBERS = 12
# With more functions a class is no plain value any more, and its members count.
VALUE_FUNCTIONS = 3

# What the sizes do not depend on. A raw string may hold quotes, and a quote comments.
BLANKED = re.compile(
    r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"'
    r"|//[^\n]*|/\*.*?\*/"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![\w'])'(?:\\.|[^'\\\n])+'"
    r"|^\s*#(?:\\\n|[^\n])*"
    r"|\[\[[^\]]*\]\]",
    re.S | re.M,
)
TOKEN = re.compile(r"\n|::|->|[A-Za-z_]\w*|\d[\w.']*|[^\s\w]")
CLASS = {"class", "struct", "union"}
ATTRIBUTES = {"GUARDED_BY", "PT_GUARDED_BY", "REQUIRES", "EXCLUDES", "ACQUIRE", "RELEASE", "CAPABILITY"}
OPENING = {"(": ")", "[": "]", "{": "}"}
NO_MEMBER = {"using", "typedef", "friend", "enum", "static_assert"}


def tokens_of(text):
    """(token, line number) of the source without what is blanked."""
    text = BLANKED.sub(lambda found: '""' * (found.group(0)[0] in "R\"") + "\n" * found.group(0).count("\n"), text)
    line, tokens = 1, []
    for found in TOKEN.finditer(text):
        if found.group(0) == "\n":
            line += 1
        else:
            tokens.append((found.group(0), line))
    return tokens


def after_bracket(tokens, at):
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i][0] in OPENING:
            depth += 1
        elif tokens[i][0] in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(tokens)


def after_angles(tokens, at):
    """The index behind the '>' of the template arguments that begin at `at`."""
    depth, i = 0, at
    while i < len(tokens):
        token = tokens[i][0]
        if token in OPENING:
            i = after_bracket(tokens, i)
            continue
        depth += {"<": 1, ">": -1}.get(token, 0)
        i += 1
        if depth == 0 or token == ";":
            break
    return i


def class_body(tokens, at):
    """Of a class that is defined at `at`, a class, struct or union: its name and where its body begins. None
    where it is only declared or named."""
    name, i = "", at + 1
    while i < len(tokens):
        token = tokens[i][0]
        if token == "{":
            return name, i
        if token == "(":
            i = after_bracket(tokens, i)
        elif token == "<":
            i = after_angles(tokens, i)
        elif token in (";", ")", ",", ">", "=", "*", "&"):
            return None
        elif token == ":":
            while i < len(tokens) and tokens[i][0] not in "{;":
                i = after_angles(tokens, i) if tokens[i][0] == "<" else i + 1
        else:
            if re.match(r"[A-Za-z_]", token) and token not in ATTRIBUTES | {"final", "alignas"}:
                if name and tokens[i - 1][0] != "::":
                    return None  # A variable or a function whose type is named so.
                name += ("::" if name else "") + token
            i += 1
    return None


def head_of(tokens, at, end):
    """One declaration of a class body, from `at`: its tokens at the top level without template arguments, and
    the index behind it."""
    head, i, parameters, initializers = [], at, False, False
    while i < end:
        token = tokens[i][0]
        if token == ";":
            return head, i + 1
        if token in ATTRIBUTES and i + 1 < end and tokens[i + 1][0] == "(":
            i = after_bracket(tokens, i + 1)
            continue
        if token == "operator":  # Its name may be brackets or an angle.
            head.append(token)
            i += 1
            while i < end and tokens[i][0] != "(":
                i += 1
            if i + 1 < end and tokens[i + 1][0] == ")" and i + 2 < end and tokens[i + 2][0] == "(":
                i += 2
            continue
        if token == "<" and head and re.match(r"\w", head[-1]) and "=" not in head:
            i = after_angles(tokens, i)
            continue
        if token in OPENING:
            behind = after_bracket(tokens, i)
            initializer = initializers and re.match(r"[\w>]", tokens[i - 1][0]) is not None
            if token == "{" and parameters and not initializer and "=" not in head:
                return head, behind + (behind < end and tokens[behind][0] == ";")
            parameters = parameters or token == "("
            head.append(token)
            i = behind
            continue
        initializers = initializers or (token == ":" and parameters)
        head.append(token)
        i += 1
    return head, end


def kind_of(head):
    """What a declaration is: "function", "member" or None."""
    before = head[: head.index("=")] if "=" in head and "operator" not in head else head
    if not head or NO_MEMBER & set(head[:1]):
        return None
    if "(" in before:
        return "function"
    if "constexpr" in before or before[:2] == ["static", "const"]:
        return None
    return "member"


def sizes_of_body(tokens, at):
    """(functions, members) of the class whose body begins at `at`."""
    functions, members = 0, 0
    end, i = after_bracket(tokens, at) - 1, at + 1
    while i < end:
        token = tokens[i][0]
        if token in ("public", "private", "protected") and tokens[i + 1][0] == ":":
            i += 2
            continue
        if token == "template":
            i = after_angles(tokens, i + 1)
            continue
        if token in CLASS or token == "enum":
            nested = class_body(tokens, i + (token == "enum" and tokens[i + 1][0] in CLASS))
            if nested:
                i = after_bracket(tokens, nested[1])
                members += tokens[i][0] != ";"  # A variable of that type.
            while i < end and tokens[i][0] != ";":
                i += 1
            i += 1
            continue
        head, i = head_of(tokens, i, end)
        kind = kind_of(head)
        functions += kind == "function"
        members += kind == "member"
    return functions, members


def classes_of(text):
    """(name, line number, functions, members) of each class that the source defines. Functions are those that
    are declared, constructors and deleted ones included; a static constant is no member."""
    tokens = tokens_of(text)
    for i, (token, line) in enumerate(tokens):
        if token not in CLASS or (i > 0 and tokens[i - 1][0] in ("enum", "<", ",", "friend")):
            continue
        found = class_body(tokens, i)
        if found:
            yield (found[0], line, *sizes_of_body(tokens, found[1]))


def is_large(functions, members):
    return functions > MAX_FUNCTIONS or (members > MAX_MEMBERS and functions > VALUE_FUNCTIONS)


def large_classes(root):
    """{(file, class): (line number, functions, members)} of src."""
    large = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".h", ".cc"):
            for name, line, functions, members in classes_of(path.read_text(encoding="utf-8")):
                if is_large(functions, members):
                    large[path.relative_to(root).as_posix(), name] = (line, functions, members)
    return large


def listed_classes(root):
    """{(file, class): (line number, functions, members)} of the list."""
    listed = {}
    for number, line in enumerate((root / LIST).read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            name, owner, functions, members = line.split()
            listed[name, owner] = (number, int(functions), int(members))
    return listed


def clipped(functions, members):
    """Sizes within the limits are all the same."""
    return max(functions, MAX_FUNCTIONS), max(members, MAX_MEMBERS)


def check_classes(root=ROOT):
    """Yields what is wrong: a large class that is not listed, or is larger than listed; a row that is more than
    there is."""
    large, listed = large_classes(root), listed_classes(root)
    for (name, owner), (line, functions, members) in large.items():
        most = clipped(*listed.get((name, owner), (0, 0, 0))[1:])
        if functions > most[0] or members > most[1]:
            yield (
                f"{name}:{line}: {owner} has {functions} functions and {members} members: split it by purpose, "
                f"{most[0]} and {most[1]} are the most"
            )
    for key, (number, *most) in listed.items():
        now = clipped(*large.get(key, (0, 0, 0))[1:])
        if any(a < b for a, b in zip(now, clipped(*most))):
            yield f"{LIST}:{number}: {' '.join(key)} is smaller now: cmake/class_sizes.py --write lowers the row"


def lower(root=ROOT):
    """Rewrites the list: no row grows, and none comes in."""
    large, listed = large_classes(root), listed_classes(root)
    lines = (root / LIST).read_text(encoding="utf-8").splitlines()
    for key, (number, *most) in listed.items():
        now = [str(min(a, b)) for a, b in zip(large.get(key, (0, 0, 0))[1:], most)]
        lines[number - 1] = " ".join([*key, *now]) if key in large else None
    text = "".join(line + "\n" for line in lines if line is not None)
    (root / LIST).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        lower()
    else:
        print("\n".join(check_classes()))
