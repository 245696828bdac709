// JSON as it is spelled.

#include "core/base/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/member_text.h"

namespace bindery {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(JsonText, MembersAreTakenAsTheyAreSpelled) {
  EXPECT_THAT(MemberTexts("{}"), IsEmpty());
  EXPECT_THAT(MemberTexts(" { } "), IsEmpty());
  EXPECT_THAT(MemberTexts(R"({"a":1.10})"), UnorderedElementsAre(Pair("a", "1.10")));
  EXPECT_THAT(MemberTexts("{\n \"a\" : [ 1 , {\"x\": \"},]\\\"\"} ] , \"b\":null\t}"),
              UnorderedElementsAre(Pair("a", "[ 1 , {\"x\": \"},]\\\"\"} ]"), Pair("b", "null")));
  EXPECT_THAT(MemberTexts(R"({"\u0061":"x","a":"y"})"), UnorderedElementsAre(Pair("a", "\"y\"")));
  EXPECT_THAT(MemberTexts(R"({"a":{"b":{}},"c":""})"),
              UnorderedElementsAre(Pair("a", R"({"b":{}})"), Pair("c", "\"\"")));
}

TEST(JsonText, WhatIsNoObjectHasNone) {
  for (const char* text : {"", "[]", "1", "{", R"({"a":1)", R"({"a":1}x)", "\"{}\""}) {
    EXPECT_THAT(MemberTexts(text), IsEmpty()) << text;
  }
}

TEST(JsonText, OneMemberIsFoundInPlace) {
  constexpr std::string_view kText = R"( {"x": {"a": 1}, "a" : ["}", {"b": []}] , "ab":2})";
  EXPECT_EQ(MemberText(kText, "a"), R"(["}", {"b": []}])");
  EXPECT_EQ(MemberText(kText, "ab"), "2");
  EXPECT_EQ(MemberText(kText, "b"), "") << "not of the object itself";
  for (const char* text : {"", "[]", "{", "{\"a\"", "{\"a\":", "\"a\"", "{\"a\\"}) {
    EXPECT_EQ(MemberText(text, "a"), "") << text;
  }
  EXPECT_EQ(MemberText(R"({"a": [1, )", "a"), "[1, ") << "a text that was cut off is another one";
}

TEST(JsonText, QuotesAndBracesWithinStringsEndNothing) {
  for (const char* value :
       {R"(["\\"])", R"(["\\\\"])", R"(["\\\"]"])", R"(["\"", "}", "]"])", R"({"\\": "{\"}"})",
        R"("\\\\")", R"("\"}")", R"(["", ["\\", {}], -1.5e3, true])", R"([[[]]])"}) {
    ASSERT_TRUE(Json::accept(value)) << value;
    for (const char* rest : {"}", R"( , "b": 1})"}) {
      const std::string text = std::string(R"({"z": ["\\"], "a": )") + value + rest;
      EXPECT_EQ(MemberText(text, "a"), value) << text;
    }
  }
  for (const char* cut : {R"(["\\)", R"(["\)", R"(["\")", R"({"x": "\\\)", "[\\\""}) {
    EXPECT_EQ(MemberText(std::string(R"({"a": )") + cut, "a"), cut);
  }
}

TEST(JsonText, VerbatimMembersReplaceOurSpelling) {
  const Json object = {{"a", 1.1}, {"b", "x"}};
  EXPECT_EQ(CompactJson(object, {}), object.dump());
  EXPECT_EQ(CompactJson(object, {{"a", "1.10"}, {"z", "0"}}), R"({"a":1.10,"b":"x"})");
  EXPECT_EQ(CompactJson(Json::object(), {}), "{}");
}

}  // namespace
}  // namespace bindery
