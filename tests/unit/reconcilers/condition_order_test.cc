#include "reconcilers/condition_order.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace bindery::reconcilers {
namespace {

struct OrderCase {
  const char* why;
  const char* inner;  ///< An expression; empty: no condition.
  const char* outer;
  bool contained;
};

std::optional<Condition> MakeCondition(const char* expression) {
  return *expression == 0 ? std::nullopt : std::optional(Condition{expression, "title", ""});
}

constexpr const char* kUntilJune = R"(request.time < timestamp("2027-06-01T00:00:00Z"))";
constexpr const char* kUntilJuly = R"(request.time < timestamp("2027-07-01T00:00:00Z"))";
constexpr const char* kJuneAndBucket =
    R"(request.time < timestamp("2027-06-01T00:00:00Z") && resource.name.startsWith("b/a"))";
constexpr const char* kJulyAndBucket =
    R"(resource.name.startsWith("b/a") && request.time < timestamp("2027-07-01T00:00:00Z"))";
constexpr const char* kInMay =
    R"(request.time >= timestamp("2027-05-01T00:00:00Z") && request.time < timestamp("2027-06-01T00:00:00Z"))";
constexpr const char* kBucketA = R"(resource.name.startsWith("b/a"))";
constexpr const char* kBucketAb = R"(resource.name.startsWith("b/ab"))";
constexpr const char* kBucketB = R"(resource.name.startsWith("b/b"))";

TEST(ConditionOrder, SaysWhatIsProved) {
  const OrderCase cases[] = {
      {"nothing is within nothing", "", "", true},
      {"a condition permits no more than none", kUntilJune, "", true},
      {"none permits more than a condition", "", kUntilJune, false},
      {"none permits no more than what always holds", "", "true", true},
      {"the same", kUntilJune, kUntilJune, true},
      {"the same in another spelling", "request.time<timestamp('2027-06-01T00:00:00Z')", kUntilJune,
       true},
      {"a later end", kUntilJune, kUntilJuly, true},
      {"an earlier end", kUntilJuly, kUntilJune, false},
      {"the same end in another zone", R"(request.time < timestamp("2027-06-01T02:00:00+02:00"))",
       kUntilJune, true},
      {"a window within an end", kInMay, kUntilJune, true},
      {"a window that lost its start", kUntilJune, kInMay, false},
      {"a dropped conjunct", kJuneAndBucket, kUntilJune, true},
      {"the other dropped conjunct", kJuneAndBucket, kBucketA, true},
      {"an added conjunct", kUntilJune, kJuneAndBucket, false},
      {"conjuncts in another order with a later end", kJuneAndBucket, kJulyAndBucket, true},
      {"and with an earlier end", kJulyAndBucket, kJuneAndBucket, false},
      {"an added disjunct", kBucketA,
       R"(resource.name.startsWith("b/c") || resource.name.startsWith("b/a"))", true},
      {"a dropped disjunct",
       R"(resource.name.startsWith("b/c") || resource.name.startsWith("b/a"))", kBucketA, false},
      {"a longer prefix", kBucketAb, kBucketA, true},
      {"a shorter prefix", kBucketA, kBucketAb, false},
      {"another prefix", kBucketA, kBucketB, false},
      {"one name that fits", R"(resource.name == "b/abc")", kBucketA, true},
      {"one name that does not fit", R"(resource.name == "b/xyz")", kBucketA, false},
      {"one name of several", R"(resource.name == "b/a")", R"(resource.name in ["b/a", "b/c"])",
       true},
      {"what never holds is within all", "false", kBucketA, true},
      {"more hours and days",
       R"(request.time.getHours("UTC") >= 9 && request.time.getDayOfWeek("UTC") in [1, 5])",
       R"(request.time.getDayOfWeek("UTC") >= 1 && request.time.getHours("UTC") > 7)", true},
      {"the hours of another zone", R"(request.time.getHours("UTC") >= 9)",
       R"(request.time.getHours("CET") >= 9)", false},
      {"another port", "destination.port == 22", "destination.port in [22, 3389]", true},
      {"a longer end", R"(resource.name.endsWith("/a.txt"))", R"(resource.name.endsWith(".txt"))",
       true},
      {"a shorter end", R"(resource.name.endsWith(".txt"))", R"(resource.name.endsWith("/a.txt"))",
       false},
      {"a prefix of a part of a name", R"(resource.name.extract("b/{x}/").startsWith("ab"))",
       R"(resource.name.extract("b/{x}/").startsWith("a"))", true},
      {"more roles to give", R"(api.getAttribute("r", []).hasOnly(["a"]))",
       R"(api.getAttribute("r", []).hasOnly(["b", "a"]))", true},
      {"fewer roles to give", R"(api.getAttribute("r", []).hasOnly(["b", "a"]))",
       R"(api.getAttribute("r", []).hasOnly(["a"]))", false},
      {"any value of a tag", R"(resource.matchTag("1/env", "dev"))",
       R"(resource.hasTagKey("1/env"))", true},
      {"another tag", R"(resource.matchTag("1/env", "dev"))", R"(resource.hasTagKey("1/team"))",
       false},
      {"years up to an end", "request.time.getFullYear() < 2027", kUntilJune, true},
      {"an end within its year", kUntilJune, "request.time.getFullYear() <= 2027", true},
      {"a year beyond an end", "request.time.getFullYear() == 2027", kUntilJune, false},
      {"a choice that permits more", kBucketA,
       R"(resource.type == "t" ? resource.name.startsWith("b/a") : true)", true},
      {"a choice that permits less",
       R"(resource.type == "t" ? resource.name.startsWith("b/a") : true)", kBucketA, false},
      {"a negation is not looked into", R"(!resource.name.startsWith("b/a"))", kBucketB, false},
      {"what cannot be read proves nothing", "request.time <", kUntilJune, false},
      {"nor does a text that cannot be read hold more", kUntilJune, "request.time <", false},
  };
  for (const OrderCase& c : cases) {
    EXPECT_EQ(IsContained(MakeCondition(c.inner), MakeCondition(c.outer)), c.contained) << c.why;
  }
}

TEST(ConditionOrder, WordsForPeopleTakeNoPart) {
  EXPECT_TRUE(IsContained(Condition{"a", "one", "by Bo"}, Condition{"a", "two", "by Cy"}));
}

TEST(ConditionOrder, AHugeConditionIsNotLookedIntoForEver) {
  std::string many = "resource.name == 'a'";
  for (int i = 0; i < 300; ++i) many += " && resource.name == 'a" + std::to_string(i) + "'";
  std::ignore = IsContained(Condition{many, "", ""}, Condition{many + " || false", "", ""});
}

}  // namespace
}  // namespace bindery::reconcilers
