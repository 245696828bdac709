#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/base/json.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::yaml {
namespace {

TEST(Emitter, WritesBlockStyle) {
  const Json value = Json::parse(R"({"name":"a","list":["x",["z"],{"k":1,"l":[]}],"m":{"p":null,
      "o":true},"e":{},"f":1.5})");
  EXPECT_EQ(ToYaml(value),
            "name: a\n"
            "list:\n"
            "  - x\n"
            "  - - z\n"
            "  - k: 1\n"
            "    l: []\n"
            "m:\n"
            "  p: null\n"
            "  o: true\n"
            "e: {}\n"
            "f: 1.5\n");
}

TEST(Emitter, QuotesOnlyWhatWouldReadAsSomethingElse) {
  struct Case {
    const char* text;
    const char* yaml;
  };
  const Case cases[] = {
      {"user:ana@example.com", "user:ana@example.com\n"},
      {"projects/p/locations/l", "projects/p/locations/l\n"},
      {"cloudnative:networksecurity/v1", "cloudnative:networksecurity/v1\n"},
      {"roles/viewer", "roles/viewer\n"},
      {"two words", "two words\n"},
      {"", "\"\"\n"},
      {"yes", "\"yes\"\n"},
      {"Off", "\"Off\"\n"},
      {"true", "\"true\"\n"},
      {"null", "\"null\"\n"},
      {"12", "\"12\"\n"},
      {"012", "\"012\"\n"},
      {"12:30:00", "\"12:30:00\"\n"},
      {"2026-11-21", "\"2026-11-21\"\n"},
      {"1e3", "\"1e3\"\n"},
      {"a: b", "\"a: b\"\n"},
      {"a:", "\"a:\"\n"},
      {"a #b", "\"a #b\"\n"},
      {" a", "\" a\"\n"},
      {"a ", "\"a \"\n"},
      {"- a", "\"- a\"\n"},
      {"*a", "\"*a\"\n"},
      {"two\nlines", "\"two\\nlines\"\n"},
      {"say \"hi\"", "\"say \\\"hi\\\"\"\n"},
      {"é", "\"é\"\n"},
      {"\x7F", "\"\\x7f\"\n"},
  };
  for (const Case& test : cases) EXPECT_EQ(ToYaml(Json(test.text)), test.yaml) << test.text;
}

TEST(Emitter, ReadingBackGivesTheValue) {
  const Json value = Json::parse(R"({"":"","a b":"c: d","12":12,"yes":["no","~","...","---","- x",
      "\t","\u0001","\u0085\u2028","[x]","{x}","!x","%x","@x","`x","'x'","\"x\"","a,b","x: y","$${a}",
      " lead","trail ","multi\nline\n","0x1f","1_000",".5",".","+1","<<","=","é😀"],
      "n":[null,true,false,0,-1,1.25,1e300],"e":[[],{},[[]],[{}],{"a":{"b":[{"c":[1]}]}}]})");
  const std::string text = ToYaml(value);
  const ReadResult result = ReadYaml(text);
  ASSERT_TRUE(result.faults.empty()) << result.faults[0].message << "\n" << text;
  ASSERT_EQ(result.documents.size(), 1U);
  EXPECT_EQ(ToJson(result.documents[0].root).dump(), value.dump()) << text;
}

}  // namespace
}  // namespace bindery::yaml
