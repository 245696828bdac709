#!/usr/bin/env python3
"""Finds names that a source calls its own and another source of the same program defines too.

Sources are compiled in batches, so that a call in one may take a function in the anonymous namespace of another
whose parameters fit better: no compiler says so. check_structure.py asks.
"""

import collections
import pathlib
import re

from class_sizes import ATTRIBUTES, CLASS, OPENING, after_angles, after_bracket, class_body, tokens_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_PROGRAM = re.compile(r"bindery_test\(([^)]*)\)")
WORD = re.compile(r"[A-Za-z_]\w*")
# Words before a parenthesis that name no function.
OPERANDS = {"decltype", "alignas", "noexcept", "requires", "explicit", "operator"} | ATTRIBUTES
# gmock's: the first argument is what it defines.
MATCHER = re.compile(r"MATCHER(_P\d*)?$")

# What libraries of tests look up by that name.
CUSTOMIZED = {"PrintTo", "showValue"}

# `borrowed` is what a using-declaration names, such as "testing::_"; empty for a definition.
Definition = collections.namedtuple("Definition", "name line private namespace borrowed is_type", defaults=["", False])


def to_semicolon(tokens, at):
    """The index behind the ';' that ends the declaration at `at`."""
    while at < len(tokens) and tokens[at][0] != ";":
        at = after_bracket(tokens, at) if tokens[at][0] in OPENING else at + 1
    return at + 1


def last_name(head):
    """The name that a declaration whose tokens are these declares; None for one that is qualified."""
    if not head or not WORD.match(head[-1]) or (len(head) > 1 and head[-2] == "::"):
        return None
    return head[-1]


def declaration(tokens, at):
    """(name, index behind) of the function or variable that is declared at `at`. The name is None unless this
    defines one that other code can name without its class."""
    head, name, i, called = [], None, at, False
    while i < len(tokens):
        token = tokens[i][0]
        if token == ";":
            constant = called and name is not None and re.match(r"k[A-Z]", name)
            forward = head[:1] == ["enum"] or (head[:1] and head[0] in CLASS and len(head) == 2)
            variable = not called and len(head) > 1 and head[0] != "extern" and not forward
            return (name if constant else last_name(head) if variable else None), i + 1
        if token == "=" and head[-1:] != ["operator"]:
            return (None if called else last_name(head)), to_semicolon(tokens, i)
        if token == "{" and not called:
            return last_name(head), to_semicolon(tokens, i)
        if token == "{":
            return name, after_bracket(tokens, i)
        if token == "(":
            if not called and head and WORD.match(head[-1]) and head[-1] not in OPERANDS:
                called, name = True, last_name(head) if len(head) > 1 else None
                if len(head) == 1 and MATCHER.match(head[0]):
                    name = tokens[i + 1][0]
            elif "operator" in head:
                called = True
            i = after_bracket(tokens, i)
        elif token == "[":
            i = after_bracket(tokens, i)
        elif token == "<" and head and WORD.match(head[-1]) and head[-1] != "operator":
            i = after_angles(tokens, i)
        else:
            head.append(token)
            i += 1
    return None, i


def namespace_at(tokens, at):
    """The name of the namespace that is opened at `at` ("" for an anonymous one) and the index of its body; the
    name is None for an alias."""
    i = at + 1
    while i < len(tokens) and tokens[i][0] not in ("{", ";", "="):
        i += 1
    if i >= len(tokens) or tokens[i][0] != "{":
        return None, to_semicolon(tokens, i)
    return "".join(token for token, _ in tokens[at + 1 : i] if token != "inline"), i + 1


def borrowed_at(tokens, at):
    """What the using-declaration at `at` names, from the namespace of ours on; empty where something else is."""
    if tokens[at][0] != "using" or tokens[at + 1][0] == "namespace" or tokens[at + 2][0] == "=":
        return ""
    words = "".join(token for token, _ in tokens[at + 1 : to_semicolon(tokens, at) - 1])
    return words.removeprefix("::").removeprefix("bindery::")


def type_at(tokens, at):
    """(name, index behind) of the type that is defined at `at`; (None, `at`) where something else is."""
    word = tokens[at][0]
    if word == "using":
        named = tokens[at + 2][0] == "="
        return (tokens[at + 1][0] if named else None), to_semicolon(tokens, at)
    if word == "typedef":
        behind = to_semicolon(tokens, at)
        return tokens[behind - 2][0], behind
    found = class_body(tokens, at + (word == "enum" and tokens[at + 1][0] in CLASS))
    if found is None:
        return None, at
    # A class that is defined outside of the one it belongs to has no name of its own.
    return (found[0] if found[0] and "::" not in found[0] else None), to_semicolon(tokens, found[1])


def definitions_of(text):
    """What the source defines at the scope of a namespace. Private is what an anonymous namespace holds or static
    makes so."""
    tokens = tokens_of(text)
    spaces, i = [], 0
    while i < len(tokens):
        word, line = tokens[i]
        if word == "namespace" or (word == "inline" and tokens[i + 1][0] == "namespace"):
            name, i = namespace_at(tokens, i + (word == "inline"))
            spaces += [] if name is None else [name]
            continue
        if word == "}":
            spaces, i = spaces[:-1], i + 1
            continue
        if [token for token, _ in tokens[i : i + 4]] == ["extern", '"', '"', "{"]:
            spaces, i = spaces + ["extern"], i + 4
            continue
        if word == "template":
            # A specialization repeats a name. Angles alone are one.
            special = tokens[i + 1][0] == "<" and tokens[i + 2][0] == ">"
            i = after_angles(tokens, i + 1)
            if special:
                i = specialization_end(tokens, i)
            continue
        start, name = i, None
        borrowed = borrowed_at(tokens, i)
        if borrowed:
            yield Definition(borrowed.rpartition("::")[2], line, True, namespace_of(spaces), borrowed)
            i = to_semicolon(tokens, i)
            continue
        if word in CLASS | {"enum", "using", "typedef"}:
            name, i = type_at(tokens, i)
        is_type = i != start
        if not is_type:
            name, i = declaration(tokens, i)
        if name is not None:
            static = any(token == "static" for token, _ in tokens[start : start + 3])
            yield Definition(name, line, static or "" in spaces, namespace_of(spaces), "", is_type)


def namespace_of(spaces):
    return "::".join(space for space in spaces if space not in ("", "extern"))


def specialization_end(tokens, at):
    _, behind = type_at(tokens, at) if tokens[at][0] in CLASS else (None, at)
    return declaration(tokens, at)[1] if behind == at else behind


def collisions(sources):
    """Yields (file, line, name, other file, other line) of each name that a source calls its own, or borrows, and
    another one defines, or borrows from elsewhere, in the same namespace. `sources` are (file, text)."""
    found = collections.defaultdict(list)
    for file, text in sources:
        for definition in definitions_of(text):
            if definition.name in CUSTOMIZED:
                continue
            found[definition.namespace, definition.name].append((file, definition))
    for places in found.values():
        kept, other = min(places, key=lambda place: (place[1].private, place[1].borrowed))
        for file, own in places:
            same = own.borrowed and own.borrowed == other.borrowed
            if own.private and file != kept and not same:
                yield file, own.line, own.name, kept, other.line


def programs(root=ROOT):
    """Yields the sources that may be compiled together: those of a library of src, and those of a test program."""
    homes = {path.parent for path in (root / "src").rglob("CMakeLists.txt") if any(path.parent.glob("*.cc"))}
    libraries = collections.defaultdict(list)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".cc", ".h"):
            libraries[next((folder for folder in path.parents if folder in homes), path.parent)].append(path)
    yield from libraries.values()
    for cmake in sorted((root / "tests").rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", cmake.read_text(encoding="utf-8"))
        for program in TEST_PROGRAM.findall(text):
            yield [cmake.parent / word for word in program.split() if word.endswith(".cc") and "$" not in word]


def check_private_names(root=ROOT):
    """Yields the names that two sources of one program define, at least one of them for itself."""
    for sources in programs(root):
        texts = [(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in sources]
        for file, line, name, other, other_line in collisions(texts):
            yield f"{file}:{line}: {name} is a name of {other}:{other_line} too, and batches mix them: rename one"


def check_types(root=ROOT):
    """Yields the types that two headers of src define under one name in one namespace: a source sees one of them,
    and the linker keeps one function of both."""
    places = {}
    for path in sorted((root / "src").rglob("*.h")):
        file = path.relative_to(root).as_posix()
        for definition in definitions_of(path.read_text(encoding="utf-8")):
            if not definition.is_type or definition.private or definition.name in CUSTOMIZED:
                continue
            other = places.setdefault((definition.namespace, definition.name), file)
            if other != file:
                yield f"{file}:{definition.line}: {definition.name} is a type of {other} too: rename one"
