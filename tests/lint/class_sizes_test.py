#!/usr/bin/env python3
"""What cmake/class_sizes.py counts, and when it complains."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import class_sizes  # noqa: E402

# What it shows, source, and (name, functions, members) of each class in it.
COUNTED = [
    (
        "constructors, deleted ones and operators are functions",
        "class A { public: A(); ~A(); A(const A&) = delete; bool operator()(int) const; bool operator<(A) const; };",
        [("A", 5, 0)],
    ),
    (
        "the body of a function is not looked into",
        "class A { int Get() const { int a = 1; if (a) { return a; } return 2; } int value_ = 0; };",
        [("A", 1, 1)],
    ),
    (
        "initializers in braces are no body",
        "class A : public B { explicit A(int a) : B(a), a_{a}, b_{} { Run(); } int a_; std::vector<int> b_{1, 2}; };",
        [("A", 1, 2)],
    ),
    (
        "parentheses in a type or a value make no function",
        "class A { std::function<void(int)> done_; int a_ = Make(1); std::optional<B> b_ GUARDED_BY(mutex_); };",
        [("A", 0, 3)],
    ),
    (
        "constants, names of types, friends and forward declarations are nothing",
        "class A { static constexpr int kA = 1; static const int kB{2}; using B = int; friend class C; class D;"
        " friend bool operator==(const A&, const A&) { return true; } enum class E { kA, kB }; };",
        [("A", 0, 0)],
    ),
    (
        "a static function of a constant type is a function",
        "class A { static const B* Find(int key); static constexpr int Twice(int a) { return 2 * a; } };",
        [("A", 2, 0)],
    ),
    (
        "a nested class is one of its own, and its variable a member",
        "class A { struct B { int a; int b; }; struct { int c; } d_; B b_; };",
        [("A", 0, 2), ("B", 0, 2), ("", 0, 1)],
    ),
    (
        "templates, attributes and final",
        'template <class T, int n> class CAPABILITY("mutex") A final : public B<T> { template <typename U>'
        " [[nodiscard]] bool Is(U u) const REQUIRES(mutex_); T t_; };",
        [("A", 1, 1)],
    ),
    (
        "a class that is defined outside of the one it belongs to",
        "class A::B { void Run(); };",
        [("A::B", 1, 0)],
    ),
    (
        "what is no code",
        "// class A { int a; };\n/* class B { int b; }; */\n#define C class C { int c; };\n"
        'const char* kText = R"(class D { int d; };)";\nclass E { char quote_ = \'"\'; char brace_ = \'{\'; };',
        [("E", 0, 2)],
    ),
    (
        "types that are named, not defined",
        "enum class A { kA }; class B; struct C Make(); void Take(struct D* d); template <class T> T Get() { return {}; }",
        [],
    ),
]


def value(members):
    return "struct Big { " + " ".join(f"int m{i};" for i in range(members)) + " };\n"


def behaviour(functions, members):
    declared = [f"void F{i}();" for i in range(functions)] + [f"int m{i}_;" for i in range(members)]
    return "class Big { " + " ".join(declared) + " };\n"


# What it shows, source, and a part of the complaint; empty: there is none.
JUDGED = [
    ("as much as is allowed", behaviour(25, 12), ""),
    ("one function more", behaviour(26, 0), "src/a.h:1: Big has 26 functions and 0 members"),
    ("one member more", behaviour(4, 13), "src/a.h:1: Big has 4 functions and 13 members"),
    ("a plain value", value(40), ""),
]


class ClassSizes(unittest.TestCase):
    def tree(self, source):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "src").mkdir()
        (root / "src/a.h").write_text(source, encoding="utf-8")
        return root

    def test_counts_what_a_class_declares(self):
        for what, source, expected in COUNTED:
            with self.subTest(what):
                found = [(name, *sizes) for name, _, *sizes in class_sizes.classes_of(source)]
                self.assertEqual(found, expected)

    def test_complains_of_large_classes(self):
        for what, source, expected in JUDGED:
            with self.subTest(what):
                found = list(class_sizes.check_classes(self.tree(source)))
                self.assertEqual(len(found), 1 if expected else 0, found)
                for text in found:
                    self.assertIn(expected, text)


if __name__ == "__main__":
    unittest.main()
