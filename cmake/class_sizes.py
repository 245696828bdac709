#!/usr/bin/env python3
"""How many functions and data members each class of src has. check_structure.py asks."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
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


def check_classes(root=ROOT):
    """Yields the classes of src that are too large."""
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        for owner, line, functions, members in classes_of(path.read_text(encoding="utf-8")):
            if is_large(functions, members):
                yield (
                    f"{path.relative_to(root).as_posix()}:{line}: {owner} has {functions} functions and {members} "
                    f"members: split it by purpose, {MAX_FUNCTIONS} and {MAX_MEMBERS} are the most"
                )
