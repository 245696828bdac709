#!/usr/bin/env python3
"""What cmake/private_names.py takes for a definition, and when it complains."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import private_names  # noqa: E402

# What it shows, source, and the names that it defines; private ones with a '-' before them.
DEFINED = [
    (
        "functions, constants and types of an anonymous namespace are private",
        "namespace a { namespace { int F(int x) { return x; } constexpr int kA = 1; const B kB{2}; using C = int;"
        " struct D { int d; }; enum class E { kOne }; } int G() { return F(1); } }",
        "-F -kA -kB -C -D -E G",
    ),
    (
        "static makes a name private",
        "static int F() { return 1; } static const int kA = 1; inline static int G() { return 2; } int H() {}",
        "-F -kA -G H",
    ),
    (
        "declarations define nothing",
        "int F(int); class C; enum class E : int; extern int a; struct S* Find(int);"
        " using namespace std; namespace fs = std::filesystem; static_assert(sizeof(int) == 4);",
        "",
    ),
    (
        "members that are defined outside of their class are no names of their own",
        "C::C(int a) : a_(a), b_{a} {} C::~C() {} int C::Get() const { return a_; } int C::count = 0;"
        " class C::D { int d; }; bool operator==(const A& a, const B& b) { return true; }",
        "",
    ),
    (
        "what stands in a body is not at the scope of a namespace",
        "int F() { struct Local { int a; }; const auto g = [](int x) { return x; }; int h = 1; return g(h); }"
        " class C { static constexpr int kA = 1; int Get() { return 1; } struct D {}; };",
        "F C",
    ),
    (
        "templates, their specializations and types with arguments",
        "template <typename T, int n = (1 > 0)> T F(const std::map<T, int>& m) { return {}; }"
        " template <> int F<int>(const std::map<int, int>& m) { return 1; } template <> struct S<int> { int a; };"
        " template <typename T> struct P : Q<T> {}; std::function<void(int)> Make(int a) { return {}; }",
        "F P Make",
    ),
    (
        "arrays, tables and constants made by a constructor",
        "const char* const kTexts[] = {\"a\", \"b\"}; constexpr std::array<int, 2> kTable = {{1, 2}};"
        " const Key kKey(1, 2); std::unique_ptr<int> kept;",
        "kTexts kTable kKey kept",
    ),
    (
        "a call of a macro is no definition, a matcher is one",
        "TEST(Suite, Case) { int a = 1; } INSTANTIATE(All, Suite, Values(1)); MATCHER_P(IsOne, one, \"\") { return arg; }",
        "IsOne",
    ),
    (
        "return types behind the parameters, attributes and qualifiers",
        "auto F(int a) -> std::vector<int> { return {}; } [[nodiscard]] constexpr bool G() noexcept { return true; }"
        " const std::string& H(const std::string& text) { return text; } ns::Type I() { return {}; }",
        "F G H I",
    ),
    (
        "what is no code",
        "// int F() {}\n/* int G() {} */\n#define H int I() {}\nconst char* kText = R\"(int J() { )\";\n"
        "char K() { return '{'; }",
        "kText K",
    ),
    (
        "a using-declaration borrows a name for one source",
        "using std::string; namespace a { using ::testing::_; namespace { using bindery::b::F; } }",
        "-string -_ -F",
    ),
    (
        "extern \"C\" and the function of a program",
        "extern \"C\" { int F() { return 1; } } extern \"C\" int G() { return 1; } int main() { return 0; }",
        "F G main",
    ),
]

PRIVATE_F = "namespace n { namespace { int F(int) { return 1; } } }"
# What it shows, files and their texts, and a part of the complaint; empty: there is none.
JUDGED = [
    (
        "two sources of a library",
        {
            "src/a/CMakeLists.txt": "",
            "src/a/a.cc": PRIVATE_F,
            "src/a/b/b.cc": "namespace n {\nstatic bool F(char) { return true; }\n}",
        },
        "src/a/b/b.cc:2: F is a name of src/a/a.cc:1 too",
    ),
    (
        "a private name and one that others see",
        {"src/a/a.cc": "namespace n { bool F(char) { return true; } }", "src/a/b.cc": PRIVATE_F},
        "src/a/b.cc:1: F is a name of src/a/a.cc:1 too",
    ),
    (
        "a private name and one of a header",
        {"src/a/a.h": "namespace n { inline bool F(char) { return true; } }", "src/a/b.cc": PRIVATE_F},
        "src/a/b.cc:1: F is a name of src/a/a.h:1 too",
    ),
    (
        "overloads of one source",
        {"src/a/a.cc": PRIVATE_F + " namespace n { namespace { int F(char) { return 1; } } }"},
        "",
    ),
    (
        "a name of a source that another one borrows from elsewhere",
        {"src/a/a.cc": "namespace n { using m::F; }", "src/a/b.cc": PRIVATE_F},
        "F is a name of",
    ),
    (
        "names that are borrowed from different places",
        {"src/a/a.cc": "namespace n { using m::F; }", "src/a/b.cc": "namespace n { using o::F; }"},
        "F is a name of",
    ),
    (
        "a name that two sources borrow from one place",
        {"src/a/a.cc": "namespace n { using ::m::F; }", "src/a/b.cc": "namespace n { using bindery::m::F; }"},
        "",
    ),
    ("other namespaces", {"src/a/a.cc": PRIVATE_F, "src/a/b.cc": PRIVATE_F.replace("namespace n", "namespace m")}, ""),
    ("other libraries", {"src/a/a.cc": PRIVATE_F, "src/b/b.cc": PRIVATE_F}, ""),
    (
        "names that others see",
        {"src/a/a.cc": "int F(int) { return 1; }", "src/a/b.cc": "int F(char) { return 1; }"},
        "",
    ),
    (
        "two sources of a test program",
        {
            "tests/CMakeLists.txt": "bindery_test(one # both.cc\n SOURCES a_test.cc b_test.cc DEPS a)",
            "tests/a_test.cc": PRIVATE_F,
            "tests/b_test.cc": PRIVATE_F,
        },
        "tests/b_test.cc:1: F is a name of tests/a_test.cc:1 too",
    ),
    (
        "two test programs",
        {
            "tests/CMakeLists.txt": "bindery_test(one SOURCES a_test.cc)\nbindery_test(two SOURCES b_test.cc)",
            "tests/a_test.cc": PRIVATE_F,
            "tests/b_test.cc": PRIVATE_F,
        },
        "",
    ),
]


class PrivateNames(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "src").mkdir()
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return root

    def test_knows_what_a_source_defines(self):
        for what, source, expected in DEFINED:
            with self.subTest(what):
                found = ["-" * one.private + one.name for one in private_names.definitions_of(source)]
                self.assertEqual(" ".join(found), expected)

    def test_complains_of_names_that_sources_share(self):
        for what, files, expected in JUDGED:
            with self.subTest(what):
                found = list(private_names.check_private_names(self.tree(files)))
                self.assertEqual(len(found), 1 if expected else 0, found)
                for text in found:
                    self.assertIn(expected, text)

    def test_complains_of_two_types_of_one_name(self):
        place = "namespace n { struct Place { int a; }; class Known; namespace { struct Own {}; } }"
        cases = (
            ("two headers", place, "src/b/b.h:1: Place is a type of src/a/a.h too: rename one"),
            ("other namespaces", place.replace("namespace n ", "namespace m "), ""),
        )
        for what, other, expected in cases:
            with self.subTest(what):
                tree = self.tree({"src/a/a.h": place, "src/b/b.h": other, "src/c/c.cc": place})
                self.assertEqual("\n".join(private_names.check_types(tree)), expected)


if __name__ == "__main__":
    unittest.main()
