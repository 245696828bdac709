#include "core/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/access/canonical_json.h"
#include "core/base/strict_json.h"
#include "support/matchers.h"

namespace bindery {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

TEST(Json, KeepsTheOrderOfMembers) {
  const Expected<Json> value = ParseJson(R"({"z":1,"a":[true,null,"é"]})");
  ASSERT_THAT(value, IsOk());
  EXPECT_EQ(value->dump(), R"({"z":1,"a":[true,null,"é"]})");
}

TEST(Json, TellsWhereATextIsWrong) {
  EXPECT_THAT(ParseJson("{\"a\": }"), FailsWith(Code::kInvalidArgument, HasSubstr("not JSON: ")));
  EXPECT_THAT(ParseJson("{\"a\": }"), FailsWith(Code::kInvalidArgument, HasSubstr("column 7")));
  EXPECT_THAT(ParseJson(""), FailsWith(Code::kInvalidArgument, HasSubstr("not JSON: ")));
  EXPECT_THAT(ParseJson("\"\xFF\""), FailsWith(Code::kInvalidArgument, HasSubstr("not JSON: ")));
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_THAT(ParseJson(std::string(64, '[') + std::string(64, ']')), IsOk());
  EXPECT_THAT(ParseJson(std::string(65, '[') + std::string(65, ']')),
              FailsWith(Code::kInvalidArgument, "JSON nested deeper than 64"));
  EXPECT_THAT(ParseJson("[1]", 1), IsOk());
  EXPECT_THAT(ParseJson("[[1]]", 1),
              FailsWith(Code::kInvalidArgument, "JSON nested deeper than 1"));
  EXPECT_THAT(ParseJson(R"({"a":[1],"b":{"c":{}}})", 2),
              FailsWith(Code::kInvalidArgument, "JSON nested deeper than 2"));
  EXPECT_THAT(ParseJson(std::string(100'000, '[')),
              FailsWith(Code::kInvalidArgument, "JSON nested deeper than 64"));
}

TEST(Json, OfMembersOfOneNameTheLastCounts) {
  const Expected<Json> value = ParseJson(R"({"a":1,"b":{"c":2},"a":[{"d":3}],"b":4})");
  ASSERT_THAT(value, IsOk());
  EXPECT_EQ(value->dump(), R"({"a":[{"d":3}],"b":4})");
}

TEST(StrictJson, RefusesTwoMembersOfOneName) {
  const auto all = [](int, Json::parse_event_t, Json&) { return true; };
  const auto none = [](int depth, Json::parse_event_t, Json&) { return depth == 0; };
  const std::pair<const char*, const char*> cases[] = {
      {R"({"a":1,"a":1})", "a"},
      {R"({"a":{"b":1,"c":2,"b":3}})", "b"},
      {R"([{"a":1},{"b":[{"c":1,"c":{}}]}])", "c"},
      {R"({"etag":"x","\u0065tag":"y"})", "etag"},
      {R"({"":1,"":2})", ""},
  };
  for (const auto& [text, name] : cases) {
    const auto refused =
        FailsWith(Code::kInvalidArgument,
                  "JSON with two members \"" + std::string(name) + "\" in one object");
    EXPECT_THAT(ParseStrictJson(text), refused) << text;
    EXPECT_THAT(ParseStrictJson(text, all), refused) << text;
    EXPECT_THAT(ParseStrictJson(text, none), refused) << text;
    EXPECT_THAT(ParseJson(text), IsOk()) << text;
  }
}

TEST(StrictJson, OtherwiseReadsWhatAnyReaderReads) {
  const auto all = [](int, Json::parse_event_t, Json&) { return true; };
  for (const std::string_view text :
       {"7", "[]", R"({"a":{"a":{"a":[{"a":1},{"a":1}]}},"b":{"a":1,"A":2}})",
        R"([{"a":1,"b":2},{"a":1,"b":2}])"}) {
    EXPECT_EQ(ParseStrictJson(text).value_or(Json()).dump(), text);
    EXPECT_EQ(ParseStrictJson(text, all).value_or(Json()).dump(), text);
  }
  EXPECT_THAT(ParseStrictJson("{\"a\""), FailsWith(Code::kInvalidArgument, HasSubstr("not JSON")));
  EXPECT_THAT(ParseStrictJson("{\"a\"", all), FailsWith(Code::kInvalidArgument, "not JSON"));
  const auto without_b = [](int, Json::parse_event_t event, Json& parsed) {
    return event != Json::parse_event_t::key || parsed != "b";
  };
  EXPECT_EQ(ParseStrictJson(R"({"a":1,"b":{"c":2}})", without_b)->dump(), R"({"a":1})");
}

TEST(Json, ReadsValuesOfEverySort) {
  for (const std::string_view text :
       {"null", "true", "-7", "18446744073709551615", "2.5", R"("\"ä\\")", "[]", "{}",
        R"([[],{"a":{"b":[1,{"c":[null,false]}],"d":""}},"e"])"}) {
    const Expected<Json> value = ParseJson(text);
    ASSERT_THAT(value, IsOk());
    EXPECT_EQ(value->dump(), text);
  }
}

TEST(Json, CanonicalFormIsOneForEqualValues) {
  EXPECT_EQ(CanonicalJson(Json::parse(R"({ "b" : [ 2 , 1 ], "a" : {"d": 1, "c": null} })")),
            R"({"a":{"c":null,"d":1},"b":[2,1]})");
  EXPECT_EQ(CanonicalJson(Json("\xFF")), "\"\xEF\xBF\xBD\"");
}

TEST(Json, AMemberIsLeftOutAsIfItWereNotThere) {
  for (const char* text : {R"({"b":[{"etag":1}],"etag":"x","a":"é\n"})", R"({"etag":"x"})", "{}",
                           R"({"\"":"\u0001","z":null})", R"(["etag"])", "1.50"}) {
    const Json value = Json::parse(text);
    Json without = value;
    if (without.is_object()) without.erase("etag");
    EXPECT_EQ(CanonicalJsonWithout(value, "etag"), CanonicalJson(without)) << text;
    EXPECT_EQ(DumpWithout(value, "etag"), without.dump()) << text;
  }
  EXPECT_EQ(DumpWithout(Json{{"a", "\xFF"}, {"b", 1}}, "b"), "{\"a\":\"\xEF\xBF\xBD\"}");
}

TEST(Json, FindsAValueAtTheEndOfAPath) {
  const Json value = {{"a", {{"b", {{"c", 1}}}}}, {"list", Json::array({1})}};
  ASSERT_NE(FindPath(value, {"a", "b", "c"}), nullptr);
  EXPECT_EQ(*FindPath(value, {"a", "b", "c"}), 1);
  EXPECT_EQ(FindPath(value, {}), &value);
  EXPECT_EQ(FindPath(value, {"a", "x", "c"}), nullptr);
  EXPECT_EQ(FindPath(value, {"list", "b"}), nullptr);
}

TEST(Json, FindsMembersOfObjectsOnly) {
  const Json value = Json::parse(R"({"a":"x","b":1})");
  ASSERT_NE(FindMember(value, "b"), nullptr);
  EXPECT_EQ(*FindMember(value, "b"), 1);
  EXPECT_EQ(FindMember(value, "c"), nullptr);
  EXPECT_EQ(FindMember(Json::array({1}), "a"), nullptr);
  EXPECT_EQ(StringMember(value, "a"), "x");
  EXPECT_EQ(StringMember(value, "b"), "");
  EXPECT_EQ(StringMember(value, "c"), "");
}

}  // namespace
}  // namespace bindery
