#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/yaml/faults.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::yaml {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The one document as JSON text.
std::string MakeJson(std::string_view text) {
  const ReadResult result = ReadYaml(text);
  if (!result.faults.empty()) return "fault " + FaultsOf(result).front();
  if (result.documents.size() != 1) return std::to_string(result.documents.size()) + " documents";
  return ToJson(result.documents.front().root).dump();
}

TEST(YamlReader, ReadsMapsListsAndScalars) {
  EXPECT_EQ(MakeJson("a: 1\nb: [x, 'y z', \"t\\u00e9\"]\nc:\n  d: |\n    two\n    lines\n  e: >-\n"
                     "    folded\n    text\nf: {g: true, h: ~, i:}\n"),
            "{\"a\":1,\"b\":[\"x\",\"y z\",\"té\"],\"c\":{\"d\":\"two\\nlines\\n\",\"e\":"
            "\"folded text\"},\"f\":{\"g\":true,\"h\":null,\"i\":null}}");
}

TEST(YamlReader, ResolvesScalarsByTheCoreSchema) {
  struct Case {
    const char* text;
    const char* json;
  };
  const Case cases[] = {
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"012", "\"012\""},
      {"2026-11-21", "\"2026-11-21\""},
      {"12:30", "\"12:30\""},
      {"0", "0"},
      {"-7", "-7"},
      {"+7", "7"},
      {"0x1F", "31"},
      {"0o17", "15"},
      {"1.5", "1.5"},
      {"1e3", "1000.0"},
      {".5", "0.5"},
      {"1.", "1.0"},
      {".inf", "\".inf\""},
      {".nan", "\".nan\""},
      {"-.inf", "\"-.inf\""},
      {"18446744073709551615", "18446744073709551615"},
      {"1e999", "\"1e999\""},
      {"99999999999999999999", "\"99999999999999999999\""},
      {"True", "true"},
      {"FALSE", "false"},
      {"\"true\"", "\"true\""},
      {"'12'", "\"12\""},
      {"!!str 12", "\"12\""},
      {"!!int 12", "12"},
      {"!!float 12", "12.0"},
      {"! 12", "\"12\""},
      {"-", "[null]"},
      {"1.2.3", "\"1.2.3\""},
      {"1e", "\"1e\""},
      {".", "\".\""},
      {"[!!str , a]", "[\"\",\"a\"]"},
      {"0x", "\"0x\""},
      {"--1", "\"--1\""},
      {"a#b", "\"a#b\""},
      {"a # b", "\"a\""},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.text);
    EXPECT_EQ(MakeJson(test.text), test.json);
  }
}

TEST(YamlReader, EveryNodeKnowsItsPlace) {
  const ReadResult result =
      ReadYaml("# first\na: 1\nlist:\n  - x\n  - k: [v, 'w']\nempty:\nz: é é\n");
  ASSERT_THAT(result.documents, SizeIs(1));
  const Node& root = result.documents[0].root;
  EXPECT_EQ(result.documents[0].at, (Position{2, 1}));
  EXPECT_EQ(root.Find("a")->at, (Position{2, 4}));
  const Node& list = *root.Find("list");
  EXPECT_EQ(list.at, (Position{4, 3}));
  EXPECT_EQ(list.items[0].at, (Position{4, 5}));
  EXPECT_EQ(list.items[1].at, (Position{5, 5}));
  EXPECT_EQ(list.items[1].fields[0].key_at, (Position{5, 5}));
  EXPECT_EQ(list.items[1].Find("k")->items[1].at, (Position{5, 12}));
  EXPECT_EQ(root.Find("empty")->at, (Position{6, 1}));
  EXPECT_EQ(root.Find("absent"), nullptr);
}

TEST(YamlReader, ColumnsCountCharactersNotBytes) {
  const ReadResult result =
      ReadYaml("\xEF\xBB\xBF# ä\n{\"\xC3\xA9\xF0\x9F\x98\x80\": [\xC3\xA4, x]}\n");
  ASSERT_THAT(FaultsOf(result), IsEmpty());
  const Node& list = result.documents[0].root.fields[0].value;
  EXPECT_EQ(list.at, (Position{2, 8}));
  EXPECT_EQ(list.items[1].at, (Position{2, 12}));
}

TEST(YamlReader, ReadsSeveralDocumentsAndLeavesEmptyOnesOut) {
  const ReadResult result =
      ReadYaml("---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\nc: |\n  x\n--- {d: 4}\n---\n");
  EXPECT_THAT(FaultsOf(result), IsEmpty());
  ASSERT_THAT(result.documents, SizeIs(4));
  EXPECT_EQ(result.documents[0].at.line, 2);
  EXPECT_EQ(result.documents[1].at.line, 6);
  EXPECT_EQ(result.documents[2].at.line, 9);
  EXPECT_EQ(result.documents[3].at, (Position{11, 5}));
  EXPECT_EQ(ToJson(result.documents[3].root).dump(), "{\"d\":4}");
}

TEST(YamlReader, ATextWithoutDocumentsIsFine) {
  for (const char* text : {"", "\n\n", "# only a comment", "---\n", "---\n---\n", "...\n", "~",
                           "\xEF\xBB\xBF", "%YAML 1.2\n---\n"}) {
    SCOPED_TRACE(text);
    const ReadResult result = ReadYaml(text);
    EXPECT_THAT(FaultsOf(result), IsEmpty());
    EXPECT_THAT(result.documents, IsEmpty());
  }
}

TEST(YamlReader, LineBreaksOfAllSystemsCountAlike) {
  for (const char* text : {"a: 1\nb:\n  - x\n", "a: 1\r\nb:\r\n  - x\r\n", "a: 1\rb:\r  - x\r"}) {
    const ReadResult result = ReadYaml(text);
    ASSERT_THAT(FaultsOf(result), IsEmpty());
    EXPECT_EQ(ToJson(result.documents[0].root).dump(), "{\"a\":1,\"b\":[\"x\"]}");
    EXPECT_EQ(result.documents[0].root.Find("b")->items[0].at, (Position{3, 5}));
  }
}

class YamlReaderRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(YamlReaderRefuses, WithTheReasonAndThePlace) {
  const ReadResult result = ReadYaml(GetParam().text);
  ASSERT_THAT(result.faults, testing::Not(IsEmpty()));
  EXPECT_EQ(FaultsOf(result).front(), GetParam().fault);
  EXPECT_THAT(result.documents, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, YamlReaderRefuses,
    ::testing::Values(
        Refused{"Comma", ",", "1:1: unexpected text after the end of the document"},
        Refused{"CommaAfterList", "- a\n,\n", "2:1: unexpected text after the end of the document"},
        Refused{"CommaInDocument", "---\n,\n",
                "2:1: unexpected text after the end of the document"},
        Refused{"CommaAfterComment", "# c\n,",
                "2:1: unexpected text after the end of the document"},
        Refused{"ClosingBracket", "]",
                "1:1: not valid YAML: a closing bracket without its opening one"},
        Refused{"CyclicAlias", "&a [*a]", "1:5: alias of a value that contains it"},
        Refused{"UnknownAlias", "a: *b",
                "1:4: not valid YAML: \"*b\" refers to an anchor that is not there; a text that "
                "begins with \"*\" needs quotes"},
        Refused{"AliasAsKey", "a: &x k\n*x : 1", "2:1: an alias cannot be a key"},
        Refused{"DuplicateKey", "a: 1\nb: 2\na: 3\n", "3:1: duplicate key \"a\" (first on line 1)"},
        Refused{"NestedDuplicateKey", "m:\n  k: 1\n  \"k\": 2\n",
                "3:3: duplicate key \"k\" (first on line 2)"},
        Refused{"NumberAsKey", "1: a", "1:1: a key must be a string: put 1 in quotes"},
        Refused{"NullAsKey", "~: a", "1:1: a key must be a string: put null in quotes"},
        Refused{"ListAsKey", "? [a]\n: b", "1:3: a key must be a string, found a list"},
        Refused{"MergeKey", "a: &x {k: 1}\nb:\n  <<: *x\n",
                "3:3: merge keys (<<) are not supported"},
        Refused{"ForeignTag", "a: !env X",
                "1:4: tag \"!env\" is not supported; a text that begins with \"!\" needs quotes"},
        Refused{"ForeignTagOnMap", "a: !<x:y> {}", "1:4: tag \"x:y\" is not supported"},
        Refused{"WrongTag", "a: !!int x", "1:4: \"x\" is not of the type !!int"},
        Refused{"Binary",
                "a: !!binary aGk=", "1:4: tag \"tag:yaml.org,2002:binary\" is not supported"},
        Refused{"Tab", "a:\n\tb: 1\n", "2:1: not valid YAML: a tab cannot indent, use spaces"},
        Refused{"OpenList", "a: [x, y\n",
                "1:4: not valid YAML: \"]\" is missing: what begins here is not closed"},
        Refused{"OpenQuote", "a: \"x\n",
                "1:4: not valid YAML: the quoted text that begins here has no end"},
        Refused{"Nul", std::string("a: \0", 4), "1:4: control character 0x00"},
        Refused{"EscapedNul", "a: \"\\0\"", "1:4: string with a NUL character"},
        Refused{"EndOfTransmission", "a: \x04", "1:4: control character 0x04"},
        Refused{"Latin1", "a: caf\xE9", "1:7: not UTF-8: byte 0xE9"},
        Refused{"Overlong", "\xC0\x80", "1:1: not UTF-8: byte 0xC0"},
        Refused{"Surrogate", "x\n\xED\xA0\x80", "2:1: not UTF-8: byte 0xED"},
        Refused{"Truncated", "\xE2\x82", "1:1: not UTF-8: byte 0xE2"},
        Refused{"Utf16", "\xFF\xFE\x61",
                "1:1: not UTF-8 but UTF-16 (byte 0xFF): save the file as UTF-8"},
        Refused{"LateByteOrderMark",
                "a: 1\n\xEF\xBB\xBF"
                "b: 2\n",
                "2:1: byte order mark (U+FEFF) in the middle of the text: two files were put "
                "together; remove this invisible character"},
        Refused{"CutOffKey", "a: 1\nkin\n", "2:1: key \"kin\" without a value"},
        Refused{"CutOffNestedKey", "s:\n  l: [a]\n  pri", "3:3: key \"pri\" without a value"},
        Refused{"OpenQuoteAtTheVeryEnd", "a: 'x",
                "1:4: not valid YAML: the quoted text that begins here has no end"},
        Refused{"QuoteAcrossDocuments", "a: 'x\n---\n",
                "1:4: not valid YAML: the quoted text that begins here has no end"},
        Refused{"TwoRoots", "a: 1\n- b\n",
                "2:1: not valid YAML: \"- \" begins a list among the fields of a map: put it below "
                "its field, or remove the \"- \""}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(YamlReader, AFaultyDocumentDoesNotHideTheOthers) {
  const ReadResult result = ReadYaml("a: 1\n---\nb: [\n---\nc: 3\nc: 4\n---\n,\n---\nd: 5\n");
  EXPECT_THAT(FaultsOf(result), ElementsAre(HasSubstr("\"]\" is missing"),
                                            "6:1: duplicate key \"c\" (first on line 5)",
                                            "8:1: unexpected text after the end of the document"));
  ASSERT_THAT(result.documents, SizeIs(2));
  EXPECT_EQ(ToJson(result.documents[0].root).dump(), "{\"a\":1}");
  EXPECT_EQ(ToJson(result.documents[1].root).dump(), "{\"d\":5}");
}

TEST(YamlReader, ReportsEveryDuplicateKeyAlsoInLargeMaps) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "k" + std::to_string(i) + ": 1\n";
  text += "k39: 2\nk0: 2\nk40: 1\nk40: 2\n";
  EXPECT_THAT(FaultsOf(ReadYaml(text)),
              ElementsAre("41:1: duplicate key \"k39\" (first on line 40)",
                          "42:1: duplicate key \"k0\" (first on line 1)",
                          "44:1: duplicate key \"k40\" (first on line 43)"));
}

TEST(YamlReader, ExpandsAliasesAtTheirPlace) {
  const ReadResult result = ReadYaml("a: &x [1, two]\nb: *x\n");
  ASSERT_THAT(FaultsOf(result), IsEmpty());
  EXPECT_EQ(ToJson(result.documents[0].root).dump(), "{\"a\":[1,\"two\"],\"b\":[1,\"two\"]}");
  EXPECT_EQ(result.documents[0].root.Find("b")->at, (Position{2, 4}));
}

std::string Laughs(int levels) {
  std::string text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < levels; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int j = 1; j < 9; ++j) text += ", " + below;
    text += "]\n";
  }
  return text;
}

TEST(YamlReader, CountsAliasesAsOftenAsTheyAreUsed) {
  EXPECT_THAT(FaultsOf(ReadYaml(Laughs(9))),
              ElementsAre(HasSubstr("document has more than 100000 values")));
  const std::string large(300'000, 'x');
  EXPECT_THAT(FaultsOf(ReadYaml("a: &x " + large + "\nb: [*x, *x, *x, *x]\n")),
              ElementsAre("2:13: aliases make the document larger than 1048576 bytes"));
}

TEST(YamlReader, HoldsItsLimits) {
  Limits limits;
  limits.max_bytes = 100;
  limits.max_depth = 3;
  limits.max_nodes = 10;
  limits.max_documents = 2;
  EXPECT_THAT(
      FaultsOf(ReadYaml("a: 1\n---\nb: " + std::string(100, 'x') + "\n---\nc: 1\n", limits)),
      ElementsAre("2:1: document is larger than 100 bytes"));
  EXPECT_THAT(FaultsOf(ReadYaml("[[[x]]]", limits)), IsEmpty());
  EXPECT_THAT(FaultsOf(ReadYaml("[[[[x]]]]", limits)),
              ElementsAre("1:4: nested deeper than 3 levels"));
  EXPECT_THAT(FaultsOf(ReadYaml("[&x [[]], {a: *x}]", limits)),
              ElementsAre("1:15: nested deeper than 3 levels"));
  EXPECT_THAT(FaultsOf(ReadYaml("[1,2,3,4,5,6,7,8,9]", limits)), IsEmpty());
  EXPECT_THAT(FaultsOf(ReadYaml("[1,2,3,4,5,6,7,8,9,0]", limits)),
              ElementsAre("1:20: document has more than 10 values"));
  EXPECT_THAT(FaultsOf(ReadYaml("a: 1\n---\na: 2\n---\na: 3\n", limits)),
              ElementsAre("4:1: more than 2 documents, the rest was not read"));
}

// What does not end, or not in linear time, fails by the time-out of the test.
TEST(YamlReader, HostileTextsEnd) {
  std::vector<std::string> texts;
  for (const char* unit :
       {"[",   "{",     "- ",  "? ",       "&a ",   "!a ",   "a: ", "[a,", "{a: ", "\"",  "'",
        "*a",  "- [",   "|\n", ">\n ",     "---\n", "...\n", "%\n", ",",   "#",    "-\n", ": ",
        "?\n", "a:\n ", "{a,", "- a\n,\n", "\t",    "[]",    "x\n", "a, ", "\\",   "@",   "`"}) {
    std::string text;
    while (text.size() < 20'000) text += unit;
    texts.push_back(text);
  }
  for (const std::string& text : texts) {
    SCOPED_TRACE(text.substr(0, 8));
    const ReadResult result = ReadYaml(text);
    EXPECT_LE(result.documents.size(), 1U);
  }
}

}  // namespace
}  // namespace bindery::yaml
