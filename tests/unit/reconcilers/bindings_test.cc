#include "reconcilers/bindings.h"

#include <gtest/gtest.h>

#include "providers/google/roles/members.h"
#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using testing::kWords;
using testing::Same;

Json Parsed(const char* text) { return *ParseJson(text); }

TEST(ListGrants, KeepsOrderSpellingAndConditions) {
  const std::vector<Grant> grants =
      ListGrants(Parsed(R"([{"role":"v","members":["user:B@x","user:a@x"]},
                 {"role":"v","members":["user:c@x"],
                  "condition":{"title":"t","expression":"e","location":"somewhere"}}])"),
                 kWords);
  ASSERT_EQ(grants.size(), 3U);
  EXPECT_EQ(grants[0], (Grant{"v", "user:B@x"}));
  EXPECT_EQ(grants[1], (Grant{"v", "user:a@x"}));
  EXPECT_EQ(grants[2], (Grant{"v", "user:c@x", Condition{"e", "t", ""}}));
}

TEST(DistinctGrants, EachOnceInItsFirstSpelling) {
  const std::optional<Condition> when = Condition{"e", "t", ""};
  const std::optional<Condition> other = Condition{"e", "u", ""};
  const std::vector<Grant> grants = DistinctGrants({{"v", "user:B@x"},
                                                    {"v", "user:b@x"},
                                                    {"w", "user:b@x"},
                                                    {"v", "user:b@x", when},
                                                    {"v", "user:b@x", other},
                                                    {"v", "user:B@X", when}},
                                                   google::NormalMember);
  EXPECT_EQ(grants, (std::vector<Grant>{{"v", "user:B@x"},
                                        {"w", "user:b@x"},
                                        {"v", "user:b@x", when},
                                        {"v", "user:b@x", other}}));
}

TEST(ListGrants, WhatHasNotTheExpectedShapeHoldsNone) {
  for (const char* text : {"null", "{}", "3", "[]", "[3]", "[{}]", R"([{"role":"v"}])",
                           R"([{"role":3,"members":["a"]}])", R"([{"role":"v","members":"a"}])",
                           R"([{"role":"v","members":[3,null]}])"}) {
    EXPECT_TRUE(ListGrants(Parsed(text), kWords).empty()) << text;
  }
}

struct EditCase {
  const char* name;
  const char* why;
  const char* before;
  std::vector<Grant> adds;
  std::vector<Grant> removes;
  const char* after;
};
class EditBindingsCase : public ::testing::TestWithParam<EditCase> {};

TEST_P(EditBindingsCase, ChangesOnlyWhatIsNamed) {
  SCOPED_TRACE(GetParam().why);
  const Json before = Parsed(GetParam().before);
  const Json after = EditBindings(before, kWords, GetParam().adds, GetParam().removes, Same);
  EXPECT_EQ(after.dump(), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, EditBindingsCase,
    ::testing::Values(
        EditCase{"Nothing",
                 "no change is no change, byte for byte",
                 R"([{"members":["user:B@x","user:B@x"],"x":{"b":1,"a":2},"role":"r"},7])",
                 {},
                 {},
                 R"([{"members":["user:B@x","user:B@x"],"x":{"b":1,"a":2},"role":"r"},7])"},
        EditCase{
            "Add",
            "an addition joins the entry of its role",
            R"([{"role":"r","members":["user:b"]},{"role":"s","members":["user:b"]}])",
            {{"r", "user:a"}},
            {},
            R"([{"role":"r","members":["user:b","user:a"]},{"role":"s","members":["user:b"]}])"},
        EditCase{
            "AddNewRole",
            "else it gets an entry at the end",
            R"([{"role":"s","members":["user:b"]}])",
            {{"r", "user:a", Condition{"e", "t", ""}}, {"r", "user:b", Condition{"e", "t", ""}}},
            {},
            R"([{"role":"s","members":["user:b"]},{"role":"r","members":["user:a","user:b"],)"
            R"("condition":{"expression":"e","title":"t"}}])"},
        EditCase{"AddUnderACondition",
                 "an entry with another condition is another entry",
                 R"([{"role":"r","members":["user:b"],"condition":{"expression":"e"}}])",
                 {{"r", "user:a"}},
                 {},
                 R"([{"role":"r","members":["user:b"],"condition":{"expression":"e"}},)"
                 R"({"role":"r","members":["user:a"]}])"},
        EditCase{"RemoveBySpelling",
                 "any spelling of the principal goes, every time it stands there",
                 R"([{"role":"r","members":["user:A@x","user:b@x","user:a@X"]}])",
                 {},
                 {{"r", "user:a@x"}},
                 R"([{"role":"r","members":["user:b@x"]}])"},
        EditCase{"RemoveTheLast",
                 "an entry that holds nobody goes",
                 R"([{"role":"r","members":["user:a"]},{"role":"s","members":["user:a"]}])",
                 {},
                 {{"r", "user:a"}},
                 R"([{"role":"s","members":["user:a"]}])"},
        EditCase{"RemoveUnderACondition",
                 "only under that condition",
                 R"([{"role":"r","members":["user:a"]},)"
                 R"({"role":"r","members":["user:a"],"condition":{"expression":"e","title":"t"}}])",
                 {},
                 {{"r", "user:a", Condition{"e", "t", ""}}},
                 R"([{"role":"r","members":["user:a"]}])"},
        EditCase{"EmptyEntriesOfOthers",
                 "what is odd already is not ours to tidy",
                 R"([{"role":"r","members":[]},{"role":"s"}])",
                 {},
                 {{"r", "user:a"}},
                 R"([{"role":"r","members":[]},{"role":"s"}])"},
        EditCase{"Exchange",
                 "an entry all of whose members change keeps its place and fields",
                 R"([{"role":"r","members":["user:a"],"condition":{"expression":"e","title":"t",)"
                 R"("location":"l"}},{"role":"s","members":["user:a"]}])",
                 {{"r", "user:b", Condition{"e", "t", ""}}},
                 {{"r", "user:a", Condition{"e", "t", ""}}},
                 R"([{"role":"r","members":["user:b"],"condition":{"expression":"e","title":"t",)"
                 R"("location":"l"}},{"role":"s","members":["user:a"]}])"},
        EditCase{"NoList",
                 "nothing to start from",
                 "null",
                 {{"r", "user:a"}},
                 {},
                 R"([{"role":"r","members":["user:a"]}])"}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::reconcilers
