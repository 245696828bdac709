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


# What it shows, source, rows of the list, and a part of each complaint.
JUDGED = [
    ("as much as is allowed", behaviour(25, 12), "", []),
    ("one function more", behaviour(26, 0), "", ["src/a.h:1: Big has 26 functions and 0 members"]),
    ("one member more", behaviour(4, 13), "", ["src/a.h:1: Big has 4 functions and 13 members"]),
    ("a plain value", value(40), "", []),
    ("a large class of the list", behaviour(30, 14), "src/a.h Big 30 14", []),
    ("one that grew", behaviour(31, 14), "src/a.h Big 30 14", ["30 and 14 are the most"]),
    ("one that shrank", behaviour(29, 14), "src/a.h Big 30 14", ["large_classes.txt:2: src/a.h Big is smaller now"]),
    ("one that is large no more", behaviour(5, 5), "src/a.h Big 30 14", ["is smaller now"]),
    ("one that grew within the limits", behaviour(26, 9), "src/a.h Big 26 8", []),
    ("another file's row", behaviour(26, 0), "src/b.h Big 26 0", ["src/a.h:1: Big has", "src/b.h Big is smaller"]),
]


class ClassSizes(unittest.TestCase):
    def tree(self, source, rows):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, text in {"src/a.h": source, class_sizes.LIST: "# rows\n" + rows + "\n"}.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return root

    def test_counts_what_a_class_declares(self):
        for what, source, expected in COUNTED:
            with self.subTest(what):
                found = [(name, *sizes) for name, _, *sizes in class_sizes.classes_of(source)]
                self.assertEqual(found, expected)

    def test_complains_of_large_classes_and_of_rows_that_are_more_than_there_is(self):
        for what, source, rows, expected in JUDGED:
            with self.subTest(what):
                found = list(class_sizes.check_classes(self.tree(source, rows)))
                self.assertEqual(len(found), len(expected), found)
                for text, part in zip(found, expected):
                    self.assertIn(part, text)

    def test_rows_are_lowered_and_never_raised(self):
        for now, row, expected in [
            (behaviour(28, 20), "src/a.h Big 30 14", "src/a.h Big 28 14\n"),
            (behaviour(3, 3), "src/a.h Big 30 14", ""),
            (behaviour(40, 0), "", ""),
        ]:
            with self.subTest(row):
                root = self.tree(now, row)
                class_sizes.lower(root)
                written = (root / class_sizes.LIST).read_text(encoding="utf-8")
                self.assertEqual(written.replace("\n\n", "\n"), "# rows\n" + expected)


if __name__ == "__main__":
    unittest.main()
