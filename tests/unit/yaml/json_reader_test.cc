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
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(JsonReader, ReadsValuesAndKeepsTheOrderOfMembers) {
  const std::string text =
      R"({"z":1,"a":[true,false,null,-0,1.5,2e3],"s":"\u00e9\ud83d\ude00\n\"\\\/","n":18446744073709551615})";
  const ReadResult result = ReadJson(text);
  ASSERT_THAT(FaultsOf(result), IsEmpty());
  ASSERT_THAT(result.documents, SizeIs(1));
  EXPECT_EQ(ToJson(result.documents[0].root).dump(),
            "{\"z\":1,\"a\":[true,false,null,0,1.5,2000.0],\"s\":\"é😀\\n\\\"\\\\/\","
            "\"n\":18446744073709551615}");
}

TEST(JsonReader, EveryNodeKnowsItsPlace) {
  const ReadResult result = ReadJson(
      "\n{\n  \"a,:\\\"\": [ 1,\n\t\"\xC3\xA9\", {\"k\" : true , \"l\":-1.5e3}],\"m\":{}\r\n}\n");
  ASSERT_THAT(FaultsOf(result), IsEmpty());
  const Node& root = result.documents[0].root;
  EXPECT_EQ(result.documents[0].at, (Position{2, 1}));
  EXPECT_EQ(root.fields[0].key, "a,:\"");
  EXPECT_EQ(root.fields[0].key_at, (Position{3, 3}));
  const Node& list = root.fields[0].value;
  EXPECT_EQ(list.at, (Position{3, 12}));
  EXPECT_EQ(list.items[0].at, (Position{3, 14}));
  EXPECT_EQ(list.items[1].at, (Position{4, 2}));
  EXPECT_EQ(list.items[2].at, (Position{4, 7}));
  EXPECT_EQ(list.items[2].fields[0].value.at, (Position{4, 14}));
  EXPECT_EQ(list.items[2].fields[1].key_at, (Position{4, 21}));
  EXPECT_EQ(list.items[2].fields[1].value.text, "-1.5e3");
  EXPECT_EQ(root.fields[1].key_at, (Position{4, 34}));
  EXPECT_EQ(root.fields[1].value.at, (Position{4, 38}));
}

TEST(JsonReader, WhiteSpaceHoldsNoDocument) {
  for (const char* text : {"", " \r\n\t", "\xEF\xBB\xBF", "null"}) {
    const ReadResult result = ReadJson(text);
    EXPECT_THAT(FaultsOf(result), IsEmpty()) << text;
    EXPECT_THAT(result.documents, IsEmpty()) << text;
  }
}

class JsonReaderRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(JsonReaderRefuses, WithTheReasonAndThePlace) {
  const ReadResult result = ReadJson(GetParam().text);
  EXPECT_THAT(FaultsOf(result), ElementsAre(GetParam().fault));
  EXPECT_THAT(result.documents, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, JsonReaderRefuses,
    ::testing::Values(
        Refused{
            "Word", "{\n \"a\": nul}",
            "2:10: not valid JSON: syntax error while parsing value - invalid literal; last read: "
            "'\"a\": nul}'"},
        Refused{
            "TrailingComma", "[1,]",
            "1:3: not valid JSON: a comma before \"]\": remove it, none follows the last value"},
        Refused{"SecondValue", "{}\n{}",
                "2:1: not valid JSON: a JSON file holds one manifest: put the second one into a "
                "file of its own, or use YAML with \"---\" between them"},
        Refused{
            "Open", "{\"a\":",
            "1:5: not valid JSON: the text ends before its last bracket is closed: is it cut off?"},
        Refused{"LoneSurrogate", R"("\ud800")",
                "1:8: not valid JSON: syntax error while parsing value - invalid string: surrogate "
                "U+D800..U+DBFF must be followed by U+DC00..U+DFFF; last read: '\"\\ud800\"'"},
        Refused{"Comment", "// x\n{}",
                "1:1: not valid JSON: JSON has no comments: remove it, or name the file .yaml, "
                "where a comment begins with \"#\""},
        Refused{"HugeNumber", "[1e999]", "1:6: not valid JSON: number overflow parsing '1e999'"},
        Refused{"DuplicateKey", "{\"a\": 1,\n \"b\": 2,\n \"\\u0061\": 3}",
                "3:2: duplicate key \"a\" (first on line 1)"},
        Refused{"NulInString", "{\"a\": \"\\u0000\"}", "1:7: string with a NUL character"},
        Refused{"NulInKey", "{\"\\u0000\": 1}", "1:2: string with a NUL character"},
        Refused{"Nul", std::string("[\0]", 3), "1:2: control character 0x00"},
        Refused{"Latin1", "[\"\xE9\"]", "1:3: not UTF-8: byte 0xE9"},
        Refused{"Deep", std::string(1000, '['), "1:65: nested deeper than 64 levels"},
        Refused{"Large", std::string((1U << 20U) + 1, ' '),
                "1:1: document is larger than 1048576 bytes"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(JsonReader, HoldsTheLimitOnValues) {
  Limits limits;
  limits.max_nodes = 4;
  EXPECT_THAT(FaultsOf(ReadJson("[1,[2]]", limits)), IsEmpty());
  EXPECT_THAT(FaultsOf(ReadJson("[1,[2,3]]", limits)),
              ElementsAre("1:7: document has more than 4 values"));
}

TEST(JsonReader, ReportsEveryDuplicateKey) {
  EXPECT_THAT(FaultsOf(ReadJson("{\"a\":1,\"a\":2,\"b\":{\"c\":1,\"c\":2}}")),
              ElementsAre("1:8: duplicate key \"a\" (first on line 1)",
                          "1:25: duplicate key \"c\" (first on line 1)"));
}

}  // namespace
}  // namespace bindery::yaml
